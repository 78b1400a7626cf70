// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/attention.h"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = 4;       // of a block, each with a query and head of its own
constexpr int kMaxPerLane = 8;  // 256 value channels

template <typename T>
struct Tensors {
    HeadRows<const T> q, k, v;
    Rows<const T> sharedKey;
    HeadRows<T> out;
    int64_t tokens, heads, keys, own, shared, values;
    int64_t firstKey, firstQuery;
    float scale;
    bool readCarry, writeCarry;
    float* carry;
};

template <typename T>
__global__ void plainKernel(Tensors<T> a) {
    const int lane = threadIdx.x % kWarp;
    const int64_t pair = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarp;
    if (pair >= a.tokens * a.heads) return;
    const int64_t t = pair / a.heads;
    const int64_t head = pair % a.heads;
    const T* q = a.q.at(t, head);
    float* carry = a.carry + pair * (a.values + 2);  // [V | largest score | sum]
    float top = a.readCarry ? carry[a.values] : -INFINITY;
    float sum = a.readCarry ? carry[a.values + 1] : 0.0F;
    float acc[kMaxPerLane] = {};
    for (int i = 0; i < kMaxPerLane; ++i) {
        const int64_t c = lane + kWarp * i;
        if (a.readCarry && c < a.values) acc[i] = carry[c];
    }
    int64_t keys = a.keys;
    if (a.firstQuery >= 0) keys = min(keys, a.firstQuery + t + 1 - a.firstKey);
    for (int64_t s = 0; s < keys; ++s) {
        const T* k = a.k.at(s, head);
        float score = 0;
        for (int64_t c = lane; c < a.own; c += kWarp) score += toFloat(q[c]) * toFloat(k[c]);
        for (int64_t c = lane; c < a.shared; c += kWarp) score += toFloat(q[a.own + c]) * toFloat(a.sharedKey[s][c]);
        score = warpSum(score) * a.scale;
        const float higher = fmaxf(top, score);
        const float keep = expf(top - higher);
        const float p = expf(score - higher);
        top = higher;
        sum = sum * keep + p;
        const T* v = a.v.at(s, head);
#pragma unroll
        for (int i = 0; i < kMaxPerLane; ++i) {
            const int64_t c = lane + kWarp * i;
            if (c < a.values) acc[i] = acc[i] * keep + p * toFloat(v[c]);
        }
    }
#pragma unroll
    for (int i = 0; i < kMaxPerLane; ++i) {
        const int64_t c = lane + kWarp * i;
        if (c >= a.values) continue;
        if (a.writeCarry) {
            carry[c] = acc[i];
        } else {
            a.out.at(t, head)[c] = fromFloat<T>(acc[i] / sum);
        }
    }
    if (a.writeCarry && lane == 0) {
        carry[a.values] = top;
        carry[a.values + 1] = sum;
    }
}

}  // namespace

void attention(const Launch& launch, const AttentionArgs& args) {
    if (fitsHopper(launch, args) && attentionHopper(launch, args)) return;
    if (fitsTensorCores(args)) {
        attentionTensor(launch, args);
    } else {
        attentionPlain(launch, args);
    }
}

void attentionPlain(const Launch& launch, const AttentionArgs& args) {
    using Block = AttentionArgs::Block;
    const auto blocks = static_cast<unsigned>(ceilDiv(args.q.dim(0) * args.q.dim(1), kWarps));
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        const Tensors<T> tensors{headRowsOf<T>(args.q),
                                 headRowsOf<T>(args.k),
                                 headRowsOf<T>(args.v),
                                 rowsOf<T>(args.sharedKey),
                                 headRowsOf<T>(args.out),
                                 args.q.dim(0),
                                 args.q.dim(1),
                                 args.k.dim(0),
                                 args.k.dim(2),
                                 args.sharedKey.present() ? args.sharedKey.dim(1) : 0,
                                 args.v.dim(2),
                                 args.firstKey,
                                 args.firstQuery,
                                 args.scale,
                                 args.block == Block::kMiddle || args.block == Block::kLast,
                                 args.block == Block::kFirst || args.block == Block::kMiddle,
                                 args.carry};
        plainKernel<T><<<blocks, kWarps * kWarp, 0, launch.stream>>>(tensors);
    });
}

}  // namespace pal::cuda
