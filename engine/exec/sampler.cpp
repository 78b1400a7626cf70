// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/base/byte_hash.h"
#include "engine/exec/likely_first.h"

namespace pal {
namespace {

Result<> inRange(const char* name, double value, double low, double high) {
    if (value >= low && value <= high) return {};  // false for NaN
    return fail(ErrorCode::kInvalidArgument, "{} is {}, allowed is {} to {}", name, value, low, high);
}

// Large, but finite as the logits are.
float clampedToFloat(double value) {
    constexpr double kMost = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(value, -kMost, kMost));
}

std::vector<float> penalised(std::span<const float> logits, const SamplingParams& params, const TokenHistory& history) {
    std::vector<float> out(logits.begin(), logits.end());
    for (const auto& [id, replies] : history.occurrences()) {
        if (id < 0 || static_cast<size_t>(id) >= out.size()) continue;
        double logit = out[static_cast<size_t>(id)];
        logit = logit > 0 ? logit / params.repetitionPenalty : logit * params.repetitionPenalty;
        if (replies > 0) logit -= params.presencePenalty + params.frequencyPenalty * static_cast<double>(replies);
        out[static_cast<size_t>(id)] = clampedToFloat(logit);
    }
    return out;
}

// Logits with their digest at a temperature: the one that came with them, or one made here.
class Weighed {
  public:
    Weighed(std::span<const float> logits, std::span<const LogitBlock> digest, float temperature)
        : logits_(logits), blocks_(digest), temperature_(temperature) {
        if (blocks_.empty()) {
            own_.resize(static_cast<size_t>(logitBlocks(std::ssize(logits))));
            digestLogits({logits.data(), std::ssize(logits), temperature, own_.data()});
            blocks_ = own_;
        }
        for (const LogitBlock& block : blocks_) {
            top_ = std::max(top_, block.largest);
            mass_ += block.mass;
            plain_ += block.plain;
            broken_ += block.broken;
        }
    }

    [[nodiscard]] bool broken() const { return broken_ > 0; }
    [[nodiscard]] float top() const { return top_; }
    [[nodiscard]] uint64_t mass() const { return mass_; }
    // Natural log of the sum of e^(logit - top).
    [[nodiscard]] double logSum() const { return std::log(std::ldexp(static_cast<double>(plain_), -kLogitMassBits)); }
    [[nodiscard]] LikelyFirst likelyFirst() const { return {logits_, blocks_}; }
    // Of at most kLogitBlock tokens.
    void weigh(std::span<const TokenId> ids, std::span<uint64_t> weights) const {
        std::array<float, kLogitBlock> values{};
        for (size_t i = 0; i < ids.size(); ++i) values[i] = logits_[static_cast<size_t>(ids[i])];
        weighLogits(std::span(values).first(ids.size()), top_, temperature_, weights);
    }

    // The first of the largest.
    [[nodiscard]] TokenId largest() const {
        size_t b = 0;
        while (blocks_[b].largest != top_) ++b;
        const auto begin = logits_.begin() + static_cast<std::ptrdiff_t>(b) * kLogitBlock;
        return static_cast<TokenId>(std::find(begin, logits_.end(), top_) - logits_.begin());
    }
    // The token that holds this part of mass(), in the order of ids.
    [[nodiscard]] TokenId at(uint64_t part) const {
        size_t b = 0;
        for (; part >= blocks_[b].mass; ++b) part -= blocks_[b].mass;
        const size_t first = b * kLogitBlock;
        std::array<uint64_t, kLogitBlock> weights{};
        const size_t count = std::min(weights.size(), logits_.size() - first);
        weighLogits(logits_.subspan(first, count), top_, temperature_, weights);
        size_t i = 0;
        for (; part >= weights[i]; ++i) part -= weights[i];
        return static_cast<TokenId>(first + i);
    }

