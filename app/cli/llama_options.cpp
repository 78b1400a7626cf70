// SPDX-License-Identifier: Apache-2.0
#include "app/cli/llama_options.h"

#include <fmt/format.h>

#include <charconv>

#include "app/cli/engine_flags.h"
#include "app/cli/number_check.h"

namespace pal::cli {
namespace {

constexpr const char* kGroup = "As in llama.cpp";
constexpr int64_t kAllLayers = 99;  // what people write for all, whatever the model has
constexpr uint64_t kMaxLayers = 1'000'000;

// The single value that there is, and a sentence about it.
CLI::Validator only(const std::string& accepted, const std::string& sentence) {
    return CLI::Validator(
        [=](const std::string& value) {
            return value == accepted ? std::string() : fmt::format("{} is not there: {}", value, sentence);
        },
        accepted);
}

void refuse(CLI::App& command, const std::string& name, const std::string& sentence) {
    const auto tell = [=](const std::string&) { throw CLI::ValidationError(name, sentence); };
    command.add_option_function<std::string>(name, tell)->group("");  // help does not list what there is not
}

std::string checkLayers(const std::string& value) {
    if (value == "all") return "";
    std::string number = value;
    const std::string problem = wholeNumber(0, kMaxLayers)(number);
    return problem.empty() ? "" : problem + ", or all";
}

bool isGiven(const CLI::App& command, const char* name) {
    const CLI::Option* option = command.get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
}

void applyLayers(const CLI::App& command, const std::string& value, EngineFlags& flags) {
    if (value.empty()) return;
    int64_t layers = kAllLayers;
    if (value != "all") std::from_chars(value.data(), value.data() + value.size(), layers);
    const std::string device = layers == 0 ? "cpu" : "cuda";
    if (isGiven(command, "--device") && flags.device != device)
        throw CLI::ValidationError(
            "--n-gpu-layers", fmt::format("{} is --device {}, and --device {} is given", value, device, flags.device));
    flags.device = device;
    if (layers > 0 && layers < kAllLayers) flags.gpuLayers = layers;
}

void applyCacheTypes(const CLI::App& command, const LlamaOptions& given, EngineFlags& flags) {
    std::string type = isGiven(command, "--cache-type") ? flags.cacheType : "";
    for (const std::string& other : {given.keyType, given.valueType}) {
        if (other.empty()) continue;
        if (!type.empty() && type != other)
            throw CLI::ValidationError(
                "--cache-type",
                fmt::format("{} and {} are given, but keys and values are one latent, of one type", type, other));
        type = other;
    }
    if (!type.empty()) flags.cacheType = type;
}

}  // namespace

std::shared_ptr<LlamaOptions> addLlamaOptions(CLI::App& command) {
    auto given = std::make_shared<LlamaOptions>();
    command
        .add_option("--n-gpu-layers,--gpu-layers", given->gpuLayers,
                    "Also as -ngl. 0 is --device cpu; all, or at least as many layers as the model has, --device cuda")
        ->check(CLI::Validator(checkLayers, "NUMBER or all"))
        ->group(kGroup);
    command
        .add_option("--cache-type-k", given->keyType,
                    "--cache-type, also as -ctk; keys and values are one latent, so -ctv must be the same")
        ->check(CLI::IsMember({"f32", "bf16"}))
        ->group(kGroup);
    command.add_option("--cache-type-v", given->valueType, "--cache-type, also as -ctv")
        ->check(CLI::IsMember({"f32", "bf16"}))
        ->group(kGroup);
    command.add_option("--split-mode", given->splitMode, "Also as -sm. none: a model runs on one GPU")
        ->check(
            only("none", "a model runs on one GPU; --experts-in-ram and --gpu-memory divide it between GPU and RAM"))
        ->group(kGroup);
    command.add_option("--fit", given->fit, "on: what lies on the GPU is always planned after its free memory")
        ->check(only("on",
                     "what lies on the GPU is always planned after its memory; --gpu-memory and --experts-in-ram give "
                     "the numbers of the plan"))
        ->group(kGroup);
    refuse(command, "--tensor-split",
           "a model runs on one GPU; --gpu-memory and --experts-in-ram divide it between GPU and RAM");
    refuse(command, "--fit-target",
           "no margin is set here; --gpu-memory says how much of the GPU's memory may be used");
    refuse(command, "--checkpoint-min-step",
           "states are kept at the ends of messages and, inside long ones, 1, 2, 4, ... prefill steps before; "
           "--batch-size sets the step");
    return given;
}

void applyLlamaOptions(const CLI::App& command, const LlamaOptions& given, EngineFlags& flags) {
    applyLayers(command, given.gpuLayers, flags);
    applyCacheTypes(command, given, flags);
}

}  // namespace pal::cli
