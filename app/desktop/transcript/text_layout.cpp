// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/text_layout.h"

#include <algorithm>
#include <limits>

namespace pal::desktop {
namespace {

QTextCharFormat spanFormat(const Span& span, const InlineText& text, const Theme& theme) {
    QTextCharFormat format;
    const Colours& colours = theme.colours();
    const auto has = [&](SpanStyle style) { return (span.style & style) != 0; };
    if (has(kSpanBold)) format.setFontWeight(QFont::Bold);  // fonts for Chinese have nothing between
    if (has(kSpanItalic)) format.setFontItalic(true);
    if (has(kSpanStrike)) format.setFontStrikeOut(true);
    if (has(kSpanCode)) {
        format.setFont(theme.mono(), QTextCharFormat::FontPropertiesSpecifiedOnly);
        format.setBackground(colours.sunken);
    }
    if (has(kSpanSuper)) format.setVerticalAlignment(QTextCharFormat::AlignSuperScript);
    if (has(kSpanSub)) format.setVerticalAlignment(QTextCharFormat::AlignSubScript);
    const QString target = span.target < 0 ? QString() : text.targets[static_cast<size_t>(span.target)];
    if (has(kSpanCitation) || (has(kSpanLink) && opensOutside(target))) {
        format.setForeground(colours.accent);
        format.setFontUnderline(has(kSpanLink));
    }
    return format;
}

QColor tokenColour(CodeTokenKind kind, const Colours& colours) {
    switch (kind) {
        case CodeTokenKind::kKeyword:
            return colours.codeKeyword;
        case CodeTokenKind::kString:
            return colours.codeString;
        case CodeTokenKind::kNumber:
            return colours.codeNumber;
        case CodeTokenKind::kComment:
            return colours.codeComment;
        case CodeTokenKind::kName:
            return colours.codeName;
    }
    return colours.text;
}

QTextLayout::FormatRange background(int begin, int end, const QColor& colour) {
    QTextLayout::FormatRange range;
    range.start = begin;
    range.length = end - begin;
    range.format.setBackground(colour);
    return range;
}

}  // namespace

bool opensOutside(const QString& target) {
    for (const QLatin1StringView scheme :
         {QLatin1StringView("https://"), QLatin1StringView("http://"), QLatin1StringView("mailto:")}) {
        if (target.startsWith(scheme, Qt::CaseInsensitive)) return true;
    }
    return false;
}

TextLayout::TextLayout(const InlineText& text, const Theme& theme, const TextSetting& setting,
                       const std::vector<CodeToken>& tokens)
    : setting_(setting) {
    QString shown = text.text;
    shown.replace(u'\n', QChar::LineSeparator);
    rightToLeft_ = !setting.leftToRight && shown.isRightToLeft();
    layout_.setText(shown);
    layout_.setFont(setting.font);
    // The side where reading starts; QTextLayout takes "left" at its word.
    const bool follows = (setting.alignment & Qt::AlignLeft) != 0 && (setting.alignment & Qt::AlignAbsolute) == 0;
    QTextOption option(follows && rightToLeft_ ? Qt::AlignRight : setting.alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setTextDirection(rightToLeft_ ? Qt::RightToLeft : Qt::LeftToRight);
    option.setTabStopDistance(QFontMetricsF(setting.font).horizontalAdvance(u' ') * 4);
    layout_.setTextOption(option);
    QList<QTextLayout::FormatRange> formats;
    formats.reserve(static_cast<qsizetype>(text.spans.size() + tokens.size()));
    for (const Span& span : text.spans)
        formats.push_back({span.begin, span.end - span.begin, spanFormat(span, text, theme)});
    for (const CodeToken& token : tokens) {
        QTextLayout::FormatRange range{token.begin, token.end - token.begin, {}};
        range.format.setForeground(tokenColour(token.kind, theme.colours()));
        formats.push_back(range);
    }
    layout_.setFormats(formats);
    layout_.setCacheEnabled(true);
}

void TextLayout::breakLines(qreal width) {
    qreal y = 0;
    naturalWidth_ = 0;
    layout_.beginLayout();
    for (QTextLine line = layout_.createLine(); line.isValid(); line = layout_.createLine()) {
        line.setLineWidth(std::max<qreal>(width, 1));
        const qreal height = line.height() * setting_.lineSpacing;
        line.setPosition({0, y + (height - line.height()) / 2});
        naturalWidth_ = std::max(naturalWidth_, line.naturalTextWidth());
        y += height;
    }
    layout_.endLayout();
    height_ = y;
}

qreal TextLayout::firstBaseline() const {
    if (layout_.lineCount() == 0) return QFontMetricsF(setting_.font).ascent();
    const QTextLine line = layout_.lineAt(0);
    return line.y() + line.ascent();
}

void TextLayout::paint(QPainter& painter, QPointF at, const Theme& theme, const RowPaint& state) const {
    QList<QTextLayout::FormatRange> marks;
    QColor found = theme.colours().warning;
    for (const FoundRun& run : state.found) {
        found.setAlphaF(run.current ? 0.6F : 0.25F);
        marks.push_back(background(run.begin, run.end, found));
    }
    if (state.selectionEnd > state.selectionBegin) {
        const int end = std::min(state.selectionEnd, static_cast<int>(layout_.text().size()));
        if (end > state.selectionBegin)
            marks.push_back(background(state.selectionBegin, end, theme.colours().selection));
    }
    painter.setPen(setting_.colour);
    layout_.draw(&painter, at, marks);
}

int TextLayout::offsetAt(QPointF point) const {
    for (int i = 0; i < layout_.lineCount(); ++i) {
        const QTextLine line = layout_.lineAt(i);
        const bool last = i + 1 == layout_.lineCount();
        if (last || point.y() < layout_.lineAt(i + 1).y()) return line.xToCursor(point.x());
    }
    return 0;
}

QRectF TextLayout::caret(int offset) const {
    const QTextLine line = layout_.lineForTextPosition(std::clamp(offset, 0, static_cast<int>(layout_.text().size())));
    if (!line.isValid()) return {0, 0, 1, height_};
    return {line.cursorToX(offset), line.y(), 1, line.height()};
}

std::vector<QRectF> TextLayout::rects(int begin, int end) const {
    std::vector<QRectF> out;
    for (int i = 0; i < layout_.lineCount(); ++i) {
        const QTextLine line = layout_.lineAt(i);
        const int from = std::max(begin, line.textStart());
        const int to = std::min(end, line.textStart() + line.textLength());
        if (from >= to) continue;
        const qreal x1 = line.cursorToX(from), x2 = line.cursorToX(to);
        out.emplace_back(std::min(x1, x2), line.y(), std::abs(x2 - x1), line.height());
    }
    return out;
}

void TextLayout::addHots(const InlineText& text, QPointF at, std::vector<Hot>& hots) const {
    int32_t last = -1;
    for (const Span& span : text.spans) {
        const bool citation = (span.style & kSpanCitation) != 0;
        if ((!citation && (span.style & kSpanLink) == 0) || span.target < 0) continue;
        const QString& target = text.targets[static_cast<size_t>(span.target)];
        if (!citation && !opensOutside(target)) continue;
        std::vector<QRectF> where = rects(span.begin, span.end);
        for (QRectF& rect : where) rect.translate(at);
        const QString shown = text.text.mid(span.begin, span.end - span.begin);
        if (span.target == last && !hots.empty()) {  // a link of several spans is one
            hots.back().rects.insert(hots.back().rects.end(), where.begin(), where.end());
            hots.back().name += shown;
            continue;
        }
        last = span.target;
        hots.push_back({citation ? Hot::Kind::kCitation : Hot::Kind::kLink, std::move(where), target, shown, 0});
    }
}

}  // namespace pal::desktop
