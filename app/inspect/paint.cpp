// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "app/inspect/canvas.h"

namespace pal::inspect {
namespace {

constexpr uint32_t kOpaque = 0xFF000000U;
constexpr Colour kLightText = 0xffffff, kDarkText = 0x111111;

Colour textOn(Colour colour) {
    return luminance(colour) > 0.18 ? kDarkText : kLightText;
}

class PanelPainter {
  public:
    PanelPainter(const Panel& panel, const Figure& figure, const FigureStyle& style, Canvas& canvas)
        : panel_(panel), figure_(figure), style_(style), canvas_(canvas) {}

    void paint() {
        if (panel_.behind) canvas_.picture(panel_.area, *panel_.behind);
        if (!panel_.values.empty()) cells();
        axes();
        if (panel_.legend) legend();
        chosen();
    }

  private:
    void cells() {
        switch (panel_.kind) {
            case Panel::Kind::kHeat:
                return heat();
            case Panel::Kind::kBars:
                return bars();
            case Panel::Kind::kLines:
                return lines();
            case Panel::Kind::kRanges:
                return ranges();
            case Panel::Kind::kTokens:
                return tokens();
            case Panel::Kind::kLinks:
                return links();
        }
    }

    [[nodiscard]] Colour colourOf(size_t row, size_t column) const {
        return panel_.scaleOfRow(row).colour(panel_.values[panel_.cell(row, column)]);
    }

    void heat() {
        std::vector<uint32_t> pixels(panel_.values.size());
        for (size_t row = 0; row < panel_.rows.size(); ++row) {
            for (size_t column = 0; column < panel_.columns.size(); ++column) {
                const size_t cell = panel_.cell(row, column);
                if (std::isnan(panel_.values[cell])) continue;
                pixels[cell] = colourOf(row, column) | (panel_.behind ? overPicture(panel_.values[cell]) : kOpaque);
            }
        }
        const auto columns = static_cast<int64_t>(panel_.columns.size());
        canvas_.cells(panel_.area, {columns, static_cast<int64_t>(panel_.rows.size()), pixels});
        if (!panel_.texts.empty()) cellTexts();
    }

    // Heat over a picture lets it show through, the more the less there is.
    [[nodiscard]] uint32_t overPicture(float value) const {
        return static_cast<uint32_t>(0x30 + 0x90 * panel_.scale.at(value)) << 24;
    }

    // A row has the texts of all its cells or none: cut numbers say something else, and neighbours that touch read as one.
    void cellTexts() {
        const double room = panel_.area.width / static_cast<double>(panel_.columns.size()) / figure_.textSize;
        constexpr double kApart = 0.5, kSmall = 0.9;
        for (size_t row = 0; row < panel_.rows.size(); ++row) {
            const std::span<const std::string> texts(&panel_.texts[panel_.cell(row, 0)], panel_.columns.size());
            const bool fits = std::ranges::all_of(
                texts, [&](const std::string& text) { return textWidth(text) * kSmall + kApart <= room; });
            if (!fits) continue;
            for (size_t column = 0; column < panel_.columns.size(); ++column) {
                const Rect rect = cellRect(panel_, row, column);
                if (texts[column].empty() || rect.height < figure_.textSize * 0.9) continue;
                canvas_.text({rect.x + rect.width / 2, rect.y + rect.height / 2}, texts[column], TextRole::kSmall,
                             Anchor::kMiddle, textOn(colourOf(row, column)), rect.width);
            }
        }
    }

    void bars() {
        for (size_t row = 0; row < panel_.rows.size(); ++row) {
            for (size_t column = 0; column < panel_.columns.size(); ++column) {
                const Rect rect = cellRect(panel_, row, column);
                if (rect.width <= 0) continue;
                const Colour colour =
                    panel_.columnColours.empty() ? colourOf(row, column) : panel_.columnColours[column];
                canvas_.fill(rect, colour, 1);
                if (!panel_.texts.empty() && panel_.columns.size() == 1)
                    canvas_.text({rect.right() + 4, rect.y + rect.height / 2}, panel_.texts[panel_.cell(row, column)],
                                 TextRole::kSmall, Anchor::kStart, style_.muted, panel_.area.right() - rect.right());
            }
        }
    }

