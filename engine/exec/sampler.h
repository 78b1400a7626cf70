// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "engine/api/sampling_check.h"
#include "engine/api/tokenizer.h"
#include "engine/base/result.h"
#include "kernels/api/logit_digest.h"

namespace pal {

// Whether what was said before matters to a draw.
[[nodiscard]] bool hasPenalties(const SamplingParams& params);

// What the penalties look at: which tokens occurred, and how often in the reply.
class TokenHistory {
  public:
    void addPrompt(std::span<const TokenId> ids) {
        for (const TokenId id : ids) repliesOf_.try_emplace(id, 0);
    }
    void addReply(TokenId id) { ++repliesOf_[id]; }
    // Token -> occurrences in the reply; 0 for a token of the prompt only.
    [[nodiscard]] const std::map<TokenId, int64_t>& occurrences() const { return repliesOf_; }

  private:
    std::map<TokenId, int64_t> repliesOf_;
};

struct Draw {
    TokenId token = 0;
    float logProbability = 0;  // natural log, under softmax(logits) as they came
};

// Draws a token: a pure function. `params` passed checkSampling; `logits` [vocab] is not empty; `index` counts the draws of one reply
// and is, with params.seed, the only source of randomness, so a reply can be replayed from any point. `digest`, when not empty, is that of the logits at
// params.temperature, or at 1 for greedy draws, and saves looking at all of them; it changes nothing. The weights of the draw are those of
// kernels/api/logit_digest.h: relative error 3e-7, and nothing below 2^-44 of the most likely token is drawn.
// Errors: kInternal for a logit that is NaN or infinite, naming the token.
Result<Draw> drawToken(std::span<const float> logits, const SamplingParams& params, const TokenHistory& history,
                       uint64_t index, std::span<const LogitBlock> digest = {});

// Uniform in [0, 1) from (seed, index).
[[nodiscard]] double uniform(uint64_t seed, uint64_t index);

}  // namespace pal
