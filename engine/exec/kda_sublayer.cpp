// SPDX-License-Identifier: Apache-2.0
#include <array>

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
    if (!step.tapped()) return;
    readTap = memory.take(act, {t, c.width()});
    gateTap = memory.take(DType::kF32, {t, c.heads, c.headDim});
    inputTap = memory.take(act, {t, 3 * c.width()});
}

void runKda(const StepContext& step, const BoundKda& w, int64_t index, SequenceState& state, const SublayerIo& io,
            Carver memory) {
    const KdaMemory m(step, memory);
    const KdaConfig& c = step.config.kda;
    Backend& backend = step.backend;
    const auto heads = [&](const TensorView& view) { return view.splitLast(c.heads, c.headDim); };

    project(step, w, m, io.input);
    KdaMixerArgs mixer;
    mixer.qkv = m.qkv;
    mixer.conv = w.conv.data();
    mixer.taps = c.convWidth;
    mixer.tail = state.convTail(index);
    mixer.normEps = kQkNormEps;
    mixer.z = heads(m.decay);
    mixer.betaLogits = m.betaLogits;
    mixer.aLog = w.aLog.data();
    mixer.dtBias = w.dtBias.data();
    mixer.lowerBound = c.gateLowerBound;
    mixer.state = state.kdaState(index);
    mixer.outWeight = w.norm.data();
    mixer.outEps = step.config.rmsNormEps;
    mixer.gate = heads(m.gate);
    mixer.out = heads(m.read);
    mixer.convolved = m.convolved;
    mixer.logDecay = m.logDecay;
    mixer.beta = m.beta;
    if (step.tapped(io.layer)) {
        mixer.decayTap = m.logDecay;
        mixer.betaTap = m.beta;
        mixer.readTap = heads(m.readTap);
        mixer.gateTap = m.gateTap;
        mixer.inputTap = m.inputTap;
    }
    if (step.probes != nullptr) {
        const LayerProbeViews& probe = step.probes->layer(io.layer);
        mixer.betaTap = probe.beta;
        mixer.halfLife = probe.halfLife;
        mixer.probe = probe.rule;
        mixer.openness = probe.openness;
    }
    backend.kdaMixer(mixer);
    step.show(TapPoint::kKdaInput, io.layer, m.inputTap);
    step.show(TapPoint::kKdaLogDecay, io.layer, m.logDecay);
    step.show(TapPoint::kKdaBeta, io.layer, mixer.betaTap);
    step.show(TapPoint::kKdaRead, io.layer, mixer.readTap);
    step.show(TapPoint::kKdaGate, io.layer, m.gateTap);
    const std::array<LinearPart, 1> output{{{w.output, io.stream, io.write}}};
    backend.linear({m.read, output});
}

}  // namespace pal
