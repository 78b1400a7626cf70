// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "engine/api/engine.h"
#include "engine/api/gpu_plan.h"
#include "engine/base/result.h"
#include "engine/exec/device_weights.h"
#include "engine/model/weight_binding.h"
#include "engine/state/sequence_state.h"
#include "kernels/api/backend.h"

namespace pal {

// A model on a device: what the engine, the dump and the benchmark run. Its address is fixed, parts point at each other.
class Runtime {
  public:
    // `plan`: which experts stay in RAM, of planFor(). Errors: kOutOfMemory.
    static Result<std::unique_ptr<Runtime>> create(BoundModel model, std::unique_ptr<Backend> backend,
                                                   const LoadWatch& watch = {}, const GpuPlan& plan = {});

    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    [[nodiscard]] const ModelConfig& config() const { return model_.plan.config; }
    [[nodiscard]] const LayerPlan& plan() const { return model_.plan; }
    [[nodiscard]] const std::string& fingerprint() const { return model_.fingerprint; }  // see model_fingerprint.h
    [[nodiscard]] const WeightStore& store() const { return model_.store; }
    [[nodiscard]] const DeviceWeights& weights() const { return weights_; }
    [[nodiscard]] Backend& backend() const { return *backend_; }
    // The model has vision weights and can read media.
    [[nodiscard]] bool canSee() const { return weights_.vision.has_value(); }
    // The shape of the states of this model's sequences: convolution tails in the backend's activation type.
    [[nodiscard]] StateLayout stateLayout(DType latent) const;

  private:
    Runtime(BoundModel model, std::unique_ptr<Backend> backend)
        : model_(std::move(model)), backend_(std::move(backend)) {}

    BoundModel model_;
    std::unique_ptr<Backend> backend_;
    DeviceWeights weights_;
};

// Errors: kUnsupported with the reason why there is no such device.
Result<std::unique_ptr<Backend>> createBackend(const EngineOptions& options);

// What lies where when a model runs on the device of `options` as they were given: without a context in them, for kPlannedContext tokens. On a CPU nothing
// moves. Predictions count on `rates`. Errors: of planGpu().
Result<GpuPlan> planFor(const BoundModel& model, const EngineOptions& options, Backend& backend,
                        const MemoryRates& rates = {});

// Reads what the options leave open from the model. Errors: kInvalidArgument with both numbers.
Result<EngineOptions> completeOptions(EngineOptions options, const TextConfig& config);

[[nodiscard]] constexpr DType latentDType(LatentType type) {
    return type == LatentType::kFloat32 ? DType::kF32 : DType::kBF16;
}

}  // namespace pal
