// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/routed_backend.h"

#include <algorithm>
#include <cmath>

namespace pal {

std::vector<float> routerScores(const RouterArgs& args, std::span<const float> logits) {
    std::vector<float> out(logits.begin(), logits.end());
    if (args.score == RouterScore::kSigmoid) {
        for (float& s : out) s = 1 / (1 + std::exp(-s));
        return out;
    }
    const float top = *std::ranges::max_element(logits);
    float sum = 0;
    for (float& s : out) sum += s = std::exp(s - top);
    for (float& s : out) s /= sum;
    return out;
}

void RoutedBackend::router(const RouterArgs& args) {
    ForwardingBackend::router(args);
    if (!routing_) return;
    std::vector<int32_t> picks = read<int32_t>(args.index);
    routing_(args, picks);
    const std::vector<float> logits = read<float>(args.logits);
    const auto experts = static_cast<size_t>(args.logits.dim(1));
    const auto k = static_cast<size_t>(args.index.dim(1));
    std::vector<float> weights(picks.size());
    for (size_t t = 0; t < picks.size() / k; ++t) {
        const auto scores = routerScores(args, std::span(logits).subspan(t * experts, experts));
        float sum = 0;
        for (size_t i = t * k; i < (t + 1) * k; ++i) sum += weights[i] = scores[static_cast<size_t>(picks[i])];
        const bool share = args.renormalise == RouterArgs::Renormalise::kYes && k > 1;
        for (size_t i = t * k; i < (t + 1) * k; ++i) weights[i] *= share ? args.scale / (sum + 1e-20F) : args.scale;
    }
    upload(args.index.data, std::as_bytes(std::span(picks)));
    upload(args.weight.data, std::as_bytes(std::span(weights)));
}

}  // namespace pal
