// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/kda.h"

#include "kernels/cpu/kda_forms.h"

namespace pal::cpu {
namespace {

// From here on the chunk form wins although it transposes the state twice (measured at 128 x 128 with tests/bench/kernel_bench).
constexpr int64_t kChunkedFrom = 4;

}  // namespace

void kda(const KdaArgs& args, ThreadPool& pool) {
    const bool chunked =
        args.form == KdaArgs::Form::kAuto ? args.q.dim(0) >= kChunkedFrom : args.form == KdaArgs::Form::kChunked;
    if (chunked) {
        kdaChunked(args, pool);
    } else {
        kdaRecurrent(args, pool);
    }
}

}  // namespace pal::cpu
