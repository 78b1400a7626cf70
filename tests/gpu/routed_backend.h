// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernels/api/backend.h"

namespace pal {

// A backend that lets a test see and replace which experts the router chose. Two runs whose roundings differ choose differently where two experts are
// nearly tied, and from there on compute different things; with the choice of one forced on the other they can be compared.
class RoutedBackend final : public Backend {
  public:
    // Called after each router op, in order of the layers, with its picks [T, k]; what it leaves in them is used, with weights from this run's logits.
    using Routing = std::function<void(const RouterArgs& args, std::vector<int32_t>& picks)>;

    explicit RoutedBackend(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}
    void onRouting(Routing routing) { routing_ = std::move(routing); }

    [[nodiscard]] BackendInfo info() const override { return inner_->info(); }
    [[nodiscard]] Buffer allocate(size_t bytes) override { return inner_->allocate(bytes); }
    void upload(void* device, std::span<const std::byte> host) override { inner_->upload(device, host); }
    void download(std::span<std::byte> host, const void* device) override { inner_->download(host, device); }
    void copy(void* to, const void* from, size_t bytes) override { inner_->copy(to, from, bytes); }
    void fillZero(void* device, size_t bytes) override { inner_->fillZero(device, bytes); }
    [[nodiscard]] WeightView importWeight(const WeightView& host) override { return inner_->importWeight(host); }
    [[nodiscard]] const float* importVector(std::span<const float> host) override { return inner_->importVector(host); }
    void embed(const EmbedArgs& a) override { inner_->embed(a); }
    void linear(const LinearArgs& a) override { inner_->linear(a); }
    void rmsNorm(const RmsNormArgs& a) override { inner_->rmsNorm(a); }
    void depthMix(const DepthMixArgs& a) override { inner_->depthMix(a); }
    void glu(const GluArgs& a) override { inner_->glu(a); }
    void sigmoidGate(const SigmoidGateArgs& a) override { inner_->sigmoidGate(a); }
    void add(const AddArgs& a) override { inner_->add(a); }
    void shortConv(const ShortConvArgs& a) override { inner_->shortConv(a); }
    void l2Norm(const L2NormArgs& a) override { inner_->l2Norm(a); }
    void kdaGate(const KdaGateArgs& a) override { inner_->kdaGate(a); }
    void kda(const KdaArgs& a) override { inner_->kda(a); }
    void gatedRmsNorm(const GatedRmsNormArgs& a) override { inner_->gatedRmsNorm(a); }
    void kdaMixer(const KdaMixerArgs& a) override { inner_->kdaMixer(a); }
    void mlaAppend(const MlaAppendArgs& a) override { inner_->mlaAppend(a); }
    void mlaAttention(const MlaAttentionArgs& a) override { inner_->mlaAttention(a); }
    void router(const RouterArgs& args) override;
    void moe(const MoeArgs& a) override { inner_->moe(a); }
    void visionPosition(const VisionPositionArgs& a) override { inner_->visionPosition(a); }
    void rotate2d(const Rotate2dArgs& a) override { inner_->rotate2d(a); }
    void visionAttention(const VisionAttentionArgs& a) override { inner_->visionAttention(a); }
    void gelu(const GeluArgs& a) override { inner_->gelu(a); }
    void mergePatches(const MergePatchesArgs& a) override { inner_->mergePatches(a); }
    [[nodiscard]] KernelStatus finish() override { return inner_->finish(); }

    // A tensor of the device in host memory.
    template <typename T>
    [[nodiscard]] std::vector<T> read(const ConstTensorView& view) {
        std::vector<T> out(static_cast<size_t>(view.elements()));
        inner_->download(std::as_writable_bytes(std::span(out)), view.data);
        return out;
    }

  private:
    std::unique_ptr<Backend> inner_;
    Routing routing_;
};

// RouterArgs' scores of all experts of token `t`.
[[nodiscard]] std::vector<float> routerScores(const RouterArgs& args, std::span<const float> logits);

}  // namespace pal
