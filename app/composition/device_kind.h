// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engine/api/engine.h"

namespace pal {

// Under what rates are kept: "cpu" of "cpu, AVX-512, 2 threads".
[[nodiscard]] inline std::string deviceKind(const ModelInfo& model) {
    return model.device.substr(0, model.device.find(','));
}

}  // namespace pal
