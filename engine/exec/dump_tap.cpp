// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/dump_tap.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/base/check.h"

namespace pal {
namespace {

constexpr int64_t kAllRows = std::numeric_limits<int64_t>::max();

struct Naming {
    std::string name;
    int64_t rows = kAllRows;  // kept from the end
};

Naming namingOf(TapPoint point, int64_t layer) {
    switch (point) {
        case TapPoint::kMixAttention:
            return {fmt::format("attn_res.{}.attn", layer)};
        case TapPoint::kMixMlp:
            return {fmt::format("attn_res.{}.mlp", layer)};
        case TapPoint::kMixOutput:
            return {"attn_res.out"};
        case TapPoint::kKdaInput:
            return {};  // the reference does not have it
        case TapPoint::kKdaLogDecay:
            return {fmt::format("kda.{}.log_decay", layer), 8};
        case TapPoint::kKdaBeta:
            return {fmt::format("kda.{}.beta", layer), 8};
        case TapPoint::kKdaRead:
            return {fmt::format("kda.{}.read", layer), 8};
        case TapPoint::kKdaGate:
            return {fmt::format("kda.{}.gate", layer), 8};
        case TapPoint::kMlaProbs:
            return {fmt::format("mla.{}.probs_last", layer)};
        case TapPoint::kMlaGate:
            return {fmt::format("mla.{}.gate", layer), 8};
        case TapPoint::kMoeIndex:
            return {fmt::format("moe.{}.index", layer)};
        case TapPoint::kMoeWeight:
            return {fmt::format("moe.{}.weight", layer)};
        case TapPoint::kLayer:
            return {fmt::format("layer.{}", layer), 16};
        case TapPoint::kFinal:
            return {"final", 16};
    }
    return {};
}

float widen(uint16_t bf16) {
    return std::bit_cast<float>(static_cast<uint32_t>(bf16) << 16);
}

TensorShape shapeOf(const ConstTensorView& values) {
    TensorShape shape;
    for (int d = 0; d < values.rank; ++d) PAL_CHECK(shape.push(values.dim(d)));
    return shape;
}

TensorShape withRows(const TensorShape& shape, int64_t rows) {
    TensorShape out;
    for (size_t d = 0; d < shape.rank(); ++d) PAL_CHECK(out.push(d == 0 ? rows : shape[d]));
    return out;
}

DumpTensor fromFloats(TensorShape shape, const std::vector<float>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {StorageType::kF32, shape, {bytes.begin(), bytes.end()}};
}

std::vector<float> floats(const DumpTensor& tensor) {
    std::vector<float> out(tensor.bytes.size() / sizeof(float));
    std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
    return out;
}

// [h, V, K] as the engine keeps it to [h, K, V] as the reference does.
DumpTensor transposed(const DumpTensor& state) {
    const int64_t heads = state.shape[0];
    const int64_t values = state.shape[1];
    const int64_t keys = state.shape[2];
    const std::vector<float> in = floats(state);
    std::vector<float> out(in.size());
    for (int64_t h = 0; h < heads; ++h) {
        for (int64_t v = 0; v < values; ++v) {
            for (int64_t k = 0; k < keys; ++k) {
                out[static_cast<size_t>((h * keys + k) * values + v)] =
                    in[static_cast<size_t>((h * values + v) * keys + k)];
            }
        }
    }
    return fromFloats({heads, keys, values}, out);
}

DumpTensor columns(const DumpTensor& tensor, int64_t begin, int64_t count) {
    const std::vector<float> in = floats(tensor);
    std::vector<float> out;
    for (int64_t row = 0; row < tensor.shape[0]; ++row) {
        const auto first = in.begin() + row * tensor.shape[1] + begin;
        out.insert(out.end(), first, first + count);
    }
    return fromFloats({tensor.shape[0], count}, out);
}

DumpTensor lastLatents(Backend& backend, const SequenceState& state, int64_t index, int64_t rows) {
    const LatentPages pages = state.latents(index);
    const int64_t width = pages.rank + pages.rope;
    DumpTensor out{StorageType::kF32, {0, width}, {}};
    for (int64_t row = std::max<int64_t>(0, state.position() - rows); row < state.position(); ++row) {
        void* page = pages.pages[static_cast<size_t>(row / kLatentPageTokens)];
        const ConstTensorView view(page, pages.dtype, {kLatentPageTokens, width});
        appendRows(out, download(backend, view.rows(row % kLatentPageTokens, 1)));
    }
    return out;
}

}  // namespace

DumpTensor download(Backend& backend, const ConstTensorView& values) {
    DumpTensor out{values.dtype == DType::kI32 ? StorageType::kI32 : StorageType::kF32, shapeOf(values), {}};
    out.bytes.resize(static_cast<size_t>(values.elements()) * dtypeBytes(values.dtype));
    backend.download(out.bytes, values.data);
    if (values.dtype != DType::kBF16) return out;
    std::vector<float> wide;
    for (size_t i = 0; i < out.bytes.size(); i += sizeof(uint16_t)) {
        uint16_t narrow = 0;
        std::memcpy(&narrow, &out.bytes[i], sizeof narrow);
        wide.push_back(widen(narrow));
    }
    return fromFloats(out.shape, wide);
}

void keepLastRows(DumpTensor& tensor, int64_t rows) {
    const int64_t have = tensor.shape[0];
    if (have <= rows) return;
    const size_t rowBytes = tensor.bytes.size() / static_cast<size_t>(have);
    tensor.bytes.erase(tensor.bytes.begin(),
                       tensor.bytes.end() - static_cast<std::ptrdiff_t>(rowBytes * static_cast<size_t>(rows)));
    tensor.shape = withRows(tensor.shape, rows);
}

void appendRows(DumpTensor& tensor, const DumpTensor& more) {
    tensor.bytes.insert(tensor.bytes.end(), more.bytes.begin(), more.bytes.end());
    tensor.shape = withRows(tensor.shape, tensor.shape[0] + more.shape[0]);
}

void DumpTap::tensor(TapPoint point, int64_t layer, const ConstTensorView& values) {
    const Naming naming = namingOf(point, layer);
    if (naming.name.empty()) return;
    DumpTensor fresh = download(backend_, values);
    const auto old = out_.find(naming.name);
    if (old == out_.end() || point == TapPoint::kMlaProbs) {  // attention of the last token: the newest step has it
        keepLastRows(fresh, naming.rows);
        out_[naming.name] = std::move(fresh);
    } else {
        appendRows(old->second, fresh);
        keepLastRows(old->second, naming.rows);
    }
}

void dumpState(Backend& backend, const SequenceState& state, const std::vector<AttentionKind>& layers,
               const std::vector<std::string>& prefixes, int64_t latentRows, DumpTensors& out) {
    const StateLayout& layout = state.layout();
    const int64_t keys = layout.heads * layout.keyDim;
    int64_t kda = 0;
    int64_t mla = 0;
    for (size_t i = 0; i < layers.size(); ++i) {
        const std::string& prefix = prefixes[i];
        if (layers[i] == AttentionKind::kMla) {
            out[prefix + ".latent"] = lastLatents(backend, state, mla++, latentRows);
            continue;
        }
        out[prefix + ".state"] = transposed(download(backend, state.kdaState(kda)));
        const DumpTensor tail = download(backend, state.convTail(kda++));
        out[prefix + ".conv_q"] = columns(tail, 0, keys);
        out[prefix + ".conv_k"] = columns(tail, keys, keys);
        out[prefix + ".conv_v"] = columns(tail, 2 * keys, layout.heads * layout.valueDim);
    }
}

}  // namespace pal
