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
#include <vector>

#include "engine/exec/device_weights.h"
#include "engine/exec/op_cost.h"
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

// All calls of an op for a part.
struct OpSum {
    int64_t calls = 0;
    double seconds = 0;
    OpCost cost;
};
using OpSums = std::map<std::pair<std::string_view, CostPart>, OpSum>;

// How often matrices of a shape {tokens, rows, cols} were multiplied.
using ShapeCounts = std::map<std::array<int64_t, 3>, int64_t>;

// A backend that measures another one: passes every op on and, while counting, adds its time and what it must move to a part. A device's own marks tell
// the time where it has them, so that ops follow each other without waiting; else a clock around the op, which is waited for. Which part a linear layer
// belongs to is known by its weight; ops without weights of their own go to their family.
class TimedBackend final : public Backend {
  public:
    explicit TimedBackend(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) {}

    // Learns which weight belongs to which part.
    void learn(const DeviceWeights& weights);
    // Between steps.
    void startCounting() {
        sums_ = {};
        ops_.clear();
        shapes_.clear();
        counting_ = true;
    }
    const std::array<CostSum, kCostParts>& stopCounting() {
        counting_ = false;
        return sums_;
    }
    // Of the last count.
    [[nodiscard]] const OpSums& ops() const { return ops_; }
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
    [[nodiscard]] KernelStatus keepOnHost(std::span<ExpertWeights> experts,
                                          const std::function<bool(uint64_t)>& placed) override {
        return inner_->keepOnHost(experts, placed);
    }
    [[nodiscard]] uint64_t linkBytes() override { return inner_->linkBytes(); }
    [[nodiscard]] uint64_t freeBytes() override { return inner_->freeBytes(); }
    [[nodiscard]] MemoryRates measureRates() override { return inner_->measureRates(); }
    [[nodiscard]] bool markTime() override { return inner_->markTime(); }
    [[nodiscard]] std::vector<double> takeTimes() override { return inner_->takeTimes(); }

    void embed(const EmbedArgs& a) override { run("embed", &Backend::embed, a, CostPart::kOther); }
    void linear(const LinearArgs& args) override;
    void rmsNorm(const RmsNormArgs& a) override { run("rmsNorm", &Backend::rmsNorm, a, CostPart::kOther); }
    void depthMix(const DepthMixArgs& a) override { run("depthMix", &Backend::depthMix, a, CostPart::kOther); }
    void glu(const GluArgs& a) override { run("glu", &Backend::glu, a, last_); }  // follows its own linear layers
    void sigmoidGate(const SigmoidGateArgs& a) override {
        run("sigmoidGate", &Backend::sigmoidGate, a, CostPart::kMla);
    }
    void add(const AddArgs& a) override { run("add", &Backend::add, a, last_); }
    void shortConv(const ShortConvArgs& a) override { run("shortConv", &Backend::shortConv, a, CostPart::kKda); }
    void l2Norm(const L2NormArgs& a) override { run("l2Norm", &Backend::l2Norm, a, CostPart::kKda); }
    void kdaGate(const KdaGateArgs& a) override { run("kdaGate", &Backend::kdaGate, a, CostPart::kKda); }
    void kda(const KdaArgs& a) override { run("kda", &Backend::kda, a, CostPart::kKda); }
    void gatedRmsNorm(const GatedRmsNormArgs& a) override {
        run("gatedRmsNorm", &Backend::gatedRmsNorm, a, CostPart::kKda);
    }
    void kdaMixer(const KdaMixerArgs& a) override { run("kdaMixer", &Backend::kdaMixer, a, CostPart::kKda); }
    void mlaAppend(const MlaAppendArgs& a) override { run("mlaAppend", &Backend::mlaAppend, a, CostPart::kMla); }
    void mlaAttention(const MlaAttentionArgs& args) override;
    void router(const RouterArgs& a) override { run("router", &Backend::router, a, CostPart::kRouter); }
    void moe(const MoeArgs& args) override;
    void digestLogits(const LogitDigestArgs& a) override {
        run("digestLogits", &Backend::digestLogits, a, CostPart::kHead);
    }
    void visionPosition(const VisionPositionArgs& a) override {
        run("visionPosition", &Backend::visionPosition, a, CostPart::kOther);
    }
    void rotate2d(const Rotate2dArgs& a) override { run("rotate2d", &Backend::rotate2d, a, CostPart::kOther); }
    void visionAttention(const VisionAttentionArgs& a) override {
        run("visionAttention", &Backend::visionAttention, a, CostPart::kOther);
    }
    void gelu(const GeluArgs& a) override { run("gelu", &Backend::gelu, a, CostPart::kOther); }
    void mergePatches(const MergePatchesArgs& a) override {
        run("mergePatches", &Backend::mergePatches, a, CostPart::kOther);
    }
    [[nodiscard]] KernelStatus finish() override;

  private:
    // A call of the step that runs.
    struct Call {
        std::string_view op;
        CostPart part;
        OpCost cost;
        double seconds = 0;
        uint64_t weightBytes = 0;
        bool matrices = false;
    };
    // Of the same step: what a mixture's picks were, for its weights.
    struct Picked {
        size_t call;
        std::span<const ExpertWeights> experts;
        Buffer index;
        size_t count;
    };

    // Runs an op; what it takes is the last of calls_.
    template <typename Args>
    void run(std::string_view name, void (Backend::*op)(const Args&), const Args& args, CostPart part) {
        if (!counting_) return (inner_.get()->*op)(args);
        calls_.push_back({name, part, costOf(args)});
        marked_ = inner_->markTime();
        const auto start = std::chrono::steady_clock::now();
        (inner_.get()->*op)(args);
        if (marked_) {
            static_cast<void>(inner_->markTime());
        } else {
            keepStatus(inner_->finish());
            calls_.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        }
    }
    void addPicks();
    void addCalls();
    [[nodiscard]] CostPart partOf(const WeightView& weight) const;
    void keepStatus(KernelStatus status);

    std::unique_ptr<Backend> inner_;
    std::unordered_map<const void*, CostPart> parts_;
    std::array<CostSum, kCostParts> sums_{};
    OpSums ops_;
    ShapeCounts shapes_;
    std::vector<Call> calls_;     // of the step that runs
    std::vector<Picked> picked_;  // likewise
    std::vector<Buffer> spare_;   // for the next step's
    KernelStatus firstError_;
    CostPart last_ = CostPart::kOther;  // of the last op with weights
    bool counting_ = false;
    bool marked_ = false;  // the device tells the time
};

}  // namespace pal
