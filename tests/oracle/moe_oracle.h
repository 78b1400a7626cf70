// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/oracle/dense_oracle.h"
#include "tests/oracle/mat.h"

// Router and mixture of experts, token by token and pick by pick.

namespace pal::oracle {

struct RouterShape {
    int64_t picks = 0;
    int64_t groups = 1;
    int64_t keptGroups = 1;
    bool softmax = false;
    bool renormalise = true;
    double scale = 1;
};

struct Routing {
    Mat<int32_t> index;  // [T, picks], best choice first
    Mat<double> weight;
};

template <typename Real>
std::vector<Real> routerScores(const Real* logits, int64_t experts, bool softmax) {
    std::vector<Real> s(logits, logits + experts);
    if (!softmax) {
        for (Real& x : s) x = sigmoid(x);
        return s;
    }
    const Real top = *std::max_element(s.begin(), s.end());
    Real sum = 0;
    for (Real& x : s) sum += x = std::exp(x - top);
    for (Real& x : s) x /= sum;
    return s;
}

// Sets the choice of all experts outside the best groups to -inf; a group is worth the sum of its two best choices.
template <typename Real>
void keepBestGroups(std::vector<Real>& choice, const RouterShape& shape) {
    const auto size = static_cast<int64_t>(choice.size()) / shape.groups;
    std::vector<Real> value(static_cast<size_t>(shape.groups));
    for (int64_t g = 0; g < shape.groups; ++g) {
        std::vector<Real> members(choice.begin() + g * size, choice.begin() + (g + 1) * size);
        std::sort(members.rbegin(), members.rend());
        value[static_cast<size_t>(g)] = members[0] + (members.size() > 1 ? members[1] : Real(0));
    }
    std::vector<int64_t> order(static_cast<size_t>(shape.groups));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return value[static_cast<size_t>(a)] > value[static_cast<size_t>(b)];
    });
    for (size_t i = static_cast<size_t>(shape.keptGroups); i < order.size(); ++i) {
        std::fill_n(choice.begin() + order[i] * size, size, -INFINITY);
    }
}

template <typename Real>
Routing route(const Mat<Real>& logits, const std::vector<Real>& bias, const RouterShape& shape,
              Wrong wrong = Wrong::kNone) {
    Routing out{Mat<int32_t>(logits.rows, shape.picks), Mat<double>(logits.rows, shape.picks)};
    for (int64_t t = 0; t < logits.rows; ++t) {
        const std::vector<Real> score = routerScores(logits.row(t), logits.cols, shape.softmax);
        std::vector<Real> choice = score;
        for (size_t e = 0; e < choice.size(); ++e) choice[e] += bias[e];
        if (shape.groups > shape.keptGroups) keepBestGroups(choice, shape);
        std::vector<int32_t> order(choice.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
            return choice[static_cast<size_t>(a)] > choice[static_cast<size_t>(b)];
        });
        Real sum = 0;
        std::vector<Real> weight;
        for (int64_t i = 0; i < shape.picks; ++i) {
            const auto e = static_cast<size_t>(order[static_cast<size_t>(i)]);
            weight.push_back(wrong == Wrong::kBiasedRouterWeights ? choice[e] : score[e]);
            sum += weight.back();
        }
        const bool divide = shape.renormalise && shape.picks > 1 && wrong != Wrong::kNoRenormalisation;
        for (int64_t i = 0; i < shape.picks; ++i) {
            out.index.at(t, i) = order[static_cast<size_t>(i)];
            const Real w = weight[static_cast<size_t>(i)];
            out.weight.at(t, i) =
                static_cast<double>((divide ? w / (sum + Real(1e-20)) : w) * static_cast<Real>(shape.scale));
        }
    }
    return out;
}

template <typename Real>
struct Expert {
    Mat<Real> gate;  // w1
    Mat<Real> up;    // w3
    Mat<Real> down;  // w2
};

template <typename Real>
Mat<Real> feedForward(const Mat<Real>& x, const Expert<Real>& e, Real beta, Real linearBeta,
                      Wrong wrong = Wrong::kNone) {
    const bool swapped = wrong == Wrong::kSwappedGateUp;
    const Mat<Real> gate = linear(x, swapped ? e.up : e.gate);
    const Mat<Real> up = linear(x, swapped ? e.gate : e.up);
    return linear(glu(gate, up, wrong == Wrong::kSwiGlu ? Real(0) : beta, linearBeta), e.down);
}

template <typename Real>
Mat<Real> moe(const Mat<Real>& x, const Routing& routing, const std::vector<Expert<Real>>& experts, Real beta,
              Real linearBeta, Wrong wrong = Wrong::kNone) {
    Mat<Real> out(x.rows, x.cols);
    for (int64_t t = 0; t < x.rows; ++t) {
        Mat<Real> token(1, x.cols);
        std::copy_n(x.row(t), x.cols, token.row(0));
        for (int64_t i = 0; i < routing.index.cols; ++i) {
            const Expert<Real>& expert = experts[static_cast<size_t>(routing.index.at(t, i))];
            const Mat<Real> y = feedForward(token, expert, beta, linearBeta, wrong);
            const auto weight = static_cast<Real>(routing.weight.at(t, i));
            for (int64_t c = 0; c < x.cols; ++c) out.at(t, c) += weight * y.at(0, c);
        }
    }
    return out;
}

}  // namespace pal::oracle
