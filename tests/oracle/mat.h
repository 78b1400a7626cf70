// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace pal::oracle {

// A dense matrix of the oracle's number type: double for the truth, float for what plain loops of the kernel's precision reach.
template <typename Real>
struct Mat {
    int64_t rows = 0;
    int64_t cols = 0;
    std::vector<Real> v;

    Mat() = default;
    Mat(int64_t r, int64_t c) : rows(r), cols(c), v(static_cast<size_t>(r * c)) {}

    Real* row(int64_t r) { return v.data() + r * cols; }
    const Real* row(int64_t r) const { return v.data() + r * cols; }
    Real& at(int64_t r, int64_t c) { return v[static_cast<size_t>(r * cols + c)]; }
    Real at(int64_t r, int64_t c) const { return v[static_cast<size_t>(r * cols + c)]; }
};

// Mistakes that were made in real ports of these models. Each must be told apart from the right result by a test.
enum class Wrong {
    kNone,
    // depth attention
    kMixNormalisedValues,
    kQueryWithoutNormWeight,
    kNoRestart,
    kSnapshotOfMix,
    kSnapshotVisibleToOwnAttention,
    kNoOutputMix,
    // KDA
    kSoftplusGate,
    kDtBiasAfterScale,
    kNoQueryScale,
    kSiluInOutputNorm,
    kRawBeta,
    kReadBeforeUpdate,
    kUndecayedDelta,
    kReversedTaps,
    kNoSiluAfterConv,
    // MLA
    kScaleWithoutRope,
    kDroppedRope,
    kNoMlaGate,
    kMlaNormEps,
    // feed-forward
    kSwappedGateUp,
    kSwappedW1W3,  // the same of routed experts, whose tensors have other names
    kSwiGlu,
    kBiasedRouterWeights,
    kNoRenormalisation,
    kNoLatentNorm,
    kNoSharedExperts,
    kSwappedNibbles,
};

}  // namespace pal::oracle
