// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "engine/base/result.h"
#include "kernels/api/backend.h"

namespace pal {

// Logits of one token in host memory and, where it was asked for, what the device found out about them for a draw. Engine thread; must not outlive the
// backend that filled it.
class HostLogits {
  public:
    // What a digest is for: a draw, or also telling somebody about the distribution.
    enum class Digest : uint8_t { kDraw, kDescribe };

    // Brings logits [1, vocabulary] f32 of the device along with the step that makes them: they are here once finish() has said that all went well, and
    // keep() was called. Errors: kOutOfMemory.
    Result<> fetch(Backend& backend, const ConstTensorView& logits);
    // The same, with a digest at this temperature (0: of greedy draws).
    Result<> fetch(Backend& backend, const ConstTensorView& logits, float temperature, Digest digest);
    void keep() { held_ = static_cast<size_t>(fetched_); }
    // Replaces them by a copy, in the memory that is there when it suffices: a GPU's step is made for those addresses. Errors: kOutOfMemory; then they
    // are empty.
    Result<> assign(Backend& backend, std::span<const float> logits);
    void clear() { held_ = 0; }

    [[nodiscard]] bool empty() const { return held_ == 0; }
    [[nodiscard]] std::span<const float> values() const { return {static_cast<const float*>(values_.data()), held_}; }
    // Empty when there is none at `temperature`.
    [[nodiscard]] std::span<const LogitBlock> digest(float temperature) const;
    // Of LogitDigestArgs; empty when the digest is not there or only for a draw.
    [[nodiscard]] std::span<const float> moments() const;

  private:
    Result<> makeRoom(Backend& backend, int64_t count);

    Buffer values_;        // of the host
    Buffer digest_;        // of the host: blocks, then moments
    Buffer deviceDigest_;  // of the device, likewise
    int64_t fetched_ = 0;
    size_t held_ = 0;
    float temperature_ = 0;   // of the digest; 0: there is none
    bool described_ = false;  // the moments lie behind the digest's blocks
};

// What a draw at `temperature` needs a digest for: greedy draws look at the model's own distribution.
[[nodiscard]] constexpr float digestTemperature(float temperature) {
    return temperature > 0 ? temperature : 1;
}

}  // namespace pal
