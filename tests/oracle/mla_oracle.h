// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/oracle/dense_oracle.h"
#include "tests/oracle/mat.h"

// Multi-head latent attention in its plain form: keys and values of every head are written out and nothing is absorbed.

namespace pal::oracle {

struct MlaShape {
    int64_t heads = 0;
    int64_t nope = 0;
    int64_t rope = 0;
    int64_t valueDim = 0;
    int64_t rank = 0;
};

// kv [T, rank + rope] -> [ rmsNorm(kv[:, :rank]) | kv[:, rank:] ].
template <typename Real>
Mat<Real> mlaLatent(const Mat<Real>& kv, const std::vector<Real>& weight, Real eps) {
    const auto rank = static_cast<int64_t>(weight.size());
    Mat<Real> front(kv.rows, rank);
    for (int64_t t = 0; t < kv.rows; ++t) std::copy_n(kv.row(t), rank, front.row(t));
    const Mat<Real> normed = rmsNorm(front, weight, eps);
    Mat<Real> out = kv;
    for (int64_t t = 0; t < kv.rows; ++t) std::copy_n(normed.row(t), rank, out.row(t));
    return out;
}

// q [T, h (nope + rope)], latent [past + T, rank + rope], kvB [h (nope + V), rank]. lastProbs gets [h, past + T] of the last query.
template <typename Real>
Mat<Real> mlaAttention(const Mat<Real>& q, const Mat<Real>& latent, const Mat<Real>& kvB, const MlaShape& shape,
                       Mat<Real>* lastProbs = nullptr, Wrong wrong = Wrong::kNone) {
    const auto [heads, nope, rope, valueDim, rank] = shape;
    const int64_t total = latent.rows;
    const int64_t past = total - q.rows;
    const auto width = static_cast<Real>(wrong == Wrong::kScaleWithoutRope ? nope : nope + rope);
    const Real scale = Real(1) / std::sqrt(width);
    Mat<Real> out(q.rows, heads * valueDim);
    if (lastProbs != nullptr) *lastProbs = Mat<Real>(heads, total);
    for (int64_t h = 0; h < heads; ++h) {
        Mat<Real> keys(total, nope);
        Mat<Real> values(total, valueDim);
        for (int64_t s = 0; s < total; ++s) {
            for (int64_t i = 0; i < nope + valueDim; ++i) {
                Real sum = 0;
                for (int64_t r = 0; r < rank; ++r) sum += latent.at(s, r) * kvB.at(h * (nope + valueDim) + i, r);
                (i < nope ? keys.at(s, i) : values.at(s, i - nope)) = sum;
            }
        }
        for (int64_t t = 0; t < q.rows; ++t) {
            const Real* qh = q.row(t) + h * (nope + rope);
            const int64_t visible = past + t + 1;
            std::vector<Real> score(static_cast<size_t>(visible));
            for (int64_t s = 0; s < visible; ++s) {
                Real dot = 0;
                for (int64_t i = 0; i < nope; ++i) dot += qh[i] * keys.at(s, i);
                for (int64_t i = 0; i < rope && wrong != Wrong::kDroppedRope; ++i)
                    dot += qh[nope + i] * latent.at(s, rank + i);
                score[static_cast<size_t>(s)] = dot * scale;
            }
            const Real top = *std::max_element(score.begin(), score.end());
            Real sum = 0;
            for (Real& s : score) sum += s = std::exp(s - top);
            for (int64_t s = 0; s < visible; ++s) {
                const Real p = score[static_cast<size_t>(s)] / sum;
                for (int64_t i = 0; i < valueDim; ++i) out.at(t, h * valueDim + i) += p * values.at(s, i);
                if (lastProbs != nullptr && t == q.rows - 1) lastProbs->at(h, s) = p;
            }
        }
    }
    return out;
}

}  // namespace pal::oracle
