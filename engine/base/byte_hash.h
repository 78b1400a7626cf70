// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace pal {

// FNV-1a over bytes: names into seeds and tables. Not for integrity (XXH3-128) nor for security.
[[nodiscard]] constexpr uint64_t fnv1a64(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): turns a counter into 64 well-mixed bits.
[[nodiscard]] constexpr uint64_t splitmix64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

}  // namespace pal
