// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/api/probe.h"
#include "engine/base/result.h"
#include "engine/exec/probed_step.h"
#include "engine/model/layer_plan.h"
#include "kernels/api/backend.h"

namespace pal {

// The reduced values of one step: one block of the backend's memory that ops write to and that comes to the host in one piece at the end of the step,
// so that looking does not stop a device between its ops and needs no wait of its own. Engine thread; borrows plan and backend.
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

    [[nodiscard]] const LayerProbeViews& layer(int64_t index) const {
        return layout_->layers[static_cast<size_t>(index)];
    }
    [[nodiscard]] const TensorView& mixOutput() const { return layout_->mixOutput; }  // [logitRows, sources]

    // Brings the values along with the step: queued behind its ops, here when finish() has said that all went well.
    void fetch() const;
    // What the step showed of its last P tokens. After a successful step.
    [[nodiscard]] ProbedStep take() const;

  private:
    [[nodiscard]] std::vector<LayerProbeViews> place(class Carver& memory, TensorView& mixOutput) const;

    const LayerPlan& plan_;
    Backend& backend_;
    Shape shape_{.tokens = 0};
    Buffer memory_;
    Buffer host_;  // where the values arrive
    std::shared_ptr<const ProbeLayout> layout_;
};

// Bytes of a TokenProbe's values, for limits: an upper bound for every token of a request.
[[nodiscard]] uint64_t probeBytesPerToken(const LayerPlan& plan, const ProbeRequest& request);

}  // namespace pal
