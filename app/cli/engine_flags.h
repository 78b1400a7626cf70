// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "engine/api/engine.h"

namespace pal::cli {

// Where and how a model runs; the same flags for every command that runs one.
struct EngineFlags {
    EngineOptions options;
    std::string device = "cpu";
    std::string cacheType = "f32";
};

// Adds --device, --threads, --batch-size and --cache-type. `flags` must live as long as the command.
void addEngineOptions(CLI::App& command, EngineFlags& flags);

// The options as given.
[[nodiscard]] EngineOptions engineOptions(const EngineFlags& flags);

}  // namespace pal::cli