  private:
    std::span<const float> logits_;
    std::vector<LogitBlock> own_;
    std::span<const LogitBlock> blocks_;
    float temperature_;
    float top_ = std::numeric_limits<float>::lowest();
    uint64_t mass_ = 0;
    uint64_t plain_ = 0;
    uint32_t broken_ = 0;
};

// u in [0, 1) as a part of `mass`.
uint64_t partOf(uint64_t mass, double u) {
    return std::min(static_cast<uint64_t>(u * static_cast<double>(mass)), mass - 1);
}

// The most likely tokens that top-k, top-p and min-p leave; most likely first. At least one.
class Kept {
  public:
    Kept(const Weighed& logits, const SamplingParams& params, size_t vocabulary)
        : logits_(logits), order_(logits.likelyFirst()), most_(vocabulary) {
        uint64_t mass = logits.mass();
        if (params.topK > 0 && static_cast<size_t>(params.topK) < vocabulary) {
            most_ = static_cast<size_t>(params.topK);
            mass = 0;
            for (size_t i = 0; i < most_; ++i) mass += weightOf(i);
        }
        // The smallest set that holds top-p of the mass, and of it what is likely enough.
        const double wanted = params.topP < 1 ? params.topP * static_cast<double>(mass) : HUGE_VAL;
        const double least = std::ldexp(static_cast<double>(params.minP), kLogitMassBits);
        while (count_ == 0 || (count_ < most_ && static_cast<double>(sum_) < wanted)) {
            if (static_cast<double>(weightOf(count_)) < least) break;
            sum_ += weightOf(count_++);
        }
    }

    [[nodiscard]] TokenId pick(double u) const {
        uint64_t part = partOf(sum_, u);
        size_t i = 0;
        for (; part >= weights_[i]; ++i) part -= weights_[i];
        return ids_[i];
    }

  private:
    // Of the token at a place in the order, below most_.
    uint64_t weightOf(size_t place) {
        while (place >= ids_.size()) more();
        return weights_[place];
    }
    // Few at first: often a handful is enough.
    void more() {
        const size_t known = ids_.size();
        const size_t some = std::min({std::max<size_t>(8, known), static_cast<size_t>(kLogitBlock), most_ - known});
        for (size_t i = 0; i < some; ++i) ids_.push_back(*order_.next());
        weights_.resize(ids_.size());
        logits_.weigh(std::span(ids_).subspan(known), std::span(weights_).subspan(known));
    }

    const Weighed& logits_;
    LikelyFirst order_;
    size_t most_;
    std::vector<TokenId> ids_;
    std::vector<uint64_t> weights_;
    size_t count_ = 0;  // of them that are kept
    uint64_t sum_ = 0;  // of their weights
};

Error brokenLogit(std::span<const float> logits) {
    const auto bad = std::find_if_not(logits.begin(), logits.end(), [](float x) { return std::isfinite(x); });
    if (bad == logits.end())
        return {ErrorCode::kInternal, "the device counted logits that are infinite or no numbers, and sent others"};
    return {ErrorCode::kInternal,
            fmt::format("the logit of token {} is {}: the model's numbers broke down", bad - logits.begin(), *bad)};
}

TokenId choose(std::span<const float> logits, const Weighed& weighed, const SamplingParams& params, uint64_t index) {
    if (params.temperature == 0) return weighed.largest();
    const double u = uniform(params.seed, index);
    const bool whole = params.topK <= 0 && params.topP >= 1 && params.minP <= 0;
    return whole ? weighed.at(partOf(weighed.mass(), u)) : Kept(weighed, params, logits.size()).pick(u);
}

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
                       uint64_t index, std::span<const LogitBlock> digest) {
    const float temperature = params.temperature > 0 ? params.temperature : 1;
    const Weighed own(logits, digest, temperature);
    if (own.broken()) return fail(brokenLogit(logits));
    const auto drawn = [&](TokenId token) {
        const double relative = double{logits[static_cast<size_t>(token)]} - double{own.top()};
        return Draw{token, static_cast<float>(relative - own.logSum())};
    };
    if (!hasPenalties(params)) return drawn(choose(logits, own, params, index));
    const std::vector<float> changed = penalised(logits, params, history);
    return drawn(choose(changed, Weighed(changed, {}, temperature), params, index));
}

}  // namespace pal
