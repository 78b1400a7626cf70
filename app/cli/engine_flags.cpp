// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_flags.h"

#include "app/cli/llama_options.h"
#include "app/cli/number_check.h"

namespace pal::cli {
namespace {

constexpr uint64_t kMaxThreads = 1024;
constexpr uint64_t kMaxLayers = 10000;
constexpr uint64_t kMaxCheckpoints = 1 << 20;
constexpr uint64_t kLatentPageTokens = 64;  // the last one, partly filled, is copied with a state

// Flags of a GPU's plan are refused without one, where they would change nothing.
void needCudaForItsFlags(const CLI::App& command, const EngineFlags& flags) {
    if (flags.device == "cuda") return;
    for (const char* name : {"--gpu-memory", "--experts-in-ram", "--ram", "--gpu-rate", "--link-rate"}) {
        const CLI::Option* option = command.get_option_no_throw(name);
        if (option != nullptr && option->count() > 0) throw CLI::ValidationError(name, "needs --device cuda");
    }
}

}  // namespace

void addPlacementOptions(CLI::App& command, EngineFlags& flags) {
    const auto names = addLlamaOptions(command);
    command.add_option("--backend,-d,--device", flags.device, "Where to run; also as -dev")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    command
        .add_option("-b,--batch-size", flags.options.chunkTokens,
                    "Tokens of a prefill step; progress and Ctrl-C act between steps")
        ->check(CLI::IsMember({64, 128, 256, 512, 1024, 2048, 4096, 8192}))
        ->capture_default_str();
    command.add_option("--cache-type", flags.cacheType, "Numbers of the attention cache; bf16 halves it")
        ->check(CLI::IsMember({"f32", "bf16"}))
        ->capture_default_str();
    command
        .add_option("--gpu-memory", flags.options.gpuBytes,
                    "Of the GPU's memory, at most (24GB, 22GiB); routed experts without room stay in RAM. By default "
                    "what is free")
        ->transform(CLI::AsSizeValue(true));
    command
        .add_option("--experts-in-ram,--n-cpu-moe", flags.options.ramLayers,
                    "Layers with their routed experts in RAM, also as -ncmoe; by default as few as the GPU's memory "
                    "allows")
        ->check(wholeNumber(0, kMaxLayers));
    command.parse_complete_callback([&command, &flags, names] {
        applyLlamaOptions(command, *names, flags);
        needCudaForItsFlags(command, flags);
    });
}

void addEngineOptions(CLI::App& command, EngineFlags& flags) {
    addPlacementOptions(command, flags);
    command.add_option("-t,--threads", flags.options.threads, "CPU threads; 0: one per core")
        ->check(wholeNumber(0, kMaxThreads))
        ->capture_default_str();
}

void addCheckpointOption(CLI::App& command, EngineFlags& flags) {
    command
        .add_option("--ctx-checkpoints", flags.checkpoints,
                    "RAM for so many states of a session to go back to; by default 2 GiB for them")
        ->check(wholeNumber(0, kMaxCheckpoints));
}

EngineOptions engineOptions(const EngineFlags& flags) {
    EngineOptions options = flags.options;
    options.device = flags.device == "cuda" ? Device::kCuda : Device::kCpu;
    options.latents = flags.cacheType == "bf16" ? LatentType::kBFloat16 : LatentType::kFloat32;
    return options;
}

Result<EngineOptions> engineOptionsFor(const EngineFlags& flags, const std::filesystem::path& model) {
    EngineOptions options = engineOptions(flags);
    if (!flags.gpuLayers && !flags.checkpoints) return options;
    PAL_ASSIGN(const ModelSummary summary, describeModel(model, 0));
    PAL_TRY(checkGpuLayers(flags, summary));
    if (flags.checkpoints) {
        const uint64_t state = summary.checkpointBytes + kLatentPageTokens * summary.latentBytesPerToken +
                               sizeof(float) * static_cast<uint64_t>(summary.vocabulary);  // with its logits
        options.checkpointBytes = *flags.checkpoints * state;
    }
    return options;
}

Result<> checkGpuLayers(const EngineFlags& flags, const ModelSummary& model) {
    if (!flags.gpuLayers || *flags.gpuLayers >= model.layers) return {};
    return fail(ErrorCode::kInvalidArgument,
                "--n-gpu-layers {}: the model has {} layers, and either all or none of them (0) run on the GPU. Routed "
                "experts without room there stay in RAM by themselves; --experts-in-ram says of how many layers",
                *flags.gpuLayers, model.layers);
}

}  // namespace pal::cli
