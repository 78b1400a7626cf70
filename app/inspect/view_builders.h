// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/inspect/view.h"

// One per file, view_<name>.cpp; views.cpp lists them.

namespace pal::inspect {

[[nodiscard]] Figure buildLayers(const ViewInput& input);
[[nodiscard]] Figure buildTokens(const ViewInput& input);
[[nodiscard]] Figure buildContext(const ViewInput& input);
[[nodiscard]] Figure buildOverlay(const ViewInput& input);
[[nodiscard]] Figure buildAttention(const ViewInput& input);
[[nodiscard]] Figure buildModel(const ViewInput& input);
[[nodiscard]] Figure buildHalfLife(const ViewInput& input);
[[nodiscard]] Figure buildWrites(const ViewInput& input);
[[nodiscard]] Figure buildState(const ViewInput& input);
[[nodiscard]] Figure buildReads(const ViewInput& input);
[[nodiscard]] Figure buildGates(const ViewInput& input);
[[nodiscard]] Figure buildDepth(const ViewInput& input);
[[nodiscard]] Figure buildRouting(const ViewInput& input);
[[nodiscard]] Figure buildCompare(const ViewInput& input);

}  // namespace pal::inspect
