// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/descriptor.h"
#include "engine/base/log.h"
#include "engine/base/result.h"

namespace pal::cli {

// What the program did, an event per line with time, level and category. Never the text of a prompt or an answer.
class ProgramLog final : public LogSink {
  public:
    struct Places {
        std::filesystem::path text,
            jsonLines;         // files that the lines are added to; empty: none. A new one is for its owner alone
        bool toError = false;  // standard error, too
    };
    // Errors: kIo, kNotFound.
    static Result<std::unique_ptr<ProgramLog>> open(const Places& places);

    void log(LogLevel level, std::string_view category, std::string_view message) override;

    // The first line that could not be written. Errors: kIo.
    Result<> written() const;

  private:
    ProgramLog() = default;
    void write(const Descriptor& file, const std::filesystem::path& path, const std::string& line);

    Places places_;
    Descriptor text_, jsonLines_;
    mutable std::mutex mutex_;
    Result<> written_;
};

}  // namespace pal::cli
