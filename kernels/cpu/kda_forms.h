// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/kda_args.h"
#include "kernels/cpu/kda.h"
#include "kernels/cpu/thread_pool.h"

// The two forms of the gated delta rule; kda() picks one.

namespace pal::cpu {

// Token by token; each task keeps a block of value rows of one head's state in the first-level cache over all tokens.
void kdaRecurrent(const KdaArgs& args, const KdaLook& look, ThreadPool& pool);

// Chunks of 16 tokens as small matrix products; the state stays transposed in the second-level cache over all tokens. Probes the last token only:
// a chunk makes no state between its tokens.
void kdaChunked(const KdaArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
