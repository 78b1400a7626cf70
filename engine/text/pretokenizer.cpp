// SPDX-License-Identifier: Apache-2.0
#include "engine/text/pretokenizer.h"

#include <cstdint>

#include "engine/text/unicode_class.h"
#include "engine/text/utf8.h"

namespace pal::pretokenizer {
namespace {

using namespace unicode;

struct Character {
    uint8_t classes = 0;
    uint8_t length = 0;  // 0 at the end of the text
};

Character characterAt(std::string_view text, size_t position) {
    if (position >= text.size()) return {};
    const utf8::Step step = utf8::decode(text, position);
    return {step.status == utf8::Status::kValid ? classOf(step.codePoint) : uint8_t{0}, step.length};
}

// The end of the run of characters that have any of `classes`.
size_t runEnd(std::string_view text, size_t position, uint8_t classes) {
    for (;;) {
        const Character c = characterAt(text, position);
        if ((c.classes & classes) == 0) return position;
        position += c.length;
    }
}

char asciiLower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// Past (?i:'s|'t|'re|'ve|'m|'ll|'d)? at `position`. Simple case folding also takes U+017F (long s) for an s; no other code point
// beyond ASCII folds to one of these letters.
size_t contractionEnd(std::string_view text, size_t position) {
    if (position + 1 >= text.size() || text[position] != '\'') return position;
    if (text.substr(position + 1, 2) == "\xC5\xBF") return position + 3;
    const char first = asciiLower(text[position + 1]);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return position + 2;
    if (position + 2 >= text.size()) return position;
    const char second = asciiLower(text[position + 2]);
    const bool matches =
        (first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l');
    return matches ? position + 3 : position;
}

// Alternatives 2 and 3 without their optional prefix: what each would match from `start`.
struct WordEnds {
    size_t lower = 0;  // alternative 2, upper* lower+; `start` when it does not match
    size_t upper = 0;  // alternative 3, upper+ lower*; `start` when it does not match
};

WordEnds wordEnds(std::string_view text, size_t start) {
    size_t upperEnd = start;
    size_t lastBoth =
        start;  // end of the last character that may stand in either part: where upper* gives back to let lower+ match
    Character c = characterAt(text, upperEnd);
    while ((c.classes & kUpper) != 0) {
        upperEnd += c.length;
        if ((c.classes & kLower) != 0) lastBoth = upperEnd;
        c = characterAt(text, upperEnd);
    }
    const size_t lowerEnd = (c.classes & kLower) != 0 ? runEnd(text, upperEnd, kLower) : upperEnd;
    return {lowerEnd > upperEnd ? lowerEnd : lastBoth, upperEnd > start ? lowerEnd : start};
}

// Alternatives 2 and 3 at `position`, whose character is `first`; `position` when neither matches.
size_t wordEnd(std::string_view text, size_t position, Character first) {
    const bool mayBePrefix = (first.classes & (kNewline | kLetter | kNumber)) == 0;
    const size_t afterPrefix = position + first.length;
    const WordEnds prefixed = mayBePrefix ? wordEnds(text, afterPrefix) : WordEnds{afterPrefix, afterPrefix};
    if (prefixed.lower > afterPrefix) return contractionEnd(text, prefixed.lower);
    const bool plain = (first.classes & (kUpper | kLower)) != 0;
    const WordEnds bare = plain ? wordEnds(text, position) : WordEnds{position, position};
    if (bare.lower > position) return contractionEnd(text, bare.lower);
    if (prefixed.upper > afterPrefix) return contractionEnd(text, prefixed.upper);
    if (bare.upper > position) return contractionEnd(text, bare.upper);
    return position;
}

// Alternative 5 without its optional space: [^\s\p{L}\p{N}]+[\r\n]*
size_t symbolsEnd(std::string_view text, size_t start) {
    size_t end = start;
    Character c = characterAt(text, end);
    while (c.length != 0 && (c.classes & (kSpace | kLetter | kNumber)) == 0) {
        end += c.length;
        c = characterAt(text, end);
    }
    return end > start ? runEnd(text, end, kNewline) : start;
}

// Alternatives 6 to 8 at a white-space character.
size_t spaceEnd(std::string_view text, size_t position) {
    size_t end = position;
    size_t afterNewline = position;  // end of the last CR or LF in the run
    size_t last = position;          // start of the last character in the run
    Character c = characterAt(text, end);
    while ((c.classes & kSpace) != 0) {
        last = end;
        end += c.length;
        if ((c.classes & kNewline) != 0) afterNewline = end;
        c = characterAt(text, end);
    }
    if (afterNewline > position) return afterNewline;
    const bool atEnd = c.length == 0;
    return atEnd || last == position ? end : last;  // the last blank goes with the next word
}

size_t numberEnd(std::string_view text, size_t position) {
    for (int digits = 0; digits < 3; ++digits) {
        const Character c = characterAt(text, position);
        if ((c.classes & kNumber) == 0) break;
        position += c.length;
    }
    return position;
}

}  // namespace

size_t pieceEnd(std::string_view text, size_t position) {
    const Character first = characterAt(text, position);
    if ((first.classes & kHan) != 0) return runEnd(text, position, kHan);
    if (const size_t end = wordEnd(text, position, first); end > position) return end;
    if ((first.classes & kNumber) != 0) return numberEnd(text, position);
    const size_t symbols = text[position] == ' ' ? position + 1 : position;
    if (const size_t end = symbolsEnd(text, symbols); end > symbols) return end;
    return spaceEnd(text, position);
}

std::string_view Cutter::next() {
    const size_t start = position_;
    const size_t bytesLeft = text_.size() - start;
    if (bytesLeft <= limits_.run && bytesLeft <= limits_.block - blockUsed_) {  // a code point is at least one byte
        position_ = text_.size();
        return text_.substr(start);
    }
    size_t run = 0;
    uint8_t runClass = 0;
    while (position_ < text_.size() && blockUsed_ < limits_.block) {
        const Character c = characterAt(text_, position_);
        const uint8_t spaceClass = c.classes & kPythonSpace;
        run = run != 0 && spaceClass == runClass ? run + 1 : 1;
        runClass = spaceClass;
        if (run > limits_.run) return text_.substr(start, position_ - start);
        position_ += c.length;
        ++blockUsed_;
    }
    if (blockUsed_ == limits_.block) blockUsed_ = 0;
    return text_.substr(start, position_ - start);
}

}  // namespace pal::pretokenizer
