// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "kernels/api/backend.h"

namespace pal {

// Passes every call on to another backend, so that a test can override one and let it fail or look at it.
class ForwardingBackend : public Backend {
  public:
    explicit ForwardingBackend(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}

    BackendInfo info() const override { return inner_->info(); }
    Buffer allocate(size_t bytes) override { return inner_->allocate(bytes); }
    void upload(void* device, std::span<const std::byte> host) override { inner_->upload(device, host); }
    void download(std::span<std::byte> host, const void* device) override { inner_->download(host, device); }
    Buffer allocateHost(size_t bytes) override { return inner_->allocateHost(bytes); }
    void uploadAll(std::span<const Upload> pieces) override { inner_->uploadAll(pieces); }
    void downloadAll(std::span<const Download> pieces) override { inner_->downloadAll(pieces); }
    void fetch(std::span<std::byte> host, const void* device) override { inner_->fetch(host, device); }
    void copy(void* to, const void* from, size_t bytes) override { inner_->copy(to, from, bytes); }
    void fillZero(void* device, size_t bytes) override { inner_->fillZero(device, bytes); }
    WeightView importWeight(const WeightView& host) override { return inner_->importWeight(host); }
    const float* importVector(std::span<const float> host) override { return inner_->importVector(host); }
    uint64_t freeBytes() override { return inner_->freeBytes(); }

    KernelStatus keepOnHost(std::span<ExpertWeights> experts, const std::function<bool(uint64_t)>& placed) override {
        return inner_->keepOnHost(experts, placed);
    }
    uint64_t linkBytes() override { return inner_->linkBytes(); }
    MemoryRates measureRates() override { return inner_->measureRates(); }
    bool markTime() override { return inner_->markTime(); }
    std::vector<double> takeTimes() override { return inner_->takeTimes(); }

    void embed(const EmbedArgs& args) override { inner_->embed(args); }
    void linear(const LinearArgs& args) override { inner_->linear(args); }
    void rmsNorm(const RmsNormArgs& args) override { inner_->rmsNorm(args); }
    void depthMix(const DepthMixArgs& args) override { inner_->depthMix(args); }
    void glu(const GluArgs& args) override { inner_->glu(args); }
    void sigmoidGate(const SigmoidGateArgs& args) override { inner_->sigmoidGate(args); }
    void add(const AddArgs& args) override { inner_->add(args); }

    void shortConv(const ShortConvArgs& args) override { inner_->shortConv(args); }
    void l2Norm(const L2NormArgs& args) override { inner_->l2Norm(args); }
    void kdaGate(const KdaGateArgs& args) override { inner_->kdaGate(args); }
    void kda(const KdaArgs& args) override { inner_->kda(args); }
    void gatedRmsNorm(const GatedRmsNormArgs& args) override { inner_->gatedRmsNorm(args); }
    void kdaMixer(const KdaMixerArgs& args) override { inner_->kdaMixer(args); }

    void mlaAppend(const MlaAppendArgs& args) override { inner_->mlaAppend(args); }
    void mlaAttention(const MlaAttentionArgs& args) override { inner_->mlaAttention(args); }

    void router(const RouterArgs& args) override { inner_->router(args); }
    void moe(const MoeArgs& args) override { inner_->moe(args); }

    void digestLogits(const LogitDigestArgs& args) override { inner_->digestLogits(args); }

    void visionPosition(const VisionPositionArgs& args) override { inner_->visionPosition(args); }
    void rotate2d(const Rotate2dArgs& args) override { inner_->rotate2d(args); }
    void visionAttention(const VisionAttentionArgs& args) override { inner_->visionAttention(args); }
    void gelu(const GeluArgs& args) override { inner_->gelu(args); }
    void mergePatches(const MergePatchesArgs& args) override { inner_->mergePatches(args); }

    KernelStatus finish() override { return inner_->finish(); }

  private:
    std::unique_ptr<Backend> inner_;
};

}  // namespace pal
