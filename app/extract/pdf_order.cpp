// SPDX-License-Identifier: Apache-2.0
#include "app/extract/pdf_order.h"

#include <algorithm>
#include <numeric>

namespace pal::extract {
namespace {

constexpr size_t kMostBlocks = 120;
constexpr size_t kColumnLines = 3;  // a block of so many lines makes a column; single words side by side are a row
constexpr double kTouch = 2;        // points that neighbours may overlap

bool shareColumn(const PageRegion& a, const PageRegion& b) {
    return a.x < b.x + b.width - kTouch && b.x < a.x + a.width - kTouch;
}

bool between(const PageRegion& c, const PageRegion& a, const PageRegion& b) {
    return (a.y < c.y && c.y < b.y) || (b.y < c.y && c.y < a.y);
}

bool goesBefore(std::span<const PdfBlock> blocks, size_t first, size_t second) {
    const PageRegion& a = blocks[first].region;
    const PageRegion& b = blocks[second].region;
    if (blocks[first].fixed || blocks[second].fixed) return false;
    if (shareColumn(a, b)) return a.y < b.y;
    if (std::max(blocks[first].lines, blocks[second].lines) < kColumnLines || a.x > b.x) return false;
    return std::none_of(blocks.begin(), blocks.end(), [&](const PdfBlock& block) {
        return shareColumn(block.region, a) && shareColumn(block.region, b) && between(block.region, a, b);
    });
}

}  // namespace

std::vector<size_t> readingOrder(std::span<const PdfBlock> blocks) {
    const size_t count = blocks.size();
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    if (count < 3 || count > kMostBlocks) return order;
    std::vector<std::vector<size_t>> after(count);  // blocks that wait for this one
    std::vector<size_t> waits(count, 0);
    for (size_t a = 0; a < count; ++a) {
        for (size_t b = 0; b < count; ++b) {
            if (a == b || !goesBefore(blocks, a, b)) continue;
            after[a].push_back(b);
            ++waits[b];
        }
    }
    std::vector<bool> placed(count, false);
    order.clear();
    while (order.size() < count) {
        // The first one in poppler's order that waits for nothing; in a circle, the first one left.
        size_t next = count;
        for (size_t i = 0; i < count; ++i) {
            if (placed[i]) continue;
            if (next == count) next = i;
            if (waits[i] > 0) continue;
            next = i;
            break;
        }
        placed[next] = true;
        order.push_back(next);
        for (const size_t block : after[next]) {
            if (waits[block] > 0) --waits[block];
        }
    }
    return order;
}

}  // namespace pal::extract
