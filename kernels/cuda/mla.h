// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/mla_args.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// A layer's latent pages as kernels find them.
struct PageTable {
    void* const* pages = nullptr;  // device memory
    DType dtype = DType::kBF16;
    int64_t rank = 0;
    int64_t rope = 0;
    static constexpr int kUnit = 128;  // bytes
    const void* base =
        nullptr;  // below all pages, a multiple of kUnit and less than 2^31 of them away; null when there is none
    [[nodiscard]] int64_t width() const { return rank + rope; }
};

// `past` of the arguments counts unless `past` points into device memory.
void mlaAppend(const Launch& launch, const MlaAppendArgs& args, const PageTable& table, const Past& past);

// False when the device has no room for the intermediates.
[[nodiscard]] bool mlaAttention(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table,
                                const Past& past);

// Few queries: they move into the latent space and read each cached row once.
[[nodiscard]] bool mlaAbsorbed(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table,
                               const Past& past);
// Blocks that share the rows of one query and group of heads; the only part of an absorbed launch that depends on the number of rows.
[[nodiscard]] int64_t absorbedSplits(const Launch& launch, int64_t rows, int64_t tokens, int64_t heads);
// Many queries: keys and values of all heads are made from the cached rows, block by block.
[[nodiscard]] bool mlaExpanded(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table);

}  // namespace pal::cuda
