// SPDX-License-Identifier: Apache-2.0
#include "app/cli/long_names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace pal::cli {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kNames = {{
    {"-ctk", "--cache-type-k"},
    {"-ctv", "--cache-type-v"},
    {"-dev", "--device"},
    {"-fit", "--fit"},
    {"-fitt", "--fit-target"},
    {"-ncmoe", "--n-cpu-moe"},
    {"-ngl", "--n-gpu-layers"},
    {"-sm", "--split-mode"},
    {"-sys", "--system-prompt"},
    {"-ts", "--tensor-split"},
}};

}  // namespace

std::vector<std::string> withLongNames(std::vector<std::string> arguments) {
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    for (auto argument = arguments.begin(); argument != end; ++argument) {
        const auto* name =
            std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.first == *argument; });
        if (name != kNames.end()) *argument = name->second;
    }
    return arguments;
}

}  // namespace pal::cli
