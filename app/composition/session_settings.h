// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/chat.h"
#include "engine/api/sampling_params.h"

namespace pal {

// How a session asks its model; kept with the session as JSON.
struct SessionSettings {
    std::string system;  // what the model is told first
    Thinking thinking = Thinking::kOn;
    ThinkingEffort effort = ThinkingEffort::kMax;
    SamplingParams sampling;
    int64_t maxTokens = 0;           // of a reply; 0: up to the context limit
    std::vector<std::string> stops;  // texts that end an answer
};

[[nodiscard]] std::string settingsText(const SessionSettings& settings);
// Members that are missing or of another type keep their defaults, so that any version's settings can be read; sampling outside its ranges is all default.
[[nodiscard]] SessionSettings settingsFrom(std::string_view json);

}  // namespace pal
