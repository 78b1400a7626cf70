// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/inspect/canvas.h"
#include "app/inspect/figure.h"
#include "app/inspect/words.h"

// Files of exactly what is drawn.

namespace pal::inspect {

// SVG 1.1. Cells are rectangles up to kMostVectorCells in the figure; beyond that heat images are embedded as PNG, and the file says so in
// a line of its caption.
inline constexpr size_t kMostVectorCells = 20'000;
[[nodiscard]] std::string svgOf(const Figure& figure, const FigureStyle& style, const Words& words);

// RFC 4180 with a header: panel, row, column, value, low, high, text, and the numbers of the target. Cells without value are left out.
[[nodiscard]] std::string csvOf(const Figure& figure);

// The same as JSON, with title, caption, scales and size.
[[nodiscard]] std::string jsonOf(const Figure& figure);

}  // namespace pal::inspect
