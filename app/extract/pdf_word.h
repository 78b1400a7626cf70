// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vision/documents/document.h"

namespace pal::extract {

// A word of a PDF page as poppler finds it, in reading order of words; its characters by their place from left to right.
struct PdfWord {
    std::u16string text;
    PageRegion box;
    int rotation = 0;  // quarter turns clockwise
    bool spaceAfter = false;
};

// A word's box as the reader of the line sees it: u along the line, v from line to line, whatever the rotation.
struct LineBox {
    double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
    [[nodiscard]] double height() const { return v1 - v0; }
    [[nodiscard]] double overlapV(const LineBox& other) const {
        return (v1 < other.v1 ? v1 : other.v1) - (v0 > other.v0 ? v0 : other.v0);
    }
};

inline LineBox lineBox(const PageRegion& box, int rotation) {
    const double right = box.x + box.width;
    const double bottom = box.y + box.height;
    switch (rotation & 3) {
        case 1:  // reads downwards, lines go left
            return {box.y, bottom, -right, -box.x};
        case 2:
            return {-right, -box.x, -bottom, -box.y};
        case 3:  // reads upwards, lines go right
            return {-bottom, -box.y, box.x, right};
        default:
            return {box.x, right, box.y, bottom};
    }
}

inline PageRegion unite(const PageRegion& a, const PageRegion& b) {
    const double x = a.x < b.x ? a.x : b.x;
    const double y = a.y < b.y ? a.y : b.y;
    const double right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    const double bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return {x, y, right - x, bottom - y};
}

}  // namespace pal::extract
