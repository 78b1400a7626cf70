// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/dense_oracle.h"
#include "tests/oracle/mat.h"

// Kimi Delta Attention as plain loops. Rows of all matrices are tokens; columns are head-major channels [h * K] or [h * V].

namespace pal::oracle {

// history [W-1, C] oldest first, in and out.
template <typename Real>
Mat<Real> shortConv(const Mat<Real>& x, const Mat<Real>& weight, Mat<Real>& history, Wrong wrong = Wrong::kNone) {
    const int64_t taps = weight.cols;
    Mat<Real> y(x.rows, x.cols);
    const auto input = [&](int64_t t, int64_t c) { return t >= 0 ? x.at(t, c) : history.at(t + taps - 1, c); };
    for (int64_t t = 0; t < x.rows; ++t) {
        for (int64_t c = 0; c < x.cols; ++c) {
            Real sum = 0;
            for (int64_t j = 0; j < taps; ++j) {
                const int64_t tap = wrong == Wrong::kReversedTaps ? taps - 1 - j : j;
                sum += weight.at(c, tap) * input(t - (taps - 1) + j, c);
            }
            y.at(t, c) = wrong == Wrong::kNoSiluAfterConv ? sum : silu(sum);
        }
    }
    Mat<Real> next(taps - 1, x.cols);
    for (int64_t i = 0; i < taps - 1; ++i) {
        for (int64_t c = 0; c < x.cols; ++c) next.at(i, c) = input(x.rows - (taps - 1) + i, c);
    }
    history = next;
    return y;
}

// Per head of width `dim`; eps on the sum.
template <typename Real>
Mat<Real> l2Norm(const Mat<Real>& x, int64_t dim, Real eps, Real scale) {
    Mat<Real> y(x.rows, x.cols);
    for (int64_t t = 0; t < x.rows; ++t) {
        for (int64_t base = 0; base < x.cols; base += dim) {
            Real sum = 0;
            for (int64_t i = 0; i < dim; ++i) sum += x.at(t, base + i) * x.at(t, base + i);
            const Real factor = scale / std::sqrt(sum + eps);
            for (int64_t i = 0; i < dim; ++i) y.at(t, base + i) = x.at(t, base + i) * factor;
        }
    }
    return y;
}

template <typename Real>
Real softplus(Real x) {
    return std::max(x, Real(0)) + std::log1p(std::exp(-std::abs(x)));
}

// z [T, h K], aLog [h], dtBias [h K] -> log decay [T, h K].
template <typename Real>
Mat<Real> kdaLogDecay(const Mat<Real>& z, const std::vector<Real>& aLog, const std::vector<Real>& dtBias,
                      std::optional<Real> lowerBound, Wrong wrong = Wrong::kNone) {
    const int64_t dim = z.cols / static_cast<int64_t>(aLog.size());
    Mat<Real> g(z.rows, z.cols);
    for (int64_t t = 0; t < z.rows; ++t) {
        for (int64_t c = 0; c < z.cols; ++c) {
            const Real scale = std::exp(aLog[static_cast<size_t>(c / dim)]);
            const Real bias = dtBias[static_cast<size_t>(c)];
            const Real scaled =
                wrong == Wrong::kDtBiasAfterScale ? scale * z.at(t, c) + bias : scale * (z.at(t, c) + bias);
            if (lowerBound.has_value() && wrong != Wrong::kSoftplusGate) {
                g.at(t, c) = *lowerBound * sigmoid(scaled);
            } else {
                g.at(t, c) = -scale * softplus(z.at(t, c) + bias);
            }
        }
    }
    return g;
}

// What a probe says of the recurrence: beta |v - S k| with S decayed and not yet written, and the Frobenius norm of S after the token; [T, h].
template <typename Real>
struct KdaWrites {
    Mat<Real> write;
    Mat<Real> stateNorm;
};

// state [h V, K]; q, k, g [T, h K], v [T, h V], beta [T, h] -> o [T, h V].
template <typename Real>
Mat<Real> kdaRecurrence(const Mat<Real>& q, const Mat<Real>& k, const Mat<Real>& v, const Mat<Real>& g,
                        const Mat<Real>& beta, Mat<Real>& state, Wrong wrong = Wrong::kNone,
                        KdaWrites<Real>* writes = nullptr) {
    const int64_t heads = beta.cols;
    const int64_t K = q.cols / heads;
    const int64_t V = v.cols / heads;
    Mat<Real> out(q.rows, v.cols);
    if (writes != nullptr) *writes = {Mat<Real>(q.rows, heads), Mat<Real>(q.rows, heads)};
    for (int64_t t = 0; t < q.rows; ++t) {
        for (int64_t h = 0; h < heads; ++h) {
            Real written = 0;
            Real held = 0;
            const Real* qh = q.row(t) + h * K;
            const Real* kh = k.row(t) + h * K;
            const Real* gh = g.row(t) + h * K;
            for (int64_t i = 0; i < V; ++i) {
                Real* s = state.row(h * V + i);
                Real recalled = 0;
                Real read = 0;
                for (int64_t c = 0; c < K; ++c) {
                    const Real decayed = std::exp(gh[c]) * s[c];
                    recalled += (wrong == Wrong::kUndecayedDelta ? s[c] : decayed) * kh[c];
                    read += decayed * qh[c];
                    s[c] = decayed;
                }
                const Real error = v.at(t, h * V + i) - recalled;
                const Real write = beta.at(t, h) * error;
                if (wrong != Wrong::kReadBeforeUpdate) read = 0;
                for (int64_t c = 0; c < K; ++c) {
                    s[c] += write * kh[c];
                    if (wrong != Wrong::kReadBeforeUpdate) read += s[c] * qh[c];
                    held += s[c] * s[c];
                }
                written += write * write;
                out.at(t, h * V + i) = read;
            }
            if (writes == nullptr) continue;
            writes->write.at(t, h) = std::sqrt(written);
            writes->stateNorm.at(t, h) = std::sqrt(held);
        }
    }
    return out;
}

// Per head of width weight.size(): norm, weight, then the sigmoid of the gate.
template <typename Real>
Mat<Real> gatedRmsNorm(const Mat<Real>& x, const std::vector<Real>& weight, Real eps, const Mat<Real>& gate,
                       Wrong wrong = Wrong::kNone) {
    const auto dim = static_cast<int64_t>(weight.size());
    Mat<Real> y(x.rows, x.cols);
    for (int64_t t = 0; t < x.rows; ++t) {
        for (int64_t base = 0; base < x.cols; base += dim) {
            Real sum = 0;
            for (int64_t i = 0; i < dim; ++i) sum += x.at(t, base + i) * x.at(t, base + i);
            const Real factor = Real(1) / std::sqrt(sum / static_cast<Real>(dim) + eps);
            for (int64_t i = 0; i < dim; ++i) {
                const Real z = gate.at(t, base + i);
                const Real open = wrong == Wrong::kSiluInOutputNorm ? silu(z) : sigmoid(z);
                y.at(t, base + i) = x.at(t, base + i) * factor * weight[static_cast<size_t>(i)] * open;
            }
        }
    }
    return y;
}

}  // namespace pal::oracle
