// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/command.h"
#include "engine/api/tokenizer.h"

namespace pal::cli {

std::string withoutControls(std::string_view text) {
    constexpr std::string_view kReplacement = "\uFFFD";
    const std::string valid = validUtf8(text);
    std::string out;
    out.reserve(valid.size());
    for (size_t i = 0; i < valid.size(); ++i) {
        const auto byte = static_cast<unsigned char>(valid[i]);
        const auto next = static_cast<unsigned char>(i + 1 < valid.size() ? valid[i + 1] : 0);
        const bool c1 = byte == 0xC2 && next < 0xA0;  // U+0080 to U+009F
        if (c1 || byte == 0x7F || (byte < 0x20 && byte != '\n' && byte != '\t')) {
            out += kReplacement;
            i += c1 ? 1 : 0;
        } else {
            out += valid[i];
        }
    }
    return out;
}

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

void Terminal::log(std::string_view category, std::string_view message) {
    if (log_ == nullptr) return;
    status("");  // the log may be the same terminal
    log_->log(LogLevel::kInfo, category, message);
}

int Terminal::report(const Error& error) {
    if (log_ != nullptr) log_->log(LogLevel::kError, "program", error.message);
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
    const std::string safe = withoutControls(text);
    std::fwrite(safe.data(), 1, safe.size(), stderr);
    std::fflush(stderr);
    statusShown_ = !text.empty();
}

}  // namespace pal::cli
