// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/text_layout.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace pal::desktop {
namespace {

constexpr int kSection = 2048;  // characters of a section, and more to the end of the line
constexpr int kLookAhead =
    1024;  // that are seen beyond them, so that the last line ends where it would in the whole text

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

// How far both lists of spans say the same.
int commonSpans(const InlineText& a, const InlineText& b) {
    const auto target = [](const InlineText& text, const Span& span) {
        return span.target < 0 ? QString() : text.targets[static_cast<size_t>(span.target)];
    };
    for (size_t i = 0;; ++i) {
        if (i == a.spans.size() && i == b.spans.size()) return std::numeric_limits<int>::max();
        if (i == a.spans.size()) return b.spans[i].begin;
        if (i == b.spans.size()) return a.spans[i].begin;
        const Span &one = a.spans[i], &other = b.spans[i];
        if (one.begin != other.begin || one.style != other.style || target(a, one) != target(b, other))
            return std::min(one.begin, other.begin);
        if (one.end != other.end) return std::min(one.end, other.end);
    }
}

}  // namespace

bool opensOutside(const QString& target) {
    for (const QLatin1StringView scheme :
         {QLatin1StringView("https://"), QLatin1StringView("http://"), QLatin1StringView("mailto:")}) {
        if (target.startsWith(scheme, Qt::CaseInsensitive)) return true;
    }
    return false;
}

TextLayout::TextLayout(InlineText text, const Theme& theme, const TextSetting& setting, std::vector<CodeToken> tokens)
    : theme_(theme), text_(std::move(text)), shown_(text_.text), setting_(setting), tokens_(std::move(tokens)) {
    shown_.replace(u'\n', QChar::LineSeparator);
    rightToLeft_ = !setting.leftToRight && shown_.isRightToLeft();
    // The side where reading starts; QTextLayout takes "left" at its word.
    const bool follows = (setting.alignment & Qt::AlignLeft) != 0 && (setting.alignment & Qt::AlignAbsolute) == 0;
    option_.setAlignment(follows && rightToLeft_ ? Qt::AlignRight : setting.alignment);
    option_.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option_.setTextDirection(rightToLeft_ ? Qt::RightToLeft : Qt::LeftToRight);
    option_.setTabStopDistance(QFontMetricsF(setting.font).horizontalAdvance(u' ') * 4);
}

void TextLayout::breakLines(qreal width) {
    width_ = width;
    height_ = naturalWidth_ = 0;
    sections_.clear();
    do {
        append(setSection(sections_.empty() ? 0 : sections_.back().end));
    } while (sections_.back().end < shown_.size());
}

void TextLayout::continueFrom(TextLayout& before, qreal width) {
    sections_.clear();
    height_ = naturalWidth_ = 0;
    width_ = width;
    if (before.width_ == width && before.setting_ == setting_ && before.rightToLeft_ == rightToLeft_) {
        const int common = commonLength(before);
        for (Section& section : before.sections_) {
            if (section.seen + 1 >= common) break;  // what is seen ends before half a surrogate pair
            append(std::move(section));
        }
        before.sections_.clear();
    }
    while (sections_.empty() || sections_.back().end < shown_.size())
        append(setSection(sections_.empty() ? 0 : sections_.back().end));
}

int TextLayout::commonLength(const TextLayout& before) const {
    const auto differs = std::mismatch(shown_.begin(), shown_.end(), before.shown_.begin(), before.shown_.end());
    return std::min(static_cast<int>(differs.first - shown_.begin()), commonSpans(text_, before.text_));
}

void TextLayout::append(Section section) {
    section.top = height_;
    height_ += section.height;
    naturalWidth_ = std::max(naturalWidth_, section.naturalWidth);
    sections_.push_back(std::move(section));
}

TextLayout::Section TextLayout::setSection(int begin) const {
    const auto size = static_cast<int>(shown_.size());
    for (qint64 window = kSection + kLookAhead;; window *= 2) {
        Section section;
        section.begin = begin;
        section.seen = static_cast<int>(std::min<qint64>(size, begin + window));
        if (section.seen < size && shown_[section.seen].isLowSurrogate()) --section.seen;
        section.lines = stretch(begin, section.seen);
        if (breakSection(section)) return section;
    }
}

std::unique_ptr<QTextLayout> TextLayout::stretch(int begin, int end) const {
    auto layout = std::make_unique<QTextLayout>(shown_.mid(begin, end - begin), setting_.font);
    layout->setTextOption(option_);
    QList<QTextLayout::FormatRange> formats;
    const auto eachIn = [&](const auto& runs, const auto& formatOf) {
        auto run = std::lower_bound(runs.begin(), runs.end(), begin, [](const auto& r, int at) { return r.end <= at; });
        for (; run != runs.end() && run->begin < end; ++run) {
            const int from = std::max(run->begin, begin), to = std::min(run->end, end);
            formats.push_back({from - begin, to - from, formatOf(*run)});
        }
    };
    eachIn(text_.spans, [&](const Span& span) { return spanFormat(span, text_, theme_); });
    eachIn(tokens_, [&](const CodeToken& token) {
        QTextCharFormat format;
        format.setForeground(tokenColour(token.kind, theme_.colours()));
        return format;
    });
    layout->setFormats(formats);
    layout->setCacheEnabled(true);
    return layout;
}

