// SPDX-License-Identifier: Apache-2.0
// Any text as preprocessor_config.json and, behind a zero byte, as config.json: an error, or numbers that a plan can be made with.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/check.h"
#include "vision/media_config.h"
#include "vision/resize_plan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const size_t end = all.find('\0');
    const std::string_view model = end == std::string_view::npos ? std::string_view() : all.substr(end + 1);
    const auto config = pal::parseMediaConfig(all.substr(0, end), model, "fuzz");
    if (!config.has_value()) {
        PAL_CHECK(!config.error().message.empty());
        return 0;
    }
    for (const auto& [width, height] : {std::pair<int64_t, int64_t>{1, 1}, {640, 480}, {30'000, 20'000}}) {
        const pal::ResizePlan plan = pal::planImage(*config, width, height);
        PAL_CHECK(plan.width >= 1 && plan.height >= 1 && plan.width <= width && plan.height <= height);
        PAL_CHECK(plan.rows * config->patchSize >= plan.height && plan.columns * config->patchSize >= plan.width);
        PAL_CHECK(plan.tokens * config->mergeSize * config->mergeSize == plan.rows * plan.columns);
    }
    return 0;
}
