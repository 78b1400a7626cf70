// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/implied_reads.h"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace pal::inspect {
namespace {

const float* rowOf(const std::vector<float>& values, int64_t row, int64_t width) {
    return values.data() + row * width;
}

double norm(const std::vector<double>& x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

}  // namespace

ImpliedReads impliedReads(const RawKda& raw, int64_t token, int64_t head) {
    const auto keys = static_cast<size_t>(raw.keyDim);
    const auto values = static_cast<size_t>(raw.valueDim);
    const auto at = [&](int64_t t) { return t * raw.heads + head; };
    const float* query = rowOf(raw.q, at(token), raw.keyDim);
    std::vector<double> x(query, query + keys);
    std::vector<double> sum(values);
    const float* read = rowOf(raw.read, at(token), raw.valueDim);
    const double size = norm({read, read + values});
    const double perSize = size > 0 ? 1 / size : 0;

    ImpliedReads out;
    out.weight.resize(static_cast<size_t>(token) + 1);
    out.share.resize(out.weight.size());
    for (int64_t t = token; t >= 0; --t) {
        const float* key = rowOf(raw.k, at(t), raw.keyDim);
        const float* value = rowOf(raw.v, at(t), raw.valueDim);
        const float* decay = rowOf(raw.logDecay, at(t), raw.keyDim);
        double weight = 0;
        for (size_t c = 0; c < keys; ++c) weight += key[c] * x[c];
        weight *= raw.beta[static_cast<size_t>(at(t))];
        for (size_t c = 0; c < keys; ++c) x[c] = std::exp(double{decay[c]}) * (x[c] - weight * key[c]);
        double length = 0;
        for (size_t c = 0; c < values; ++c) {
            sum[c] += weight * value[c];
            length += double{value[c]} * value[c];
        }
        out.weight[static_cast<size_t>(t)] = static_cast<float>(weight);
        out.share[static_cast<size_t>(t)] = static_cast<float>(std::abs(weight) * std::sqrt(length) * perSize);
    }
    std::vector<double> older(values);
    std::vector<double> error(values);
    for (size_t v = 0; v < values; ++v) {
        const float* state = rowOf(raw.stateBefore, head * raw.valueDim + static_cast<int64_t>(v), raw.keyDim);
        for (size_t c = 0; c < keys; ++c) older[v] += state[c] * x[c];
        error[v] = sum[v] + older[v] - read[v];
    }
    out.olderShare = static_cast<float>(norm(older) * perSize);
    out.selfCheck = static_cast<float>(norm(error) * perSize);
    return out;
}

}  // namespace pal::inspect
