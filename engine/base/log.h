// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pal {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

// Where the libraries report what is worth knowing but is no error of a call. They never print and never log prompt text.
// Implementations are thread-safe and return at once. A null LogSink* means silence.
class LogSink {
  public:
    virtual ~LogSink() = default;
    // `category` is the reporting folder ("model", "exec"), `message` one line without a line end.
    virtual void log(LogLevel level, std::string_view category, std::string_view message) = 0;
};

}  // namespace pal
