// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/shaped_texts.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace pal::desktop {
namespace {

constexpr size_t kMostTexts = 20'000;  // of a role: more than a picture has

// A static text breaks its lines where the text does.
QString onOneLine(const std::string& text) {
    QString out = QString::fromStdString(text);
    for (QChar& c : out) {
        if (c == u'\n' || c == u'\r' || c == QChar::LineSeparator || c == QChar::ParagraphSeparator) c = u' ';
    }
    return out;
}

}  // namespace

void ShapedTexts::use(const QFont& font, double textSize) {
    if (font == font_ && textSize == textSize_) return;
    font_ = font;
    textSize_ = textSize;
    constexpr double kSizes[] = {1.2, 1.0, 0.9};
    for (size_t role = 0; role < roles_.size(); ++role) {
        Role& out = roles_[role];
        const int pixels = std::max(1, static_cast<int>(std::lround(textSize * kSizes[role])));
        out.font = font;
        out.font.setPixelSize(pixels + 1);  // a change: other threads have `font` and what it shares with its copies
        out.font.setPixelSize(pixels);
        if (role == static_cast<size_t>(inspect::TextRole::kTitle)) out.font.setWeight(QFont::DemiBold);
        const QFontMetricsF metrics(out.font);
        out.ascent = metrics.ascent();
        out.descent = metrics.descent();
        whole_[role].clear();
        cut_[role].clear();
    }
}

const ShapedTexts::Shaped& ShapedTexts::keep(Texts& texts, const std::string& key, QString text, size_t role) {
    if (texts.size() >= kMostTexts) texts.clear();
    Shaped& out = texts[key];
    out.text = std::move(text);
    out.width = QFontMetricsF(roles_[role].font).horizontalAdvance(out.text);
    out.glyphs.setTextFormat(Qt::PlainText);
    out.glyphs.setText(out.text);
    return out;
}

const ShapedTexts::Shaped& ShapedTexts::shaped(const std::string& text, inspect::TextRole role, double room) {
    const auto index = static_cast<size_t>(role);
    const auto known = whole_[index].find(text);
    const Shaped& whole =
        known != whole_[index].end() ? known->second : keep(whole_[index], text, onOneLine(text), index);
    if (room <= 0 || whole.width <= room) return whole;
    const std::string key = text + '\n' + std::to_string(room);
    const auto cut = cut_[index].find(key);
    if (cut != cut_[index].end()) return cut->second;
    const QFontMetricsF metrics(roles_[index].font);
    return keep(cut_[index], key, metrics.elidedText(whole.text, Qt::ElideRight, room), index);
}

}  // namespace pal::desktop
