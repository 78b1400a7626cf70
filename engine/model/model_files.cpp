// SPDX-License-Identifier: Apache-2.0
#include "engine/api/model_files.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/model/checkpoint_generator.h"
#include "engine/model/config_variant.h"
#include "engine/model/gpu_sizes.h"
#include "engine/model/json_file.h"
#include "engine/model/layer_plan.h"
#include "engine/model/model_fingerprint.h"
#include "engine/model/model_folder.h"
#include "engine/model/model_verifier.h"
#include "engine/model/no_exceptions.h"
#include "engine/model/problems.h"
#include "engine/model/weight_binding.h"
#include "engine/model/weight_resolver.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

void describeArchitecture(const LayerPlan& plan, ModelSummary& out) {
    const TextConfig& text = plan.config.text;
    out.architecture = plan.config.architecture;
    out.layers = text.layers();
    out.kdaLayers = plan.kdaLayers;
    out.mlaLayers = plan.mlaLayers;
    out.expertLayers = plan.mixtureLayers;
    out.hiddenSize = text.hiddenSize;
    out.vocabulary = text.vocabSize;
    out.kdaHeads = text.kda.heads;
    out.mlaHeads = text.mla.heads;
    out.contextLimit = text.contextLimit;
    if (text.moe.has_value()) {
        out.experts = text.moe->experts;
        out.expertsPerToken = text.moe->expertsPerToken;
        out.sharedExperts = text.moe->sharedExperts;
    }
    out.snapshots = plan.snapshots;
    out.vision = plan.config.vision.has_value();
    out.parameters = plan.parameters();
    out.activeParameters = plan.activeParameters();
}

Result<> describeState(const LayerPlan& plan, uint64_t contextTokens, ModelSummary& out) {
    const auto limit = static_cast<uint64_t>(plan.config.text.contextLimit);
    if (contextTokens > limit) {
        return fail(ErrorCode::kInvalidArgument, "{}: a context of {} tokens is asked for, the model's limit is {}",
                    out.folder.string(), contextTokens, limit);
    }
    const StateFormat format{DType::kF32, DType::kF32};  // the engine's default on a CPU
    const StateSizes sizes = plan.stateSizes(format);
    out.convTailType = dtypeName(format.convTail);
    out.latentType = dtypeName(format.latent);
    out.kdaStateBytes = sizes.kdaStates;
    out.convTailBytes = sizes.convTails;
    out.checkpointBytes = sizes.checkpoint();
    out.latentBytesPerToken = sizes.latentPerToken;
    MemoryRequest request;
    request.format = format;
    request.contextTokens = contextTokens > 0 ? contextTokens : limit;
    const MemoryEstimate estimate = estimateMemory(plan, request);
    out.contextTokens = request.contextTokens;
    out.stateBytes = estimate.state;
    out.workspaceBytes = estimate.workspace;
    out.memoryBytes = out.weightBytes + estimate.state + estimate.workspace;
    return {};
}

void describeParts(const LayerPlan& plan, const std::array<uint64_t, kModelParts>& bytes, ModelSummary& out) {
    const auto parameters = plan.parametersByPart();
    for (size_t i = 0; i < kModelParts; ++i) {
        if (parameters[i] == 0) continue;
        out.parts.push_back({std::string(modelPartName(static_cast<ModelPart>(i))), parameters[i], bytes[i]});
    }
}

void describeWeights(const BoundModel& model, ModelSummary& out) {
    out.hasWeights = true;
    out.vision = model.vision.has_value();
    out.tensors = model.store.tensors().size();
    out.shards = model.store.shards().size();
    out.weightBytes = model.store.bytes();
    out.fingerprint = model.fingerprint;
    out.notes = model.notes;
    Problems none;
    WeightResolver resolver(model.plan, model.store, none);
    std::array<uint64_t, kModelParts> bytes{};
    for (const TensorSpec& spec : model.plan.tensors) {
        bytes[static_cast<size_t>(spec.part)] += storedBytes(resolver, spec);
    }
    describeParts(model.plan, bytes, out);
    out.gpu = gpuPlanSizes(model.plan, model.store);
}

