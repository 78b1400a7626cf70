// SPDX-License-Identifier: Apache-2.0
#include "engine/model/weight_resolver.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/base/bytes.h"

namespace pal {
namespace {

constexpr std::string_view kWeightEnding = ".weight";
// How many bytes of MXFP4 scales are read while binding; the rest of a large model is left to `pal verify`.
constexpr uint64_t kScaleBytesToCheck = 256ULL << 20;
constexpr int kScaleNaN = 0xFF;

// What toFloats converts.
bool holdsFloats(const StoredTensor& tensor) {
    return tensor.type == StorageType::kF32 || tensor.type == StorageType::kBF16;
}

std::string describe(const StoredTensor& tensor) {
    return fmt::format("{} {}", storageTypeName(tensor.type), tensor.shape.text());
}

// Extents without the ones: exports differ in how they write vectors ([P], [1, P], [1, 1, P, 1]).
std::vector<int64_t> squeezed(const TensorShape& shape) {
    std::vector<int64_t> out;
    std::ranges::copy_if(shape.extents(), std::back_inserter(out), [](int64_t extent) { return extent != 1; });
    return out;
}

}  // namespace

std::vector<std::string> alternativeNames(std::string_view name) {
    std::vector<std::string> out;
    for (const std::string_view prefix : {std::string_view("language_model.model."), std::string_view("model.")}) {
        if (!name.starts_with(prefix)) continue;
        const std::string_view kept = prefix.substr(0, prefix.size() - std::string_view("model.").size());
        out.push_back(std::string(kept) + std::string(name.substr(prefix.size())));
    }
    const auto rename = [&](std::string_view from, std::string_view to) {
        if (name.starts_with(from)) out.push_back(std::string(to) + std::string(name.substr(from.size())));
    };
    rename("mm_projector.proj.0.", "mm_projector.linear_1.");
    rename("mm_projector.proj.2.", "mm_projector.linear_2.");
    return out;
}

std::optional<std::vector<float>> toFloats(const StoredTensor& tensor) {
    if (!holdsFloats(tensor)) return std::nullopt;
    std::vector<float> out(tensor.shape.elements());
    if (tensor.type == StorageType::kF32) {
        if (!out.empty()) std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
        return out;
    }
    for (size_t i = 0; i < out.size(); ++i) {
        uint16_t half = 0;
        std::memcpy(&half, tensor.bytes.data() + 2 * i, sizeof(half));
        const uint32_t bits = static_cast<uint32_t>(half) << 16;
        std::memcpy(&out[i], &bits, sizeof(bits));
    }
    return out;
}

WeightResolver::WeightResolver(const LayerPlan& plan, const WeightStore& store, Problems& problems, ValueChecks values)
    : plan_(plan), store_(store), problems_(problems), values_(values), expected_(store.tensors().size(), false) {
    for (const TensorSpec& spec : plan.tensors) specs_.emplace(spec.name, &spec);
}

const TensorSpec* WeightResolver::spec(std::string_view name) const {
    const auto it = specs_.find(name);
    return it == specs_.end() ? nullptr : it->second;
}

const StoredTensor* WeightResolver::find(std::string_view name) {
    const StoredTensor* tensor = store_.find(name);
    if (tensor == nullptr) {
        for (const std::string& other : alternativeNames(name)) {
            tensor = store_.find(other);
            if (tensor != nullptr) break;
        }
    }
    if (tensor != nullptr) expected_[static_cast<size_t>(tensor - store_.tensors().data())] = true;
    return tensor;
}

std::vector<const StoredTensor*> WeightResolver::unexpected() const {
    std::vector<const StoredTensor*> out;
    for (size_t i = 0; i < expected_.size(); ++i) {
        if (!expected_[i]) out.push_back(&store_.tensors()[i]);
    }
    return out;
}

bool WeightResolver::checkShape(const StoredTensor& tensor, const TensorShape& expected) {
    if (tensor.shape == expected) return true;
    problems_.add("tensor '{}' is {}, expected the shape {}", tensor.name, describe(tensor), expected.text());
    return false;
}

bool WeightResolver::checkScales(const StoredTensor& scale) {
    if (values_ == ValueChecks::kLater) return true;
    scaleBytesChecked_ += scale.bytes.size();
    if (scale.bytes.empty() || scaleBytesChecked_ > kScaleBytesToCheck) return true;
    const void* bad = std::memchr(scale.bytes.data(), kScaleNaN, scale.bytes.size());
    if (bad == nullptr) return true;
    problems_.add("tensor '{}' has the scale 255 (NaN) at position {}", scale.name,
                  static_cast<const std::byte*>(bad) - scale.bytes.data());
    return false;
}

WeightView WeightResolver::packed(const TensorSpec& spec, const std::string& name, const StoredTensor& data) {
    if (!spec.mayBePacked) {
        problems_.add("tensor '{}' is stored as MXFP4 (weight_packed), expected BF16 or F32 {}", name,
                      spec.shape.text());
        return {};
    }
    const std::string stem = name.substr(0, name.size() - kWeightEnding.size());
    const StoredTensor* scale = find(stem + ".weight_scale");
    if (scale == nullptr) {
        problems_.add("tensor '{}.weight_scale' is missing beside '{}'", stem, data.name);
        return {};
    }
    const int64_t rows = spec.shape[0];
    const int64_t columns = spec.shape[1];
    bool good = checkShape(data, {rows, columns / 2});
    good = checkShape(*scale, {rows, columns / kMxfp4Group}) && good;
    if (data.type != StorageType::kU8) {
        problems_.add("tensor '{}' is {}, expected U8", data.name, describe(data));
        good = false;
    }
    if (scale->type != StorageType::kU8 && scale->type != StorageType::kF8E8M0) {
        problems_.add("tensor '{}' is {}, expected U8", scale->name, describe(*scale));
        good = false;
    }
    if (!good || !checkScales(*scale)) return {};
    return {WeightFormat::kMxfp4, rows, columns, data.bytes.data(),
            reinterpret_cast<const uint8_t*>(scale->bytes.data())};
}

WeightView WeightResolver::matrix(const TensorSpec& spec, int64_t copy) {
    const std::string name = spec.nameOf(copy);
    const std::string stem = name.substr(0, name.size() - kWeightEnding.size());
    if (const StoredTensor* data = find(stem + ".weight_packed")) return packed(spec, name, *data);
    const StoredTensor* tensor = find(name);
    if (tensor == nullptr) {
        problems_.add("tensor '{}' is missing, expected {} {}", name,
                      spec.mayBePacked ? "BF16, F32 or MXFP4" : "BF16 or F32", spec.shape.text());
        return {};
    }
    if (!checkShape(*tensor, spec.shape)) return {};
    if (tensor->type != StorageType::kBF16 && tensor->type != StorageType::kF32) {
        problems_.add("tensor '{}' is {}, expected BF16 or F32", tensor->name, describe(*tensor));
        return {};
    }
    const WeightFormat format = tensor->type == StorageType::kBF16 ? WeightFormat::kBF16 : WeightFormat::kF32;
    const int64_t rows = spec.shape[0];
    return {format, rows, static_cast<int64_t>(spec.shape.elements()) / rows, tensor->bytes.data(), nullptr};
}

// Files pad A_log as they like, but a sparse file could announce a tensor that no memory holds.
bool WeightResolver::checkPadding(const StoredTensor& tensor) {
    constexpr uint64_t kPadding = 128;
    constexpr uint64_t kAlwaysAccepted = 4096;
    const auto heads = static_cast<uint64_t>(plan_.config.text.kda.heads);
    const uint64_t most = std::max((heads + kPadding - 1) / kPadding * kPadding, kAlwaysAccepted);
    if (tensor.shape.elements() <= most) return true;
    problems_.add("tensor '{}' has {} values, at most {} are accepted for {} heads", tensor.name,
                  tensor.shape.elements(), most, heads);
    return false;
}

// One value per head: files may pad the heads with zeros, and a tail that is not zero means another layout.
std::vector<float> WeightResolver::decayScale(const TensorSpec& spec, std::vector<float> values) {
    const auto heads = static_cast<size_t>(plan_.config.text.kda.heads);
    if (values.size() < heads) {
        problems_.add("tensor '{}' has {} values, expected at least one for each of the {} heads", spec.name,
                      values.size(), heads);
        return {};
    }
    for (size_t i = heads; i < values.size(); ++i) {
        if (values[i] == 0.0F || !std::isfinite(values[i])) continue;  // the latter is noted as such
        problems_.add("tensor '{}' has {} at position {}, expected zeros after the {} heads", spec.name, values[i], i,
                      heads);
        return {};
    }
    values.resize(heads);
    return values;
}

std::vector<float> WeightResolver::vector(const TensorSpec& spec) {
    const StoredTensor* tensor = find(spec.name);
    if (tensor == nullptr) {
        problems_.add("tensor '{}' is missing, expected F32 or BF16 {}", spec.name, spec.shape.text());
        return {};
    }
    if (!holdsFloats(*tensor)) {
        problems_.add("tensor '{}' is {}, expected F32 or BF16", tensor->name, describe(*tensor));
        return {};
    }
    const bool anyShape = spec.role == TensorRole::kDecayScale;
    if (anyShape ? !checkPadding(*tensor)
                 : squeezed(tensor->shape) != squeezed(spec.shape) && !checkShape(*tensor, spec.shape)) {
        return {};
    }
    auto values = toFloats(*tensor);
    for (size_t i = 0; i < values->size(); ++i) {
        if (values_ == ValueChecks::kLater || std::isfinite((*values)[i])) continue;
        problems_.add("tensor '{}' has {} at position {}", tensor->name, (*values)[i], i);
        return {};
    }
    return anyShape ? decayScale(spec, std::move(*values)) : std::move(*values);
}

}  // namespace pal
