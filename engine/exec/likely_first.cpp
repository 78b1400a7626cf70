// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/likely_first.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>

namespace pal {
namespace {

// The largest value below `limit`, -infinity when there is none. In lanes, of which compilers make vectors.
float largestBelow(std::span<const float> values, float limit) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    constexpr size_t kLanes = 8;
    std::array<float, kLanes> top;
    top.fill(kNone);
    const auto take = [limit](float& largest, float value) {
        const float known = value < limit ? value : kNone;
        largest = largest > known ? largest : known;
    };
    size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes) {
        for (size_t l = 0; l < kLanes; ++l) take(top[l], values[i + l]);
    }
    for (; i < values.size(); ++i) take(top[0], values[i]);
    return *std::max_element(top.begin(), top.end());
}

}  // namespace

LikelyFirst::LikelyFirst(std::span<const float> logits, std::span<const LogitBlock> blocks)
    : logits_(logits), given_(blocks.size(), {std::numeric_limits<float>::infinity(), -1}) {
    heap_.reserve(blocks.size());
    for (size_t b = 0; b < blocks.size(); ++b) heap_.push_back({blocks[b].largest, static_cast<int32_t>(b)});
    std::make_heap(heap_.begin(), heap_.end());
}

std::span<const float> LikelyFirst::valuesOf(int32_t block) const {
    const auto first = static_cast<size_t>(block * kLogitBlock);
    return logits_.subspan(first, std::min(static_cast<size_t>(kLogitBlock), logits_.size() - first));
}

std::optional<TokenId> LikelyFirst::next() {
    if (count_ == kByBlocks && !heap_.empty()) sortRest();
    if (!heap_.empty()) {
        ++count_;
        return nextOfBlocks();
    }
    if (rest_.empty()) return std::nullopt;
    const uint64_t last = rest_.back();
    rest_.pop_back();
    return static_cast<TokenId>(last & 0xFFFFFFFFU);
}

// Keys grow as logits fall, and for equals with the id; the smallest, which is given first, stands at the end.
void LikelyFirst::sortRest() {
    heap_.clear();
    rest_.reserve(logits_.size());
    for (size_t i = 0; i < logits_.size(); ++i) {
        const Given& given = given_[i / kLogitBlock];
        const float x = logits_[i];
        if (x > given.logit || (x == given.logit && static_cast<int64_t>(i % kLogitBlock) <= given.place)) continue;
        const auto bits = std::bit_cast<uint32_t>(x == 0 ? 0.0F : x);  // -0 equals 0
        const uint32_t falling = (bits & 0x80000000U) != 0 ? bits : ~bits & 0x7FFFFFFFU;
        rest_.push_back(uint64_t{falling} << 32 | i);
    }
    std::sort(rest_.begin(), rest_.end(), std::greater<>());
}

TokenId LikelyFirst::nextOfBlocks() {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry top = heap_.back();
    heap_.pop_back();
    const std::span<const float> values = valuesOf(top.block);
    Given& given = given_[static_cast<size_t>(top.block)];
    // An equal of the last one stands behind it; the first of smaller ones anywhere.
    const auto from = top.logit == given.logit ? given.place + 1 : 0;
    const auto at = std::find(values.begin() + from, values.end(), top.logit);
    given = {top.logit, static_cast<int32_t>(at - values.begin())};
    const bool equals = std::find(at + 1, values.end(), top.logit) != values.end();
    const float rest = equals ? top.logit : largestBelow(values, top.logit);
    if (rest != -std::numeric_limits<float>::infinity()) {
        heap_.push_back({rest, top.block});
        std::push_heap(heap_.begin(), heap_.end());
    }
    return static_cast<TokenId>(top.block * kLogitBlock + given.place);
}

}  // namespace pal
