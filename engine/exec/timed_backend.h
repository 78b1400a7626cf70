// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/exec/device_weights.h"
#include "kernels/api/backend.h"

namespace pal {

// Parts of a forward pass that measurements tell apart.
enum class CostPart : uint8_t { kKda, kMla, kMlp, kMoe, kRouter, kHead, kOther };
inline constexpr size_t kCostParts = 7;
[[nodiscard]] std::string_view costPartName(CostPart part);

struct CostSum {
    double seconds = 0;
    uint64_t weightBytes = 0;
    double matrixSeconds = 0;  // of linear layers and experts alone
    double matrixFlops = 0;    // 2 per multiply-add
};

// How often matrices of a shape {tokens, rows, cols} were multiplied.
using ShapeCounts = std::map<std::array<int64_t, 3>, int64_t>;

// A backend that measures another one: passes every op on and, while counting, waits for it and adds its time and the bytes of its weights
// to a part. Which part a linear layer belongs to is known by its weight; ops without weights of their own go to their family.
class TimedBackend final : public Backend {
  public:
    explicit TimedBackend(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}

    // Learns which weight belongs to which part.
    void learn(const DeviceWeights& weights);
    void startCounting() {
        sums_ = {};
        shapes_.clear();
        counting_ = true;
    }
    const std::array<CostSum, kCostParts>& stopCounting() {
        counting_ = false;
        return sums_;
    }
    // Of the last count.
    [[nodiscard]] const ShapeCounts& shapes() const { return shapes_; }

    [[nodiscard]] BackendInfo info() const override { return inner_->info(); }
    [[nodiscard]] Buffer allocate(size_t bytes) override { return inner_->allocate(bytes); }
    void upload(void* device, std::span<const std::byte> host) override { inner_->upload(device, host); }
    void download(std::span<std::byte> host, const void* device) override { inner_->download(host, device); }
    [[nodiscard]] Buffer allocateHost(size_t bytes) override { return inner_->allocateHost(bytes); }
    void uploadAll(std::span<const Upload> pieces) override { inner_->uploadAll(pieces); }
    void downloadAll(std::span<const Download> pieces) override { inner_->downloadAll(pieces); }
    void fetch(std::span<std::byte> host, const void* device) override { inner_->fetch(host, device); }
    void copy(void* to, const void* from, size_t bytes) override { inner_->copy(to, from, bytes); }
    void fillZero(void* device, size_t bytes) override { inner_->fillZero(device, bytes); }
    [[nodiscard]] WeightView importWeight(const WeightView& host) override { return inner_->importWeight(host); }
    [[nodiscard]] const float* importVector(std::span<const float> host) override { return inner_->importVector(host); }
    [[nodiscard]] uint64_t freeBytes() override { return inner_->freeBytes(); }

    void embed(const EmbedArgs& a) override { run(&Backend::embed, a, CostPart::kOther); }
    void linear(const LinearArgs& args) override;
    void rmsNorm(const RmsNormArgs& a) override { run(&Backend::rmsNorm, a, CostPart::kOther); }
    void depthMix(const DepthMixArgs& a) override { run(&Backend::depthMix, a, CostPart::kOther); }
    void glu(const GluArgs& a) override { run(&Backend::glu, a, last_); }  // follows its own linear layers
    void sigmoidGate(const SigmoidGateArgs& a) override { run(&Backend::sigmoidGate, a, CostPart::kMla); }
    void add(const AddArgs& a) override { run(&Backend::add, a, last_); }
    void shortConv(const ShortConvArgs& a) override { run(&Backend::shortConv, a, CostPart::kKda); }
    void l2Norm(const L2NormArgs& a) override { run(&Backend::l2Norm, a, CostPart::kKda); }
    void kdaGate(const KdaGateArgs& a) override { run(&Backend::kdaGate, a, CostPart::kKda); }
    void kda(const KdaArgs& a) override { run(&Backend::kda, a, CostPart::kKda); }
    void gatedRmsNorm(const GatedRmsNormArgs& a) override { run(&Backend::gatedRmsNorm, a, CostPart::kKda); }
    void kdaMixer(const KdaMixerArgs& a) override { run(&Backend::kdaMixer, a, CostPart::kKda); }
    void mlaAppend(const MlaAppendArgs& a) override { run(&Backend::mlaAppend, a, CostPart::kMla); }
    void mlaAttention(const MlaAttentionArgs& args) override;
    void router(const RouterArgs& a) override { run(&Backend::router, a, CostPart::kRouter); }
    void moe(const MoeArgs& args) override;
    void digestLogits(const LogitDigestArgs& a) override { run(&Backend::digestLogits, a, CostPart::kHead); }
    void visionPosition(const VisionPositionArgs& a) override { run(&Backend::visionPosition, a, CostPart::kOther); }
    void rotate2d(const Rotate2dArgs& a) override { run(&Backend::rotate2d, a, CostPart::kOther); }
    void visionAttention(const VisionAttentionArgs& a) override { run(&Backend::visionAttention, a, CostPart::kOther); }
    void gelu(const GeluArgs& a) override { run(&Backend::gelu, a, CostPart::kOther); }
    void mergePatches(const MergePatchesArgs& a) override { run(&Backend::mergePatches, a, CostPart::kOther); }
    [[nodiscard]] KernelStatus finish() override;

  private:
    // Runs an op and returns the seconds it took, 0 when not counting.
    template <typename Args>
    double run(void (Backend::*op)(const Args&), const Args& args, CostPart part) {
        if (!counting_) {
            (inner_.get()->*op)(args);
            return 0;
        }
        const auto start = std::chrono::steady_clock::now();
        (inner_.get()->*op)(args);
        keepStatus(inner_->finish());
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        sum(part).seconds += seconds;
        return seconds;
    }
    [[nodiscard]] CostSum& sum(CostPart part) { return sums_[static_cast<size_t>(part)]; }
    [[nodiscard]] CostPart partOf(const WeightView& weight) const;
    void keepStatus(KernelStatus status);

    std::unique_ptr<Backend> inner_;
    std::unordered_map<const void*, CostPart> parts_;
    std::array<CostSum, kCostParts> sums_{};
    ShapeCounts shapes_;
    KernelStatus firstError_;
    CostPart last_ = CostPart::kOther;  // of the last op with weights
    bool counting_ = false;
};

}  // namespace pal
