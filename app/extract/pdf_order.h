// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vision/documents/document.h"

namespace pal::extract {

// A paragraph or table of a page.
struct PdfBlock {
    PageRegion region;
    size_t lines = 0;
    bool fixed = false;  // turned text, which keeps its place
};

// The order in which blocks are read, as indices. Poppler's order is good within a column; a block that stands apart from its column it
// may put behind the next one. Blocks go before those below them in the same column, and before those of columns to their right unless
// something across both stands between (T. Breuel, High Performance Document Layout Analysis, 2003); where that says nothing, and on
// pages of more than 120 blocks, the order stays as it is.
std::vector<size_t> readingOrder(std::span<const PdfBlock> blocks);

}  // namespace pal::extract
