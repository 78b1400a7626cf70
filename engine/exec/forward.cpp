// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/forward.h"

#include <array>

#include "engine/exec/sublayers.h"
#include "engine/state/device_room.h"

namespace pal {
namespace {

// Temporary tensors that live through a whole step.
struct StepMemory {
    StepMemory(const StepContext& step, int64_t streamCount, Carver& memory) {
        const int64_t t = step.tokens;
        for (int64_t i = 0; i < streamCount; ++i)
            streams.push_back(memory.take(step.activation, {t, step.config.hiddenSize}));
        normed = memory.take(step.activation, {t, step.config.hiddenSize});
    }
    std::vector<TensorView> streams;
    TensorView normed;  // [T, H]
};

struct HeadMemory {
    HeadMemory(const StepContext& step, int64_t rows, Carver& memory)
        : logits(memory.take(DType::kF32, {rows, step.config.vocabSize})),
          final(memory.take(step.activation, {rows, step.config.hiddenSize})) {}
    TensorView logits;  // [rows, vocab] f32
    TensorView final;   // [rows, H]
};

int64_t logitRows(LogitRows wanted, int64_t tokens) {
    switch (wanted) {
        case LogitRows::kNone:
            return 0;
        case LogitRows::kLast:
            return 1;
        case LogitRows::kAll:
            return tokens;
    }
    return 0;
}

}  // namespace

Result<> toResult(const KernelStatus& status) {
    switch (status.code) {
        case KernelStatus::Code::kOk:
            return {};
        case KernelStatus::Code::kDeviceLost:
            return fail(ErrorCode::kDeviceLost, "{}", status.message);
        case KernelStatus::Code::kOutOfMemory:
            return fail(ErrorCode::kOutOfMemory, "{}", status.message);
        case KernelStatus::Code::kInvalid:
            break;
    }
    return fail(ErrorCode::kInternal, "{}", status.message);
}

std::vector<ConstTensorView> Forward::Streams::sources(int64_t first, int64_t count) const {
    std::vector<ConstTensorView> out;
    for (int64_t i = 0; i <= committed; ++i) out.emplace_back(all[static_cast<size_t>(i)].rows(first, count));
    return out;
}

Forward::Forward(const DeviceWeights& weights, Backend& backend) : weights_(weights), backend_(backend) {
    int64_t kda = 0;
    int64_t mla = 0;
    for (const PlannedLayer& layer : weights.plan->layers) {
        indexWithinKind_.push_back(layer.attention == AttentionKind::kKda ? kda++ : mla++);
    }
}

Result<> Forward::grow(size_t bytes) {
    if (memory_.size() >= bytes) return {};
    memory_.reset();  // first, so that the peak is the new size alone
    memory_ = backend_.allocate(bytes);
    if (memory_.data() == nullptr) {
        return noRoom(backend_, "the working memory of a step", bytes);
    }
    return {};
}

void Forward::embed(const StepInput& input, const TensorView& out) const {
    backend_.embed({input.ids, weights_.embedding, out});
    const size_t rowBytes = static_cast<size_t>(out.dim(1)) * dtypeBytes(out.dtype);
    for (const MediaRows& part : input.media) {
        const TensorView target = out.rows(part.first, part.rows.dim(0));
        backend_.copy(target.data, part.rows.data, rowBytes * static_cast<size_t>(part.rows.dim(0)));
    }
}

// out = rmsNorm of the depth mix of all streams, or of the running stream alone when there is nothing to mix. Rows: the last of them.
void Forward::mixAndNorm(const StepContext& step, const Streams& streams, std::span<const float> query,
                         std::span<const float> norm, TapPoint point, int64_t layer, const TensorView& out,
                         Carver memory) const {
    const int64_t rows = out.dim(0);
    const float eps = step.config.rmsNormEps;
    const std::vector<ConstTensorView> sources = streams.sources(step.tokens - rows, rows);
    if (query.empty() || sources.size() == 1) {
        backend_.rmsNorm({sources.back(), norm.data(), eps, out});
        return;
    }
    TensorView probTap;
    if (step.probes != nullptr) {
        probTap = point == TapPoint::kMixOutput      ? step.probes->mixOutput()
                  : point == TapPoint::kMixAttention ? step.probes->layer(layer).mixAttention
                                                     : step.probes->layer(layer).mixMlp;
    } else if (step.tapped(layer)) {
        probTap = memory.take(DType::kF32, {rows, std::ssize(sources)});
    }
    backend_.depthMix({sources, query.data(), eps, norm.data(), eps, out, probTap});
    step.show(point, layer, probTap);
}

void Forward::runLayer(const StepContext& step, int64_t layer, Streams& streams, SequenceState& state,
                       const TensorView& normed, const Carver& memory) {
    const BoundLayer& weights = weights_.layers[static_cast<size_t>(layer)];
    const int64_t index = indexWithinKind_[static_cast<size_t>(layer)];

    mixAndNorm(step, streams, weights.attentionQuery, weights.attentionNorm, TapPoint::kMixAttention, layer, normed,
               memory);
    SublayerIo io{layer, normed, {}, LinearPart::Write::kAdd};
    if (weights_.plan->layers[static_cast<size_t>(layer)].commitsSnapshot) {
        ++streams.committed;  // the stream so far stays as a snapshot; attention alone starts the next one
        io.write = LinearPart::Write::kSet;
    }
    io.stream = streams.running();
    if (const auto* kda = std::get_if<BoundKda>(&weights.attention)) {
        runKda(step, *kda, index, state, io, memory);
    } else {
        runMla(step, std::get<BoundMla>(weights.attention), index, state, io, memory);
    }

    mixAndNorm(step, streams, weights.mlpQuery, weights.mlpNorm, TapPoint::kMixMlp, layer, normed, memory);
    if (const auto* mlp = std::get_if<BoundMlp>(&weights.feedForward)) {
        runMlp(step, *mlp, io, memory);
    } else {
        runMixture(step, std::get<BoundMixture>(weights.feedForward), io, memory);
    }
    step.show(TapPoint::kLayer, layer, streams.running());
}

TensorView Forward::head(const StepContext& step, const Streams& streams, int64_t rows, Carver memory) const {
    const HeadMemory m(step, rows, memory);
    mixAndNorm(step, streams, weights_.outputQuery, weights_.finalNorm, TapPoint::kMixOutput, -1, m.final, memory);
    step.show(TapPoint::kFinal, -1, m.final);
    const std::array<LinearPart, 1> parts{{{weights_.head, m.logits}}};
    backend_.linear({m.final, parts});
    return m.logits;
}

Result<ConstTensorView> Forward::step(const StepInput& input, SequenceState& state) {
    const LayerPlan& plan = *weights_.plan;
    const StepContext step{backend_,  weights_.text(), backend_.info().activation, std::ssize(input.ids),
                           input.tap, input.probes};
    const int64_t rows = logitRows(input.logits, step.tokens);
    const auto layout = [&](Carver& memory) { return StepMemory(step, plan.snapshots + 1, memory); };
    const auto bytesNeeded = [&] {
        Carver measure(nullptr);
        layout(measure);
        const size_t sublayer = sublayerBytes(step, plan, state.position(), measure);
        HeadMemory(step, rows, measure);
        const size_t mixTap =
            step.tapped() ? sizeof(float) * static_cast<size_t>(step.tokens * (plan.snapshots + 1)) : 0;
        return std::max(sublayer, measure.used()) + mixTap;
    };
    PAL_TRY(state.reserve(step.tokens));
    PAL_TRY(grow(bytesNeeded()));

    Carver memory(memory_.data());
    const StepMemory m = layout(memory);
    Streams streams{m.streams};
    embed(input, streams.running());
    for (int64_t layer = 0; layer < std::ssize(plan.layers); ++layer) {
        if (input.stop.stop_requested()) {
            PAL_TRY(toResult(backend_.finish()));
            return fail(ErrorCode::kCancelled, "stopped at layer {}", layer);
        }
        runLayer(step, layer, streams, state, m.normed, memory);
    }
    ConstTensorView logits;
    if (rows > 0) logits = head(step, streams, rows, memory);
    Result<> fetched;
    if (input.delivery != nullptr) {
        const auto digest = input.probes != nullptr ? HostLogits::Digest::kDescribe : HostLogits::Digest::kDraw;
        fetched = input.delivery->fetch(backend_, logits, input.temperature, digest);
    }
    if (input.probes != nullptr) input.probes->fetch();
    PAL_TRY(toResult(backend_.finish()));  // whatever came of it: what is queued must run before the state can go
    PAL_TRY(fetched);
    state.advance(step.tokens);
    return logits;
}

}  // namespace pal
