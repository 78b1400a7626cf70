// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reply_printer.h"

#include <algorithm>

namespace pal::cli {
namespace {

constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

// A reply must not be able to command the terminal: without C0 and C1 control characters (U+0080 to U+009F are C2 80 to C2 9F in
// UTF-8) but line end and tab. Deltas are whole code points.
std::string harmless(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (c1) ++i;
        const bool control = byte < 0x20 ? byte != '\n' && byte != '\t' : byte == 0x7F;
        if (!c1 && !control) out += text[i];
    }
    return out;
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
    const std::string safe = terminal_.outIsTerminal() ? harmless(text) : std::string(text);
    terminal_.out(safe);
    lineOpen_ = !safe.ends_with('\n');
}

}  // namespace pal::cli
