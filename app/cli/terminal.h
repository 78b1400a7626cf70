// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace pal::cli {

// Standard output and error of the program: results go to out(), progress and messages to err(). Owned by main, used on the main thread.
class Terminal {
  public:
    Terminal();

    // Writes as is and flushes when the stream is a terminal.
    void out(std::string_view text);
    void err(std::string_view text);
    template <typename... Args>
    void outLine(fmt::format_string<Args...> format, Args&&... args) {
        out(fmt::format(format, std::forward<Args>(args)...) + "\n");
    }
    template <typename... Args>
    void errLine(fmt::format_string<Args...> format, Args&&... args) {
        err(fmt::format(format, std::forward<Args>(args)...) + "\n");
    }

    // Prints "pal: error: message" and returns the exit code that belongs to the error.
    int report(const Error& error);

    // A status line that replaces itself on a terminal and is dropped elsewhere; empty text clears it.
    void status(std::string_view text);

    [[nodiscard]] bool outIsTerminal() const { return outIsTerminal_; }
    [[nodiscard]] bool errIsTerminal() const { return errIsTerminal_; }
    [[nodiscard]] bool inIsTerminal() const { return inIsTerminal_; }

  private:
    bool outIsTerminal_;
    bool errIsTerminal_;
    bool inIsTerminal_;
    bool statusShown_ = false;
};

}  // namespace pal::cli
