// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/figure_canvas.h"

#include <QPolygonF>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <latch>
#include <span>
#include <utility>
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

// The cell that the middle of a pixel lies in, of `cells` over `pixels`.
int64_t cellOf(int64_t pixel, int64_t pixels, int64_t cells) {
    return (2 * pixel + 1) * cells / (2 * pixels);
}

// A row of cells, a colour for each pixel.
class PixelRow {
  public:
    void read(std::span<const uint32_t> cells, const std::vector<uint32_t>& columnOf) {
        cells_.resize(cells.size());
        opaque_ = whole_ = true;
        for (size_t i = 0; i < cells.size(); ++i) {
            cells_[i] = qPremultiply(cells[i]);
            opaque_ = opaque_ && qAlpha(cells_[i]) == 255;
            whole_ = whole_ && (cells_[i] == 0 || qAlpha(cells_[i]) == 255);
        }
        pixels_.resize(columnOf.size());
        for (size_t x = 0; x < columnOf.size(); ++x) pixels_[x] = cells_[columnOf[x]];
    }

    void paintOver(QRgb* to) const {
        const QRgb* from = pixels_.data();
        const size_t count = pixels_.size();
        if (opaque_) {
            std::copy_n(from, count, to);
        } else if (whole_) {
            for (size_t x = 0; x < count; ++x) to[x] = from[x] == 0 ? to[x] : from[x];
        } else {
            for (size_t x = 0; x < count; ++x) to[x] = from[x] + share(to[x], 255 - qAlpha(from[x]));
        }
    }

  private:
    // Each channel times of / 255, rounded as painters do it.
    static QRgb share(QRgb colour, int of) {
        const auto times = [of](uint32_t two) {
            const uint32_t product = two * static_cast<uint32_t>(of);
            return product + ((product >> 8) & 0xFF00FFU) + 0x800080U;
        };
        return ((times(colour & 0xFF00FFU) >> 8) & 0xFF00FFU) | (times((colour >> 8) & 0xFF00FFU) & 0xFF00FF00U);
    }

    std::vector<QRgb> cells_, pixels_;
    bool opaque_ = true;  // all of it
    bool whole_ = true;   // each pixel is opaque or none
};

// Calls it when it is left, by whatever way.
class AtEnd {
  public:
    explicit AtEnd(std::function<void()> last) : last_(std::move(last)) {}
    ~AtEnd() { last_(); }
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;

  private:
    const std::function<void()> last_;
};

// The first row of a picture's lower half that lies at a whole length, so that both halves are painted as the whole would be; the height where it is not
// worth it. A photograph is smoothed by where its rows lie: such figures are painted whole.
int middleOf(const inspect::Figure& figure, int height, double scale) {
    constexpr double kSmall = 500'000;  // pixels
    const bool whole =
        figure.width * figure.height * scale * scale < kSmall ||
        std::ranges::any_of(figure.panels, [](const inspect::Panel& panel) { return panel.behind != nullptr; });
    for (int row = whole ? 0 : height / 2; row > 0; --row)
        if (const double length = row / scale; length == std::floor(length) && length * scale == row) return row;
    return height;
}

}  // namespace

void FigureCanvas::setPen(const QPen& pen) {
    painter_.setPen(pen);
    textColour_.reset();
}

bool FigureCanvas::isInside(double top, double bottom) const {
    const double scale = image_.devicePixelRatio();
    return bottom * scale >= top_ && top * scale <= top_ + image_.height();
}

void FigureCanvas::fill(const inspect::Rect& rect, inspect::Colour colour, double opacity) {
    if (!isInside(rect.y - 1, rect.bottom() + 1)) return;
    painter_.fillRect(rectOf(rect), colourOf(colour, opacity));
}

// Four bands of whole pixels: what a pen draws depends on where the image ends.
void FigureCanvas::frame(const inspect::Rect& rect, inspect::Colour colour, double width) {
    const double scale = image_.devicePixelRatio();
    const double thick = std::max(1.0, std::round(width * scale));
    const auto edge = [&](double at) { return std::round(at * scale - thick / 2); };
    const double left = edge(rect.x), right = edge(rect.right()), top = edge(rect.y), bottom = edge(rect.bottom());
    const auto band = [&](double x, double y, double endX, double endY) {
        fill({x / scale, y / scale, (endX - x) / scale, (endY - y) / scale}, colour, 1);
    };
    band(left, top, right + thick, top + thick);
    band(left, bottom, right + thick, bottom + thick);
    band(left, top + thick, left + thick, bottom);
    band(right, top + thick, right + thick, bottom);
}

void FigureCanvas::line(std::span<const inspect::Point> points, inspect::Colour colour, double width, double opacity) {
    QPolygonF polygon;
    polygon.reserve(static_cast<qsizetype>(points.size()));
    for (const inspect::Point& point : points) polygon << QPointF(point.x, point.y);
    setPen(QPen(colourOf(colour, opacity), width));
    painter_.setRenderHint(QPainter::Antialiasing, true);
    painter_.drawPolyline(polygon);
    painter_.setRenderHint(QPainter::Antialiasing, false);
}

