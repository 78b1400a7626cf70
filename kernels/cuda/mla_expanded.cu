// SPDX-License-Identifier: Apache-2.0
// Keys and values of all heads, made from the cached rows kBlockRows at a time, then ordinary attention over that block.
#include <algorithm>
#include <array>

#include "kernels/cuda/attention.h"
#include "kernels/cuda/linear.h"
#include "kernels/cuda/pages.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int64_t kBlockRows = 8192;
constexpr int kThreads = 128;
constexpr int kTapWarps = 4;

// Rows [first, first + count) as [latent | rope] of the activation type.
template <typename T, typename C>
__global__ void gatherKernel(PageTable table, int64_t first, T* latent, T* rope) {
    const int64_t row = blockIdx.x;
    const C* cached = cachedRow<C>(table, first + row);
    for (int64_t c = threadIdx.x; c < table.rank + table.rope; c += kThreads) {
        const T value = fromFloat<T>(toFloat(cached[c]));
        if (c < table.rank) {
            latent[row * table.rank + c] = value;
        } else {
            rope[row * table.rope + c - table.rank] = value;
        }
    }
}

// Scores of the last query against one block, unnormalised: tap[h][first + row].
template <typename T>
__global__ void tapScoresKernel(HeadRows<const T> q, HeadRows<const T> k, Rows<const T> rope, int64_t lastQuery,
                                int64_t own, int64_t shared, int64_t rows, int64_t first, float scale,
                                Rows<float> tap) {
    const int lane = threadIdx.x % kWarp;
    const int64_t row = static_cast<int64_t>(blockIdx.x) * kTapWarps + threadIdx.x / kWarp;
    if (row >= rows) return;
    const int64_t head = blockIdx.y;
    const T* query = q.at(lastQuery, head);
    const T* key = k.at(row, head);
    float score = 0;
    for (int64_t c = lane; c < own; c += kWarp) score += toFloat(query[c]) * toFloat(key[c]);
    for (int64_t c = lane; c < shared; c += kWarp) score += toFloat(query[own + c]) * toFloat(rope[row][c]);
    score = warpSum(score);
    if (lane == 0) tap[head][first + row] = score * scale;
}

// Softmax of each row of tap, one block per head.
__global__ void tapSoftmaxKernel(Rows<float> tap, int64_t count) {
    __shared__ float partial[kThreads / kWarp];
    __shared__ float highest[kThreads / kWarp];
    float* row = tap[blockIdx.x];
    float top = -INFINITY;
    for (int64_t i = threadIdx.x; i < count; i += kThreads) top = fmaxf(top, row[i]);
    top = warpMax(top);
    if (threadIdx.x % kWarp == 0) highest[threadIdx.x / kWarp] = top;
    __syncthreads();
    for (const float other : highest) top = fmaxf(top, other);
    float sum = 0;
    for (int64_t i = threadIdx.x; i < count; i += kThreads) sum += expf(row[i] - top);
    sum = blockSum(sum, partial);
    for (int64_t i = threadIdx.x; i < count; i += kThreads) row[i] = expf(row[i] - top) / sum;
}

class Expanded {
  public:
    Expanded(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table)
        : launch_(launch),
          args_(args),
          table_(table),
          act_(args.q.dtype),
          rows_(args.past + args.q.dim(0)),
          block_(std::min(rows_, kBlockRows)),
          width_(args.q.dim(1) * (args.nope + args.valueDim)) {}

    [[nodiscard]] bool run() {
        if (!reserve()) return false;
        for (int64_t first = 0; first < rows_; first += block_) {
            const int64_t count = std::min(block_, rows_ - first);
            expand(first, count);
            attend(first, count);
        }
        if (args_.probTap.present()) {
            tapSoftmaxKernel<<<static_cast<unsigned>(args_.q.dim(1)), kThreads, 0, launch_.stream>>>(
                rowsOf<float>(args_.probTap), rows_);
        }
        return true;
    }

