// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "kernels/api/backend.h"
#include "kernels/cuda/device_query.h"
#include "kernels/cuda/device_tables.h"
#include "kernels/cuda/host_experts.h"
#include "kernels/cuda/host_link.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/locked_ranges.h"
#include "kernels/cuda/step_graph.h"
#include "kernels/cuda/time_marks.h"
#include "kernels/cuda/weight_memory.h"

namespace pal::cuda {

// The backend over one GPU. Ops are launched in order on one stream; the first error since finish() is kept with the op's name. A step over a single
// token, from embed() to finish(), is collected and launched as one graph.
class CudaBackend final : public Backend {
  public:
    // For a device that queryDevice() found.
    CudaBackend(int device, const DeviceQuery& query);
    ~CudaBackend() override;
    CudaBackend(const CudaBackend&) = delete;
    CudaBackend& operator=(const CudaBackend&) = delete;

    [[nodiscard]] BackendInfo info() const override;
    [[nodiscard]] Buffer allocate(size_t bytes) override;
    [[nodiscard]] Buffer allocateHost(size_t bytes) override;
    void upload(void* device, std::span<const std::byte> host) override;
    void download(std::span<std::byte> host, const void* device) override;
    void uploadAll(std::span<const Upload> pieces) override;
    void downloadAll(std::span<const Download> pieces) override;
    void fetch(std::span<std::byte> host, const void* device) override;
    void copy(void* to, const void* from, size_t bytes) override;
    void fillZero(void* device, size_t bytes) override;
    [[nodiscard]] WeightView importWeight(const WeightView& host) override;
    [[nodiscard]] const float* importVector(std::span<const float> host) override;
    [[nodiscard]] KernelStatus keepOnHost(std::span<ExpertWeights> experts,
                                          const std::function<bool(uint64_t)>& placed) override;
    [[nodiscard]] uint64_t linkBytes() override;
    [[nodiscard]] uint64_t freeBytes() override;
    [[nodiscard]] MemoryRates measureRates() override;
    [[nodiscard]] bool markTime() override;
    [[nodiscard]] std::vector<double> takeTimes() override;

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

    void digestLogits(const LogitDigestArgs& args) override;

    void visionPosition(const VisionPositionArgs& args) override;
    void rotate2d(const Rotate2dArgs& args) override;
    void visionAttention(const VisionAttentionArgs& args) override;
    void gelu(const GeluArgs& args) override;
    void mergePatches(const MergePatchesArgs& args) override;

    [[nodiscard]] KernelStatus finish() override;

  private:
    // Runs `work(launch)` on the device, then keeps the first error with the op's name. Work that returns false had no room or no kernel.
    template <typename Work>
    void run(const char* op, const Work& work);
    // run(), or in a collected step remembers the work: it owns copies of all that `fingerprint` covers and outlives the call.
    template <typename Work>
    void runOrCollect(const char* op, const Fingerprint& fingerprint, Work work);
    // Ends collecting because of a call that is no op of the step.
    void flush();
    // Waits for weights that are on their way.
    void settleLink();
    [[nodiscard]] Launch makeLaunch();
    void keepError(const char* op, cudaError_t error);
    void moeFromHost(const MoeArgs& args);
    void keep(KernelStatus::Code code, const char* op, const std::string& why);

    int device_;
    DeviceQuery query_;
    cudaStream_t stream_ = nullptr;
    Scratch scratch_;
    WeightMemory weights_;
    HostLink link_;                                                            // ends before what it fills
    std::shared_ptr<LockedRanges> locked_ = std::make_shared<LockedRanges>();  // blocks may outlive the backend
    DeviceTables tables_;
    HostExperts hostExperts_;
    TimeMarks marks_;
    StepGraphs step_;
    KernelStatus status_;
};

}  // namespace pal::cuda