void FigureCanvas::text(inspect::Point at, const std::string& text, inspect::TextRole role, inspect::Anchor anchor,
                        inspect::Colour colour, double room) {
    if (text.empty() || !isInside(at.y - 2 * texts_.role(role).ascent, at.y + 2 * texts_.role(role).ascent)) return;
    const ShapedTexts::Role& used = texts_.role(role);
    const ShapedTexts::Shaped& shaped = texts_.shaped(text, role, room);
    const double x = anchor == inspect::Anchor::kStart ? at.x
                     : anchor == inspect::Anchor::kEnd ? at.x - shaped.width
                                                       : at.x - shaped.width / 2;
    if (std::exchange(role_, role) != role) painter_.setFont(used.font);
    if (std::exchange(textColour_, colour) != colour) painter_.setPen(colourOf(colour));
    const double baseline = at.y + (used.ascent - used.descent) / 2;
    painter_.drawStaticText(QPointF(x, baseline - used.ascent), shaped.glyphs);
}

// Scaled here, straight into the image, a row of pixels at a time: painters look up every pixel of a scaled image, which takes ten times as long.
void FigureCanvas::cells(const inspect::Rect& rect, const inspect::PixelGrid& grid) {
    if (grid.width == 0 || grid.height == 0) return;
    const double scale = image_.devicePixelRatio();
    const auto pixel = [scale](double length) { return static_cast<int64_t>(std::round(length * scale)); };
    const int64_t left = pixel(rect.x), right = pixel(rect.right());
    const int64_t top = pixel(rect.y) - top_, bottom = pixel(rect.bottom()) - top_;
    const int64_t begin = std::max<int64_t>(left, 0), end = std::min<int64_t>(right, image_.width());
    if (end <= begin) return;
    std::vector<uint32_t> columnOf;  // of each pixel of a row
    for (int64_t x = begin; x < end; ++x)
        columnOf.push_back(static_cast<uint32_t>(cellOf(x - left, right - left, grid.width)));
    PixelRow row;
    int64_t last = -1;
    for (int64_t y = std::max<int64_t>(top, 0); y < std::min<int64_t>(bottom, image_.height()); ++y) {
        const int64_t of = cellOf(y - top, bottom - top, grid.height);
        if (std::exchange(last, of) != of)
            row.read(grid.pixels.subspan(static_cast<size_t>(of * grid.width), static_cast<size_t>(grid.width)),
                     columnOf);
        row.paintOver(reinterpret_cast<QRgb*>(image_.scanLine(static_cast<int>(y))) + begin);
    }
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

QImage FigurePainter::paint(const inspect::Figure& figure, const inspect::FigureStyle& style, const QFont& font,
                            double scale) {
    QImage& out = emptyImage({static_cast<int>(std::ceil(figure.width * scale)),  //
                              static_cast<int>(std::ceil(figure.height * scale))});
    out.setDevicePixelRatio(scale);
    uchar* const bits = out.bits();
    const auto paintRows = [&, bits, line = out.bytesPerLine()](int top, int bottom, ShapedTexts& texts) {
        QImage strip(bits + top * line, out.width(), bottom - top, line, out.format());
        strip.setDevicePixelRatio(scale);
        texts.use(font, figure.textSize);
        QPainter painter(&strip);
        painter.translate(0, -top / scale);
        FigureCanvas canvas(painter, strip, top, texts);
        inspect::paintFigure(figure, style, canvas);
    };
    const int middle = middleOf(figure, out.height(), scale);
    std::latch lower(1);
    std::exception_ptr failed;  // of the lower half
    const auto paintLower = [&] {
        try {
            paintRows(middle, out.height(), texts_[1]);
        } catch (...) {
            failed = std::current_exception();
        }
        lower.count_down();
    };
    if (middle < out.height() && second().post(paintLower)) {
        {
            const AtEnd both([&] { lower.wait(); });
            paintRows(0, middle, texts_[0]);
        }
        if (failed) std::rethrow_exception(failed);
    } else {
        paintRows(0, out.height(), texts_[0]);
    }
    return out;
}

TaskThread& FigurePainter::second() {
    if (!second_) second_.emplace(TaskThread::Options{});
    return *second_;
}

// The system takes longer to give the pages of a new image than a figure takes to cover them.
QImage& FigurePainter::emptyImage(const QSize& size) {
    const auto isFree = [&](const QImage& image) { return image.size() == size && image.isDetached(); };
    if (!isFree(images_[next_])) next_ = 1 - next_;
    QImage& out = images_[next_];
    next_ = 1 - next_;
    if (!isFree(out)) out = QImage(size, QImage::Format_RGB32);
    std::atomic_thread_fence(std::memory_order_acquire);  // behind the last look of who had it
    return out;
}

}  // namespace pal::desktop
