// SPDX-License-Identifier: Apache-2.0
#include "engine/text/vocabulary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace pal {
namespace {

constexpr size_t kMaxFileBytes = size_t{256} << 20;  // the file of Kimi K3 has 2.8 MB
constexpr size_t kMaxTokenBytes = 65'535;
constexpr uint8_t kNotBase64 = 64;
constexpr size_t kInlineBytes = 12;  // what Slot's head and tail hold

__extension__ using Uint128 = unsigned __int128;

constexpr uint64_t kSeed = 0xA0761D6478BD642FULL;  // odd constants with balanced bits, from wyhash
constexpr uint64_t kMultiplier = 0xE7037ED1A0B428DBULL;

uint64_t fold(uint64_t a, uint64_t b) {
    const Uint128 product = static_cast<Uint128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

template <typename T>
T load(const char* data) {
    T value;
    std::memcpy(&value, data, sizeof(T));
    return value;
}

constexpr std::array<uint8_t, 256> base64Digits() {
    std::array<uint8_t, 256> digits{};
    digits.fill(kNotBase64);
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < kAlphabet.size(); ++i) {
        digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<uint8_t>(i);
    }
    return digits;
}

// Appends the bytes of padded base64 (RFC 4648); false when it is none.
bool appendBase64(std::string_view text, std::string& out) {
    static constexpr std::array<uint8_t, 256> kDigits = base64Digits();
    if (text.empty() || text.size() % 4 != 0) return false;
    const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    text.remove_suffix(padding);
    uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const uint8_t digit = kDigits[static_cast<unsigned char>(c)];
        if (digit == kNotBase64) return false;
        bits = bits << 6 | digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.push_back(static_cast<char>(bits >> count & 0xFF));
        }
    }
    return (bits & ((1U << count) - 1)) == 0;  // unused bits of the last digit
}

}  // namespace

Result<Vocabulary> Vocabulary::parse(std::string_view file, std::string_view name) {
    if (file.size() > kMaxFileBytes) {
        return fail(ErrorCode::kUnsupported, "{}: {} bytes, at most {} are allowed", name, file.size(), kMaxFileBytes);
    }
    Vocabulary out;
    out.arena_.reserve(file.size() / 2);
    out.ends_.reserve(file.size() / 16);
    while (!file.empty()) {
        const size_t end = std::min(file.find('\n'), file.size());
        PAL_TRY(out.parseLine(file.substr(0, end), name));
        file.remove_prefix(std::min(end + 1, file.size()));
    }
    PAL_TRY(out.buildIndex(name));
    return out;
}

Result<> Vocabulary::parseLine(std::string_view line, std::string_view name) {
    const size_t number = ends_.size();  // of this line, from 1
    if (line.size() > kMaxTokenBytes * 4 / 3 + 24) {
        return fail(ErrorCode::kFormat, "{}:{}: line of {} bytes, tokens are at most {}", name, number, line.size(),
                    kMaxTokenBytes);
    }
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos) {
        return fail(ErrorCode::kFormat, "{}:{}: not of the form 'base64 rank'", name, number);
    }
    if (!appendBase64(line.substr(0, blank), arena_)) {
        return fail(ErrorCode::kFormat, "{}:{}: not base64 before the blank", name, number);
    }
    const std::string_view digits = line.substr(blank + 1);
    uint64_t rank = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    if (error != std::errc{} || stop != digits.data() + digits.size()) {
        return fail(ErrorCode::kFormat, "{}:{}: the rank is not a decimal number", name, number);
    }
    if (rank != number - 1) {
        return fail(ErrorCode::kFormat, "{}:{}: rank {}, expected {} (ranks are dense and in order)", name, number,
                    rank, number - 1);
    }
    if (arena_.size() > UINT32_MAX || number >= kMaxTokens) {
        return fail(ErrorCode::kUnsupported, "{}:{}: more than {} tokens or 4 GiB", name, number, kMaxTokens);
    }
    ends_.push_back(static_cast<uint32_t>(arena_.size()));
    return {};
}

Result<> Vocabulary::buildIndex(std::string_view name) {
    slots_.resize(std::bit_ceil(ends_.size() + ends_.size() / 2));
    byteIds_.assign(256, kNone);
    pairIds_.assign(65'536, kNone);
    const size_t mask = slots_.size() - 1;
    for (TokenId id = 0; id < size(); ++id) {
        const std::string_view token = bytes(id);
        const Key key = keyOf(token);
        if (const TokenId twin = find(token, key); twin != kNone) {
            return fail(ErrorCode::kFormat, "{}:{}: the same bytes as on line {}", name, id + 1, twin + 1);
        }
        size_t slot = key.hash & mask;
        while (slots_[slot].idAndLength != kFree) slot = (slot + 1) & mask;
        slots_[slot] = {key.head, key.tail, static_cast<uint32_t>(id) << 8 | key.length};
        const auto byte = [&](size_t i) { return size_t{static_cast<unsigned char>(token[i])}; };
        if (token.size() == 1) byteIds_[byte(0)] = id;
        if (token.size() == 2) pairIds_[byte(0) << 8 | byte(1)] = id;
    }
    if (const auto missing = std::find(byteIds_.begin(), byteIds_.end(), kNone); missing != byteIds_.end()) {
        return fail(ErrorCode::kFormat, "{}: no token for the single byte 0x{:02X} among {} tokens", name,
                    missing - byteIds_.begin(), size());
    }
    return {};
}

// Short keys load overlapping words, which together with the length are unique; long ones fold eight bytes at a time.
Vocabulary::Key Vocabulary::keyOf(std::string_view bytes) {
    const char* data = bytes.data();
    const size_t size = bytes.size();
    const auto byte = [data](size_t i) { return uint64_t{static_cast<unsigned char>(data[i])}; };
    Key key;
    key.length = static_cast<uint32_t>(std::min<size_t>(size, 255));
    if (size > kInlineBytes) {
        uint64_t state = size;
        size_t i = 0;
        for (; i + 8 < size; i += 8) state = fold(state ^ load<uint64_t>(data + i), kMultiplier);
        key.head = fold(state ^ load<uint64_t>(data + size - 8), kMultiplier);
        key.tail = static_cast<uint32_t>(state >> 32);
    } else if (size >= 8) {
        key.head = load<uint64_t>(data);
        key.tail = load<uint32_t>(data + size - 4);
    } else if (size >= 4) {
        key.head = uint64_t{load<uint32_t>(data + size - 4)} << 32 | load<uint32_t>(data);
    } else if (size > 0) {
        key.head = byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
    }
    key.hash = fold(key.head ^ kSeed, (uint64_t{key.tail} << 8 | key.length) ^ kMultiplier);
    return key;
}

TokenId Vocabulary::find(std::string_view bytes, const Key& key) const {
    const size_t mask = slots_.size() - 1;
    for (size_t i = key.hash & mask;; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.idAndLength == kFree) return kNone;
        if (slot.head != key.head || slot.tail != key.tail || (slot.idAndLength & 0xFF) != key.length) continue;
        const auto id = static_cast<TokenId>(slot.idAndLength >> 8);
        if (bytes.size() <= kInlineBytes || this->bytes(id) == bytes) return id;
    }
}

}  // namespace pal
