// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/model/layer_plan.h"

namespace pal {

// Reproducible random tensors: element i (flat, row-major) of a tensor depends on its name, i and the seed alone, so any piece can be
// drawn on its own and in any order.
//   h   = fnv1a64(name) xor splitmix64(seed)                    (seed 0: the name alone)
//   raw = splitmix64(h + (i + 1) * 0x9E3779B97F4A7C15)
//   u   = (raw >> 11) * 2^-53                                    in [0, 1)
// Values are computed in double, rounded to float32 and then, for BF16, to nearest even.
struct TensorDraw {
    // How u (or raw, for the packed kinds) becomes a value.
    enum class Rule : uint8_t {
        kAffine,        // offset + scale * (2u - 1)
        kDecayScale,    // ln(0.25 + 2u) for i < heads, else 0
        kPackedValues,  // byte raw >> 56: two random E2M1 codes
        kPackedScales,  // byte 120 + ((raw >> 56) & 3)
    };
    Rule rule = Rule::kAffine;
    StorageType type = StorageType::kBF16;  // kBF16 or kF32; kU8 for the packed kinds
    double offset = 0;
    double scale = 1;
    uint64_t heads = 0;

    // Fills `out` (a whole number of elements) with the elements from `first` on. Thread-safe.
    void fill(std::span<std::byte> out, std::string_view name, uint64_t seed, uint64_t first) const;
};

// The rule of a planned tensor stored as it is planned: embedding 2u-1; matrices (2u-1) sqrt(3/in), which keeps the variance of what
// they map; norms 1 + 0.2(2u-1); AttnRes queries (2u-1) 4 sqrt(3/H); convolution 0.8(2u-1); dt_bias 3(2u-1) - 1; router bias 0.2(2u-1).
[[nodiscard]] TensorDraw drawFor(const TensorSpec& spec, const ModelConfig& config);

}  // namespace pal
