// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/tensor_core.cuh"

// The delta rule over a chunk of C = 16 tokens (Kimi Linear, arXiv 2510.26692, section 3). With G_t the sum of the log decays of the chunk up to t,
//   A[t][j] = k_t . (k_j exp(G_t - G_j)), j < t        P[t][j] = q_t . (k_j exp(G_t - G_j)), j <= t
//   M = (I + diag(beta) A)^-1 diag(beta)
//   U = M (V - (k exp(G)) S^T)                         the chunk's writes
//   out = (q exp(G)) S^T + P U                         S <- S diag(exp(G_C)) + U^T (k exp(G_C - G))
// What depends on the chunk alone is prepared for all chunks at once; then one pass per head carries S through them.
// Sixteen, because a decay of the bounded gate (5 per token) over one chunk still fits bfloat16's range, so exp(G_t - G_j) may be split into two factors.

namespace pal::cuda {

inline constexpr int kChunk = 16;
inline constexpr float kSplitLimit =
    -80;  // G below this: exp(-G) would overflow, the chunk computes exp(G_t - G_j) itself

// One chunk of one head, K key channels, as the scan reads it: bfloat16 matrices and float32 decays, each at a 128-byte border.
template <int K>
struct ChunkLayout {
    static constexpr int kMatrix = kChunk * K * 2;  // [16][K]
    static constexpr int kSquare = kChunk * kChunk * 2;
    static constexpr int kKeysIn = 0;                    // k exp(G)
    static constexpr int kQueries = kKeysIn + kMatrix;   // q exp(G)
    static constexpr int kKeysOut = kQueries + kMatrix;  // k exp(G_C - G)
    static constexpr int kSolve = kKeysOut + kMatrix;    // M
    static constexpr int kScores = kSolve + kSquare;     // P
    static constexpr int kDecay = kScores + kSquare;     // exp(G_C), float32 [K]
    static constexpr int kBytes = kDecay + K * 4;
};

}  // namespace pal::cuda
