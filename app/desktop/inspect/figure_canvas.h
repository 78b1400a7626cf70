// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QPainter>
#include <array>
#include <optional>
#include <string>

#include "app/desktop/bridge/task_thread.h"
#include "app/desktop/inspect/shaped_texts.h"
#include "app/desktop/style/theme.h"
#include "app/inspect/canvas.h"

namespace pal::desktop {

// Figures painted with Qt on an image: heat as rectangles of whole pixels, text in the font of `texts`. Borrows all three.
class FigureCanvas : public inspect::Canvas {
  public:
    // `painter` paints on `image`, an RGB32, neither turned nor mirrored nor cut: the rows of a picture from `top` on.
    FigureCanvas(QPainter& painter, QImage& image, int top, ShapedTexts& texts)
        : painter_(painter), image_(image), top_(top), texts_(texts) {}

    void fill(const inspect::Rect& rect, inspect::Colour colour, double opacity) override;
    void frame(const inspect::Rect& rect, inspect::Colour colour, double width) override;
    void line(std::span<const inspect::Point> points, inspect::Colour colour, double width, double opacity) override;
    void text(inspect::Point at, const std::string& text, inspect::TextRole role, inspect::Anchor anchor,
              inspect::Colour colour, double room) override;
    void cells(const inspect::Rect& rect, const inspect::PixelGrid& grid) override;
    void picture(const inspect::Rect& rect, const inspect::Picture& picture) override;

  private:
    void setPen(const QPen& pen);
    // Whether anything between these heights is on the image.
    [[nodiscard]] bool isInside(double top, double bottom) const;

    QPainter& painter_;
    QImage& image_;
    const int top_;
    ShapedTexts& texts_;
    // Of the text before: most of a figure's texts have the same.
    std::optional<inspect::TextRole> role_;
    std::optional<inspect::Colour> textColour_;  // none while the pen is another
};

// What figures look like in a theme; on paper they are always light.
[[nodiscard]] inspect::FigureStyle figureStyle(const Theme& theme);

// Paints figures one after the other, the lower half of large ones on a second thread, and keeps what the next ones can use: shaped words, the memory of
// pictures that nobody has any more. Used by one thread at a time.
class FigurePainter {
  public:
    // A figure as a picture, `scale` pixels to a length.
    [[nodiscard]] QImage paint(const inspect::Figure& figure, const inspect::FigureStyle& style, const QFont& font,
                               double scale);

  private:
    QImage& emptyImage(const QSize& size);
    TaskThread& second();

    std::array<ShapedTexts, 2> texts_;  // of the upper and the lower half
    std::array<QImage, 2> images_;      // one is shown while the next is painted
    size_t next_ = 0;
    std::optional<TaskThread> second_;  // from the first large picture on
};

}  // namespace pal::desktop
