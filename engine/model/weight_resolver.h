// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/model/layer_plan.h"
#include "engine/model/problems.h"
#include "engine/model/weight_store.h"
#include "kernels/api/tensor_view.h"

namespace pal {

// Whether the values that binding reads are checked for NaN and infinity, or the caller does that for all values.
enum class ValueChecks : uint8_t { kNow, kLater };

// Finds one planned tensor at a time in a store, under any of the names that published exports use, and checks how it is stored.
// Notes every problem with the tensor's name and what was expected and found. Confined to one binding; plan and store outlive it.
class WeightResolver {
  public:
    WeightResolver(const LayerPlan& plan, const WeightStore& store, Problems& problems,
                   ValueChecks values = ValueChecks::kNow);

    // A matrix as it is stored; absent (and noted) when it is missing or wrong. `copy` picks one expert of a spec with copies.
    WeightView matrix(const TensorSpec& spec, int64_t copy = 0);

    // A small tensor as float32; empty (and noted) when it is missing, wrong, or not finite.
    std::vector<float> vector(const TensorSpec& spec);

    // The spec of a tensor by its planned name; nullptr when the plan has no such tensor.
    [[nodiscard]] const TensorSpec* spec(std::string_view name) const;

    // The stored tensor of a planned name, under that name or an accepted other one; nullptr when absent. Marks it as expected.
    const StoredTensor* find(std::string_view name);

    // Stored tensors that find() never gave out.
    [[nodiscard]] std::vector<const StoredTensor*> unexpected() const;

  private:
    WeightView packed(const TensorSpec& spec, const std::string& name, const StoredTensor& data);
    bool checkScales(const StoredTensor& scale);
    bool checkShape(const StoredTensor& tensor, const TensorShape& expected);
    bool checkPadding(const StoredTensor& tensor);
    std::vector<float> decayScale(const TensorSpec& spec, std::vector<float> values);

    const LayerPlan& plan_;
    const WeightStore& store_;
    Problems& problems_;
    ValueChecks values_;
    std::unordered_map<std::string_view, const TensorSpec*> specs_;
    std::vector<bool> expected_;      // one per stored tensor
    uint64_t scaleBytesChecked_ = 0;  // MXFP4 scales read so far
};

// The names under which `name` may be stored besides itself:
//   * without "model." after the prefix (some exports drop it),
//   * mm_projector.linear_1 / linear_2 for mm_projector.proj.0 / proj.2.
[[nodiscard]] std::vector<std::string> alternativeNames(std::string_view name);

// F32 or BF16 values as float32; nothing for other types.
[[nodiscard]] std::optional<std::vector<float>> toFloats(const StoredTensor& tensor);

}  // namespace pal
