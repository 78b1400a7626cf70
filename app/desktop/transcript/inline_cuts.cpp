// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/inline_cuts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "app/desktop/transcript/markdown_lines.h"

namespace pal::desktop {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::ptrdiff_t kMaxRowCells = 64;

// Without quote marks, list markers and indentation.
std::string_view insideContainers(std::string_view line) {
    size_t at = 0;
    while (at < line.size()) {
        const char c = line[at];
        if (c == ' ' || c == '\t' || c == '>') {
            ++at;
        } else if ((c == '-' || c == '*' || c == '+') && at + 1 < line.size() && line[at + 1] == ' ') {
            at += 2;
        } else if (c >= '0' && c <= '9') {
            size_t end = at;
            while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
            if (end + 1 >= line.size() || (line[end] != '.' && line[end] != ')') || line[end + 1] != ' ') break;
            at = end + 2;
        } else {
            break;
        }
    }
    return line.substr(at);
}

bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t';
}

class Cutter {
  public:
    Cutter(std::string_view source, const InlinePattern& pattern) : source_(source) {
        if (pattern) matches_ = pattern(source);
        out_.text.reserve(source.size());
        noteBackticks();
    }

    CutText run() && {
        while (at_ < source_.size()) {
            if (at_ == 0 || source_[at_ - 1] == '\n') startLine();
            if (at_ < source_.size()) step();
        }
        return std::move(out_);
    }

  private:
    // Where each run of backticks of a length stands last, so that an opening without an end is known without looking for it.
    void noteBackticks() {
        for (size_t at = source_.find('`'); at != kNone; at = source_.find('`', at)) {
            size_t end = at;
            while (end < source_.size() && source_[end] == '`') ++end;
            backticks_[end - at].push_back(at);
            at = end;
        }
    }

    void startLine() {
        const std::string_view line = source_.substr(at_, std::min(source_.find('\n', at_), source_.size()) - at_);
        const std::string_view inner = insideContainers(line);
        if (fence_) {
            if (!closesFence(*fence_, inner)) return;
            fence_.reset();
            return copy(line.size());
        }
        fence_ = openingFence(inner);
        if (fence_) return;
        if (std::count(line.begin(), line.end(), '|') > kMaxRowCells) guardRow_ = true;
        if (!inner.starts_with('[')) return;
        const size_t close = inner.find(']');
        if (close == kNone || close + 1 >= inner.size() || inner[close + 1] != ':') return;
        const size_t skip = line.size() - inner.size();
        copy(skip);
        if (!takeMatch()) cut(1, Cut::Kind::kVerbatim);
    }

    void step() {
        if (takeMatch()) return;
        const char c = source_[at_];
        if (c == '\n') guardRow_ = false;
        if (fence_) return copyOrGuard();
        if (c == '|' && guardRow_) return cut(1, Cut::Kind::kVerbatim);
        if (c == '`') return codeSpan();
        if (c == '$' && dollarMath()) return;
        if (c == '\\') return backslash();
        copyOrGuard();
    }

    void copy(size_t bytes) {
        out_.text.append(source_, at_, bytes);
        at_ += bytes;
    }

