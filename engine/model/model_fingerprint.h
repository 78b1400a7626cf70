// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/model/weight_store.h"

namespace pal {

// Identifies config and weights for states that were computed with them: 32 hexadecimal digits of XXH3-128 over
//   1. config.json in canonical form (keys sorted, no white space),
//   2. name, type and shape of every tensor, in name order (how they are split into shards does not matter),
//   3. the first and last 256 bytes of every tensor but the routed experts', and of about 2,048 to 4,096 of those, chosen by their names.
// Reading everything would take minutes for a large model. Fine-tunes often leave the experts alone, or everything but some projections
// (a merged LoRA), but change a tensor throughout; only one of a few experts could go unnoticed.
// How text and media became rows is not part of this: states are named by token ids and by the pixels that the vision tower sees.
[[nodiscard]] std::string modelFingerprint(const nlohmann::json& config, const WeightStore& store);

}  // namespace pal