  private:
    bool reserve() {
        const auto element = static_cast<int64_t>(dtypeBytes(act_));
        const int64_t latentBytes = block_ * table_.rank * element;
        const int64_t ropeBytes = std::max<int64_t>(1, block_ * table_.rope * element);
        const int64_t expandedBytes = block_ * width_ * element;
        const int64_t carryFloats = args_.q.dim(0) * args_.q.dim(1) * (args_.valueDim + 2);
        if (!launch_.scratch.begin(Scratch::bytesFor<char>(latentBytes) + Scratch::bytesFor<char>(ropeBytes) +
                                   Scratch::bytesFor<char>(expandedBytes) + Scratch::bytesFor<float>(carryFloats))) {
            return false;
        }
        latent_ = launch_.scratch.take<char>(latentBytes);
        rope_ = launch_.scratch.take<char>(ropeBytes);
        expanded_ = launch_.scratch.take<char>(expandedBytes);
        carry_ = launch_.scratch.take<float>(carryFloats);
        return true;
    }

    void expand(int64_t first, int64_t count) const {
        withElement(act_, [&](auto act) {
            withElement(table_.dtype, [&](auto cache) {
                using T = decltype(act);
                gatherKernel<T, decltype(cache)><<<static_cast<unsigned>(count), kThreads, 0, launch_.stream>>>(
                    table_, first, static_cast<T*>(latent_), static_cast<T*>(rope_));
            });
        });
        const std::array<LinearPart, 1> parts{{{args_.kvB, TensorView(expanded_, act_, {count, width_})}}};
        linear(launch_, {ConstTensorView(latent_, act_, {count, table_.rank}), parts});
    }

    void attend(int64_t first, int64_t count) const {
        using Block = AttentionArgs::Block;
        const int64_t heads = args_.q.dim(1);
        const int64_t each = args_.nope + args_.valueDim;
        ConstTensorView keys(expanded_, act_, {count, heads, args_.nope});
        keys.stride = {width_, each, 1, 0};
        ConstTensorView values = keys;
        values.data = static_cast<const char*>(expanded_) + args_.nope * static_cast<int64_t>(dtypeBytes(act_));
        values.extent[2] = args_.valueDim;
        AttentionArgs attention;
        attention.q = args_.q;
        attention.k = keys;
        if (table_.rope > 0) attention.sharedKey = ConstTensorView(rope_, act_, {count, table_.rope});
        attention.v = values;
        attention.firstKey = first;
        attention.firstQuery = args_.past;
        attention.scale = args_.scale;
        attention.out = args_.out;
        attention.carry = carry_;
        const bool isFirst = first == 0;
        const bool isLast = first + count == rows_;
        attention.block = isFirst ? (isLast ? Block::kOnly : Block::kFirst) : (isLast ? Block::kLast : Block::kMiddle);
        cuda::attention(launch_, attention);
        if (args_.probTap.present()) tapScores(attention, first, count);
    }

    void tapScores(const AttentionArgs& attention, int64_t first, int64_t count) const {
        const dim3 grid{static_cast<unsigned>(ceilDiv(count, kTapWarps)), static_cast<unsigned>(args_.q.dim(1))};
        withElement(act_, [&](auto act) {
            using T = decltype(act);
            tapScoresKernel<T><<<grid, kTapWarps * kWarp, 0, launch_.stream>>>(
                headRowsOf<T>(attention.q), headRowsOf<T>(attention.k), rowsOf<T>(attention.sharedKey),
                args_.q.dim(0) - 1, args_.nope, table_.rope, count, first, args_.scale, rowsOf<float>(args_.probTap));
        });
    }

    const Launch& launch_;
    const MlaAttentionArgs& args_;
    const PageTable& table_;
    DType act_;
    int64_t rows_;   // past + T
    int64_t block_;  // rows expanded at a time
    int64_t width_;  // h (nope + V)
    void* latent_ = nullptr;
    void* rope_ = nullptr;
    void* expanded_ = nullptr;
    float* carry_ = nullptr;
};

}  // namespace

bool mlaExpanded(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table) {
    return Expanded(launch, args, table).run();
}

}  // namespace pal::cuda
