// SPDX-License-Identifier: Apache-2.0
// SVG 1.1 (W3C). Fonts are named by family only, so widths of texts are those of the program that shows the file.
#include <fmt/format.h>

#include <cmath>

#include "app/inspect/export.h"
#include "app/inspect/png_writer.h"

namespace pal::inspect {
namespace {

std::string base64(const std::vector<uint8_t>& bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t left = std::min<size_t>(3, bytes.size() - i);
        uint32_t word = 0;
        for (size_t k = 0; k < 3; ++k) word = word << 8 | (k < left ? bytes[i + k] : 0U);
        for (size_t k = 0; k < 4; ++k) out += k <= left ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

// XML text; control characters, which XML 1.0 cannot carry, become U+FFFD.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
                    out += "\xEF\xBF\xBD";
                } else {
                    out += c;
                }
        }
    }
    return out;
}

double sizeOf(TextRole role, double size) {
    switch (role) {
        case TextRole::kTitle:
            return size * 1.2;
        case TextRole::kBody:
            return size;
        case TextRole::kSmall:
            break;
    }
    return size * 0.9;
}

std::string cutTo(const std::string& text, double room, double size) {
    if (room <= 0 || textWidth(text) * size <= room) return text;
    std::string out;
    for (size_t i = 0; i < text.size();) {
        size_t next = i + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
        if ((textWidth(out + text.substr(i, next - i)) + 1) * size > room) break;
        out += text.substr(i, next - i);
        i = next;
    }
    return out + "…";
}

class SvgCanvas : public Canvas {
  public:
    SvgCanvas(const Figure& figure, bool vector) : size_(figure.textSize), vector_(vector) {}

    void fill(const Rect& rect, Colour colour, double opacity) override {
        add(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="#{:06x}"{}/>)", rect.x, rect.y,
            rect.width, rect.height, colour, opacity < 1 ? fmt::format(R"( fill-opacity="{:.2f}")", opacity) : "");
    }
    void frame(const Rect& rect, Colour colour, double width) override {
        add(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="none" stroke="#{:06x}" stroke-width="{}"/>)",
            rect.x, rect.y, rect.width, rect.height, colour, width);
    }
    void line(std::span<const Point> points, Colour colour, double width, double opacity) override {
        std::string places;
        for (const Point& point : points) places += fmt::format("{:.2f},{:.2f} ", point.x, point.y);
        places.pop_back();
        add(R"(<polyline points="{}" fill="none" stroke="#{:06x}" stroke-width="{:.2f}" stroke-opacity="{:.2f}"/>)",
            places, colour, width, opacity);
    }
    void text(Point at, const std::string& text, TextRole role, Anchor anchor, Colour colour, double room) override {
        if (text.empty()) return;
        const double size = sizeOf(role, size_);
        constexpr const char* kAnchors[] = {"start", "middle", "end"};
        add(R"(<text x="{:.2f}" y="{:.2f}" font-size="{:.1f}"{} text-anchor="{}" fill="#{:06x}" xml:space="preserve">{}</text>)",
            at.x, at.y + size * 0.35, size, role == TextRole::kTitle ? R"( font-weight="bold")" : "",
            kAnchors[static_cast<int>(anchor)], colour, escaped(cutTo(text, room, size)));
    }
    void cells(const Rect& rect, const PixelGrid& grid) override {
        if (!vector_) return image(rect, grid, "pixelated");
        const double width = rect.width / static_cast<double>(grid.width);
        const double height = rect.height / static_cast<double>(grid.height);
        for (int64_t y = 0; y < grid.height; ++y) {
            for (int64_t x = 0; x < grid.width; ++x) {
                const uint32_t pixel = grid.pixels[static_cast<size_t>(y * grid.width + x)];
                if (pixel >> 24 == 0) continue;
                fill({rect.x + width * static_cast<double>(x), rect.y + height * static_cast<double>(y), width, height},
                     pixel & 0xFFFFFF, static_cast<double>(pixel >> 24) / 255.0);
            }
        }
    }
    void picture(const Rect& rect, const Picture& picture) override {
        add(R"(<image x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" preserveAspectRatio="none" xlink:href="data:image/png;base64,{}"/>)",
            rect.x, rect.y, rect.width, rect.height, base64(encodePng(picture.width, picture.height, picture.rgb)));
    }

    [[nodiscard]] std::string take() { return std::move(out_); }

  private:
    template <typename... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        out_ += fmt::format(format, std::forward<Args>(args)...);
        out_ += '\n';
    }

    void image(const Rect& rect, const PixelGrid& grid, std::string_view rendering) {
        std::vector<uint8_t> rgb;
        rgb.reserve(grid.pixels.size() * 3);
        for (const uint32_t pixel : grid.pixels) {
            // What has no value is white: the PNG has no transparency.
            const uint32_t colour = pixel >> 24 == 0 ? 0xFFFFFF : pixel;
            for (const int shift : {16, 8, 0}) rgb.push_back(static_cast<uint8_t>(colour >> shift));
        }
        add(R"(<image x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" preserveAspectRatio="none" image-rendering="{}" xlink:href="data:image/png;base64,{}"/>)",
            rect.x, rect.y, rect.width, rect.height, rendering, base64(encodePng(grid.width, grid.height, rgb)));
    }

    const double size_;
    const bool vector_;
    std::string out_;
};

}  // namespace

std::string svgOf(const Figure& figure, const FigureStyle& style, const Words& words) {
    const bool vector = markCount(figure) <= kMostVectorCells;
    Figure shown = figure;
    if (!vector) {
        shown.caption.push_back(words.say("Too many cells for single shapes: heat images are embedded as PNG."));
        shown.height += figure.textSize * 1.3;
    }
    SvgCanvas canvas(shown, vector);
    paintFigure(shown, style, canvas);
    std::string description;
    for (const std::string& line : shown.caption) description += line + "\n";
    return fmt::format(
        R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" font-family="sans-serif" shape-rendering="crispEdges" role="img">
<title>{2}</title>
<desc>{3}</desc>
{4}</svg>
)",
        shown.width, shown.height, escaped(shown.title), escaped(description), canvas.take());
}

}  // namespace pal::inspect
