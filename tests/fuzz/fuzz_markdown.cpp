// SPDX-License-Identifier: Apache-2.0
// Any bytes as the text of a message: in pieces they give the blocks of the whole, whose spans are in order and inside their text. The first
// byte chooses how the text is read and split.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/desktop/transcript/markdown_document.h"
#include "engine/base/check.h"

namespace {

void checkSpans(const pal::desktop::InlineText& text) {
    int done = 0;
    for (const auto& span : text.spans) {
        PAL_CHECK(span.begin >= done && span.end > span.begin && span.end <= text.text.size());
        PAL_CHECK(span.target < static_cast<int32_t>(text.targets.size()));
        done = span.end;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using pal::desktop::MarkdownDocument;
    if (size == 0 || size > (1u << 20)) return 0;
    const auto dialect = data[0] % 2 == 0 ? MarkdownDocument::Dialect::kMarkdown : MarkdownDocument::Dialect::kLiteral;
    const size_t step = std::max<size_t>(1 + data[0] / 2u, size / 64);
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    MarkdownDocument whole(dialect), pieces(dialect);
    whole.append(text);
    for (size_t at = 0; at < text.size(); at += step) pieces.append(text.substr(at, step));
    PAL_CHECK(whole.blocks() == pieces.blocks());
    for (const auto& block : whole.blocks()) {
        checkSpans(block.content);
        for (const auto& cell : block.cells) checkSpans(cell);
        PAL_CHECK(block.cells.empty() || block.cells.size() % block.aligns.size() == 0);
        PAL_CHECK(block.sharedContainers <= block.containers.size());
    }
    return 0;
}
