// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/oracle/moe_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {

// Random experts of one storage format, as a backend takes them and as the oracles do.
class ExpertSet {
  public:
    ExpertSet(Backend& backend, Random& random, WeightFormat format, int64_t count, int64_t width, int64_t inner) {
        owned_.reserve(static_cast<size_t>(3 * count));
        for (int64_t e = 0; e < count; ++e) {
            const Weight& gate = owned_.emplace_back(backend, random, format, inner, width);
            const Weight& up = owned_.emplace_back(backend, random, format, inner, width);
            const Weight& down = owned_.emplace_back(backend, random, format, width, inner);
            views.push_back({gate.view(), up.view(), down.view()});
            exact.push_back({gate.values(), up.values(), down.values()});
            floats.push_back({toFloat(gate.values()), toFloat(up.values()), toFloat(down.values())});
        }
    }

    std::vector<ExpertWeights> views;
    std::vector<oracle::Expert<double>> exact;
    std::vector<oracle::Expert<float>> floats;

  private:
    std::vector<Weight> owned_;  // what the views show
};

// Picks of three experts per token: expert 0 for every token, expert 5 for none.
inline oracle::Routing unevenRouting(Random& random, int64_t tokens, int64_t experts) {
    Mat<double> logits = random.mat(tokens, experts, -1, 1);
    for (int64_t t = 0; t < tokens; ++t) {
        logits.at(t, 0) += 3;
        logits.at(t, 5) = -20;
    }
    auto routing =
        oracle::route(logits, std::vector<double>(static_cast<size_t>(experts), 0.0), {3, 1, 1, false, true, 1.0});
    for (double& w : routing.weight.v) w = static_cast<double>(static_cast<float>(w));
    return routing;
}

}  // namespace pal::vectors
