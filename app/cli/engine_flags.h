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

// Adds what decides where the parts of a model lie: --device, --batch-size, --cache-type, --gpu-memory and --experts-in-ram. `flags` must live as long as
// the command.
void addPlacementOptions(CLI::App& command, EngineFlags& flags);
// These and --threads.
void addEngineOptions(CLI::App& command, EngineFlags& flags);

// The options as given.
[[nodiscard]] EngineOptions engineOptions(const EngineFlags& flags);

}  // namespace pal::cli
