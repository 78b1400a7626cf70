// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/api/dense_args.h"
#include "kernels/api/kda_args.h"
#include "kernels/api/logit_digest.h"
#include "kernels/api/mla_args.h"
#include "kernels/api/moe_args.h"
#include "kernels/api/tensor_view.h"
#include "kernels/api/vision_args.h"

namespace pal {

// Device memory with one owner. Empty (data() == nullptr) after a failed allocation.
class Buffer {
  public:
    using Release = std::function<void(void*)>;
    Buffer() = default;
    Buffer(void* data, size_t size, Release release) : data_(data), size_(size), release_(std::move(release)) {}
    Buffer(Buffer&& other) noexcept { *this = std::move(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        if (this != &other) {
            reset();
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
            release_ = std::move(other.release_);
        }
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { reset(); }

    [[nodiscard]] void* data() const { return data_; }
    [[nodiscard]] size_t size() const { return size_; }
    void reset() {
        if (data_ != nullptr && release_) release_(data_);
        data_ = nullptr;
        size_ = 0;
    }

  private:
    void* data_ = nullptr;
    size_t size_ = 0;
    Release release_;
};

// The outcome of all work since the last finish(); `ok`, or the first thing that went wrong.
struct KernelStatus {
    enum class Code : uint8_t { kOk, kDeviceLost, kOutOfMemory, kInvalid };
    Code code = Code::kOk;
    std::string message;  // names the op
    [[nodiscard]] bool ok() const { return code == Code::kOk; }
};

// Which of the views of probe_args.h the ops of a backend fill; it is not asked for others.
struct ProbeSupport {
    bool halfLife = false;
    bool openness = false;
    int64_t ruleTokens = 0;       // KdaProbeViews: in steps of at most so many tokens
    int64_t attentionTokens = 0;  // MlaProbeViews, likewise
    bool raw = false;             // MlaProbeViews::rows, KdaMixerArgs::inputTap
};

struct BackendInfo {
    std::string name;    // "cpu" or "cuda"
    std::string device;  // "AVX-512, 2 threads" or the GPU's name
    DType activation = DType::kF32;
    uint64_t memoryBytes = 0;  // of the device
    int threads = 0;           // CPU worker threads; 0 on a GPU
    ProbeSupport probes{};
};

// Pieces of transfers that are made together.
struct Upload {
    void* device = nullptr;
    std::span<const std::byte> host;
};
struct Download {
    std::span<std::byte> host;
    const void* device = nullptr;
};

// How fast a device moves bytes, bytes per second: what predictions count on and measurements are compared with. 0: not known.
struct MemoryRates {
    double copy = 0;  // within the device, read plus written
    double link = 0;  // from page-locked memory of the host to the device
};

// One device. Calls are not concurrent: one thread at a time. Ops run in call order, on a GPU asynchronously until finish().
// Ops check nothing that comes from outside: the engine validated shapes at load. No op allocates device memory after its first call of a size.
class Backend {
  public:
    virtual ~Backend() = default;

    [[nodiscard]] virtual BackendInfo info() const = 0;

    // 64-byte aligned, uninitialised; empty on failure.
    [[nodiscard]] virtual Buffer allocate(size_t bytes) = 0;
    // Host memory that fetch() delivers to, at the speed of the link; aligned and empty as above.
    [[nodiscard]] virtual Buffer allocateHost(size_t bytes) = 0;
    virtual void upload(void* device, std::span<const std::byte> host) = 0;
    virtual void download(std::span<std::byte> host, const void* device) = 0;
    // The same for many pieces with one wait, of any size and order, not overlapping; by several threads where one cannot fill the link.
    virtual void uploadAll(std::span<const Upload> pieces) = 0;
    virtual void downloadAll(std::span<const Download> pieces) = 0;
    // A download that does not wait, to memory of allocateHost(): there once finish() has returned. Part of a step as ops are.
    virtual void fetch(std::span<std::byte> host, const void* device) = 0;
    virtual void copy(void* to, const void* from, size_t bytes) = 0;  // device to device, not overlapping
    virtual void fillZero(void* device, size_t bytes) = 0;

    // Makes a host weight usable by ops: the view itself on the CPU, a device copy on a GPU (owned by the backend). A failed copy gives an absent view.
    // What `host` views must stay as it is until the next finish(), which reports what went wrong on the way.
    [[nodiscard]] virtual WeightView importWeight(const WeightView& host) = 0;
    [[nodiscard]] virtual const float* importVector(std::span<const float> host) = 0;

    // For experts that have no room on the device: keeps those of a layer in page-locked memory of the host and replaces the views in place. moe() then
    // brings what a step needs over the link; its results are those of experts on the device, bit for bit. Layers come in the order of their use.
    // `placed` is called with the bytes of each piece that has come there; when it returns false the work ends with kOk and the views are of no use.
    [[nodiscard]] virtual KernelStatus keepOnHost(std::span<ExpertWeights> /*experts*/,
                                                  const std::function<bool(uint64_t)>& /*placed*/) {
        return {KernelStatus::Code::kInvalid, "this device has no memory besides the host's"};
    }
    // Bytes of such experts that came over the link since the backend was made. Waits.
    [[nodiscard]] virtual uint64_t linkBytes() { return 0; }

    // Of the device's memory, now; 0: not known.
    [[nodiscard]] virtual uint64_t freeBytes() { return 0; }
    // Measured anew, which takes a moment.
    [[nodiscard]] virtual MemoryRates measureRates() { return {}; }
    // Notes the time at which the work so far is done, without waiting. False: work is done when its call returns, the caller's clock will do.
    [[nodiscard]] virtual bool markTime() { return false; }
    // Seconds between the marks since the last call, one less than there are marks. Waits. Steps with marks run op by op.
    [[nodiscard]] virtual std::vector<double> takeTimes() { return {}; }

    virtual void embed(const EmbedArgs& args) = 0;
    virtual void linear(const LinearArgs& args) = 0;
    virtual void rmsNorm(const RmsNormArgs& args) = 0;
    virtual void depthMix(const DepthMixArgs& args) = 0;
    virtual void glu(const GluArgs& args) = 0;
    virtual void sigmoidGate(const SigmoidGateArgs& args) = 0;
    virtual void add(const AddArgs& args) = 0;

    virtual void shortConv(const ShortConvArgs& args) = 0;
    virtual void l2Norm(const L2NormArgs& args) = 0;
    virtual void kdaGate(const KdaGateArgs& args) = 0;
    virtual void kda(const KdaArgs& args) = 0;
    virtual void gatedRmsNorm(const GatedRmsNormArgs& args) = 0;
    virtual void kdaMixer(const KdaMixerArgs& args) = 0;

    virtual void mlaAppend(const MlaAppendArgs& args) = 0;
    virtual void mlaAttention(const MlaAttentionArgs& args) = 0;

    virtual void router(const RouterArgs& args) = 0;
    virtual void moe(const MoeArgs& args) = 0;

    virtual void digestLogits(const LogitDigestArgs& args) = 0;

    virtual void visionPosition(const VisionPositionArgs& args) = 0;
    virtual void rotate2d(const Rotate2dArgs& args) = 0;
    virtual void visionAttention(const VisionAttentionArgs& args) = 0;
    virtual void gelu(const GeluArgs& args) = 0;
    virtual void mergePatches(const MergePatchesArgs& args) = 0;

    // Waits for everything and reports the first error since the last call.
    [[nodiscard]] virtual KernelStatus finish() = 0;
};

// Instruction set of the CPU kernels; kBest takes the widest that this processor has. kAmx is AVX-512 with the matrix unit.
enum class CpuIsa : uint8_t { kBest, kAvx2, kAvx512, kAmx };

struct CpuOptions {
    int threads = 0;  // 0: one per available core
    CpuIsa isa = CpuIsa::kBest;
};

// A backend, or the reason why there is none ("no CUDA driver is installed").
struct BackendAttempt {
    std::unique_ptr<Backend> backend;
    std::string whyNot;
};

[[nodiscard]] BackendAttempt createCpuBackend(const CpuOptions& options);
[[nodiscard]] BackendAttempt createCudaBackend(int device);

}  // namespace pal
