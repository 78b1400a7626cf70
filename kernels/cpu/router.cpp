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

// The indices of the `k` largest of `count` >= k values, best first, ties to the lower index; NaN counts as the least.
void selectTop(const float* values, int64_t count, int64_t k, int32_t* index) {
    const auto value = [values](int64_t i) { return std::isnan(values[i]) ? kExcluded : values[i]; };
    for (int64_t i = 0; i < count; ++i) {
        int64_t at = std::min(i, k);
        if (at == k && !(value(i) > value(index[k - 1]))) continue;
        if (at == k) --at;
        for (; at > 0 && value(i) > value(index[at - 1]); --at) index[at] = index[at - 1];
        index[at] = static_cast<int32_t>(i);
    }
}

// Scratch of one token.
struct Scratch {
    float* score;       // [E]
    float* choice;      // [E]
    float* groupValue;  // [groups]
    int32_t* kept;      // [keptGroups]
};

// Excludes all experts outside the best `keptGroups` groups.
void maskGroups(const RouterArgs& args, int64_t experts, const Scratch& scratch) {
    const int64_t size = experts / args.groups;
    for (int64_t g = 0; g < args.groups; ++g) {
        float best = kExcluded;
        float second = kExcluded;
        for (int64_t e = g * size; e < (g + 1) * size; ++e) {
            second = std::max(second, std::min(best, scratch.choice[e]));
            best = std::max(best, scratch.choice[e]);
        }
        scratch.groupValue[g] = size > 1 ? best + second : best;
    }
    selectTop(scratch.groupValue, args.groups, args.keptGroups, scratch.kept);
    for (int64_t g = 0; g < args.groups; ++g) {
        int32_t* const end = scratch.kept + args.keptGroups;
        if (std::find(scratch.kept, end, static_cast<int32_t>(g)) == end)
            std::fill_n(scratch.choice + g * size, size, kExcluded);
    }
}

void routeToken(const RouterArgs& args, int64_t token, const Scratch& scratch) {
    const int64_t experts = args.logits.dim(1);
    const int64_t picks = args.index.dim(1);
    scoreRow(args, args.logits.row<const float>(token), experts, scratch.score);
    for (int64_t e = 0; e < experts; ++e)
        scratch.choice[e] = scratch.score[e] + (args.bias != nullptr ? args.bias[e] : 0);
    if (args.groups > args.keptGroups) maskGroups(args, experts, scratch);
    auto* index = args.index.row<int32_t>(token);
    auto* weight = args.weight.row<float>(token);
    selectTop(scratch.choice, experts, picks, index);
    float sum = 0;
    for (int64_t p = 0; p < picks; ++p) sum += weight[p] = scratch.score[index[p]];
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
        const Scratch scratch{scope.array<float>(experts), scope.array<float>(experts),
                              scope.array<float>(static_cast<size_t>(args.groups)),
                              scope.array<int32_t>(static_cast<size_t>(args.keptGroups))};
        const int64_t end = std::min(tokens, (task + 1) * kTokensPerTask);
        for (int64_t t = task * kTokensPerTask; t < end; ++t) routeToken(args, t, scratch);
    });
}

}  // namespace pal::cpu
