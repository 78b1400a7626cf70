// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/mla_args.h"
#include "kernels/cpu/thread_pool.h"

// The two forms of latent attention; mlaAttention() picks one.

namespace pal::cpu {

// Queries are carried into the latent space once, attend the cached rows directly (2 R + rope multiply-adds per query, head and row) and the
// result is carried back. Work is split over the sequence as well as over queries. A probe must have all T queries.
void mlaAbsorbed(const MlaAttentionArgs& args, ThreadPool& pool);

// Keys and values of every cached row are computed per head ((nope + V) R multiply-adds per row and head, once for all queries), then ordinary
// attention (nope + rope + V per query, head and row). Work is split over heads.
void mlaExpanded(const MlaAttentionArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
