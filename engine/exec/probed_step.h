// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/api/events.h"
#include "engine/api/probe.h"
#include "kernels/api/probe_args.h"
#include "kernels/api/tensor_view.h"

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

// Where the values of a step lie in its block of memory; the same for all steps of one shape. The views point into the backend's memory at
// `base`, of which only the distances count here.
struct ProbeLayout {
    std::vector<LayerProbeViews> layers;
    TensorView mixOutput;  // [rows with logits, sources]
    int64_t probed = 0;    // P
    const std::byte* base = nullptr;
    size_t bytes = 0;
};

// The values of one step as they came to the host, and what makes records of them: on any thread, so that the one that computes only copies
// a block. Copies share it.
class ProbedStep {
  public:
    ProbedStep(std::shared_ptr<const ProbeLayout> layout, std::shared_ptr<const std::byte[]> values)
        : layout_(std::move(layout)), values_(std::move(values)) {}

    // Adds what the step showed of one of its last P tokens: all but position, id and what follows.
    void addTo(TokenProbe& probe, int64_t index) const;
    // Of a raw MLA layer: row [h, past + T] of a probed token, head by head.
    [[nodiscard]] std::span<const float> attentionRow(int64_t layer, int64_t index, int64_t head) const;

  private:
    template <typename T>
    [[nodiscard]] std::span<const T> row(const TensorView& view, int64_t index) const;
    [[nodiscard]] const std::byte* at(const TensorView& view) const;
    [[nodiscard]] LayerProbe layerOf(const LayerProbeViews& views, int64_t index) const;
    [[nodiscard]] GateProbe gateOf(const TensorView& openness, int64_t index) const;

    std::shared_ptr<const ProbeLayout> layout_;
    std::shared_ptr<const std::byte[]> values_;
};

// A look at a token on its way from the engine's thread.
struct UnmadeProbe {
    TokenProbe rest;                 // what is not in the step: position, id, what follows
    std::optional<ProbedStep> step;  // nothing where the token was not read
};
[[nodiscard]] TokenProbe makeProbe(UnmadeProbe probe);

}  // namespace pal