Result<ModelSummary> describe(const fs::path& model, uint64_t contextTokens) {
    PAL_ASSIGN(const ModelFolder folder, findModel(model));
    ModelSummary out;
    out.folder = folder.root;
    if (folder.shards.empty()) {
        PAL_ASSIGN(ModelConfig config, readModelConfig(folder.config));
        const LayerPlan plan = makeLayerPlan(std::move(config));
        describeArchitecture(plan, out);
        out.tensors = plan.tensorCount();
        out.weightBytes = plan.weightBytes();
        describeParts(plan, plan.bytesByPart(), out);
        out.gpu = gpuPlanSizes(plan);
        PAL_TRY(describeState(plan, contextTokens, out));
        return out;
    }
    PAL_ASSIGN(const BoundModel bound, loadModel(model));
    describeArchitecture(bound.plan, out);
    describeWeights(bound, out);
    PAL_TRY(describeState(bound.plan, contextTokens, out));
    return out;
}

// Every finding, with as much of the rest checked as can be without it: tensors are only looked for when no shard is missing or broken.
Result<VerifyReport> verify(const fs::path& model, const ProgressCallback& progress, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    PAL_ASSIGN(ModelFolder folder, locateModel(model));
    Problems problems;
    if (!folder.configAlone) {
        if (const auto found = findShards(folder, problems); !found.has_value()) problems.add(found.error());
    }
    if (folder.shards.empty() && problems.empty()) {
        return fail(ErrorCode::kNotFound, "{}: there are no weights (*.safetensors) to check", folder.root.string());
    }
    VerifyReport report;
    WeightStore store = WeightStore::openReadable(folder, problems);
    const bool allReadable = problems.empty();
    report.tensors = store.tensors().size();
    report.bytes = store.bytes();
    auto config = readModelConfig(folder.config);
    if (config.has_value()) {
        report.vocabulary = config->text.vocabSize;
    } else {
        problems.add(config.error());
    }
    if (config.has_value() && allReadable) {
        const BoundModel bound =
            bindWeights(makeLayerPlan(std::move(*config)), std::move(store), problems, ValueChecks::kLater);
        report.notes = bound.notes;
        PAL_TRY(verifyValues(bound.store, problems, progress, stop));
    } else {
        report.notes = store.warnings();
        PAL_TRY(verifyValues(store, problems, progress, stop));
    }
    report.problems = problems.texts();
    report.problemCount = problems.count();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

Result<RandomModelReport> writeRandom(const RandomModelRequest& request, const ProgressCallback& progress,
                                      const std::stop_token& stop) {
    fs::path pattern = request.config;
    std::error_code error;
    if (fs::is_directory(pattern, error)) pattern /= "config.json";
    PAL_ASSIGN(nlohmann::json config, readJsonFile(pattern));
    const bool mxfp4 = request.expertFormat == RandomModelRequest::Experts::kMxfp4;
    if (const auto changed = applyVariant(config, {request.layers, request.experts, mxfp4}); !changed.has_value()) {
        return fail(changed.error().withContext(pattern.string()));
    }
    const GeneratorOptions options{request.seed, request.shardBytes, request.tokenizer, 0};
    return generateCheckpoint(config, request.folder, options, progress, stop);
}

}  // namespace

Result<fs::path> findModelFolder(const fs::path& model) {
    return withoutExceptions(model.string(), [&]() -> Result<fs::path> {
        PAL_ASSIGN(const ModelFolder folder, locateModel(model));
        return folder.root;
    });
}

Result<ModelSummary> describeModel(const fs::path& model, uint64_t contextTokens) {
    return withoutExceptions(model.string(), [&] { return describe(model, contextTokens); });
}

Result<VerifyReport> verifyModel(const fs::path& model, const ProgressCallback& progress, std::stop_token stop) {
    return withoutExceptions(model.string(), [&] { return verify(model, progress, stop); });
}

Result<RandomModelReport> writeRandomModel(const RandomModelRequest& request, const ProgressCallback& progress,
                                           std::stop_token stop) {
    return withoutExceptions(request.folder.string(), [&] { return writeRandom(request, progress, stop); });
}

}  // namespace pal
