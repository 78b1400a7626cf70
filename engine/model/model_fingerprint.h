// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/model/weight_store.h"

namespace pal {

// Identifies config and weights for states that were computed with them: 32 hexadecimal digits of XXH3-128 over
//   1. config.json in canonical form (keys sorted, no white space),
//   2. name, type and shape of every tensor, in name order (how they are split into shards does not matter),
//   3. the first and last 256 bytes of about 2,048 tensors, chosen by their names; of all tensors when there are fewer.
// Reading everything would take minutes for a large model. A fine-tune that changed only tensors or bytes that are not sampled would go
// unnoticed; training changes practically every tensor throughout.
// How text and media became rows is not part of this: states are named by token ids and by the pixels that the vision tower sees.
[[nodiscard]] std::string modelFingerprint(const nlohmann::json& config, const WeightStore& store);

}  // namespace pal
