// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/inline_writer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/desktop/transcript/math_text.h"

namespace pal::desktop {
namespace {

QString utf16(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// Calls plain(text before a cut) and cut(index) in order.
template <typename Plain, typename OnCut>
void eachCut(std::string_view text, size_t cuts, const Plain& plain, const OnCut& onCut) {
    size_t begin = 0;
    for (size_t at = 0; at + 4 <= text.size();) {
        const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
        if (byte(0) < 0xF3) {
            ++at;
            continue;
        }
        const auto code = static_cast<char32_t>((byte(0) & 7u) << 18 | (byte(1) & 63u) << 12 | (byte(2) & 63u) << 6 |
                                                (byte(3) & 63u));
        if (code < kFirstCut || code - kFirstCut >= cuts) {
            ++at;
            continue;
        }
        if (at > begin) plain(text.substr(begin, at - begin));
        onCut(static_cast<size_t>(code - kFirstCut));
        at += 4;
        begin = at;
    }
    if (begin < text.size()) plain(text.substr(begin));
}

// Whether [begin, end) of `text` has its lines for itself.
bool ownLines(const QString& text, int begin, int end) {
    while (begin > 0 && text[begin - 1] == u' ') --begin;
    while (end < text.size() && text[end] == u' ') ++end;
    const bool before = begin == 0 || text[begin - 1] == u'\n' || text[begin - 1] == QChar::LineSeparator;
    return before && (end == text.size() || text[end] == u'\n' || text[end] == QChar::LineSeparator);
}

}  // namespace

QString restoreCuts(std::string_view text, const std::vector<Cut>& cuts) {
    QString out;
    eachCut(
        text, cuts.size(), [&](std::string_view plain) { out += utf16(plain); },
        [&](size_t index) { out += utf16(cuts[index].source); });
    return out;
}

void InlineWriter::start() {
    out_ = {};
    open_.clear();
    displays_.clear();
}

int32_t InlineWriter::addTarget(const QString& value) {
    out_.targets.push_back(value);
    return static_cast<int32_t>(out_.targets.size()) - 1;
}

uint32_t InlineWriter::style() const {
    uint32_t all = 0;
    for (const Open& open : open_) all |= open.style;
    return all;
}

int32_t InlineWriter::target() const {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
        if (open->target >= 0) return open->target;
    }
    return -1;
}

void InlineWriter::enter(uint32_t style, const QString& target) {
    constexpr size_t kDeepest = 64;  // beyond, styles no longer add to what is seen
    Open open{style, -1, static_cast<int>(out_.text.size())};
    if (open_.size() >= kDeepest) open.style = 0;
    if ((style & kSpanLink) != 0) open.target = addTarget(target);
    open_.push_back(open);
}

void InlineWriter::leave(IfEmpty empty) {
    if (open_.empty()) return;
    const Open& open = open_.back();
    if (empty == IfEmpty::kShowTarget && open.begin == out_.text.size() && open.target >= 0) {
        plain(out_.targets[static_cast<size_t>(open.target)]);
    }
    open_.pop_back();
}

void InlineWriter::append(const QString& piece, uint32_t style, int32_t target) {
    if (piece.isEmpty()) return;
    const auto begin = static_cast<int>(out_.text.size());
    out_.text += piece;
    const auto end = static_cast<int>(out_.text.size());
    if (style == 0) return;
    auto& spans = out_.spans;
    if (!spans.empty() && spans.back().end == begin && spans.back().style == style && spans.back().target == target) {
        spans.back().end = end;
    } else {
        spans.push_back({begin, end, style, target});
    }
}

void InlineWriter::plain(const QString& piece) {
    append(piece, style(), target());
}

// Shown as a space; remembered as '\n' until the block is finished, because formulas may stand on their own lines.
void InlineWriter::softBreak() {
    plain(QStringLiteral("\n"));
}

void InlineWriter::formula(const Cut& cut) {
    const QString source = utf16(cut.source);
    const qsizetype width = source.startsWith(u'$') && !source.startsWith(QStringLiteral("$$")) ? 1 : 2;
    const InlineText set = mathText(source.mid(width, source.size() - 2 * width), source);
    const int32_t target = addTarget(source);
    const auto begin = static_cast<int>(out_.text.size());
    const uint32_t outer = style() & ~uint32_t{kSpanLink};
    int done = 0;
    for (const Span& span : set.spans) {
        append(set.text.mid(done, span.begin - done), kSpanMath | outer, target);
        append(set.text.mid(span.begin, span.end - span.begin), span.style | outer, target);
        done = span.end;
    }
    append(set.text.mid(done), kSpanMath | outer, target);
    if (cut.kind == Cut::Kind::kDisplayMath) displays_.push_back({begin, static_cast<int>(out_.text.size())});
}

void InlineWriter::text(std::string_view piece) {
    eachCut(
        piece, cuts_.size(), [&](std::string_view plainText) { plain(utf16(plainText)); },
        [&](size_t index) {
            const Cut& cut = cuts_[index];
            switch (cut.kind) {
                case Cut::Kind::kVerbatim:
                    plain(utf16(cut.source));
                    break;
                case Cut::Kind::kCitation: {
                    const int32_t target = addTarget(cut.target);
                    append(utf16(cut.source), style() | kSpanCitation, target);
                    break;
                }
                default:
                    formula(cut);
                    break;
            }
        });
}

InlineText InlineWriter::slice(int begin, int end) const {
    const auto blank = [&](int i) {
        const QChar c = out_.text[i];
        return c == u' ' || c == u'\n' || c == QChar::LineSeparator;
    };
    while (begin < end && blank(begin)) ++begin;
    while (end > begin && blank(end - 1)) --end;
    InlineText out;
    out.text = out_.text.mid(begin, end - begin);
    out.text.replace(u'\n', u' ');
    std::map<int32_t, int32_t> renumbered;
    auto next = std::lower_bound(out_.spans.begin(), out_.spans.end(), begin,
                                 [](const Span& s, int at) { return s.end <= at; });
    for (; next != out_.spans.end() && next->begin < end; ++next) {
        Span span = *next;
        span.begin = std::max(span.begin, begin) - begin;
        span.end = std::min(span.end, end) - begin;
        if (span.target >= 0) {
            const auto [known, added] = renumbered.try_emplace(span.target, static_cast<int32_t>(out.targets.size()));
            if (added) out.targets.push_back(out_.targets[static_cast<size_t>(span.target)]);
            span.target = known->second;
        }
        out.spans.push_back(span);
    }
    return out;
}

InlineText InlineWriter::finish() {
    out_.text.replace(u'\n', u' ');
    return std::exchange(out_, {});
}

InlineText InlineWriter::finishCode() {
    if (out_.text.endsWith(u'\n')) out_.text.chop(1);
    return std::exchange(out_, {});
}

std::vector<InlineWriter::Part> InlineWriter::finishParagraph() {
    std::vector<Part> parts;
    int done = 0;
    for (const Display& display : displays_) {
        if (!ownLines(out_.text, display.begin, display.end)) continue;
        if (InlineText before = slice(done, display.begin); !before.text.isEmpty())
            parts.push_back({std::move(before), false});
        parts.push_back({slice(display.begin, display.end), true});
        done = display.end;
    }
    InlineText rest = slice(done, static_cast<int>(out_.text.size()));
    if (!rest.text.isEmpty() || parts.empty()) parts.push_back({std::move(rest), false});
    start();
    return parts;
}

}  // namespace pal::desktop
