// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "engine/base/result.h"

namespace pal {

// How a config is to differ from its pattern: "Kimi-Linear, but with 16 experts".
struct ConfigVariant {
    std::optional<int64_t> layers;   // keep the first ones
    std::optional<int64_t> experts;  // keep so many; experts per token are reduced with them when need be
    bool mxfp4Experts = false;       // declare MXFP4 experts
};

// Changes a parsed config.json consistently and in place. Errors: kInvalidArgument naming both numbers when the pattern has fewer layers or
// experts, kFormat when it lacks the keys.
Result<> applyVariant(nlohmann::json& config, const ConfigVariant& variant);

}  // namespace pal
