// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/math_text.h"

#include <algorithm>

#include "app/desktop/transcript/math_symbols.h"

namespace pal::desktop {
namespace {

constexpr int kMaxDepth = 32;

class Typesetter {
  public:
    explicit Typesetter(const QString& latex) : latex_(latex) {}

    // Whether all of it could be set.
    bool run() {
        sequence(QChar());
        return good_ && at_ == latex_.size();
    }
    [[nodiscard]] InlineText take() { return std::move(out_); }

  private:
    void put(QStringView text, uint32_t style = 0) {
        if (text == u"\u200B") return;
        const auto begin = static_cast<int>(out_.text.size());
        // Symbols of operation bring their spaces; the writer's own are left out, as TeX does.
        for (const QChar c : text) {
            if (c == u' ' && (out_.text.isEmpty() || out_.text.endsWith(u' '))) continue;
            out_.text += c;
        }
        const auto end = static_cast<int>(out_.text.size());
        if (begin == end) return;
        const uint32_t all = style | raise_;
        if (!out_.spans.empty() && out_.spans.back().end == begin && out_.spans.back().style == all) {
            out_.spans.back().end = end;
        } else {
            out_.spans.push_back({begin, end, all, -1});
        }
    }

    // Up to `close`, which is taken; a null character: up to the end.
    void sequence(QChar close) {
        if (++depth_ > kMaxDepth) good_ = false;
        while (good_ && at_ < latex_.size()) {
            if (!close.isNull() && latex_[at_] == close) {
                ++at_;
                --depth_;
                return;
            }
            atom();
        }
        --depth_;
        if (!close.isNull()) good_ = false;
    }

    void atom() {
        const QChar c = latex_[at_++];
        if (c == u'\\') return command();
        if (c == u'{') return sequence(u'}');
        if (c == u'}') {
            good_ = false;
        } else if (c == u'^' || c == u'_') {
            script(c == u'^' ? kSpanSuper : kSpanSub);
        } else if (c == u'&') {  // columns of aligned lines
            put(u" ");
        } else if (c == u'~') {
            put(u"\u00A0");
        } else if (c == u'=' || c == u'<' || c == u'>') {
            const QChar spaced[3]{u' ', c, u' '};
            put(QStringView(spaced, 3));
        } else if (c == u'-' && !raise_) {
            put(u"−");
        } else if (c == u'+' && !raise_) {
            put(u" + ");
        } else if (c == u'\'') {
            put(u"′");
        } else if (!c.isSpace()) {
            put(QStringView(&c, 1), c.isLetter() ? kSpanItalic : 0u);
        }
    }

    void script(SpanStyle style) {
        const uint32_t before = raise_;
        if (raise_ != 0) put(style == kSpanSuper ? u"^" : u"_");  // one step of raising is what a line can show
        if (raise_ == 0) raise_ = style;
        argument();
        raise_ = before;
    }

    // A group in braces or one atom.
    void argument() {
        while (at_ < latex_.size() && latex_[at_].isSpace()) ++at_;
        if (at_ >= latex_.size() || ++depth_ > kMaxDepth) {
            good_ = false;
            return;
        }
        atom();
        --depth_;
    }

    // An argument in parentheses where it is more than one sign.
    void operand() {
        const qsizetype begin = out_.text.size();
        const size_t firstSpan = out_.spans.size();
        if (!out_.spans.empty())
            out_.spans.push_back(
                {static_cast<int>(begin), static_cast<int>(begin), 0, -1});  // no merging over the border
        argument();
        if (!good_) return;
        const QStringView set = QStringView(out_.text).mid(begin);
        if (std::all_of(set.begin(), set.end(), [](QChar c) { return c.isLetterOrNumber(); })) return;
        out_.text.insert(begin, u'(');
        for (size_t i = firstSpan; i < out_.spans.size(); ++i) {
            ++out_.spans[i].begin;
            ++out_.spans[i].end;
        }
        const auto place = static_cast<int>(begin);
        out_.spans.insert(out_.spans.begin() + static_cast<std::ptrdiff_t>(firstSpan),
                          Span{place, place + 1, raise_, -1});
        put(u")");
    }

    QStringView name() {
        const qsizetype begin = at_;
        while (at_ < latex_.size() && latex_[at_].isLetter()) ++at_;
        if (at_ == begin && at_ < latex_.size()) ++at_;
        return QStringView(latex_).mid(begin, at_ - begin);
    }

