// SPDX-License-Identifier: Apache-2.0
#include "app/composition/session_settings.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/api/sampling_check.h"

namespace pal {
namespace {

using nlohmann::json;

// In the order of ThinkingEffort.
constexpr std::array<std::string_view, 4> kEfforts{"unset", "low", "high", "max"};

template <typename T>
void take(const json& object, const char* key, T& value) {
    const auto at = object.find(key);
    if (at == object.end()) return;
    if constexpr (std::is_same_v<T, std::string>) {
        if (at->is_string()) value = at->get<std::string>();
    } else if constexpr (std::is_floating_point_v<T>) {
        if (at->is_number()) value = at->get<T>();
    } else {
        if (at->is_number_integer()) value = at->get<T>();
    }
}

void takeSampling(const json& object, SamplingParams& sampling) {
    take(object, "temperature", sampling.temperature);
    take(object, "top_k", sampling.topK);
    take(object, "top_p", sampling.topP);
    take(object, "min_p", sampling.minP);
    take(object, "repetition_penalty", sampling.repetitionPenalty);
    take(object, "presence_penalty", sampling.presencePenalty);
    take(object, "frequency_penalty", sampling.frequencyPenalty);
    take(object, "seed", sampling.seed);
    // An archive or another program may have written anything; a session must stay usable.
    if (!checkSampling(sampling)) sampling = {};
}

}  // namespace

std::string settingsText(const SessionSettings& settings) {
    const SamplingParams& sampling = settings.sampling;
    const json out{{"system", settings.system},
                   {"thinking", settings.thinking == Thinking::kOn},
                   {"effort", kEfforts[static_cast<size_t>(settings.effort)]},
                   {"max_tokens", settings.maxTokens},
                   {"stop", settings.stops},
                   {"sampling",
                    {{"temperature", sampling.temperature},
                     {"top_k", sampling.topK},
                     {"top_p", sampling.topP},
                     {"min_p", sampling.minP},
                     {"repetition_penalty", sampling.repetitionPenalty},
                     {"presence_penalty", sampling.presencePenalty},
                     {"frequency_penalty", sampling.frequencyPenalty},
                     {"seed", sampling.seed}}}};
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

SessionSettings settingsFrom(std::string_view text) {
    SessionSettings out;
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object()) return out;
    take(object, "system", out.system);
    take(object, "max_tokens", out.maxTokens);
    if (const auto at = object.find("thinking"); at != object.end() && at->is_boolean())
        out.thinking = at->get<bool>() ? Thinking::kOn : Thinking::kOff;
    std::string effort;
    take(object, "effort", effort);
    if (const auto at = std::find(kEfforts.begin(), kEfforts.end(), effort); at != kEfforts.end())
        out.effort = static_cast<ThinkingEffort>(at - kEfforts.begin());
    if (const auto at = object.find("stop"); at != object.end() && at->is_array()) {
        for (const json& stop : *at)
            if (stop.is_string()) out.stops.push_back(stop.get<std::string>());
    }
    if (const auto at = object.find("sampling"); at != object.end() && at->is_object()) takeSampling(*at, out.sampling);
    return out;
}

}  // namespace pal
