// SPDX-License-Identifier: Apache-2.0
// Any bytes as a stored state: an error, or a state that fits into the layout and comes out as the same bytes again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/check.h"
#include "engine/state/state_codec.h"

namespace {

pal::StateLayout layoutFor(bool latents) {
    pal::StateLayout layout;
    layout.kdaLayers = 1;
    layout.heads = 2;
    layout.valueDim = 3;
    layout.keyDim = 2;
    layout.tailRows = 3;
    layout.mlaLayers = latents ? 2 : 0;
    layout.latentRank = latents ? 3 : 0;
    layout.latentRope = latents ? 1 : 0;
    return layout;
}

void readAs(pal::Backend& backend, const pal::StateLayout& layout, std::span<const std::byte> bytes) {
    constexpr int64_t kMostTokens = 512;  // of states that a caller would have asked for
    const auto info = pal::inspectCheckpoint(bytes, layout);
    auto state = pal::SequenceState::create(backend, layout).value();
    if (!info.has_value()) {
        PAL_CHECK(!info.error().message.empty());
    } else if (info->end <= kMostTokens) {
        PAL_CHECK(state.reserve(info->end).has_value());
        const auto logits = pal::decodeCheckpoint(bytes, backend, state);
        PAL_CHECK(logits.has_value());
        state.advance(info->end);
        const pal::ByteBuffer again = pal::encodeCheckpoint(backend, state, *logits, info->begin);
        const bool sameTypes = bytes[12] == std::byte{0} && bytes[13] == std::byte{0};
        PAL_CHECK(!sameTypes || std::ranges::equal(again.span(), bytes));
    }
    auto pages = pal::SequenceState::create(backend, layout).value();
    PAL_CHECK(pages.reserve(128).has_value());
    static_cast<void>(pal::decodePages(bytes, backend, pages, 64, 128));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const auto backend = pal::createCpuBackend({1, pal::CpuIsa::kBest}).backend;
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    readAs(*backend, layoutFor(true), bytes);
    readAs(*backend, layoutFor(false), bytes);
    return 0;
}
