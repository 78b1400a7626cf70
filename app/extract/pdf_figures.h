// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "app/extract/pdf_word.h"

namespace pal::extract {

// A page drawn small: rows of R, G, B bytes.
struct PageSketch {
    const char* pixels = nullptr;
    int width = 0, height = 0;
    size_t stride = 0;  // bytes from a row to the next
    double pixelsPerPoint = 1;
};

// The longer side of a sketch in pixels: a figure of notable size is a dozen pixels wide.
inline constexpr double kSketchSide = 160;

// Whether the words leave a place on a page of `width` x `height` points where a figure could be: a square of a figure's least size, not
// counting the margins. Pages full of text are told so without drawing them, which takes ten times as long as reading them.
[[nodiscard]] bool mayHoldFigure(double width, double height, std::span<const PdfWord> words);

// The share of the page that is neither white nor under a word, 0..1.
[[nodiscard]] double inkShare(const PageSketch& sketch, std::span<const PdfWord> words);

// Where pictures and drawings of notable size are: what differs from the paper and lies under no word, joined over small gaps into
// connected components; at least 8 % of the page's longer side both ways and 2.5 % of its area. Boxes around text and tables with lines
// are none: words fill them. From top to bottom.
[[nodiscard]] std::vector<PageRegion> findFigures(const PageSketch& sketch, std::span<const PdfWord> words);

}  // namespace pal::extract
