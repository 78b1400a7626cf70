// SPDX-License-Identifier: Apache-2.0
// Any bytes as a config.json: an error, or a plan whose sizes are consistent and do not overflow.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/base/check.h"
#include "engine/model/json_file.h"
#include "engine/model/layer_plan.h"
#include "engine/model/model_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const auto document = pal::parseJsonObject({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (!document.has_value()) return 0;
    auto config = pal::parseModelConfig(*document, "fuzz");
    if (!config.has_value()) {
        PAL_CHECK(!config.error().message.empty());
        return 0;
    }
    const pal::LayerPlan plan = pal::makeLayerPlan(std::move(*config));
    constexpr uint64_t kSane = 1ULL << 58;
    PAL_CHECK(plan.kdaLayers + plan.mlaLayers == plan.config.text.layers());
    PAL_CHECK(plan.parameters() < kSane && plan.activeParameters() <= plan.parameters());
    PAL_CHECK(plan.weightBytes() < kSane && plan.tensorCount() >= plan.tensors.size());
    PAL_CHECK(plan.stateSizes().checkpoint() < kSane);
    const auto limit = static_cast<uint64_t>(plan.config.text.contextLimit);
    PAL_CHECK(pal::estimateMemory(plan, {.contextTokens = limit}).total() < 4 * kSane);
    PAL_CHECK(plan.stateSizes({pal::DType::kF32, pal::DType::kF32}).sequence(limit) < 2 * kSane);
    return 0;
}