    void cut(size_t bytes, Cut::Kind kind, QString target = {}) {
        if (out_.cuts.size() >= kMaxCuts) {
            const bool inArea = static_cast<unsigned char>(source_[at_]) >= 0xF3;
            if (!inArea) return copy(bytes);
            out_.text += "\uFFFD";
            at_ += bytes;
            return;
        }
        const auto code = static_cast<uint32_t>(kFirstCut + out_.cuts.size());
        const std::array<char, 4> utf8{
            static_cast<char>(0xF0 | (code >> 18)), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
            static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
        out_.text.append(utf8.data(), utf8.size());
        out_.cuts.push_back({kind, std::string(source_.substr(at_, bytes)), std::move(target)});
        at_ += bytes;
    }

    bool takeMatch() {
        while (match_ < matches_.size() && matches_[match_].begin < at_) ++match_;
        if (match_ == matches_.size() || matches_[match_].begin != at_) return false;
        const PatternMatch& found = matches_[match_++];
        if (found.end <= at_ || found.end > source_.size()) return false;
        cut(found.end - at_, Cut::Kind::kCitation, found.target);
        return true;
    }

    void codeSpan() {
        size_t run = 0;
        while (at_ + run < source_.size() && source_[at_ + run] == '`') ++run;
        const auto& starts = backticks_[run];
        const auto close = std::upper_bound(starts.begin(), starts.end(), at_);
        if (close == starts.end()) return copy(run);
        // A paragraph's end ends its code spans, too.
        if (paragraphEnd() < *close) return copy(run);
        const size_t end = *close + run;
        while (at_ < end) copyOrGuard();
    }

    // Every character of the area of cuts is itself cut, so that none can be taken for another's.
    void copyOrGuard() {
        const bool inArea = static_cast<unsigned char>(source_[at_]) >= 0xF3 && at_ + 4 <= source_.size();
        if (inArea) {
            cut(4, Cut::Kind::kVerbatim);
        } else {
            copy(1);
        }
    }

    // The end of the line before the next blank line or fence, or the text's end.
    size_t paragraphEnd() {
        while (paragraphEnd_ <= at_ && paragraphEnd_ < source_.size()) {
            size_t end = source_.find('\n', at_);
            while (end != kNone) {
                const size_t next = std::min(source_.find('\n', end + 1), source_.size());
                const std::string_view line = source_.substr(end + 1, next - end - 1);
                const std::string_view inner = insideContainers(line);
                if (inner.empty() || openingFence(inner)) break;
                end = next == source_.size() ? kNone : next;
            }
            paragraphEnd_ = end == kNone ? source_.size() : std::max(end, at_ + 1);
        }
        return paragraphEnd_;
    }

    // Where `closing` stands behind `from` in this paragraph. One that is not there is not looked for again before the paragraph's end.
    size_t findClosing(std::string_view closing, size_t from, size_t& missingUntil) {
        const size_t limit = paragraphEnd();
        if (at_ < missingUntil || from > limit) return kNone;
        const size_t found = source_.substr(0, limit).find(closing, from);
        if (found == kNone) missingUntil = limit;
        return found;
    }

    void backslash() {
        const char next = at_ + 1 < source_.size() ? source_[at_ + 1] : '\0';
        if (next == '(' || next == '[') {
            const bool display = next == '[';
            const size_t close = findClosing(display ? "\\]" : "\\)", at_ + 2, display ? noBracket_ : noParenthesis_);
            if (close != kNone && close > at_ + 2) {
                return cut(close + 2 - at_, display ? Cut::Kind::kDisplayMath : Cut::Kind::kInlineMath);
            }
        }
        copy(next == '\0' || next == '\n' || static_cast<unsigned char>(next) >= 0x80 ? 1 : 2);
    }

    bool dollarMath() {
        if (source_.substr(at_, 2) == "$$") {
            const size_t close = findClosing("$$", at_ + 2, noDollars_);
            if (close != kNone && close > at_ + 2) {
                cut(close + 2 - at_, Cut::Kind::kDisplayMath);
            } else {
                copy(2);
            }
            return true;
        }
        if (at_ + 1 >= source_.size() || isSpace(source_[at_ + 1]) || at_ < noDollar_) return false;
        for (size_t i = at_ + 1; i < source_.size() && source_[i] != '\n'; ++i) {
            if (source_[i] == '\\') {
                ++i;
            } else if (source_[i] == '`') {
                break;
            } else if (source_[i] == '$' && !isSpace(source_[i - 1]) && i > at_ + 1) {
                const char behind = i + 1 < source_.size() ? source_[i + 1] : ' ';
                if (behind >= '0' && behind <= '9') continue;
                cut(i + 1 - at_, Cut::Kind::kInlineMath);
                return true;
            }
        }
        noDollar_ = std::min(source_.find_first_of("\n`", at_), source_.size());
        return false;
    }

    std::string_view source_;
    std::vector<PatternMatch> matches_;
    std::map<size_t, std::vector<size_t>> backticks_;  // length of a run -> where such runs stand
    CutText out_;
    size_t at_ = 0, match_ = 0, paragraphEnd_ = 0;
    size_t noBracket_ = 0, noParenthesis_ = 0, noDollars_ = 0, noDollar_ = 0;  // no closing delimiter before there
    std::optional<Fence> fence_;  // of code that is open, at whatever depth
    bool guardRow_ = false;
};

}  // namespace

CutText cutInline(std::string_view markdown, const InlinePattern& pattern) {
    return Cutter(markdown, pattern).run();
}

}  // namespace pal::desktop
