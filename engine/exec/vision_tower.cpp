// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/vision_tower.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/exec/forward.h"
#include "engine/exec/workspace.h"
#include "engine/state/device_room.h"
#include "kernels/api/bf16.h"

namespace pal {
namespace {

// Work on a large picture is cut into calls of about a second, so that a stop need not wait for long: rows of linear layers (which also
// bounds the memory of the MLP), and pairs of a query and a key.
constexpr int64_t kRowBlock = 2048;
constexpr int64_t kPairBlock = 1 << 25;

// Patches along a side for which the published code makes rotary tables.
constexpr int64_t kLongestSide = 512;

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

Result<Buffer> uploadPatches(Backend& backend, DType act, std::span<const float> values) {
    Buffer out = backend.allocate(values.size() * dtypeBytes(act));
    if (out.data() == nullptr) {
        return noRoom(backend, "the memory for a medium's patches", values.size() * dtypeBytes(act));
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

// Calls step(first, count) for one block of rows after the other; false once a stop was requested.
template <typename Step>
bool inBlocks(int64_t rows, int64_t block, const std::stop_token& stop, const Step& step) {
    for (int64_t first = 0; first < rows; first += block) {
        if (stop.stop_requested()) return false;
        step(first, std::min(block, rows - first));
    }
    return true;
}

// Norm, attention over all patches of the medium, and its output added to the stream.
bool attend(Backend& backend, const VisionConfig& c, const BoundVision::Block& w, const PatchGrid& grid,
            const TowerMemory& m, const std::stop_token& stop) {
    const int64_t patches = grid.patches();
    const auto projectRows = [&](int64_t first, int64_t count) {
        const TensorView normed = m.normed.rows(first, count);
        backend.rmsNorm({m.x.rows(first, count), w.attentionNorm.data(), c.normEps, normed});
        linear(backend, normed, w.qkv, m.qkv.rows(first, count));
    };
    if (!inBlocks(patches, kRowBlock, stop, projectRows)) return false;
    const auto heads = [&](int64_t part) {
        return m.qkv.columns(part * c.qkvHiddenSize, c.qkvHiddenSize).splitLast(c.heads, c.headDim());
    };
    backend.rotate2d({grid, heads(0)});
    backend.rotate2d({grid, heads(1)});
    const float scale = 1 / std::sqrt(static_cast<float>(c.headDim()));
    const auto attendRows = [&](int64_t first, int64_t count) {
        const TensorView attended = m.attended.rows(first, count);
        backend.visionAttention(
            {heads(0).rows(first, count), heads(1), heads(2), scale, attended.splitLast(c.heads, c.headDim())});
        linear(backend, attended, w.output, m.x.rows(first, count), LinearPart::Write::kAdd);
    };
    return inBlocks(patches, std::max<int64_t>(kPairBlock / patches, 1), stop, attendRows);
}

bool runBlock(Backend& backend, const VisionConfig& c, const BoundVision::Block& w, const PatchGrid& grid,
              const TowerMemory& m, const std::stop_token& stop) {
    if (!attend(backend, c, w, grid, m, stop)) return false;
    return inBlocks(grid.patches(), kRowBlock, stop, [&](int64_t first, int64_t count) {
        const TensorView x = m.x.rows(first, count);
        const TensorView normed = m.normed.rows(first, count);
        const TensorView hidden = m.hidden.rows(0, count);
        backend.rmsNorm({x, w.mlpNorm.data(), c.normEps, normed});
        linear(backend, normed, w.up, hidden);
        backend.gelu({GeluKind::kTanh, hidden});
        linear(backend, hidden, w.down, x, LinearPart::Write::kAdd);
    });
}

bool project(Backend& backend, const VisionConfig& c, const BoundVision& w, const PatchGrid& grid, const TowerMemory& m,
             const TensorView& out, const std::stop_token& stop) {
    backend.rmsNorm({m.x, w.finalNorm.data(), c.normEps, m.normed});
    backend.mergePatches({grid, c.mergeHeight, c.mergeWidth, m.normed, m.mergedRows});
    return inBlocks(out.dim(0), kRowBlock, stop, [&](int64_t first, int64_t count) {
        const TensorView projected = m.projected.rows(first, count);
        const TensorView rows = out.rows(first, count);
        linear(backend, m.mergedRows.rows(first, count), w.projectorIn, projected);
        backend.gelu({GeluKind::kErf, projected});
        linear(backend, projected, w.projectorOut, rows);
        backend.rmsNorm({rows, w.projectorNorm.data(), c.projectorNormEps, rows});
    });
}

Result<> checkValues(const VisionConfig& c, const MediaInput& media, std::span<const float> patches) {
    const int64_t values = media.frames * media.rows * media.columns * c.patchElements();
    if (values == std::ssize(patches)) return {};
    return fail(ErrorCode::kInvalidArgument, "a medium of {} x {} x {} patches holds {} values, expected {}",
                media.frames, media.rows, media.columns, patches.size(), values);
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
    if (media.rows > kLongestSide || media.columns > kLongestSide) {
        return fail(ErrorCode::kInvalidArgument, "a medium has {} x {} patches, the model reads at most {} x {}",
                    media.rows, media.columns, kLongestSide, kLongestSide);
    }
    if (!media.later) PAL_TRY(checkValues(c, media, media.patches));
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

    std::vector<float> made;
    if (media.later) {
        PAL_ASSIGN(made, media.later->make(stop));
        PAL_TRY(checkValues(c, media, made));
    }
    PAL_ASSIGN(Buffer patches, uploadPatches(backend, act, media.later ? made : media.patches));
    Buffer memory = backend.allocate(measure.used());
    const int64_t hidden = weights.text().hiddenSize;
    Buffer out = backend.allocate(static_cast<size_t>(rows * hidden) * dtypeBytes(act));
    if (memory.data() == nullptr || out.data() == nullptr) {
        return noRoom(backend, fmt::format("a medium of {} patches", grid.patches()), measure.used());
    }
    Carver carver(memory.data());
    const TowerMemory m(c, act, grid, carver);

    linear(backend, {patches.data(), act, {grid.patches(), c.patchElements()}}, w.patchEmbed, m.x);
    backend.visionPosition({grid, w.positionGrid.data(), c.positionHeight, c.positionWidth, m.x});
    MediaEmbedding result;
    result.rows = TensorView(out.data(), act, {rows, hidden});
    const bool complete =
        std::all_of(w.blocks.begin(), w.blocks.end(),
                    [&](const BoundVision::Block& block) { return runBlock(backend, c, block, grid, m, stop); }) &&
        project(backend, c, w, grid, m, result.rows, stop);
    PAL_TRY(toResult(backend.finish()));
    if (!complete) return fail(ErrorCode::kCancelled, "stopped while reading a medium");
    result.memory = std::move(out);
    return result;
}

}  // namespace pal
