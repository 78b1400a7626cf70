// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/kda_args.h"
#include "kernels/cpu/thread_pool.h"

// CPU versions of the ops of kernels/api/kda_args.h, float32 activations.

namespace pal::cpu {

// The reduced values of KdaGateArgs and GatedRmsNormArgs, of the last P of T tokens. Absent views ask for nothing.
struct KdaLook {
    ConstTensorView logDecay;  // [T, h, K]
    TensorView halfLife;       // [P, h, 5]
    ConstTensorView gate;      // [T, h, V], before its sigmoid
    TensorView openness;       // [P, h, 3]

    [[nodiscard]] int64_t heads() const {  // of all looked at tokens together
        const TensorView& out = halfLife.present() ? halfLife : openness;
        return out.present() ? out.dim(0) * out.dim(1) : 0;
    }
};
// One of heads().
void lookAtHead(const KdaLook& look, int64_t index, Arena& arena);

void shortConv(const ShortConvArgs& args, ThreadPool& pool);
void l2Norm(const L2NormArgs& args, ThreadPool& pool);
void kdaGate(const KdaGateArgs& args, ThreadPool& pool);
void kda(const KdaArgs& args, ThreadPool& pool);
// With a look at what goes into it and behind it, which takes its turn among the tasks of the rule.
void kda(const KdaArgs& args, const KdaLook& look, ThreadPool& pool);
void gatedRmsNorm(const GatedRmsNormArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
