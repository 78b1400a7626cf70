// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "engine/api/probe.h"

namespace pal {

// The most likely tokens (kNextTokens of them) and the entropy of the distribution that finite `logits` [vocabulary] give, at temperature 1. Nothing
// for no logits.
inline constexpr int64_t kNextTokens = 5;
void describeNext(std::span<const float> logits, TokenProbe& probe);

}  // namespace pal
