// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "kernels/api/tensor_view.h"

// What ops report of their work when asked, reduced where it is made. All values float32 unless a line says so, of the last P of the op's T
// tokens, 1 <= P <= T. Absent views ask for nothing; with them the op's other results are the same, bit for bit.

namespace pal {

// Which of n sorted values: rank ceil(n percent / 100), the nearest-rank quantile.
inline constexpr std::array<int64_t, 5> kProbePercents{10, 25, 50, 75, 90};
// A half-life in tokens is ln 2 / -logDecay, and at most this.
inline constexpr float kLongestProbeHalfLife = 1e9F;

// Of a head's gate over its channels: mean of sigmoid(gate), share of them below 0.1, share above 0.9.
inline constexpr int64_t kOpennessValues = 3;
inline constexpr float kGateClosed = 0.1F;
inline constexpr float kGateOpen = 0.9F;

struct KdaProbeViews {
    TensorView write;      // [P, h] |u_t| = beta_t |v_t - S k_t|, S decayed and not yet written
    TensorView stateNorm;  // [P, h] Frobenius norm of S after the token
    [[nodiscard]] bool present() const { return write.present(); }  // both or none
};

// Regions are the cached rows [0, ends[0]), [ends[0], ends[1]), ... and all behind the last end: R = number of ends + 1. Ends ascend.
struct MlaProbeViews {
    std::span<const int64_t> regionEnds;  // host memory
    TensorView mass;                      // [P, h, R] attention per region
    TensorView sink;                      // [P, h] attention on row 0
    TensorView entropy;                   // [P, h] in nats
    TensorView topKey;   // [P, k] i32: rows with the most attention, mean over heads, best first; -1: none
    TensorView topMass;  // [P, k] that mean; 0 where there is no row
    TensorView rows;     // [P, h, past + T] the attention itself, 0 behind a query's own row; alone optional
    [[nodiscard]] bool present() const { return mass.present(); }
    [[nodiscard]] MlaProbeViews part(int64_t begin, int64_t count) const {
        MlaProbeViews out = *this;
        for (TensorView* view : {&out.mass, &out.sink, &out.entropy, &out.topKey, &out.topMass, &out.rows}) {
            if (view->present()) *view = view->rows(begin, count);
        }
        return out;
    }
};

}  // namespace pal
