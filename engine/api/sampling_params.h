// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pal {

// How the next token is drawn. Applied in this order: penalties, temperature, top-k, top-p, min-p. The defaults draw from the
// model's own distribution, as the published models recommend (with topP 0.95 for single answers).
struct SamplingParams {
    float temperature = 1;  // [0, 100]; 0 takes the largest logit, ties to the lowest id
    int32_t topK = 0;       // keep the k most likely; 0: all
    float topP = 1;         // (0, 1]: keep the smallest set of most likely tokens whose mass reaches topP
    float minP = 0;         // [0, 1]: keep tokens at least minP times as likely as the most likely one
    float repetitionPenalty =
        1;  // (0, 10]: positive logits of tokens in prompt or reply are divided by it, negative multiplied
    float presencePenalty = 0;   // [-10, 10]: subtracted once from the logit of a token that occurs in the reply
    float frequencyPenalty = 0;  // [-10, 10]: subtracted per occurrence in the reply
    uint64_t seed = 0;  // the same seed and parameters give the same reply from the same state on the same backend
};

}  // namespace pal
