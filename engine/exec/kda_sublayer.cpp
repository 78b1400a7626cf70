// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "engine/exec/sublayer_memory.h"
#include "engine/exec/sublayers.h"

namespace pal {
namespace {

// Added to the sum of squares of a query or key head; fixed in the published code.
constexpr float kQkNormEps = 1e-6F;

void project(const StepContext& step, const BoundKda& w, const KdaMemory& m, const ConstTensorView& x) {
    const int64_t width = step.config.kda.width();
    std::array<LinearPart, 6> parts{{{w.q, m.qkv.columns(0, width)},
                                     {w.k, m.qkv.columns(width, width)},
                                     {w.v, m.qkv.columns(2 * width, width)},
                                     {w.decayDown, m.decayDown},
                                     {w.beta, m.betaLogits},
                                     {w.gate, m.gate}}};
    if (!w.gate.present()) parts[5] = {w.gateDown, m.gateDown};
    step.backend.linear({x, parts});
    const std::array<LinearPart, 1> decay{{{w.decayUp, m.decay}}};
    step.backend.linear({m.decayDown, decay});
    if (w.gate.present()) return;
    const std::array<LinearPart, 1> gate{{{w.gateUp, m.gate}}};
    step.backend.linear({m.gateDown, gate});
}

}  // namespace

KdaMemory::KdaMemory(const StepContext& step, Carver& memory) {
    const KdaConfig& c = step.config.kda;
    const int64_t t = step.tokens;
    const DType act = step.activation;
    qkv = memory.take(act, {t, 3 * c.width()});
    convolved = memory.take(act, {t, 3 * c.width()});
    decayDown = memory.take(act, {t, c.headDim});
    decay = memory.take(act, {t, c.width()});
    betaLogits = memory.take(act, {t, c.heads});
    if (!c.fullRankGate) gateDown = memory.take(act, {t, c.headDim});
    gate = memory.take(act, {t, c.width()});
    logDecay = memory.take(DType::kF32, {t, c.heads, c.headDim});
    beta = memory.take(DType::kF32, {t, c.heads});
    read = memory.take(act, {t, c.width()});
    if (step.tapped()) gateTap = memory.take(DType::kF32, {t, c.heads, c.headDim});
}

void runKda(const StepContext& step, const BoundKda& w, int64_t index, SequenceState& state, const SublayerIo& io,
            Carver memory) {
    const KdaMemory m(step, memory);
    const KdaConfig& c = step.config.kda;
    const int64_t width = c.width();
    Backend& backend = step.backend;
    const auto heads = [&](const TensorView& view) { return view.splitLast(c.heads, c.headDim); };

    project(step, w, m, io.input);
    backend.shortConv({m.qkv, w.conv.data(), c.convWidth, state.convTail(index), m.convolved});
    const TensorView q = heads(m.convolved.columns(0, width));
    const TensorView k = heads(m.convolved.columns(width, width));
    const TensorView v = heads(m.convolved.columns(2 * width, width));
    backend.l2Norm({q, kQkNormEps, 1 / std::sqrt(static_cast<float>(c.headDim)), q});
    backend.l2Norm({k, kQkNormEps, 1, k});
    backend.kdaGate(
        {heads(m.decay), m.betaLogits, w.aLog.data(), w.dtBias.data(), c.gateLowerBound, m.logDecay, m.beta});
    step.show(TapPoint::kKdaLogDecay, io.layer, m.logDecay);
    step.show(TapPoint::kKdaBeta, io.layer, m.beta);

    const TensorView read = heads(m.read);
    backend.kda({q, k, v, m.logDecay, m.beta, state.kdaState(index), read});
    step.show(TapPoint::kKdaRead, io.layer, read);
    backend.gatedRmsNorm({read, w.norm.data(), step.config.rmsNormEps, heads(m.gate), read, m.gateTap});
    step.show(TapPoint::kKdaGate, io.layer, m.gateTap);
    const std::array<LinearPart, 1> output{{{w.output, io.stream, io.write}}};
    backend.linear({m.read, output});
}

}  // namespace pal
