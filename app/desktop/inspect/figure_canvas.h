// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QPainter>
#include <QStaticText>
#include <string>
#include <unordered_map>

#include "app/desktop/style/theme.h"
#include "app/inspect/canvas.h"

namespace pal::desktop {

// Figures painted with Qt: heat as one image that is scaled, text in the theme's fonts. Borrows the painter.
class FigureCanvas : public inspect::Canvas {
  public:
    FigureCanvas(QPainter& painter, const QFont& font, double textSize);

    void fill(const inspect::Rect& rect, inspect::Colour colour, double opacity) override;
    void frame(const inspect::Rect& rect, inspect::Colour colour, double width) override;
    void line(std::span<const inspect::Point> points, inspect::Colour colour, double width, double opacity) override;
    void text(inspect::Point at, const std::string& text, inspect::TextRole role, inspect::Anchor anchor,
              inspect::Colour colour, double room) override;
    void cells(const inspect::Rect& rect, const inspect::PixelGrid& grid) override;
    void picture(const inspect::Rect& rect, const inspect::Picture& picture) override;

  private:
    struct Shaped {
        QString text;
        double width = 0;
        QStaticText glyphs;
    };
    const Shaped& shaped(const std::string& text, int role);

    QPainter& painter_;
    QFont fonts_[3];  // by TextRole
    // By role: shaping a word costs more than drawing it, and a text of tokens has the same ones again and again.
    std::unordered_map<std::string, Shaped> shaped_[3];
};

// What figures look like in a theme; on paper they are always light.
[[nodiscard]] inspect::FigureStyle figureStyle(const Theme& theme);

// A figure as a picture, `scale` pixels to a length.
[[nodiscard]] QImage imageOf(const inspect::Figure& figure, const inspect::FigureStyle& style, const QFont& font,
                             double scale);

}  // namespace pal::desktop
