// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/figure_canvas.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <vector>

namespace pal::desktop {
namespace {

QColor colourOf(inspect::Colour colour, double opacity = 1) {
    QColor out(QRgb(0xFF000000U | colour));
    out.setAlphaF(static_cast<float>(opacity));
    return out;
}

QRectF rectOf(const inspect::Rect& rect) {
    return {rect.x, rect.y, rect.width, rect.height};
}

inspect::Colour plain(const QColor& colour) {
    return colour.rgb() & 0xFFFFFFU;
}

}  // namespace

void FigureCanvas::fill(const inspect::Rect& rect, inspect::Colour colour, double opacity) {
    painter_.fillRect(rectOf(rect), colourOf(colour, opacity));
}

void FigureCanvas::frame(const inspect::Rect& rect, inspect::Colour colour, double width) {
    painter_.setPen(QPen(colourOf(colour), width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(rectOf(rect));
}

void FigureCanvas::line(std::span<const inspect::Point> points, inspect::Colour colour, double width, double opacity) {
    QPolygonF polygon;
    polygon.reserve(static_cast<qsizetype>(points.size()));
    for (const inspect::Point& point : points) polygon << QPointF(point.x, point.y);
    painter_.setPen(QPen(colourOf(colour, opacity), width));
    painter_.setRenderHint(QPainter::Antialiasing, true);
    painter_.drawPolyline(polygon);
    painter_.setRenderHint(QPainter::Antialiasing, false);
}

void FigureCanvas::text(inspect::Point at, const std::string& text, inspect::TextRole role, inspect::Anchor anchor,
                        inspect::Colour colour, double room) {
    if (text.empty()) return;
    const ShapedTexts::Role& used = texts_.role(role);
    const ShapedTexts::Shaped& shaped = texts_.shaped(text, role, room);
    const double x = anchor == inspect::Anchor::kStart ? at.x
                     : anchor == inspect::Anchor::kEnd ? at.x - shaped.width
                                                       : at.x - shaped.width / 2;
    painter_.setFont(used.font);
    painter_.setPen(colourOf(colour));
    const double baseline = at.y + (used.ascent - used.descent) / 2;
    painter_.drawStaticText(QPointF(x, baseline - used.ascent), shaped.glyphs);
}

// Scaled here, a row of pixels at a time: painters look up every pixel of a scaled image, which takes ten times as long.
void FigureCanvas::cells(const inspect::Rect& rect, const inspect::PixelGrid& grid) {
    if (grid.width == 0 || grid.height == 0) return;
    const double scale = painter_.deviceTransform().m11();
    const QRectF at(std::round(rect.x * scale), std::round(rect.y * scale), 0, 0);
    const int width = static_cast<int>(std::round((rect.x + rect.width) * scale) - at.x());
    const int height = static_cast<int>(std::round((rect.y + rect.height) * scale) - at.y());
    if (width <= 0 || height <= 0) return;
    const bool opaque =
        std::all_of(grid.pixels.begin(), grid.pixels.end(), [](uint32_t pixel) { return pixel >> 24 == 0xFF; });
    QImage image(width, height, opaque ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
    const auto columns = static_cast<size_t>(width), rows = static_cast<size_t>(height);
    const auto cellOf = [](size_t pixel, size_t pixels, int64_t cells) {
        return static_cast<int64_t>((2 * pixel + 1) * static_cast<size_t>(cells) / (2 * pixels));
    };
    std::vector<int64_t> columnOf(columns);
    for (size_t x = 0; x < columns; ++x) columnOf[x] = cellOf(x, columns, grid.width);
    int64_t last = -1;
    for (size_t y = 0; y < rows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        const int64_t row = cellOf(y, rows, grid.height);
        if (row == last) {
            std::copy_n(reinterpret_cast<const QRgb*>(image.constScanLine(static_cast<int>(y) - 1)), columns, line);
            continue;
        }
        last = row;
        const uint32_t* from = grid.pixels.data() + row * grid.width;
        for (size_t x = 0; x < columns; ++x) line[x] = opaque ? from[columnOf[x]] : qPremultiply(from[columnOf[x]]);
    }
    image.setDevicePixelRatio(scale);
    painter_.drawImage(QPointF(at.x() / scale, at.y() / scale), image);
}

void FigureCanvas::picture(const inspect::Rect& rect, const inspect::Picture& picture) {
    const QImage image(picture.rgb.data(), static_cast<int>(picture.width), static_cast<int>(picture.height),
                       static_cast<qsizetype>(picture.width) * 3, QImage::Format_RGB888);
    painter_.setRenderHint(QPainter::SmoothPixmapTransform, true);
    painter_.drawImage(rectOf(rect), image);
    painter_.setRenderHint(QPainter::SmoothPixmapTransform, false);
}

inspect::FigureStyle figureStyle(const Theme& theme) {
    const Colours& colours = theme.colours();
    return {plain(colours.surface), plain(colours.text), plain(colours.muted), plain(colours.faint),
            plain(colours.accent)};
}

QImage imageOf(const inspect::Figure& figure, const inspect::FigureStyle& style, const QFont& font, double scale,
               ShapedTexts& texts) {
    QImage out(static_cast<int>(std::ceil(figure.width * scale)), static_cast<int>(std::ceil(figure.height * scale)),
               QImage::Format_RGB32);
    out.setDevicePixelRatio(scale);
    QPainter painter(&out);
    texts.use(font, figure.textSize);
    FigureCanvas canvas(painter, texts);
    inspect::paintFigure(figure, style, canvas);
    return out;
}

}  // namespace pal::desktop
