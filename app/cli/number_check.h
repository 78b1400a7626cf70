// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace pal::cli {

// Accepts whole numbers from `low` to `high` in plain decimal. CLI11 alone would read 010 as eight and let -1 become a huge number.
[[nodiscard]] CLI::Validator wholeNumber(uint64_t low, uint64_t high);

// Most tokens of context that a flag may ask for; the model's own limit is checked later.
inline constexpr uint64_t kMaxContextTokens = 1ULL << 40;

}  // namespace pal::cli
