// SPDX-License-Identifier: Apache-2.0
#include "engine/text/atoms.h"

#include <algorithm>

#include "engine/text/utf8.h"

namespace pal {
namespace {

constexpr uint32_t kCodePoints = 0x10000;
constexpr uint8_t kAtom = 1;
constexpr uint8_t kHasStraddlers = 2;

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// The highest id among the merges that make one token of a code point of two or three bytes; kNone when they do not.
TokenId lastMergeOf(const Vocabulary& vocabulary, std::string_view character) {
    const TokenId whole = vocabulary.find(character);
    if (whole == Vocabulary::kNone || character.size() == 2) return whole;
    const TokenId front = vocabulary.find(character.substr(0, 2));
    const TokenId back = vocabulary.find(character.substr(1));
    if (front == Vocabulary::kNone && back == Vocabulary::kNone) return Vocabulary::kNone;
    const TokenId first = front == Vocabulary::kNone ? back : back == Vocabulary::kNone ? front : std::min(front, back);
    return std::max(first, whole);
}

}  // namespace

Atoms::Atoms(const Vocabulary& vocabulary) : flags_(kCodePoints, 0) {
    std::vector<TokenId> lastMerge(kCodePoints, Vocabulary::kNone);  // bytes need no merge
    std::fill(flags_.begin(), flags_.begin() + 0x80, kAtom);
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
        const std::string_view token = vocabulary.bytes(id);
        if (token.size() < 2 || token.size() > 3) continue;
        const utf8::Step step = utf8::decode(token, 0);
        if (step.status != utf8::Status::kValid || step.length != token.size()) continue;
        lastMerge[step.codePoint] = lastMergeOf(vocabulary, token);
        if (lastMerge[step.codePoint] != Vocabulary::kNone) flags_[step.codePoint] = kAtom;
    }
    for (TokenId id = 0; id < vocabulary.size(); ++id) file(vocabulary.bytes(id), id, lastMerge);
}

// Takes from the atoms what this token touches too early, or files it as a straddler.
void Atoms::file(std::string_view token, TokenId id, const std::vector<TokenId>& lastMerge) {
    size_t leading = 0;
    while (leading < token.size() && isContinuation(token[leading])) ++leading;
    size_t position = leading;
    size_t wholes = 0;
    while (position < token.size()) {
        const utf8::Step step = utf8::decode(token, position);
        if (step.status == utf8::Status::kTruncated) break;
        if (step.status == utf8::Status::kMalformed) return;  // no part of valid text
        position += step.length;
        ++wholes;
    }
    const size_t trailing = token.size() - position;
    const bool partial = leading > 0 || trailing > 0;
    if (wholes + (leading > 0 ? 1 : 0) + (trailing > 0 ? 1 : 0) < 2) return;
    if (partial) {
        fileStraddler(token, leading, trailing);
        return;
    }
    for (size_t i = 0; i < token.size();) {
        const utf8::Step step = utf8::decode(token, i);
        if (step.codePoint < kCodePoints && lastMerge[step.codePoint] >= id) flags_[step.codePoint] = 0;
        i += step.length;
    }
}

// Under its first whole code point, or when it has none under every one that begins with its end.
void Atoms::fileStraddler(std::string_view token, size_t leading, size_t trailing) {
    const Straddler straddler{std::string(token), static_cast<uint32_t>(leading)};
    const auto fileUnder = [&](uint32_t codePoint) {
        flags_[codePoint] |= kHasStraddlers;
        straddlers_.emplace(codePoint, straddler);
    };
    if (leading + trailing < token.size()) {
        const uint32_t codePoint = utf8::decode(token, leading).codePoint;
        if (codePoint < kCodePoints) fileUnder(codePoint);
        return;
    }
    std::string character;
    for (uint32_t codePoint = 0x80; codePoint < kCodePoints; ++codePoint) {
        if (flags_[codePoint] == 0) continue;
        character.clear();
        utf8::append(character, codePoint);
        if (character.starts_with(token.substr(leading))) fileUnder(codePoint);
    }
}

bool Atoms::straddled(std::string_view piece, size_t position, uint32_t codePoint) const {
    const auto [begin, end] = straddlers_.equal_range(codePoint);
    return std::any_of(begin, end, [&](const auto& entry) {
        const Straddler& straddler = entry.second;
        return straddler.before <= position && piece.substr(position - straddler.before).starts_with(straddler.bytes);
    });
}

bool Atoms::split(std::string_view piece, std::vector<uint32_t>& starts) const {
    const size_t before = starts.size();
    for (size_t i = 0; i < piece.size();) {
        const utf8::Step step = utf8::decode(piece, i);
        const bool isAtom = step.status == utf8::Status::kValid && step.codePoint < kCodePoints &&
                            (flags_[step.codePoint] & kAtom) != 0;
        if (!isAtom || ((flags_[step.codePoint] & kHasStraddlers) != 0 && straddled(piece, i, step.codePoint))) {
            starts.resize(before);
            return false;
        }
        starts.push_back(static_cast<uint32_t>(i));
        i += step.length;
    }
    return true;
}

}  // namespace pal
