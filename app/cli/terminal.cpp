// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/command.h"

namespace pal::cli {

Terminal::Terminal()
    : outIsTerminal_(isatty(STDOUT_FILENO) == 1),
      errIsTerminal_(isatty(STDERR_FILENO) == 1),
      inIsTerminal_(isatty(STDIN_FILENO) == 1) {}

void Terminal::out(std::string_view text) {
    status("");
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (outIsTerminal_) std::fflush(stdout);
}

void Terminal::err(std::string_view text) {
    status("");
    std::fwrite(text.data(), 1, text.size(), stderr);
}

int Terminal::report(const Error& error) {
    errLine("pal: error: {}", error.message);
    switch (error.code) {
        case ErrorCode::kCancelled:
            return kExitInterrupted;
        case ErrorCode::kInvalidArgument:
            return kExitUsage;
        default:
            return kExitFailure;
    }
}

void Terminal::status(std::string_view text) {
    if (!errIsTerminal_ || (text.empty() && !statusShown_)) return;
    std::fputs("\r\x1b[K", stderr);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    statusShown_ = !text.empty();
}

}  // namespace pal::cli