    [[nodiscard]] double height(size_t row, double value) const {
        return panel_.area.bottom() - panel_.area.height * panel_.scaleOfRow(row).at(value);
    }

    void lines() {
        const double width = panel_.area.width / static_cast<double>(panel_.columns.size());
        for (size_t row = 0; row < panel_.rows.size(); ++row) {
            const Colour colour = panel_.rowColours.empty() ? style_.text : panel_.rowColours[row];
            std::vector<Point> points;
            const auto flush = [&] {
                if (points.size() == 1) points.push_back({points[0].x + width, points[0].y});
                if (!points.empty()) canvas_.line(points, colour, 1.5, 1);
                points.clear();
            };
            for (size_t column = 0; column < panel_.columns.size(); ++column) {
                const size_t cell = panel_.cell(row, column);
                if (std::isnan(panel_.values[cell])) {
                    flush();
                    continue;
                }
                const double x = panel_.area.x + width * (static_cast<double>(column) + 0.5);
                if (!panel_.low.empty()) {
                    const double top = height(row, panel_.high[cell]), bottom = height(row, panel_.low[cell]);
                    canvas_.fill({x - width / 2, top, width, std::max(bottom - top, 0.5)}, colour, 0.25);
                }
                points.push_back({x, height(row, panel_.values[cell])});
            }
            flush();
        }
    }

    void ranges() {
        const double width = panel_.area.width / static_cast<double>(panel_.columns.size());
        for (size_t column = 0; column < panel_.columns.size(); ++column) {
            const float value = panel_.values[column];
            if (std::isnan(value)) continue;
            const double x = panel_.area.x + width * static_cast<double>(column);
            const double top = height(0, panel_.high[column]), bottom = height(0, panel_.low[column]);
            canvas_.fill({x + width * 0.2, top, width * 0.6, std::max(bottom - top, 1.0)}, partColour(0), 0.45);
            canvas_.fill({x + width * 0.2, height(0, value) - 1, width * 0.6, 2}, style_.text, 1);
        }
    }

    void tokens() {
        for (size_t column = 0; column < panel_.columns.size(); ++column) {
            const Rect& rect = panel_.places[column];
            const float value = panel_.values[column];
            const bool known = !std::isnan(value);
            const Colour colour = known ? colourOf(0, column) : style_.background;
            if (known) canvas_.fill(rect, colour, 1);
            canvas_.text({rect.x + rect.width / 2, rect.y + rect.height / 2}, panel_.texts[column], TextRole::kBody,
                         Anchor::kMiddle, known ? textOn(colour) : style_.text, rect.width);
        }
    }

    void links() {
        const Rect& area = panel_.area;
        const auto y = [&](size_t index, size_t count) {
            return area.y + area.height * (static_cast<double>(index) + 0.5) / static_cast<double>(count);
        };
        for (size_t row = 0; row < panel_.rows.size(); ++row) {
            for (size_t column = 0; column < panel_.columns.size(); ++column) {
                const float value = panel_.values[panel_.cell(row, column)];
                if (std::isnan(value)) continue;
                const Point ends[] = {{area.x, y(row, panel_.rows.size())},
                                      {area.right(), y(column, panel_.columns.size())}};
                canvas_.line(ends, partColour(static_cast<int64_t>(row)), 1 + 2 * panel_.scale.at(value),
                             0.15 + 0.85 * panel_.scale.at(value));
            }
        }
        for (size_t column = 0; column < panel_.columns.size(); ++column)
            canvas_.text({area.right() + 4, y(column, panel_.columns.size())}, panel_.columns[column].name,
                         TextRole::kSmall, Anchor::kStart, style_.text, figure_.width - area.right() - 4);
    }

