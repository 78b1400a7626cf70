// SPDX-License-Identifier: Apache-2.0
#include "engine/text/atoms.h"

#include <algorithm>

#include "engine/text/utf8.h"

namespace pal {
namespace {

constexpr uint32_t kCodePoints = 0x10000;
constexpr uint8_t kAtom = 1;
constexpr uint8_t kHasStraddlers = 2;        // under itself, not only its blocks
constexpr size_t kMaxStraddlerBytes = 4096;  // of one list; the longest of Kimi K3 has 631

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

Atoms::Atoms(const Vocabulary& vocabulary)
    : flags_(kCodePoints, 0), byBlock64_(kCodePoints / 64), byBlock4096_(kCodePoints / 4096) {
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

// Under its first whole code point, or when it has none under those that begin with its end.
void Atoms::fileStraddler(std::string_view token, size_t leading, size_t trailing) {
    Straddler straddler{std::string(token), static_cast<uint32_t>(leading)};
    if (leading + trailing < token.size()) {
        const uint32_t codePoint = utf8::decode(token, leading).codePoint;
        if (codePoint >= kCodePoints) return;
        flags_[codePoint] |= kHasStraddlers;
        add(byCodePoint_[codePoint], std::move(straddler), codePoint, 1);
        return;
    }
    const auto byte = [&](size_t i) { return uint32_t{static_cast<unsigned char>(token[leading + i])}; };
    const uint32_t lead = byte(0);
    if (lead >= 0xF0) return;  // four bytes: beyond the atoms
    if (lead < 0xE0) {         // 110xxxxx of two bytes
        add(byBlock64_[lead & 0x1F], std::move(straddler), (lead & 0x1F) * 64, 64);
    } else if (trailing == 1) {  // 1110xxxx of three bytes
        add(byBlock4096_[lead & 0x0F], std::move(straddler), (lead & 0x0F) * 4096, 4096);
    } else {  // 1110xxxx 10yyyyyy
        const uint32_t block = (lead & 0x0F) * 64 + (byte(1) & 0x3F);
        add(byBlock64_[block], std::move(straddler), block * 64, 64);
    }
}

// What would take too long to look for is not: then text with these code points is split into bytes.
void Atoms::add(Straddlers& place, Straddler straddler, uint32_t firstCodePoint, uint32_t count) {
    place.bytes += straddler.bytes.size();
    if (place.bytes <= kMaxStraddlerBytes) {
        place.list.push_back(std::move(straddler));
        return;
    }
    for (uint32_t i = 0; i < count; ++i) flags_[firstCodePoint + i] &= static_cast<uint8_t>(~kAtom);
}

bool Atoms::straddled(std::string_view piece, size_t position, uint32_t codePoint) const {
    const auto anyIn = [&](const Straddlers& place) {
        return std::any_of(place.list.begin(), place.list.end(), [&](const Straddler& straddler) {
            return straddler.before <= position &&
                   piece.substr(position - straddler.before).starts_with(straddler.bytes);
        });
    };
    if ((flags_[codePoint] & kHasStraddlers) != 0 && anyIn(byCodePoint_.at(codePoint))) return true;
    return codePoint >= 0x80 && (anyIn(byBlock64_[codePoint / 64]) || anyIn(byBlock4096_[codePoint / 4096]));
}

bool Atoms::split(std::string_view piece, std::vector<uint32_t>& starts) const {
    const size_t before = starts.size();
    for (size_t i = 0; i < piece.size();) {
        const utf8::Step step = utf8::decode(piece, i);
        const bool isAtom = step.status == utf8::Status::kValid && step.codePoint < kCodePoints &&
                            (flags_[step.codePoint] & kAtom) != 0;
        if (!isAtom || straddled(piece, i, step.codePoint)) {
            starts.resize(before);
            return false;
        }
        starts.push_back(static_cast<uint32_t>(i));
        i += step.length;
    }
    return true;
}

}  // namespace pal
