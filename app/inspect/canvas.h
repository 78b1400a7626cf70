// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/inspect/figure.h"

namespace pal::inspect {

struct Point {
    double x = 0, y = 0;
};

enum class Anchor { kStart, kMiddle, kEnd };
enum class TextRole { kTitle, kBody, kSmall };

// Pixels of one picture, 0xAARRGGBB, rows from the top.
struct PixelGrid {
    int64_t width = 0, height = 0;
    std::span<const uint32_t> pixels;
};

// What figures are painted on: a window, a file. Colours are 0xRRGGBB, `opacity` 0..1.
class Canvas {
  public:
    virtual ~Canvas() = default;
    virtual void fill(const Rect& rect, Colour colour, double opacity) = 0;
    virtual void frame(const Rect& rect, Colour colour, double width) = 0;
    virtual void line(std::span<const Point> points, Colour colour, double width, double opacity) = 0;
    // `y` is the middle of the line of text. What is wider than `room` is cut with an ellipsis; room <= 0: not cut.
    virtual void text(Point at, const std::string& text, TextRole role, Anchor anchor, Colour colour, double room) = 0;
    // Each pixel becomes a rectangle with hard edges.
    virtual void cells(const Rect& rect, const PixelGrid& pixels) = 0;
    virtual void picture(const Rect& rect, const Picture& picture) = 0;
};

// Colours of what is no value.
struct FigureStyle {
    Colour background = 0xffffff, text = 0x1a1a1a, muted = 0x5c5c5c, line = 0xc8c8c8, chosen = 0xd1105a;
};

void paintFigure(const Figure& figure, const FigureStyle& style, Canvas& canvas);

// How wide a text is about, in lengths of its size: enough to leave room for it without fonts.
[[nodiscard]] double textWidth(const std::string& text);
// A text in lines that are about as wide as `room`, likewise in its size, broken between words.
[[nodiscard]] std::vector<std::string> wrappedText(const std::string& text, double room);

}  // namespace pal::inspect
