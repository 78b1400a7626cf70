// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/kda.h"

#include <algorithm>

#include "kernels/cpu/kda_forms.h"

namespace pal::cpu {
namespace {

// From here on the chunk form wins although it transposes the state twice (measured at 128 x 128 with tests/bench/kernel_bench).
constexpr int64_t kChunkedFrom = 4;

// What the chunk form does not say of its tokens, by the recurrence over a copy of the state.
void probeBeside(const KdaArgs& args, ThreadPool& pool) {
    ArenaScope scope(pool.arena(0));
    const auto copyOf = [&](const TensorView& like) {
        return TensorView(scope.array<float>(static_cast<size_t>(like.elements())), DType::kF32,
                          {like.dim(0), like.dim(1), like.dim(2)});
    };
    KdaArgs beside = args;
    beside.state = copyOf(args.state);
    beside.out = copyOf(args.out);
    const int64_t keys = args.state.dim(2);
    for (int64_t head = 0; head < args.state.dim(0); ++head) {
        for (int64_t row = 0; row < args.state.dim(1); ++row) {
            const auto* from = args.state.row<const float>(head, row);
            std::copy(from, from + keys, beside.state.row<float>(head, row));
        }
    }
    kdaRecurrent(beside, {}, pool);
}

}  // namespace

void kda(const KdaArgs& args, ThreadPool& pool) {
    kda(args, {}, pool);
}

void kda(const KdaArgs& args, const KdaLook& look, ThreadPool& pool) {
    const bool chunked =
        args.form == KdaArgs::Form::kAuto ? args.q.dim(0) >= kChunkedFrom : args.form == KdaArgs::Form::kChunked;
    if (!chunked) return kdaRecurrent(args, look, pool);
    pool.parallelFor(look.heads(), [&](int64_t index, int thread) { lookAtHead(look, index, pool.arena(thread)); });
    if (!args.probe.present() || args.probe.write.dim(0) == 1) return kdaChunked(args, pool);
    probeBeside(args, pool);
    KdaArgs plain = args;
    plain.probe = {};
    kdaChunked(plain, pool);
}

}  // namespace pal::cpu
