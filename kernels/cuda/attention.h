// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/tensor_view.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// softmax(q k^T scale) v with a key made of two parts: D = own + shared channels, of which the `shared` ones are the same for all heads. A caller may
// pass the keys block by block, in order: what was seen so far travels in `carry`.
struct AttentionArgs {
    ConstTensorView q;          // [T, h, D] act
    ConstTensorView k;          // [S, h, own] act
    ConstTensorView sharedKey;  // [S, shared] act, or absent
    ConstTensorView v;          // [S, h, V] act
    int64_t firstKey = 0;       // position of row 0 of k, sharedKey and v
    int64_t firstQuery = -1;  // causal: query t sees keys up to position firstQuery + t; -1: every query sees every key
    float scale = 0;
    TensorView out;  // [T, h, V] act, written with the last block

    enum class Block : uint8_t { kOnly, kFirst, kMiddle, kLast } block = Block::kOnly;
    float* carry = nullptr;  // carryFloats(); not needed for kOnly

    [[nodiscard]] int64_t carryFloats() const { return q.dim(0) * q.dim(1) * (v.dim(2) + 2); }
};

void attention(const Launch& launch, const AttentionArgs& args);

// The three forms: wgmma for 128 or 192 key channels on capability 9.0, tensor cores of sm_80 for bfloat16 with 16-byte rows and at most 256 channels, and
// a warp per query and head for everything else.
[[nodiscard]] bool fitsHopper(const Launch& launch, const AttentionArgs& args);
// False when the driver cannot describe the tensors; nothing was launched.
[[nodiscard]] bool attentionHopper(const Launch& launch, const AttentionArgs& args);
[[nodiscard]] bool fitsTensorCores(const AttentionArgs& args);
void attentionTensor(const Launch& launch, const AttentionArgs& args);
void attentionPlain(const Launch& launch, const AttentionArgs& args);

}  // namespace pal::cuda
