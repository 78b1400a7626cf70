// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/vision_tower.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/exec/forward.h"
#include "engine/exec/workspace.h"

namespace pal {
namespace {

// The MLP treats every patch alone, so it runs in blocks of rows to bound its memory.
constexpr int64_t kRowBlock = 2048;

struct TowerMemory {
    TowerMemory(const VisionConfig& c, DType act, const PatchGrid& grid, Carver& memory) {
        const int64_t patches = grid.patches();
        const int64_t merged = (grid.h / c.mergeHeight) * (grid.w / c.mergeWidth);
        x = memory.take(act, {patches, c.hiddenSize});
        normed = memory.take(act, {patches, c.hiddenSize});
        qkv = memory.take(act, {patches, 3 * c.qkvHiddenSize});
        attended = memory.take(act, {patches, c.qkvHiddenSize});
        hidden = memory.take(act, {std::min(patches, kRowBlock), c.intermediateSize});
        mergedRows = memory.take(act, {merged, c.mergedSize()});
        projected = memory.take(act, {merged, c.mergedSize()});
    }
    TensorView x, normed;   // [N, D]
    TensorView qkv;         // [N, 3Q]
    TensorView attended;    // [N, Q]
    TensorView hidden;      // [block, MLP width]
    TensorView mergedRows;  // [n, M]
    TensorView projected;   // [n, M]
};

void linear(Backend& backend, const ConstTensorView& x, const WeightView& weight, const TensorView& out,
            LinearPart::Write write = LinearPart::Write::kSet) {
    const std::array<LinearPart, 1> parts{{{weight, out, write}}};
    backend.linear({x, parts});
}

// float32 to the nearest bfloat16, ties to even. NaN stays NaN.
uint16_t toBf16(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40U);
    return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

Result<Buffer> uploadPatches(Backend& backend, DType act, std::span<const float> values) {
    Buffer out = backend.allocate(values.size() * dtypeBytes(act));
    if (out.data() == nullptr) {
        return fail(ErrorCode::kOutOfMemory, "the patches of a medium need {} bytes", values.size() * dtypeBytes(act));
    }
    if (act == DType::kF32) {
        backend.upload(out.data(), std::as_bytes(values));
    } else {
        std::vector<uint16_t> rounded(values.size());
        std::transform(values.begin(), values.end(), rounded.begin(), toBf16);
        backend.upload(out.data(), std::as_bytes(std::span(rounded)));
    }
    return out;
}

void runBlock(Backend& backend, const VisionConfig& c, const BoundVision::Block& w, const PatchGrid& grid,
              const TowerMemory& m) {
    const auto heads = [&](int64_t part) {
        return m.qkv.columns(part * c.qkvHiddenSize, c.qkvHiddenSize).splitLast(c.heads, c.headDim());
    };
    backend.rmsNorm({m.x, w.attentionNorm.data(), c.normEps, m.normed});
    linear(backend, m.normed, w.qkv, m.qkv);
    backend.rotate2d({grid, heads(0)});
    backend.rotate2d({grid, heads(1)});
    const float scale = 1 / std::sqrt(static_cast<float>(c.headDim()));
    backend.visionAttention({heads(0), heads(1), heads(2), scale, m.attended.splitLast(c.heads, c.headDim())});
    linear(backend, m.attended, w.output, m.x, LinearPart::Write::kAdd);

    backend.rmsNorm({m.x, w.mlpNorm.data(), c.normEps, m.normed});
    for (int64_t row = 0; row < grid.patches(); row += kRowBlock) {
        const int64_t count = std::min(kRowBlock, grid.patches() - row);
        const TensorView hidden = m.hidden.rows(0, count);
        linear(backend, m.normed.rows(row, count), w.up, hidden);
        backend.gelu({GeluKind::kTanh, hidden});
        linear(backend, hidden, w.down, m.x.rows(row, count), LinearPart::Write::kAdd);
    }
}

void project(Backend& backend, const VisionConfig& c, const BoundVision& w, const PatchGrid& grid, const TowerMemory& m,
             const TensorView& out) {
    backend.rmsNorm({m.x, w.finalNorm.data(), c.normEps, m.normed});
    backend.mergePatches({grid, c.mergeHeight, c.mergeWidth, m.normed, m.mergedRows});
    linear(backend, m.mergedRows, w.projectorIn, m.projected);
    backend.gelu({GeluKind::kErf, m.projected});
    linear(backend, m.projected, w.projectorOut, out);
    backend.rmsNorm({out, w.projectorNorm.data(), c.projectorNormEps, out});
}

}  // namespace

Result<int64_t> mediaRowCount(const VisionConfig& c, const MediaInput& media) {
    if (media.frames < 1 || media.frames > c.positionTime) {
        return fail(ErrorCode::kInvalidArgument, "a medium has {} frames, the model reads 1 to {} at once",
                    media.frames, c.positionTime);
    }
    if (media.rows < 1 || media.columns < 1 || media.rows % c.mergeHeight != 0 || media.columns % c.mergeWidth != 0) {
        return fail(ErrorCode::kInvalidArgument, "a medium has {} x {} patches, they must be multiples of {} x {}",
                    media.rows, media.columns, c.mergeHeight, c.mergeWidth);
    }
    const auto area = checkedMul(static_cast<uint64_t>(media.rows), static_cast<uint64_t>(media.columns));
    const auto patches = area ? checkedMul(*area, static_cast<uint64_t>(media.frames)) : std::nullopt;
    const auto values = patches ? checkedMul(*patches, static_cast<uint64_t>(c.patchElements())) : std::nullopt;
    if (values != media.patches.size()) {
        return fail(ErrorCode::kInvalidArgument, "a medium of {} x {} x {} patches holds {} values, expected {}",
                    media.frames, media.rows, media.columns, media.patches.size(), values.value_or(0));
    }
    return (media.rows / c.mergeHeight) * (media.columns / c.mergeWidth);
}

Result<MediaEmbedding> encodeMedia(const DeviceWeights& weights, Backend& backend, const MediaInput& media,
                                   const std::stop_token& stop) {
    const VisionConfig& c = *weights.plan->config.vision;
    const BoundVision& w = *weights.vision;
    PAL_ASSIGN(const int64_t rows, mediaRowCount(c, media));
    const DType act = backend.info().activation;
    const PatchGrid grid{media.frames, media.rows, media.columns};
    Carver measure(nullptr);
    const TowerMemory sizes(c, act, grid, measure);

    PAL_ASSIGN(Buffer patches, uploadPatches(backend, act, media.patches));
    Buffer memory = backend.allocate(measure.used());
    const int64_t hidden = weights.text().hiddenSize;
    Buffer out = backend.allocate(static_cast<size_t>(rows * hidden) * dtypeBytes(act));
    if (memory.data() == nullptr || out.data() == nullptr) {
        return fail(ErrorCode::kOutOfMemory, "a medium of {} patches needs {} bytes", grid.patches(), measure.used());
    }
    Carver carver(memory.data());
    const TowerMemory m(c, act, grid, carver);

    linear(backend, {patches.data(), act, {grid.patches(), c.patchElements()}}, w.patchEmbed, m.x);
    backend.visionPosition({grid, w.positionGrid.data(), c.positionHeight, c.positionWidth, m.x});
    for (const BoundVision::Block& block : w.blocks) {
        if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "stopped while reading a medium");
        runBlock(backend, c, block, grid, m);
    }
    MediaEmbedding result;
    result.rows = TensorView(out.data(), act, {rows, hidden});
    project(backend, c, w, grid, m, result.rows);
    PAL_TRY(toResult(backend.finish()));
    result.memory = std::move(out);
    return result;
}

}  // namespace pal
