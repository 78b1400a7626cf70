// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/oracle/mat.h"

// The dense ops as plain loops, from the formulas of the models' published description.

namespace pal::oracle {

template <typename Real>
Real sigmoid(Real x) {
    return Real(1) / (Real(1) + std::exp(-x));
}

template <typename Real>
Real silu(Real x) {
    return x * sigmoid(x);
}

// y = x W^T, W [out, in].
template <typename Real>
Mat<Real> linear(const Mat<Real>& x, const Mat<Real>& w) {
    Mat<Real> y(x.rows, w.rows);
    for (int64_t t = 0; t < x.rows; ++t) {
        for (int64_t n = 0; n < w.rows; ++n) {
            Real sum = 0;
            for (int64_t k = 0; k < w.cols; ++k) sum += x.at(t, k) * w.at(n, k);
            y.at(t, n) = sum;
        }
    }
    return y;
}

// E2M1 nibbles, even column in the low one; scale 2^(s - 127) per 32 columns.
template <typename Real>
Mat<Real> decodeMxfp4(const uint8_t* packed, const uint8_t* scale, int64_t rows, int64_t cols,
                      Wrong wrong = Wrong::kNone) {
    static constexpr double kValues[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    Mat<Real> w(rows, cols);
    for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < cols; ++c) {
            const uint8_t byte = packed[r * (cols / 2) + c / 2];
            const bool high = (c % 2 == 1) != (wrong == Wrong::kSwappedNibbles);
            const int code = high ? byte >> 4 : byte & 15;
            const double magnitude = std::ldexp(kValues[code & 7], scale[r * (cols / 32) + c / 32] - 127);
            w.at(r, c) = static_cast<Real>(code & 8 ? -magnitude : magnitude);
        }
    }
    return w;
}

template <typename Real>
Mat<Real> rmsNorm(const Mat<Real>& x, const std::vector<Real>& weight, Real eps) {
    Mat<Real> y(x.rows, x.cols);
    for (int64_t t = 0; t < x.rows; ++t) {
        Real sum = 0;
        for (int64_t c = 0; c < x.cols; ++c) sum += x.at(t, c) * x.at(t, c);
        const Real factor = Real(1) / std::sqrt(sum / static_cast<Real>(x.cols) + eps);
        for (int64_t c = 0; c < x.cols; ++c) y.at(t, c) = x.at(t, c) * factor * weight[static_cast<size_t>(c)];
    }
    return y;
}

// Attention over depth. sources: snapshots oldest first, the running stream last. probs, if given, gets [T, n].
template <typename Real>
Mat<Real> depthMix(const std::vector<const Mat<Real>*>& sources, const std::vector<Real>& query, Real eps,
                   Mat<Real>* probs = nullptr, Wrong wrong = Wrong::kNone) {
    const int64_t tokens = sources[0]->rows;
    const int64_t width = sources[0]->cols;
    const auto n = static_cast<int64_t>(sources.size());
    Mat<Real> out(tokens, width);
    if (probs != nullptr) *probs = Mat<Real>(tokens, n);
    for (int64_t t = 0; t < tokens; ++t) {
        std::vector<Real> score(static_cast<size_t>(n));
        std::vector<Real> factor(static_cast<size_t>(n));
        Real top = -INFINITY;
        for (int64_t j = 0; j < n; ++j) {
            const Real* v = sources[static_cast<size_t>(j)]->row(t);
            Real dot = 0;
            Real square = 0;
            for (int64_t d = 0; d < width; ++d) {
                dot += v[d] * query[static_cast<size_t>(d)];
                square += v[d] * v[d];
            }
            factor[static_cast<size_t>(j)] = Real(1) / std::sqrt(square / static_cast<Real>(width) + eps);
            score[static_cast<size_t>(j)] = dot * factor[static_cast<size_t>(j)];
            top = std::max(top, score[static_cast<size_t>(j)]);
        }
        Real sum = 0;
        for (Real& s : score) sum += s = std::exp(s - top);
        for (int64_t j = 0; j < n; ++j) {
            const Real p = score[static_cast<size_t>(j)] / sum;
            if (probs != nullptr) probs->at(t, j) = p;
            const Real weight = wrong == Wrong::kMixNormalisedValues ? p * factor[static_cast<size_t>(j)] : p;
            const Real* v = sources[static_cast<size_t>(j)]->row(t);
            for (int64_t d = 0; d < width; ++d) out.at(t, d) += weight * v[d];
        }
    }
    return out;
}

// SiTU when beta > 0 (linearBeta 0: no bound on `up`), SwiGLU when beta == 0.
template <typename Real>
Mat<Real> glu(const Mat<Real>& gate, const Mat<Real>& up, Real beta, Real linearBeta) {
    Mat<Real> y(gate.rows, gate.cols);
    for (size_t i = 0; i < y.v.size(); ++i) {
        const Real g = gate.v[i];
        const Real u = up.v[i];
        if (beta == Real(0)) {
            y.v[i] = silu(g) * u;
        } else {
            const Real bounded = linearBeta == Real(0) ? u : linearBeta * std::tanh(u / linearBeta);
            y.v[i] = beta * std::tanh(g / beta) * sigmoid(g) * bounded;
        }
    }
    return y;
}

template <typename Real>
Mat<Real> sigmoidGate(const Mat<Real>& x, const Mat<Real>& gate) {
    Mat<Real> y(x.rows, x.cols);
    for (size_t i = 0; i < y.v.size(); ++i) y.v[i] = x.v[i] * sigmoid(gate.v[i]);
    return y;
}

}  // namespace pal::oracle
