// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/base/byte_hash.h"
#include "engine/exec/next_tokens.h"

namespace pal {
namespace {

Result<> inRange(const char* name, double value, double low, double high) {
    if (value >= low && value <= high) return {};  // false for NaN
    return fail(ErrorCode::kInvalidArgument, "{} is {}, allowed is {} to {}", name, value, low, high);
}

std::vector<double> penalised(std::span<const float> logits, const SamplingParams& params,
                              const TokenHistory& history) {
    std::vector<double> out(logits.begin(), logits.end());
    if (!hasPenalties(params)) return out;
    for (const auto& [id, replies] : history.occurrences()) {
        if (id < 0 || static_cast<size_t>(id) >= out.size()) continue;
        double& logit = out[static_cast<size_t>(id)];
        logit = logit > 0 ? logit / params.repetitionPenalty : logit * params.repetitionPenalty;
        if (replies > 0) logit -= params.presencePenalty + params.frequencyPenalty * static_cast<double>(replies);
    }
    return out;
}

// Tokens that may be drawn, most likely first and ties to the lower id, as far as an order is needed.
class Candidates {
  public:
    explicit Candidates(const std::vector<double>& mass) : mass_(mass), ids_(mass.size()) {
        std::iota(ids_.begin(), ids_.end(), 0);
    }

    void keepTop(int32_t count) {
        if (count <= 0 || static_cast<size_t>(count) >= ids_.size()) return;
        std::nth_element(ids_.begin(), ids_.begin() + count, ids_.end(),
                         [this](TokenId a, TokenId b) { return before(a, b); });
        ids_.resize(static_cast<size_t>(count));
    }

    // The smallest most likely set that holds `share` of the mass. A heap, since that set is small next to the vocabulary.
    void keepMass(float share) {
        if (share >= 1) return;
        const double wanted = share * total();
        const auto later = [this](TokenId a, TokenId b) { return before(b, a); };
        std::make_heap(ids_.begin(), ids_.end(), later);
        std::vector<TokenId> kept;
        double sum = 0;
        while (!ids_.empty() && (kept.empty() || sum < wanted)) {
            std::pop_heap(ids_.begin(), ids_.end(), later);
            kept.push_back(ids_.back());
            sum += mass(ids_.back());
            ids_.pop_back();
        }
        ids_ = std::move(kept);
    }

    // Tokens at least `share` times as likely as the most likely one, whose mass is 1.
    void keepLikely(float share) {
        if (share <= 0) return;
        std::erase_if(ids_, [&](TokenId id) { return mass(id) < share; });
    }

    [[nodiscard]] TokenId pick(double u) const {
        const double target = u * total();
        double sum = 0;
        for (const TokenId id : ids_) {
            sum += mass(id);
            if (sum > target) return id;
        }
        return ids_.front();  // only when rounding leaves `sum` at the target
    }

  private:
    [[nodiscard]] double mass(TokenId id) const { return mass_[static_cast<size_t>(id)]; }
    [[nodiscard]] double total() const {
        double sum = 0;
        for (const TokenId id : ids_) sum += mass(id);
        return sum;
    }
    [[nodiscard]] bool before(TokenId a, TokenId b) const { return mass(a) != mass(b) ? mass(a) > mass(b) : a < b; }

    const std::vector<double>& mass_;
    std::vector<TokenId> ids_;
};

}  // namespace

Result<> checkSampling(const SamplingParams& params) {
    PAL_TRY(inRange("temperature", params.temperature, 0, 100));
    PAL_TRY(inRange("top-k", params.topK, 0, 1 << 30));
    PAL_TRY(inRange("top-p", params.topP, 1e-9, 1));
    PAL_TRY(inRange("min-p", params.minP, 0, 1));
    PAL_TRY(inRange("repetition penalty", params.repetitionPenalty, 1e-3, 10));
    PAL_TRY(inRange("presence penalty", params.presencePenalty, -10, 10));
    return inRange("frequency penalty", params.frequencyPenalty, -10, 10);
}

bool hasPenalties(const SamplingParams& params) {
    return params.repetitionPenalty != 1 || params.presencePenalty != 0 || params.frequencyPenalty != 0;
}

double uniform(uint64_t seed, uint64_t index) {
    const uint64_t bits = splitmix64(splitmix64(seed + 0x9E3779B97F4A7C15ULL) + index * 0x9E3779B97F4A7C15ULL);
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

Result<Draw> drawToken(std::span<const float> logits, const SamplingParams& params, const TokenHistory& history,
                       uint64_t index) {
    const auto isFinite = [](float logit) {
        constexpr uint32_t kExponent = 0x7F800000;
        return (std::bit_cast<uint32_t>(logit) & kExponent) != kExponent;
    };
    uint32_t broken = 0;  // counted: a loop that may end early cannot be made of vectors
    for (const float logit : logits) broken += isFinite(logit) ? 0 : 1;
    if (broken > 0) {
        const auto bad = std::find_if_not(logits.begin(), logits.end(), isFinite);
        return fail(ErrorCode::kInternal, "the logit of token {} is {}: the model's numbers broke down",
                    bad - logits.begin(), *bad);
    }
    const LogitSums sums = sumLogits(logits);
    const auto drawn = [&](auto id) {
        const auto token = static_cast<TokenId>(id);
        const double relative = double{logits[static_cast<size_t>(token)]} - double{sums.top};
        return Draw{token, static_cast<float>(relative - std::log(sums.plain))};
    };
    if (params.temperature == 0 && !hasPenalties(params))
        return drawn(std::find(logits.begin(), logits.end(), sums.top) - logits.begin());

    std::vector<double> mass = penalised(logits, params, history);
    const auto top = std::max_element(mass.begin(), mass.end());  // the first of equals
    if (params.temperature == 0) return drawn(top - mass.begin());

    const double largest = *top;
    for (double& value : mass) value = std::exp((value - largest) / params.temperature);
    Candidates candidates(mass);
    candidates.keepTop(params.topK);
    candidates.keepMass(params.topP);
    candidates.keepLikely(params.minP);
    return drawn(candidates.pick(uniform(params.seed, index)));
}

}  // namespace pal
