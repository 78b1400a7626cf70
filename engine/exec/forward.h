// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/base/result.h"
#include "engine/exec/device_weights.h"
#include "engine/exec/forward_tap.h"
#include "engine/exec/host_logits.h"
#include "engine/exec/sublayers.h"
#include "engine/state/sequence_state.h"
#include "kernels/api/backend.h"

namespace pal {

enum class LogitRows : uint8_t { kNone, kLast, kAll };

// Rows of the input that are replaced by embeddings of a medium.
struct MediaRows {
    int64_t first = 0;     // row of the step
    ConstTensorView rows;  // [n, H] activation type, dense, on the backend
};

// T new tokens of one sequence. T = 1 is a decode step, T > 1 a prefill chunk; the code is the same.
struct StepInput {
    std::span<const int32_t> ids;  // [T] in [0, vocabulary); the ids under media rows are placeholders
    std::span<const MediaRows> media;
    LogitRows logits = LogitRows::kLast;
    ForwardTap* tap = nullptr;           // borrowed for the step
    const StepProbes* probes = nullptr;  // likewise; prepared for it
    HostLogits* delivery = nullptr;      // likewise; gets the only row of logits within the step
    float temperature = 0;               // of the draw that follows
    std::stop_token stop;                // looked at between layers
};

// Runs the layers of a plan, step by step, through a backend. Confined to the engine thread; borrows weights and backend.
class Forward {
  public:
    Forward(const DeviceWeights& weights, Backend& backend);

    // Reads the tokens into `state`, which has the runtime's layout, and returns logits [rows, vocabulary] f32 on the backend (absent for kNone), valid until the next
    // step. Errors: kCancelled, kOutOfMemory, kDeviceLost, kInternal. After an error position() is unchanged but the recurrent part is
    // undefined: the caller puts back what it kept.
    Result<ConstTensorView> step(const StepInput& input, SequenceState& state);

  private:
    // The residual stream of one step. Streams 0 .. committed-1 are the AttnRes snapshots, the last one is still being added to.
    struct Streams {
        std::vector<TensorView> all;  // [T, H] each
        int64_t committed = 0;
        [[nodiscard]] const TensorView& running() const { return all[static_cast<size_t>(committed)]; }
        // Snapshots and the running stream, rows [first, first + count).
        [[nodiscard]] std::vector<ConstTensorView> sources(int64_t first, int64_t count) const;
    };

    Result<> grow(size_t bytes);
    void embed(const StepInput& input, const TensorView& out) const;
    void mixAndNorm(const StepContext& step, const Streams& streams, std::span<const float> query,
                    std::span<const float> norm, TapPoint point, int64_t layer, const TensorView& out,
                    Carver memory) const;
    void runLayer(const StepContext& step, int64_t layer, Streams& streams, SequenceState& state,
                  const TensorView& normed, const Carver& memory);
    [[nodiscard]] TensorView head(const StepContext& step, const Streams& streams, int64_t rows, Carver memory) const;

    const DeviceWeights& weights_;
    Backend& backend_;
    Buffer memory_;                         // grows to the largest step
    std::vector<int64_t> indexWithinKind_;  // per layer: its number among the KDA or the MLA layers
};

// The backend's verdict as a Result.
Result<> toResult(const KernelStatus& status);

}  // namespace pal
