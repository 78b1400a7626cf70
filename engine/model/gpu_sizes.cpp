// SPDX-License-Identifier: Apache-2.0
#include "engine/model/gpu_sizes.h"

#include "engine/model/problems.h"

namespace pal {
namespace {

constexpr StateFormat kGpuState{DType::kBF16, DType::kBF16};

// Per token of text: a row of the embedding unless that is the head, too, and nothing of the vision tower.
uint64_t readBytes(const LayerPlan& plan, const TensorSpec& spec, uint64_t bytes) {
    if (spec.part == ModelPart::kVision) return 0;
    if (spec.role == TensorRole::kEmbedding && !plan.config.text.tieWordEmbeddings)
        return bytes / static_cast<uint64_t>(plan.config.text.vocabSize);
    return bytes;
}

void sizeMemory(const LayerPlan& plan, GpuPlanSizes& out) {
    const StateSizes state = plan.stateSizes(kGpuState);
    out.stateBytes = state.checkpoint();
    out.latentNumbersPerToken = state.latentPerToken / dtypeBytes(kGpuState.latent);
    const auto workspace = [&](uint64_t tokens) {
        return estimateMemory(plan, {tokens, tokens, kGpuState, DType::kBF16}).workspace;
    };
    out.workspaceBytesPerToken = workspace(2) - workspace(1);
    out.workspaceBytes = workspace(1) - out.workspaceBytesPerToken;
}

template <typename BytesOf>
GpuPlanSizes sizesOf(const LayerPlan& plan, const BytesOf& bytesOf) {
    constexpr size_t kMatrices = 3;  // of an expert; the plan lists them one after the other
    GpuPlanSizes out;
    size_t matrices = 0;
    for (const TensorSpec& spec : plan.tensors) {
        const uint64_t bytes = bytesOf(spec);
        if (spec.part != ModelPart::kRoutedExperts) {
            out.weightBytes += bytes;
            out.weightReadBytes += readBytes(plan, spec, bytes);
            continue;
        }
        if (matrices++ % kMatrices == 0) out.expertLayers.push_back(0);
        out.expertLayers.back() += bytes;
    }
    if (plan.config.text.moe) {
        out.experts = plan.config.text.moe->experts;
        out.expertsPerToken = plan.config.text.moe->expertsPerToken;
    }
    sizeMemory(plan, out);
    return out;
}

}  // namespace

uint64_t storedBytes(WeightResolver& resolver, const TensorSpec& spec) {
    uint64_t bytes = 0;
    for (int64_t copy = 0; copy < spec.copies; ++copy) {
        const std::string name = spec.nameOf(copy);
        for (const char* ending : {"", "_packed", "_scale"}) {
            const StoredTensor* tensor = resolver.find(name + ending);
            bytes += tensor == nullptr ? 0 : tensor->bytes.size();
        }
    }
    return bytes;
}

GpuPlanSizes gpuPlanSizes(const LayerPlan& plan) {
    return sizesOf(plan, [](const TensorSpec& spec) { return spec.bytes(); });
}

GpuPlanSizes gpuPlanSizes(const LayerPlan& plan, const WeightStore& store) {
    Problems none;
    WeightResolver resolver(plan, store, none);
    return sizesOf(plan, [&](const TensorSpec& spec) { return storedBytes(resolver, spec); });
}

}  // namespace pal
