// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QPainter>
#include <string>

#include "app/desktop/inspect/shaped_texts.h"
#include "app/desktop/style/theme.h"
#include "app/inspect/canvas.h"

namespace pal::desktop {

// Figures painted with Qt: heat as one image that is scaled, text in the font of `texts`. Borrows both.
class FigureCanvas : public inspect::Canvas {
  public:
    FigureCanvas(QPainter& painter, ShapedTexts& texts) : painter_(painter), texts_(texts) {}

    void fill(const inspect::Rect& rect, inspect::Colour colour, double opacity) override;
    void frame(const inspect::Rect& rect, inspect::Colour colour, double width) override;
    void line(std::span<const inspect::Point> points, inspect::Colour colour, double width, double opacity) override;
    void text(inspect::Point at, const std::string& text, inspect::TextRole role, inspect::Anchor anchor,
              inspect::Colour colour, double room) override;
    void cells(const inspect::Rect& rect, const inspect::PixelGrid& grid) override;
    void picture(const inspect::Rect& rect, const inspect::Picture& picture) override;

  private:
    QPainter& painter_;
    ShapedTexts& texts_;
};

// What figures look like in a theme; on paper they are always light.
[[nodiscard]] inspect::FigureStyle figureStyle(const Theme& theme);

// A figure as a picture, `scale` pixels to a length. `texts` may hold those of other pictures.
[[nodiscard]] QImage imageOf(const inspect::Figure& figure, const inspect::FigureStyle& style, const QFont& font,
                             double scale, ShapedTexts& texts);

}  // namespace pal::desktop