    void axes() {
        const Rect& area = panel_.area;
        const double size = figure_.textSize;
        if (!panel_.title.empty()) {
            // A long one begins above the names of the rows.
            const double needed = (textWidth(panel_.title) + 0.5) * size;
            const double begin = std::max(std::min(area.x, panel_.outer.x), std::min(area.x, titleEnd() - needed));
            canvas_.text({begin, area.y - size * 0.9}, panel_.title, TextRole::kBody, Anchor::kStart, style_.text,
                         titleEnd() - begin);
        }
        for (const Tick& tick : panel_.rowTicks)
            canvas_.text({area.x - 5, area.y + area.height * tick.at}, tick.label, TextRole::kSmall, Anchor::kEnd,
                         style_.text, area.x - 6);
        for (const Tick& tick : panel_.columnTicks)
            canvas_.text({area.x + area.width * tick.at, area.bottom() + size * 0.8}, tick.label, TextRole::kSmall,
                         Anchor::kMiddle, style_.text, 0);
        const bool across = panel_.kind == Panel::Kind::kBars;
        for (const Tick& tick : panel_.valueTicks) {
            if (across) {
                canvas_.text({area.x + area.width * tick.at, area.bottom() + size * 0.8}, tick.label, TextRole::kSmall,
                             Anchor::kMiddle, style_.muted, 0);
            } else {
                canvas_.text({area.x - 5, area.bottom() - area.height * tick.at}, tick.label, TextRole::kSmall,
                             Anchor::kEnd, style_.muted, 0);
            }
        }
        if (!panel_.columnTitle.empty())
            canvas_.text({area.x + area.width / 2, area.bottom() + size * 2.1}, panel_.columnTitle, TextRole::kSmall,
                         Anchor::kMiddle, style_.muted, 0);
        if (panel_.kind != Panel::Kind::kTokens) canvas_.frame(area, style_.line, 1);
    }

    // A legend of names has no heading: they say it.
    [[nodiscard]] bool namesParts() const { return !panel_.columnColours.empty() || !panel_.rowColours.empty(); }
    [[nodiscard]] double titleEnd() const {
        return panel_.legend && !namesParts() ? panel_.area.right() : panel_.outer.right();
    }
    // Above the scale; a long one stands beside the panel's title and reaches to the left as far as that leaves room.
    void legendHeading() {
        const Rect& box = *panel_.legend;
        const double size = figure_.textSize;
        const double end = panel_.outer.right();
        if (textWidth(panel_.valueName) * size * 0.9 <= end - box.x)
            return canvas_.text({box.x, box.y - size * 0.9}, panel_.valueName, TextRole::kSmall, Anchor::kStart,
                                style_.muted, end - box.x);
        const double title = panel_.title.empty() ? 0 : (textWidth(panel_.title) + 1) * size;
        canvas_.text({end, panel_.area.y - size * 0.9}, panel_.valueName, TextRole::kSmall, Anchor::kEnd, style_.muted,
                     std::max(end - box.x, end - panel_.area.x - title));
    }

    void legend() {
        const Rect& box = *panel_.legend;
        const double size = figure_.textSize;
        if (!namesParts()) legendHeading();
        const auto names = [&](const std::vector<Entry>& entries, const std::vector<Colour>& colours) {
            for (size_t i = 0; i < entries.size() && i < colours.size(); ++i) {
                const double y = box.y + size * 1.4 * static_cast<double>(i);
                if (y + size > box.bottom()) break;
                canvas_.fill({box.x, y + size * 0.2, size * 0.8, size * 0.8}, colours[i], 1);
                canvas_.text({box.x + size * 1.1, y + size * 0.6}, entries[i].name, TextRole::kSmall, Anchor::kStart,
                             style_.text, panel_.outer.right() - box.x - size * 1.1);
            }
        };
        if (!panel_.columnColours.empty()) return names(panel_.columns, panel_.columnColours);
        if (!panel_.rowColours.empty()) return names(panel_.rows, panel_.rowColours);
        constexpr int kSteps = 64;
        std::vector<uint32_t> pixels;
        for (int i = kSteps - 1; i >= 0; --i) {
            const double at = (i + 0.5) / kSteps;
            const bool diverging = panel_.scale.kind == ValueScale::Kind::kDiverging;
            pixels.push_back((diverging ? divergingColour(at) : sequentialColour(at)) | kOpaque);
        }
        const Rect bar{box.x, box.y, size, box.height};
        canvas_.cells(bar, {1, kSteps, pixels});
        for (const Tick& tick : ticksOf(panel_.scale, box.height > 120 ? 5 : 2, figure_.decimal))
            canvas_.text({bar.right() + 4, bar.bottom() - bar.height * tick.at}, tick.label, TextRole::kSmall,
                         Anchor::kStart, style_.muted, 0);
    }

