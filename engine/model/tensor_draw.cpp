// SPDX-License-Identifier: Apache-2.0
#include "engine/model/tensor_draw.h"

#include <cmath>
#include <cstring>

#include "engine/base/byte_hash.h"
#include "engine/base/check.h"
#include "kernels/api/bf16.h"

namespace pal {
namespace {

constexpr uint64_t kStep = 0x9E3779B97F4A7C15ULL;

// 2u - 1 in [-1, 1).
double centred(uint64_t raw) {
    return static_cast<double>(static_cast<int64_t>(raw >> 11)) * 0x1p-52 - 1.0;
}

// Calls value(raw, i) for the elements from `first` on and stores what it returns.
template <typename T, typename Value>
void fillElements(std::span<std::byte> out, uint64_t hash, uint64_t first, Value value) {
    const size_t count = out.size() / sizeof(T);
    std::byte* to = out.data();
    for (size_t n = 0; n < count; ++n, to += sizeof(T)) {
        const uint64_t i = first + n;
        const T stored = value(splitmix64(hash + (i + 1) * kStep), i);
        std::memcpy(to, &stored, sizeof(T));
    }
}

}  // namespace

void TensorDraw::fill(std::span<std::byte> out, std::string_view name, uint64_t seed, uint64_t first) const {
    PAL_CHECK(out.size() % storageBytes(type) == 0);
    const uint64_t hash = fnv1a64(name) ^ splitmix64(seed);
    switch (rule) {
        case Rule::kPackedValues:
            return fillElements<uint8_t>(out, hash, first,
                                         [](uint64_t raw, uint64_t) { return static_cast<uint8_t>(raw >> 56); });
        case Rule::kPackedScales:
            return fillElements<uint8_t>(
                out, hash, first, [](uint64_t raw, uint64_t) { return static_cast<uint8_t>(120 + ((raw >> 56) & 3)); });
        case Rule::kDecayScale:
            return fillElements<float>(out, hash, first, [this](uint64_t raw, uint64_t i) {
                return i < heads ? static_cast<float>(std::log(1.25 + centred(raw))) : 0.0F;
            });
        case Rule::kAffine:
            break;
    }
    const auto affine = [this](uint64_t raw) { return static_cast<float>(offset + scale * centred(raw)); };
    if (type == StorageType::kF32) {
        fillElements<float>(out, hash, first, [affine](uint64_t raw, uint64_t) { return affine(raw); });
    } else {
        PAL_CHECK(type == StorageType::kBF16);
        fillElements<uint16_t>(out, hash, first, [affine](uint64_t raw, uint64_t) { return toBf16(affine(raw)); });
    }
}

TensorDraw drawFor(const TensorSpec& spec, const ModelConfig& config) {
    TensorDraw draw;
    draw.type = spec.type;
    const auto inverseRoot = [&](int64_t inputs) { return std::sqrt(3.0 / static_cast<double>(inputs)); };
    switch (spec.role) {
        case TensorRole::kEmbedding:
        case TensorRole::kPositionGrid:
            break;
        case TensorRole::kMatrix:
        case TensorRole::kExpertMatrix:
        case TensorRole::kPatchEmbed:
            draw.scale = inverseRoot(static_cast<int64_t>(spec.shape.elements()) / spec.shape[0]);
            break;
        case TensorRole::kNorm:
            draw.offset = 1.0;
            draw.scale = 0.2;
            break;
        case TensorRole::kDepthQuery:
            draw.scale = 4.0 * inverseRoot(config.text.hiddenSize);
            break;
        case TensorRole::kConv:
            draw.scale = 0.8;
            break;
        case TensorRole::kDecayScale:
            draw.rule = TensorDraw::Rule::kDecayScale;
            draw.heads = static_cast<uint64_t>(config.text.kda.heads);
            break;
        case TensorRole::kDecayBias:
            draw.offset = -1.0;
            draw.scale = 3.0;
            break;
        case TensorRole::kRouterBias:
            draw.scale = 0.2;
            break;
    }
    return draw;
}

}  // namespace pal
