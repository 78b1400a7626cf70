// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/backend.h"
#include "kernels/cpu/thread_pool.h"

namespace pal::cpu {

// The backend over this machine's cores. Only joins the op families to the interface; weights stay where they are mapped.
class CpuBackend final : public Backend {
  public:
    explicit CpuBackend(const CpuOptions& options);

    [[nodiscard]] BackendInfo info() const override;
    [[nodiscard]] Buffer allocate(size_t bytes) override;
    [[nodiscard]] Buffer allocateHost(size_t bytes) override { return allocate(bytes); }
    void upload(void* device, std::span<const std::byte> host) override;
    void download(std::span<std::byte> host, const void* device) override;
    void uploadAll(std::span<const Upload> pieces) override;
    void downloadAll(std::span<const Download> pieces) override;
    void fetch(std::span<std::byte> host, const void* device) override { download(host, device); }
    void copy(void* to, const void* from, size_t bytes) override;
    void fillZero(void* device, size_t bytes) override;
    [[nodiscard]] WeightView importWeight(const WeightView& host) override;
    [[nodiscard]] const float* importVector(std::span<const float> host) override;

    void embed(const EmbedArgs& args) override;
    void linear(const LinearArgs& args) override;
    void rmsNorm(const RmsNormArgs& args) override;
    void depthMix(const DepthMixArgs& args) override;
    void glu(const GluArgs& args) override;
    void sigmoidGate(const SigmoidGateArgs& args) override;
    void add(const AddArgs& args) override;

    void shortConv(const ShortConvArgs& args) override;
    void l2Norm(const L2NormArgs& args) override;
    void kdaGate(const KdaGateArgs& args) override;
    void kda(const KdaArgs& args) override;
    void gatedRmsNorm(const GatedRmsNormArgs& args) override;
    void kdaMixer(const KdaMixerArgs& args) override;

    void mlaAppend(const MlaAppendArgs& args) override;
    void mlaAttention(const MlaAttentionArgs& args) override;

    void router(const RouterArgs& args) override;
    void moe(const MoeArgs& args) override;

    void digestLogits(const LogitDigestArgs& args) override { pal::digestLogits(args); }

    void visionPosition(const VisionPositionArgs& args) override;
    void rotate2d(const Rotate2dArgs& args) override;
    void visionAttention(const VisionAttentionArgs& args) override;
    void gelu(const GeluArgs& args) override;
    void mergePatches(const MergePatchesArgs& args) override;

    [[nodiscard]] KernelStatus finish() override;

  private:
    ThreadPool pool_;
};

}  // namespace pal::cpu
