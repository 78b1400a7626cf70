// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cpu/moe.h"

namespace pal::cpu {
namespace {

constexpr float kExcluded = -std::numeric_limits<float>::infinity();
constexpr int64_t kTokensPerTask = 16;

void scoreRow(const RouterArgs& args, const float* logits, int64_t experts, float* score) {
    if (args.score == RouterScore::kSigmoid) {
        for (int64_t e = 0; e < experts; ++e) score[e] = 1.0F / (1.0F + std::exp(-logits[e]));
        return;
    }
    const float top = *std::max_element(logits, logits + experts);
    float sum = 0;
    for (int64_t e = 0; e < experts; ++e) sum += score[e] = std::exp(logits[e] - top);
    for (int64_t e = 0; e < experts; ++e) score[e] /= sum;
}

// Index of the largest value, the lowest of equals; NaN never wins over a number. Needs count >= 1.
int64_t argMax(const float* values, int64_t count) {
    int64_t best = 0;
    for (int64_t i = 1; i < count; ++i) {
        if (values[i] > values[best] || (std::isnan(values[best]) && !std::isnan(values[i]))) best = i;
    }
    return best;
}

// Excludes all experts outside the best `keptGroups` groups.
void maskGroups(const RouterArgs& args, int64_t experts, float* choice, float* groupValue) {
    const int64_t size = experts / args.groups;
    for (int64_t g = 0; g < args.groups; ++g) {
        float best = kExcluded;
        float second = kExcluded;
        for (int64_t e = g * size; e < (g + 1) * size; ++e) {
            second = std::max(second, std::min(best, choice[e]));
            best = std::max(best, choice[e]);
        }
        groupValue[g] = size > 1 ? best + second : best;
    }
    for (int64_t kept = 0; kept < args.keptGroups; ++kept) {
        // A kept group is marked by NaN, which argMax passes over.
        groupValue[argMax(groupValue, args.groups)] = std::numeric_limits<float>::quiet_NaN();
    }
    for (int64_t g = 0; g < args.groups; ++g) {
        if (!std::isnan(groupValue[g])) std::fill_n(choice + g * size, size, kExcluded);
    }
}

void routeToken(const RouterArgs& args, int64_t token, float* score, float* choice, float* groupValue) {
    const int64_t experts = args.logits.dim(1);
    const int64_t picks = args.index.dim(1);
    scoreRow(args, args.logits.row<const float>(token), experts, score);
    for (int64_t e = 0; e < experts; ++e) choice[e] = args.bias != nullptr ? score[e] + args.bias[e] : score[e];
    if (args.groups > args.keptGroups) maskGroups(args, experts, choice, groupValue);
    auto* index = args.index.row<int32_t>(token);
    auto* weight = args.weight.row<float>(token);
    float sum = 0;
    for (int64_t p = 0; p < picks; ++p) {
        const int64_t e = argMax(choice, experts);
        index[p] = static_cast<int32_t>(e);
        weight[p] = score[e];
        sum += score[e];
        choice[e] = std::numeric_limits<float>::quiet_NaN();
    }
    const bool renormalise = args.renormalise == RouterArgs::Renormalise::kYes && picks > 1;
    const float factor = renormalise ? args.scale / (sum + 1e-20F) : args.scale;
    for (int64_t p = 0; p < picks; ++p) weight[p] *= factor;
}

}  // namespace

void router(const RouterArgs& args, ThreadPool& pool) {
    const int64_t tokens = args.logits.dim(0);
    const auto experts = static_cast<size_t>(args.logits.dim(1));
    pool.parallelFor((tokens + kTokensPerTask - 1) / kTokensPerTask, [&](int64_t task, int thread) {
        ArenaScope scope(pool.arena(thread));
        auto* score = scope.array<float>(experts);
        auto* choice = scope.array<float>(experts);
        auto* groupValue = scope.array<float>(static_cast<size_t>(args.groups));
        const int64_t end = std::min(tokens, (task + 1) * kTokensPerTask);
        for (int64_t t = task * kTokensPerTask; t < end; ++t) routeToken(args, t, score, choice, groupValue);
    });
}

}  // namespace pal::cpu