// False when a line goes on beyond what is seen of the text.
bool TextLayout::breakSection(Section& section) const {
    QTextLayout& layout = *section.lines;
    const bool whole = section.seen == shown_.size();
    bool ended = whole;
    section.end = section.seen;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max<qreal>(width_, 1));
        const qreal height = line.height() * setting_.lineSpacing;
        line.setPosition({0, section.height + (height - line.height()) / 2});
        section.naturalWidth = std::max(section.naturalWidth, line.naturalTextWidth());
        section.height += height;
        const int length = line.textStart() + line.textLength(), next = section.begin + length;
        if (whole || length < kSection || next == section.seen) continue;
        if (!shown_[next].isLetter() && length < kSection + kLookAhead / 2) continue;
        section.end = next;
        ended = true;
        break;
    }
    layout.endLayout();
    return ended;
}

const TextLayout::Section& TextLayout::sectionAt(int offset) const {
    const auto after = std::upper_bound(sections_.begin(), sections_.end(), offset,
                                        [](int at, const Section& section) { return at < section.begin; });
    return after == sections_.begin() ? sections_.front() : *(after - 1);
}

qreal TextLayout::firstBaseline() const {
    if (sections_.empty() || sections_.front().lines->lineCount() == 0) return QFontMetricsF(setting_.font).ascent();
    const QTextLine line = sections_.front().lines->lineAt(0);
    return line.y() + line.ascent();
}

void TextLayout::paint(QPainter& painter, QPointF at, const Theme& theme, const RowPaint& state) const {
    QColor found = theme.colours().warning;
    painter.setPen(setting_.colour);
    for (const Section& section : sections_) {
        const QPointF own = at + QPointF(0, section.top);
        if (state.clip.isValid() && (own.y() > state.clip.bottom() || own.y() + section.height < state.clip.top()))
            continue;
        QList<QTextLayout::FormatRange> marks;
        const auto mark = [&](int begin, int end, const QColor& colour) {
            const int from = std::max(begin, section.begin), to = std::min(end, section.end);
            if (from < to) marks.push_back(background(from - section.begin, to - section.begin, colour));
        };
        for (const FoundRun& run : state.found) {
            found.setAlphaF(run.current ? 0.6F : 0.25F);
            mark(run.begin, run.end, found);
        }
        mark(state.selectionBegin, state.selectionEnd, theme.colours().selection);
        section.lines->draw(&painter, own, marks, state.clip);
    }
}

int TextLayout::offsetAt(QPointF point) const {
    if (sections_.empty()) return 0;
    const auto below = std::upper_bound(sections_.begin(), sections_.end(), point.y(),
                                        [](qreal y, const Section& section) { return y < section.top; });
    const Section& section = below == sections_.begin() ? sections_.front() : *(below - 1);
    const QTextLayout& lines = *section.lines;
    for (int i = 0; i < lines.lineCount(); ++i) {
        const bool last = i + 1 == lines.lineCount();
        if (last || point.y() - section.top < lines.lineAt(i + 1).y())
            return section.begin + lines.lineAt(i).xToCursor(point.x());
    }
    return section.begin;
}

QRectF TextLayout::caret(int offset) const {
    if (sections_.empty()) return {0, 0, 1, height_};
    const int at = std::clamp(offset, 0, static_cast<int>(shown_.size()));
    const Section& section = sectionAt(at);
    const QTextLine line = section.lines->lineForTextPosition(at - section.begin);
    if (!line.isValid()) return {0, 0, 1, height_};
    return {line.cursorToX(at - section.begin), section.top + line.y(), 1, line.height()};
}

std::vector<QRectF> TextLayout::rects(int begin, int end) const {
    std::vector<QRectF> out;
    if (sections_.empty()) return out;
    for (size_t s = static_cast<size_t>(&sectionAt(begin) - sections_.data());
         s < sections_.size() && sections_[s].begin < end; ++s) {
        const Section& section = sections_[s];
        const QTextLine first = section.lines->lineForTextPosition(std::max(0, begin - section.begin));
        for (int i = first.isValid() ? first.lineNumber() : 0; i < section.lines->lineCount(); ++i) {
            const QTextLine line = section.lines->lineAt(i);
            const int from = std::max(begin - section.begin, line.textStart());
            const int to = std::min(end - section.begin, line.textStart() + line.textLength());
            if (from >= to) continue;
            const qreal x1 = line.cursorToX(from), x2 = line.cursorToX(to);
            out.emplace_back(std::min(x1, x2), section.top + line.y(), std::abs(x2 - x1), line.height());
        }
    }
    return out;
}

void TextLayout::addHots(QPointF at, std::vector<Hot>& hots) const {
    int32_t last = -1;
    for (const Span& span : text_.spans) {
        const bool citation = (span.style & kSpanCitation) != 0;
        if ((!citation && (span.style & kSpanLink) == 0) || span.target < 0) continue;
        const QString& target = text_.targets[static_cast<size_t>(span.target)];
        if (!citation && !opensOutside(target)) continue;
        std::vector<QRectF> where = rects(span.begin, span.end);
        for (QRectF& rect : where) rect.translate(at);
        const QString shown = text_.text.mid(span.begin, span.end - span.begin);
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
