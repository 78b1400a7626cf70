// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reply_printer.h"

#include <algorithm>

namespace pal::cli {
namespace {

constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

// A reply must not be able to command the terminal. Bytes of UTF-8 sequences pass.
bool harmless(char c) {
    return static_cast<unsigned char>(c) >= 0x20 ? c != 0x7f : c == '\n' || c == '\t';
}

}  // namespace

void ReplyPrinter::print(const std::vector<OutputDelta>& deltas) {
    for (const OutputDelta& delta : deltas) {
        switch (delta.kind) {
            case OutputDelta::Kind::kReasoning:
                reasoning(delta.text);
                break;
            case OutputDelta::Kind::kContent:
                content(delta.text);
                break;
            case OutputDelta::Kind::kReasoningIsContent:
                if (!terminal_.outIsTerminal()) content(delta.text);  // a terminal has shown it
                break;
            case OutputDelta::Kind::kToolCall:
                content(delta.call.name + " " + delta.call.arguments + "\n");
                break;
            case OutputDelta::Kind::kToolCallStarted:
            case OutputDelta::Kind::kDone:
                break;
        }
    }
}

void ReplyPrinter::finish() {
    if (dim_) terminal_.out(kPlain);
    if (lineOpen_) terminal_.out("\n");
    dim_ = lineOpen_ = false;
}

void ReplyPrinter::reasoning(std::string_view text) {
    if (!terminal_.outIsTerminal()) return;
    if (!dim_ && !text.empty()) terminal_.out(kDim);
    dim_ = dim_ || !text.empty();
    write(text);
}

void ReplyPrinter::content(std::string_view text) {
    if (text.empty()) return;
    if (dim_) finish();
    write(text);
}

void ReplyPrinter::write(std::string_view text) {
    if (text.empty()) return;
    std::string safe(text);
    if (terminal_.outIsTerminal()) std::erase_if(safe, [](char c) { return !harmless(c); });
    terminal_.out(safe);
    lineOpen_ = !safe.ends_with('\n');
}

}  // namespace pal::cli