    void chosen() {
        const Rect& area = panel_.area;
        if (panel_.kind == Panel::Kind::kTokens) {
            if (panel_.chosenColumn >= 0)
                canvas_.frame(panel_.places[static_cast<size_t>(panel_.chosenColumn)], style_.chosen, 2);
            return;
        }
        const bool lying = panel_.kind == Panel::Kind::kBars || panel_.kind == Panel::Kind::kLinks;
        if (panel_.chosenRow >= 0 && panel_.kind != Panel::Kind::kLines) {
            const double height = area.height / static_cast<double>(panel_.rows.size());
            canvas_.frame({area.x, area.y + height * static_cast<double>(panel_.chosenRow), area.width, height},
                          style_.chosen, 1.5);
        }
        if (panel_.chosenColumn >= 0 && !lying) {
            const double width = area.width / static_cast<double>(panel_.columns.size());
            canvas_.frame({area.x + width * static_cast<double>(panel_.chosenColumn), area.y, width, area.height},
                          style_.chosen, 1.5);
        }
    }

    const Panel& panel_;
    const Figure& figure_;
    const FigureStyle& style_;
    Canvas& canvas_;
};

}  // namespace

double textWidth(const std::string& text) {
    double out = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            out += 0.56;
        } else if (byte >= 0xE0) {
            out += 1.0;
        } else if (byte >= 0xC0) {
            out += 0.6;
        }
    }
    return out;
}

std::vector<std::string> wrappedText(const std::string& text, double room) {
    std::vector<std::string> out(1);
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find(' ', begin), text.size() - 1) + 1;
        const std::string word = text.substr(begin, end - begin);
        if (!out.back().empty() && textWidth(out.back() + word) > room) out.emplace_back();
        out.back() += word;
        begin = end;
    }
    return out;
}

void paintFigure(const Figure& figure, const FigureStyle& style, Canvas& canvas) {
    const double size = figure.textSize;
    canvas.fill({0, 0, figure.width, figure.height}, style.background, 1);
    const double margin = size * 0.8;
    canvas.text({margin, margin + size * 0.6}, figure.title, TextRole::kTitle, Anchor::kStart, style.text,
                figure.width - 2 * margin);
    if (!figure.message.empty()) {
        const std::vector<std::string> lines = wrappedText(figure.message, (figure.width - 2 * margin) / size);
        double y = figure.height / 2 - size * 1.5 * (static_cast<double>(lines.size()) - 1) / 2;
        for (const std::string& line : lines) {
            canvas.text({figure.width / 2, y}, line, TextRole::kBody, Anchor::kMiddle, style.muted,
                        figure.width - 2 * margin);
            y += size * 1.5;
        }
    }
    for (const Panel& panel : figure.panels) PanelPainter(panel, figure, style, canvas).paint();
    double y = figure.height - margin - size * 1.3 * (static_cast<double>(figure.caption.size()) - 0.5);
    for (const std::string& line : figure.caption) {
        canvas.text({margin, y}, line, TextRole::kSmall, Anchor::kStart, style.muted, figure.width - 2 * margin);
        y += size * 1.3;
    }
}

}  // namespace pal::inspect
