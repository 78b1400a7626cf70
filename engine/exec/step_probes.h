// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/api/probe.h"
#include "engine/base/result.h"
#include "engine/model/layer_plan.h"
#include "kernels/api/backend.h"

namespace pal {

// What the ops of one layer fill in a step of T tokens of which the last P are looked at. Absent where the layer, or the backend, has no such thing.
struct LayerProbeViews {
    TensorView mixAttention;  // [T, sources]
    TensorView mixMlp;        // [T, sources]
    TensorView halfLife;      // [P, h, 5]
    TensorView beta;          // [T, h]
    KdaProbeViews rule;       // [P, h]
    TensorView openness;      // [P, h, 3] of a KDA or MLA layer
    MlaProbeViews attention;  // [P, h, ...]
    TensorView expert;        // [T, k] i32
    TensorView weight;        // [T, k]
};

// The reduced values of one step: one block of the backend's memory that ops write to and that comes to the host in one piece afterwards, so
// that looking does not stop a device between its ops. Engine thread; borrows plan and backend.
class StepProbes {
  public:
    StepProbes(const LayerPlan& plan, Backend& backend) : plan_(plan), backend_(backend) {}

    struct Shape {
        int64_t tokens = 1;                 // T
        int64_t probed = 1;                 // P <= T
        int64_t logitRows = 1;              // rows that get logits: 1 or T
        std::vector<int64_t> regionEnds{};  // of ProbeRequest
        int64_t topKeys = 0;                // of ProbeRequest
        int64_t past = 0;                   // tokens before the step; counts for rawLayers only
        std::vector<int64_t> rawLayers{};   // MLA layers among them get MlaProbeViews::rows
        friend bool operator==(const Shape&, const Shape&) = default;
    };
    // Makes room for a step. Views of the step before are gone, unless its shape was the same: then they stay where they are.
    // Errors: kOutOfMemory.
    Result<> prepare(const Shape& shape);

    [[nodiscard]] const LayerProbeViews& layer(int64_t index) const { return layers_[static_cast<size_t>(index)]; }
    [[nodiscard]] const TensorView& mixOutput() const { return mixOutput_; }  // [logitRows, sources]

    // What the step showed of its last P tokens, without positions and ids. After a successful step.
    [[nodiscard]] std::vector<TokenProbe> take();
    // Of a raw MLA layer, after take(): row [h, past + T] of probed token `token`, head by head.
    [[nodiscard]] std::span<const float> attentionRow(int64_t layer, int64_t token, int64_t head) const;

  private:
    [[nodiscard]] std::vector<LayerProbeViews> place(class Carver& memory, TensorView& mixOutput) const;
    [[nodiscard]] std::vector<float> row(const TensorView& view, int64_t token) const;
    [[nodiscard]] LayerProbe layerOf(const LayerProbeViews& views, int64_t token) const;
    [[nodiscard]] GateProbe gateOf(const TensorView& openness, int64_t token) const;

    const LayerPlan& plan_;
    Backend& backend_;
    Shape shape_{.tokens = 0};
    Buffer memory_;
    size_t used_ = 0;
    std::vector<std::byte> host_;
    std::vector<LayerProbeViews> layers_;
    TensorView mixOutput_;
};

// Bytes of a TokenProbe's values, for limits: an upper bound for every token of a request.
[[nodiscard]] uint64_t probeBytesPerToken(const LayerPlan& plan, const ProbeRequest& request);

}  // namespace pal
