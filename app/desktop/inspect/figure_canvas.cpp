// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/figure_canvas.h"

#include <QFontMetricsF>
#include <QPolygonF>
#include <cmath>

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

FigureCanvas::FigureCanvas(QPainter& painter, const QFont& font, double textSize) : painter_(painter) {
    constexpr double kSizes[] = {1.2, 1.0, 0.9};
    for (int role = 0; role < 3; ++role) {
        fonts_[role] = font;
        fonts_[role].setPixelSize(std::max(1, static_cast<int>(std::lround(textSize * kSizes[role]))));
    }
    fonts_[static_cast<int>(inspect::TextRole::kTitle)].setWeight(QFont::DemiBold);
}

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
    const QFont& font = fonts_[static_cast<int>(role)];
    const QFontMetricsF metrics(font);
    const Shaped& whole = shaped(text, static_cast<int>(role));
    const bool cut = room > 0 && whole.width > room;
    const QString shown = cut ? metrics.elidedText(whole.text, Qt::ElideRight, room) : QString();
    const double width = cut ? metrics.horizontalAdvance(shown) : whole.width;
    const double x = anchor == inspect::Anchor::kStart ? at.x
                     : anchor == inspect::Anchor::kEnd ? at.x - width
                                                       : at.x - width / 2;
    painter_.setFont(font);
    painter_.setPen(colourOf(colour));
    const double baseline = at.y + (metrics.ascent() - metrics.descent()) / 2;
    if (cut) return painter_.drawText(QPointF(x, baseline), shown);
    painter_.drawStaticText(QPointF(x, baseline - metrics.ascent()), whole.glyphs);
}

const FigureCanvas::Shaped& FigureCanvas::shaped(const std::string& text, int role) {
    const auto [at, isNew] = shaped_[role].try_emplace(text);
    if (isNew) {
        Shaped& out = at->second;
        out.text = QString::fromStdString(text);
        out.width = QFontMetricsF(fonts_[role]).horizontalAdvance(out.text);
        out.glyphs.setTextFormat(Qt::PlainText);
        out.glyphs.setText(out.text);
    }
    return at->second;
}

void FigureCanvas::cells(const inspect::Rect& rect, const inspect::PixelGrid& grid) {
    if (grid.width == 0 || grid.height == 0) return;
    const QImage image(reinterpret_cast<const uchar*>(grid.pixels.data()), static_cast<int>(grid.width),
                       static_cast<int>(grid.height), static_cast<qsizetype>(grid.width) * 4, QImage::Format_ARGB32);
    painter_.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter_.drawImage(rectOf(rect), image);
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

QImage imageOf(const inspect::Figure& figure, const inspect::FigureStyle& style, const QFont& font, double scale) {
    QImage out(static_cast<int>(std::ceil(figure.width * scale)), static_cast<int>(std::ceil(figure.height * scale)),
               QImage::Format_RGB32);
    out.setDevicePixelRatio(scale);
    QPainter painter(&out);
    FigureCanvas canvas(painter, font, figure.textSize);
    inspect::paintFigure(figure, style, canvas);
    return out;
}

}  // namespace pal::desktop
