// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/api/engine.h"
#include "engine/api/model_files.h"

namespace pal::cli {

// Where and how a model runs; the same flags for every command that runs one.
struct EngineFlags {
    EngineOptions options;
    std::string device = "cpu";  // after parsing also what --n-gpu-layers says
    std::string cacheType = "f32";
    std::optional<int64_t> gpuLayers;     // wanted on the GPU; nothing where all of them are, or none
    std::optional<uint64_t> checkpoints;  // states of a session to go back to
};

// Adds what decides where the parts of a model lie: --device, --batch-size, --cache-type, --gpu-memory and --experts-in-ram, with llama.cpp's names.
// `flags` must live as long as the command.
void addPlacementOptions(CLI::App& command, EngineFlags& flags);
// These and --threads.
void addEngineOptions(CLI::App& command, EngineFlags& flags);
// --ctx-checkpoints, for commands that keep a session.
void addCheckpointOption(CLI::App& command, EngineFlags& flags);

// The options of --device, --batch-size and so on: those that mean the same for every model.
[[nodiscard]] EngineOptions engineOptions(const EngineFlags& flags);
// All of them. Errors: of describeModel() where a flag counts in layers or states of the model; kInvalidArgument for fewer --n-gpu-layers than it has.
[[nodiscard]] Result<EngineOptions> engineOptionsFor(const EngineFlags& flags, const std::filesystem::path& model);
// Errors: kInvalidArgument for fewer --n-gpu-layers than `model` has.
Result<> checkGpuLayers(const EngineFlags& flags, const ModelSummary& model);

}  // namespace pal::cli
