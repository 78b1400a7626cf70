// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/code_highlighter.h"

#include <QStringTokenizer>
#include <algorithm>

namespace pal::desktop {
namespace {

using Inside = HighlightState::Inside;

bool isWordPart(QChar c) {
    return c.isLetterOrNumber() || c == u'_' || c.isSurrogate();
}

class Highlighter {
  public:
    Highlighter(QStringView code, const CodeLanguage& language, HighlightState& state)
        : code_(code), language_(language), state_(state) {}

    std::vector<CodeToken> run() && {
        if (state_.inside == Inside::kComment) blockComment(0);
        if (state_.inside == Inside::kString) longString(0, 0);
        while (at_ < code_.size()) step();
        return std::move(tokens_);
    }

  private:
    [[nodiscard]] bool here(QStringView text) const { return !text.isEmpty() && code_.mid(at_).startsWith(text); }
    [[nodiscard]] bool lineStart() const { return at_ == 0 || code_[at_ - 1] == u'\n'; }
    [[nodiscard]] qsizetype lineEnd() const {
        const qsizetype end = code_.indexOf(u'\n', at_);
        return end < 0 ? code_.size() : end;
    }

    void token(qsizetype begin, CodeTokenKind kind) {
        if (at_ > begin) tokens_.push_back({static_cast<int>(begin), static_cast<int>(at_), kind});
    }

    void step() {
        if (lineStart()) {
            if (language_.form == CodeLanguage::Form::kDiff) return diffLine();
            if (language_.form == CodeLanguage::Form::kKeys && key()) return;
        }
        const QChar c = code_[at_];
        if (c.isSpace()) {
            ++at_;
        } else if (here(language_.blockOpen)) {
            const qsizetype begin = at_;
            at_ += language_.blockOpen.size();
            blockComment(begin);
        } else if (lineComment()) {
            return;
        } else if (language_.form == CodeLanguage::Form::kMarkup) {
            markup(c);
        } else if (language_.longQuotes.contains(c) && (c == u'`' || isTriple(c))) {
            const qsizetype begin = at_;
            at_ += c == u'`' ? 1 : 3;
            state_ = {Inside::kString, c};
            longString(begin, at_);
        } else if (language_.quotes.contains(c)) {
            string(c);
        } else if (c.isDigit()) {
            number();
        } else if (isWordPart(c) || c == u'#' || c == u'@') {
            word();
        } else {
            ++at_;
        }
    }

    [[nodiscard]] bool isTriple(QChar c) const {
        return at_ + 2 < code_.size() && code_[at_ + 1] == c && code_[at_ + 2] == c;
    }

    bool lineComment() {
        for (const QStringView mark : language_.lineComments.tokenize(u' ')) {
            if (!here(mark)) continue;
            // In shells and data '#' and ';' begin a comment only as the first sign of a word.
            const bool inWord = at_ > 0 && !code_[at_ - 1].isSpace();
            if (inWord && mark.size() == 1) continue;
            const qsizetype begin = at_;
            at_ = lineEnd();
            token(begin, CodeTokenKind::kComment);
            return true;
        }
        return false;
    }

    void blockComment(qsizetype begin) {
        const qsizetype close = code_.indexOf(language_.blockClose, at_);
        state_ = close < 0 ? HighlightState{Inside::kComment, {}} : HighlightState{};
        at_ = close < 0 ? code_.size() : close + language_.blockClose.size();
        token(begin, CodeTokenKind::kComment);
    }

    void longString(qsizetype begin, qsizetype from) {
        const qsizetype length = state_.quote == u'`' ? 1 : 3;
        for (at_ = from; at_ < code_.size(); ++at_) {
            if (code_[at_] == u'\\') {
                ++at_;
            } else if (code_[at_] == state_.quote && (length == 1 || isTriple(state_.quote))) {
                at_ += length;
                state_ = {};
                return token(begin, CodeTokenKind::kString);
            }
        }
        at_ = code_.size();
        token(begin, CodeTokenKind::kString);
    }

    void string(QChar quote) {
        const qsizetype begin = at_++;
        const qsizetype end = lineEnd();
        while (at_ < end && code_[at_] != quote) at_ += code_[at_] == u'\\' ? 2 : 1;
        at_ = std::min(at_ + 1, end);
        token(begin, CodeTokenKind::kString);
    }

