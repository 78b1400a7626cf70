// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal {

// The byte-string tokens of a tiktoken file: id -> bytes and bytes -> id. The id is also the merge priority (lower merges first).
// Immutable after parsing, so any thread may read.
class Vocabulary {
  public:
    // Lines "base64(bytes) rank\n" with ranks 0, 1, 2, ... Every single byte must be a token. `name` stands in messages for the file.
    // Errors: kFormat with the line; kUnsupported for more than 256 MiB.
    static Result<Vocabulary> parse(std::string_view file, std::string_view name);

    [[nodiscard]] TokenId size() const { return static_cast<TokenId>(ends_.size()) - 1; }
    [[nodiscard]] std::string_view bytes(TokenId id) const {
        const auto i = static_cast<size_t>(id);
        return std::string_view(arena_).substr(ends_[i], ends_[i + 1] - ends_[i]);
    }

    // What a byte string is looked up by: up to 12 bytes the string itself, so that one cache line answers; else a hash of it.
    struct Key {
        uint64_t head = 0;
        uint32_t tail = 0;
        uint32_t length = 0;
        uint64_t hash = 0;
    };
    static Key keyOf(std::string_view bytes);

    static constexpr TokenId kNone = -1;
    // Id of exactly these bytes (at least one), or kNone.
    [[nodiscard]] TokenId find(std::string_view bytes) const {
        const auto byte = [&](size_t i) { return size_t{static_cast<unsigned char>(bytes[i])}; };
        if (bytes.size() == 1) return byteIds_[byte(0)];
        if (bytes.size() == 2) return pairIds_[byte(0) << 8 | byte(1)];
        return find(bytes, keyOf(bytes));
    }
    [[nodiscard]] TokenId find(std::string_view bytes, const Key& key) const;

  private:
    struct Slot {  // 16 bytes, four to a cache line
        uint64_t head = 0;
        uint32_t tail = 0;
        uint32_t idAndLength =
            kFree;  // id in the upper 24 bits, length capped at 255 in the lower 8; a length of 0 marks a free slot
    };
    static constexpr uint32_t kFree = 0;
    static constexpr uint32_t kMaxTokens = 1U << 24;

    Result<> parseLine(std::string_view line, std::string_view name);
    Result<> buildIndex(std::string_view name);

    std::string arena_;                 // all tokens one after the other
    std::vector<uint32_t> ends_ = {0};  // token i is arena_[ends_[i], ends_[i + 1])
    std::vector<Slot> slots_;           // open addressing, a power of two, at most two thirds full
    std::vector<TokenId> byteIds_;      // [256]
    std::vector<TokenId> pairIds_;      // [65536], first byte in the upper half of the index
};

}  // namespace pal