    void upright(uint32_t style) {
        while (at_ < latex_.size() && latex_[at_] == u' ') ++at_;
        const qsizetype close = at_ < latex_.size() && latex_[at_] == u'{' ? latex_.indexOf(u'}', at_) : -1;
        if (close < 0) {
            argument();
            return;
        }
        const QStringView inner = QStringView(latex_).mid(at_ + 1, close - at_ - 1);
        if (inner.contains(u'\\') || inner.contains(u'{') || inner.contains(u'^') || inner.contains(u'_')) {
            argument();
            return;
        }
        at_ = close + 1;
        put(inner, style);
    }

    void command() {
        const QStringView word = name();
        if (word == u"frac" || word == u"dfrac" || word == u"tfrac") {
            operand();
            put(u"/");
            operand();
        } else if (word == u"sqrt") {
            root();
        } else if (word == u"text" || word == u"mathrm" || word == u"operatorname" || word == u"textrm" ||
                   word == u"mbox") {
            upright(0);
        } else if (word == u"mathbf" || word == u"boldsymbol" || word == u"bm" || word == u"textbf") {
            upright(kSpanBold);
        } else if (word == u"mathit" || word == u"mathcal" || word == u"textit" || word == u"mathsf" ||
                   word == u"mathbb") {
            upright(kSpanItalic);
        } else if (word == u"hat" || word == u"bar" || word == u"tilde" || word == u"vec" || word == u"dot" ||
                   word == u"overline") {
            accent(word);
        } else if (word == u"begin" || word == u"end") {
            environment();
        } else if (isMathFunction(word)) {
            put(word);
            put(u"\u2009");
        } else if (const QStringView symbol = mathSymbol(word); !symbol.isNull()) {
            put(symbol);
            if (word == u"left" || word == u"right") delimiter();
        } else {
            good_ = false;
        }
    }

    // "\left." is a delimiter that is not shown.
    void delimiter() {
        if (at_ < latex_.size() && latex_[at_] == u'.') ++at_;
    }

    void root() {
        if (at_ < latex_.size() && latex_[at_] == u'[') {
            const uint32_t before = raise_;
            raise_ = kSpanSuper;
            ++at_;
            sequence(u']');
            raise_ = before;
        }
        put(u"√");
        operand();
    }

    void accent(QStringView word) {
        argument();
        const QStringView mark = word == u"hat"     ? u"\u0302"
                                 : word == u"tilde" ? u"\u0303"
                                 : word == u"vec"   ? u"\u20D7"
                                 : word == u"dot"   ? u"\u0307"
                                                    : u"\u0304";
        put(mark, kSpanItalic);
    }

    // Lines below each other can be shown, grids cannot.
    void environment() {
        const qsizetype close = latex_.indexOf(u'}', at_);
        if (close < 0 || latex_[at_] != u'{') {
            good_ = false;
            return;
        }
        const QStringView kind = QStringView(latex_).mid(at_ + 1, close - at_ - 1);
        at_ = close + 1;
        if (kind != u"aligned" && kind != u"align" && kind != u"align*" && kind != u"equation" &&
            kind != u"equation*" && kind != u"gathered" && kind != u"split") {
            good_ = false;
        }
    }

    QString latex_;
    InlineText out_;
    qsizetype at_ = 0;
    uint32_t raise_ = 0;
    int depth_ = 0;
    bool good_ = true;
};

}  // namespace

InlineText mathText(const QString& latex, const QString& target) {
    Typesetter typesetter(latex);
    InlineText out;
    if (typesetter.run()) out = typesetter.take();
    if (out.text.trimmed().isEmpty()) {
        out = {};
        out.text = latex.trimmed();
        out.text.replace(u'\n', QChar::LineSeparator);
        out.spans.push_back({0, static_cast<int>(out.text.size()), kSpanCode, -1});
    }
    while (out.text.endsWith(u' ')) out.text.chop(1);
    std::erase_if(out.spans, [&](const Span& span) { return span.begin >= out.text.size() || span.begin == span.end; });
    for (Span& span : out.spans) {
        span.end = std::min(span.end, static_cast<int>(out.text.size()));
        span.style |= kSpanMath;
        span.target = 0;
    }
    out.targets = {target};
    return out;
}

}  // namespace pal::desktop
