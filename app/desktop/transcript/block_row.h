// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <memory>
#include <vector>

#include "app/desktop/transcript/block.h"
#include "app/desktop/transcript/code_highlighter.h"
#include "app/desktop/transcript/row_layout.h"

namespace pal::desktop {

// What a block's row needs to know besides the block.
struct BlockSetting {
    const Theme* theme = nullptr;
    qreal width = 0;
    enum class Voice { kText, kThinking } voice = Voice::kText;  // thinking is muted and has a line at its side
    bool first = false;                                          // of its message's text: no space above
    bool deeper = false;                                         // in more lists and quotes than the block before
    HighlightState* highlight = nullptr;  // of code: what the part begins in; becomes what the next begins in
};

// Lays a block out. The row's text, for offsets, is blockText(block). `before`, if any, is the row of an earlier text of the same block with
// the same setting: what did not change is taken from it, and the result is as if there were none.
[[nodiscard]] std::unique_ptr<RowLayout> makeBlockRow(const Block& block, const BlockSetting& setting,
                                                      std::unique_ptr<RowLayout> before = {});

// Whether the block's row can have something to press.
[[nodiscard]] bool mayBePressed(const Block& block);

// Of the theme's fonts, looked up once for many estimates: line and mean character of the body, line of small text, a quarter of a line.
struct EstimateMetrics {
    qreal line = 0, character = 0, small = 0, quarter = 0;
};
[[nodiscard]] EstimateMetrics estimateMetrics(const Theme& theme);
// About as high as makeBlockRow would be, without laying anything out.
[[nodiscard]] qreal estimateBlockHeight(const Block& block, const BlockSetting& setting,
                                        const EstimateMetrics& metrics);

// The text that is selected, found and heard: cells of a table are parted by tabs and line ends.
[[nodiscard]] QString blockText(const Block& block);

}  // namespace pal::desktop
