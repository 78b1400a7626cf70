// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/style/theme.h"

#include <QFontDatabase>
#include <QFontMetrics>
#include <QGuiApplication>
#include <algorithm>
#include <array>

namespace pal::desktop {
namespace {

Colours lightColours() {
    Colours c;
    c.window = QColor(0xf4, 0xf2, 0xee);
    c.surface = QColor(0xfd, 0xfc, 0xfa);
    c.raised = QColor(0xee, 0xea, 0xe3);
    c.sunken = QColor(0xf3, 0xf0, 0xea);
    c.text = QColor(0x22, 0x20, 0x1d);
    c.muted = QColor(0x68, 0x62, 0x5a);
    c.faint = QColor(0xd8, 0xd2, 0xc8);
    c.accent = QColor(0x1f, 0x5f, 0x8b);
    c.onAccent = QColor(0xff, 0xff, 0xff);
    c.selection = QColor(0xbf, 0xd9, 0xea);
    c.warning = QColor(0x8a, 0x5a, 0x00);
    c.error = QColor(0xa8, 0x2a, 0x2a);
    c.success = QColor(0x2c, 0x6e, 0x3f);
    c.codeKeyword = QColor(0x8a, 0x2c, 0x6e);
    c.codeString = QColor(0x2c, 0x6e, 0x3f);
    c.codeNumber = QColor(0x8a, 0x4b, 0x00);
    c.codeComment = QColor(0x6a, 0x66, 0x60);
    c.codeName = QColor(0x1f, 0x5f, 0x8b);
    return c;
}

Colours darkColours() {
    Colours c;
    c.window = QColor(0x1b, 0x1a, 0x19);
    c.surface = QColor(0x21, 0x20, 0x1e);
    c.raised = QColor(0x2e, 0x2c, 0x29);
    c.sunken = QColor(0x19, 0x18, 0x17);
    c.text = QColor(0xe9, 0xe5, 0xde);
    c.muted = QColor(0xa8, 0xa1, 0x96);
    c.faint = QColor(0x46, 0x42, 0x3c);
    c.accent = QColor(0x7d, 0xb8, 0xdc);
    c.onAccent = QColor(0x10, 0x1c, 0x24);
    c.selection = QColor(0x2f, 0x50, 0x66);
    c.warning = QColor(0xe0, 0xb0, 0x60);
    c.error = QColor(0xf0, 0x8a, 0x80);
    c.success = QColor(0x8c, 0xc8, 0x98);
    c.codeKeyword = QColor(0xd8, 0x9a, 0xc8);
    c.codeString = QColor(0x9c, 0xcb, 0x9f);
    c.codeNumber = QColor(0xe0, 0xb0, 0x78);
    c.codeComment = QColor(0x98, 0x92, 0x88);
    c.codeName = QColor(0x86, 0xbd, 0xe0);
    return c;
}

}  // namespace

Theme::Theme(Scheme scheme, QObject* parent)
    : QObject(parent), scheme_(scheme), colours_(scheme == Scheme::kDark ? darkColours() : lightColours()) {}

QPalette Theme::palette() const {
    const Colours& c = colours_;
    QPalette out;
    const auto all = [&](QPalette::ColorRole role, const QColor& colour) { out.setColor(role, colour); };
    all(QPalette::Window, c.window);
    all(QPalette::WindowText, c.text);
    all(QPalette::Base, c.surface);
    all(QPalette::AlternateBase, c.raised);
    all(QPalette::Text, c.text);
    all(QPalette::Button, c.raised);
    all(QPalette::ButtonText, c.text);
    all(QPalette::BrightText, c.error);
    all(QPalette::ToolTipBase, c.raised);
    all(QPalette::ToolTipText, c.text);
    all(QPalette::PlaceholderText, c.muted);
    all(QPalette::Highlight, c.selection);
    all(QPalette::HighlightedText, c.text);
    all(QPalette::Link, c.accent);
    all(QPalette::LinkVisited, c.accent);
    all(QPalette::Light, c.surface);
    all(QPalette::Midlight, c.raised);
    all(QPalette::Mid, c.faint);
    all(QPalette::Dark, c.faint);
    all(QPalette::Shadow, scheme_ == Scheme::kDark ? QColor(0, 0, 0) : c.faint);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        out.setColor(QPalette::Disabled, role, c.muted);
    return out;
}

QFont Theme::scaled(double factor) const {
    QFont font = QGuiApplication::font();
    if (font.pointSizeF() > 0) {
        font.setPointSizeF(font.pointSizeF() * zoom_ * factor);
    } else {
        font.setPixelSize(std::max(1, qRound(font.pixelSize() * zoom_ * factor)));
    }
    return font;
}

QFont Theme::body() const {
    return scaled(1);
}

QFont Theme::small() const {
    return scaled(0.88);
}

QFont Theme::heading(int level) const {
    constexpr std::array<double, 6> kFactors{1.5, 1.3, 1.15, 1.05, 1, 1};
    QFont font = scaled(kFactors.at(static_cast<size_t>(std::clamp(level, 1, 6) - 1)));
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont Theme::mono() const {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    const QFont sized = scaled(0.95);
    if (sized.pointSizeF() > 0) {
        font.setPointSizeF(sized.pointSizeF());
    } else {
        font.setPixelSize(sized.pixelSize());
    }
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    return font;
}

int Theme::space(int quarters) const {
    return std::max(1, qRound(QFontMetricsF(body()).height() * quarters / 4));
}

int Theme::radius() const {
    return space(1) + 2;
}

int Theme::iconSize() const {
    return space(4);
}

int Theme::readingWidth() const {
    // By a digit: the mean character of a Chinese font is as wide as it is high.
    return qRound(QFontMetricsF(body()).horizontalAdvance(u'0') * 90);
}

void Theme::setScheme(Scheme scheme) {
    if (scheme == scheme_) return;
    scheme_ = scheme;
    colours_ = scheme == Scheme::kDark ? darkColours() : lightColours();
    Q_EMIT changed();
}

void Theme::setZoom(double zoom) {
    zoom = std::clamp(zoom, 0.5, 3.0);
    if (qFuzzyCompare(zoom, zoom_)) return;
    zoom_ = zoom;
    Q_EMIT changed();
}

}  // namespace pal::desktop
