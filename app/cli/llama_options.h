// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace pal::cli {

struct EngineFlags;

// What was said with the names that llama.cpp has for where a model lies. Those for which there is nothing here are refused with what to use instead.
struct LlamaOptions {
    std::string gpuLayers, splitMode, fit, keyType, valueType;  // as given
};

// Adds --n-gpu-layers, --cache-type-k and -v, --split-mode, --tensor-split, --fit, --fit-target and --checkpoint-min-step.
[[nodiscard]] std::shared_ptr<LlamaOptions> addLlamaOptions(CLI::App& command);

// Once all is parsed: what they say about device and cache goes into `flags`. Throws CLI::ValidationError when they contradict each other or --device.
void applyLlamaOptions(const CLI::App& command, const LlamaOptions& given, EngineFlags& flags);

}  // namespace pal::cli
