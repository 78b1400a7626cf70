// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/exec/forward_tap.h"
#include "engine/model/model_config.h"
#include "engine/model/tensor_type.h"
#include "engine/state/sequence_state.h"
#include "kernels/api/backend.h"

namespace pal {

// A tensor to be written to a file: F32 or I32 values, row-major.
struct DumpTensor {
    StorageType type = StorageType::kF32;
    TensorShape shape;
    std::vector<std::byte> bytes;
};
using DumpTensors = std::map<std::string, DumpTensor>;

// Values of a dense backend tensor as F32 or I32.
[[nodiscard]] DumpTensor download(Backend& backend, const ConstTensorView& values);
// Only its last `rows` rows.
void keepLastRows(DumpTensor& tensor, int64_t rows);
void appendRows(DumpTensor& tensor, const DumpTensor& more);

// Collects the intermediates of all steps of a prompt under the names of the reference: of each only the last rows, as many as the
// reference keeps (16 of streams, 8 of attention, all of routing and depth mixing).
class DumpTap final : public ForwardTap {
  public:
    DumpTap(Backend& backend, DumpTensors& out) : backend_(backend), out_(out) {}
    void tensor(TapPoint point, int64_t layer, const ConstTensorView& values) override;

  private:
    Backend& backend_;
    DumpTensors& out_;
};

// The recurrent state and the last `latentRows` rows of the latent cache of every layer, as the reference names and orders them:
// "<prefix>.state" [h, K, V], "<prefix>.conv_q|k|v" [W-1, P], "<prefix>.latent" [rows, R + rope]. `prefixes` has one entry per layer.
void dumpState(Backend& backend, const SequenceState& state, const std::vector<AttentionKind>& layers,
               const std::vector<std::string>& prefixes, int64_t latentRows, DumpTensors& out);

}  // namespace pal
