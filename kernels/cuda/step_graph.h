// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <list>
#include <vector>

#include "kernels/cuda/fingerprint.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// What changes from one single-token step to the next, read by kernels from device memory so that a captured graph stays valid.
struct StepInputs {
    int64_t past;  // tokens before the step
    int32_t id;
};

// Collects the ops of a single-token step and launches them at its end as one CUDA graph. A step whose ops and addresses were seen before reuses
// its graph; a new one runs op by op first (which sizes the scratch memory) and is captured when it comes again.
class StepGraphs {
  public:
    using Op = std::function<void(const Launch&)>;

    StepGraphs() = default;
    ~StepGraphs();
    StepGraphs(const StepGraphs&) = delete;
    StepGraphs& operator=(const StepGraphs&) = delete;

    // Starts collecting. False when the device has no room for the inputs: the step then runs op by op.
    [[nodiscard]] bool begin(int32_t id);
    [[nodiscard]] bool collecting() const { return collecting_; }
    // Whether the next op is the one that the step before had in its place; then it is part of this step, too, and nothing has to be built.
    [[nodiscard]] bool repeats(const Fingerprint& fingerprint);
    void add(const Fingerprint& fingerprint, Op op);
    void setPast(int64_t past) { hostInputs_->past = past; }
    // In device memory; the addresses never change.
    [[nodiscard]] const int32_t* id() const { return &deviceInputs_->id; }
    [[nodiscard]] const int64_t* past() const { return &deviceInputs_->past; }

    // Runs what was collected and ends collecting.
    void launch(const Launch& launch);
    // The same op by op, because someone wants to see results before the step ends.
    void runEagerly(const Launch& launch);

  private:
    struct Graph {
        uint64_t key;
        cudaGraphExec_t exec = nullptr;
        bool tried = false;  // to capture it, which happens when the step comes the second time
    };
    static constexpr size_t kMostGraphs = 32;  // sessions that take turns

    void sendInputs(const Launch& launch) const;
    void runOps(const Launch& launch);
    [[nodiscard]] cudaGraphExec_t capture(const Launch& launch);
    void forgetOldest();

    struct Collected {
        uint64_t fingerprint;
        Op run;
    };

    bool collecting_ = false;
    Fingerprint key_;
    std::vector<Collected> ops_;  // of this step the first count_, behind them what is left of the step before
    size_t count_ = 0;
    std::list<Graph> graphs_;           // latest first
    StepInputs* hostInputs_ = nullptr;  // pinned
    StepInputs* deviceInputs_ = nullptr;
};

}  // namespace pal::cuda
