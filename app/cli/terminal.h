// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/result.h"

namespace pal::cli {

// The text with U+FFFD for malformed UTF-8 and for every control character (C0, DEL, C1) but line end and tab, so that a tensor name
// cannot move the cursor or change the title of a terminal.
[[nodiscard]] std::string withoutControls(std::string_view text);

// Standard output and error of the program: results go to out(), progress and messages to err(). Owned by main, used on the main thread.
class Terminal {
  public:
    Terminal();

    // Writes as is and flushes when the stream is a terminal: for bytes that are the result, such as decoded text.
    void out(std::string_view text);
    void err(std::string_view text);
    // A line for people. Names and values from files go through here, so control characters in them are replaced (withoutControls).
    template <typename... Args>
    void outLine(fmt::format_string<Args...> format, Args&&... args) {
        out(withoutControls(fmt::format(format, std::forward<Args>(args)...)) + "\n");
    }
    template <typename... Args>
    void errLine(fmt::format_string<Args...> format, Args&&... args) {
        err(withoutControls(fmt::format(format, std::forward<Args>(args)...)) + "\n");
    }

    // Events go to `log` from now on, errors as they are told as well; null: nowhere. It must live as long.
    void logTo(LogSink* log) { log_ = log; }
    // An event that is no output; never the text of a prompt or an answer.
    void log(std::string_view category, std::string_view message);

    // Prints "pal: error: message" and returns the exit code that belongs to the error: 2 is for kInvalidArgument, so what is wrong inside a
    // file must have another code.
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
    LogSink* log_ = nullptr;
};

}  // namespace pal::cli
