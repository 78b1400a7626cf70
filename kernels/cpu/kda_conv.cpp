// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "kernels/cpu/kda.h"
#include "kernels/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/kda_conv.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

// The input of tap j for token t: a row of x, or a row of the tail where t - W + 1 + j is before the first token.
const float* tapRow(const ShortConvArgs& args, int64_t t, int64_t j) {
    const int64_t at = t - args.taps + 1 + j;
    return at >= 0 ? args.x.row<const float>(at) : args.tail.row<const float>(at + args.taps - 1);
}

// Channels [begin, end) of all tokens; weights [W, end - begin] are transposed so that a vector holds one tap of neighbouring channels.
void shortConvChannels(const ShortConvArgs& args, int64_t begin, int64_t end, Arena& arena) {
    const int64_t count = end - begin;
    const int64_t taps = args.taps;
    ArenaScope scope(arena);
    auto* weight = scope.array<float>(static_cast<size_t>(taps * count));
    auto* in = scope.array<const float*>(static_cast<size_t>(taps));
    for (int64_t c = 0; c < count; ++c) {
        for (int64_t j = 0; j < taps; ++j) {
            weight[j * count + c] = args.weight[(begin + c) * taps + j];
        }
    }
    for (int64_t t = 0; t < args.x.dim(0); ++t) {
        for (int64_t j = 0; j < taps; ++j) in[j] = tapRow(args, t, j) + begin;
        float* out = args.out.row<float>(t) + begin;
        forVectors(count, [&](auto d, int64_t c) HWY_ATTR {
            auto sum = hn::Zero(d);
            for (int64_t j = 0; j < taps; ++j) {
                const float* w = weight + j * count;
                sum = hn::MulAdd(hn::LoadU(d, in[j] + c), hn::LoadU(d, w + c), sum);
            }
            hn::StoreU(Silu(d, sum), d, out + c);
        });
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(shortConvChannels);

namespace {

// The last W-1 inputs, shifted by T; with T < W-1 the younger part of the old tail stays.
void updateTail(const ShortConvArgs& args) {
    const int64_t rows = args.taps - 1;
    const int64_t tokens = args.x.dim(0);
    const auto bytes = static_cast<size_t>(args.x.dim(1)) * sizeof(float);
    for (int64_t r = 0; r < rows; ++r) {
        const int64_t token = tokens - rows + r;
        const float* from = token >= 0 ? args.x.row<const float>(token) : args.tail.row<const float>(r + tokens);
        std::memmove(args.tail.row<float>(r), from, bytes);
    }
}

}  // namespace

void shortConv(const ShortConvArgs& args, ThreadPool& pool) {
    constexpr int64_t kChannels = 512;
    forBlocks(pool, args.x.dim(1), kChannels, [&](int64_t begin, int64_t end, int thread) {
        HWY_DYNAMIC_DISPATCH(shortConvChannels)(args, begin, end, pool.arena(thread));
    });
    updateTail(args);
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