    void number() {
        const qsizetype begin = at_;
        while (at_ < code_.size() && (isWordPart(code_[at_]) || code_[at_] == u'.' || code_[at_] == u'\'')) ++at_;
        if (code_[at_ - 1] == u'.' || code_[at_ - 1] == u'\'') --at_;
        token(begin, CodeTokenKind::kNumber);
    }

    void word() {
        const qsizetype begin = at_++;
        while (at_ < code_.size() && isWordPart(code_[at_])) ++at_;
        const QStringView text = code_.mid(begin, at_ - begin);
        if (isKeyword(text)) return token(begin, CodeTokenKind::kKeyword);
        qsizetype next = at_;
        while (next < code_.size() && code_[next] == u' ') ++next;
        const bool called = next < code_.size() && code_[next] == u'(' && language_.form == CodeLanguage::Form::kCode;
        if (called || text.startsWith(u'@')) token(begin, CodeTokenKind::kName);
    }

    [[nodiscard]] bool isKeyword(QStringView text) const {
        const Qt::CaseSensitivity sensitivity = language_.foldCase ? Qt::CaseInsensitive : Qt::CaseSensitive;
        constexpr qsizetype kLongest = 32;
        if (text.size() > kLongest) return false;
        for (const QStringView word : language_.keywords.tokenize(u' ')) {
            if (word.compare(text, sensitivity) == 0) return true;
        }
        return false;
    }

    // A name before ':' or '=' at the front of a line.
    bool key() {
        const qsizetype end = lineEnd();
        qsizetype begin = at_;
        while (begin < end && (code_[begin].isSpace() || code_[begin] == u'-')) ++begin;
        qsizetype stop = begin;
        const bool quoted = stop < end && code_[stop] == u'"';
        if (quoted) ++stop;
        while (stop < end && (isWordPart(code_[stop]) || code_[stop] == u'-' || code_[stop] == u'.' ||
                              (quoted && code_[stop] == u' ')))
            ++stop;
        if (quoted && stop < end && code_[stop] == u'"') ++stop;
        qsizetype sign = stop;
        while (sign < end && code_[sign] == u' ') ++sign;
        if (stop == begin || sign >= end || (code_[sign] != u':' && code_[sign] != u'=')) return false;
        at_ = stop;
        token(begin, CodeTokenKind::kName);
        return true;
    }

    void diffLine() {
        const qsizetype begin = at_;
        at_ = lineEnd();
        const QChar first = code_[begin];
        if (first == u'+') token(begin, CodeTokenKind::kString);
        if (first == u'-') token(begin, CodeTokenKind::kNumber);
        if (first == u'@') token(begin, CodeTokenKind::kKeyword);
        if (at_ < code_.size()) ++at_;
    }

    void markup(QChar c) {
        if (c == u'<') {
            const qsizetype begin = at_++;
            while (at_ < code_.size() && (isWordPart(code_[at_]) || code_[at_] == u'/' || code_[at_] == u'!' ||
                                          code_[at_] == u'-' || code_[at_] == u':'))
                ++at_;
            inTag_ = true;
            return token(begin, CodeTokenKind::kKeyword);
        }
        if (c == u'>') {
            const qsizetype begin = at_++;
            if (inTag_) token(begin, CodeTokenKind::kKeyword);
            inTag_ = false;
        } else if (inTag_ && language_.quotes.contains(c)) {
            string(c);
        } else if (inTag_ && isWordPart(c)) {
            const qsizetype begin = at_;
            while (at_ < code_.size() && (isWordPart(code_[at_]) || code_[at_] == u'-' || code_[at_] == u':')) ++at_;
            token(begin, CodeTokenKind::kName);
        } else {
            ++at_;
        }
    }

    QStringView code_;
    const CodeLanguage& language_;
    HighlightState& state_;
    std::vector<CodeToken> tokens_;
    qsizetype at_ = 0;
    bool inTag_ = false;
};

}  // namespace

std::vector<CodeToken> highlightCode(QStringView code, const CodeLanguage& language, HighlightState& state) {
    return Highlighter(code, language, state).run();
}

}  // namespace pal::desktop
