// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <span>

#include "engine/exec/sublayer_memory.h"
#include "engine/exec/sublayers.h"

namespace pal {
namespace {

// The projections that read the sublayer's input: query (or its low-rank part), latent, and the gate if there is one.
void project(const StepContext& step, const BoundMla& w, const MlaMemory& m, const ConstTensorView& x) {
    std::array<LinearPart, 3> parts{{{w.query, m.query}, {w.latentDown, m.latent}, {w.gate, m.gate}}};
    if (w.queryDown.present()) parts[0] = {w.queryDown, m.queryDown};
    step.backend.linear({x, std::span(parts).first(w.gate.present() ? 3 : 2)});
    if (!w.queryDown.present()) return;
    step.backend.rmsNorm({m.queryDown, w.queryNorm.data(), step.config.mla.latentNormEps, m.queryDown});
    const std::array<LinearPart, 1> query{{{w.query, m.query}}};
    step.backend.linear({m.queryDown, query});
}

}  // namespace

MlaMemory::MlaMemory(const StepContext& step, int64_t past, Carver& memory) {
    const MlaConfig& c = step.config.mla;
    const int64_t t = step.tokens;
    const DType act = step.activation;
    if (c.qLoraRank) queryDown = memory.take(act, {t, *c.qLoraRank});
    query = memory.take(act, {t, c.heads * c.qkHeadDim()});
    latent = memory.take(act, {t, c.cacheWidth()});
    if (c.outputGate) gate = memory.take(act, {t, c.heads * c.vHeadDim});
    out = memory.take(act, {t, c.heads * c.vHeadDim});
    if (!step.tapped()) return;
    if (c.outputGate) gateTap = memory.take(DType::kF32, {t, c.heads * c.vHeadDim});
    probTap = memory.take(DType::kF32, {c.heads, past + t});
}

void runMla(const StepContext& step, const BoundMla& w, int64_t index, SequenceState& state, const SublayerIo& io,
            Carver memory) {
    const int64_t past = state.position();
    const MlaMemory m(step, past, memory);
    const MlaConfig& c = step.config.mla;
    Backend& backend = step.backend;
    const LatentPages cache = state.latents(index);

    project(step, w, m, io.input);
    backend.mlaAppend({m.latent, w.latentNorm.data(), c.latentNormEps, cache, past});
    MlaAttentionArgs attention;
    attention.q = m.query.splitLast(c.heads, c.qkHeadDim());
    attention.kvB = w.keyValueUp;
    attention.nope = c.qkNopeHeadDim;
    attention.valueDim = c.vHeadDim;
    attention.cache = cache;
    attention.past = past;
    attention.scale = 1 / std::sqrt(static_cast<float>(c.qkHeadDim()));
    attention.out = m.out.splitLast(c.heads, c.vHeadDim);
    if (step.tapped(io.layer)) attention.probTap = m.probTap;
    TensorView openness;
    if (step.probes != nullptr) {
        attention.probe = step.probes->layer(io.layer).attention;
        openness = step.probes->layer(io.layer).openness;
    }
    backend.mlaAttention(attention);
    step.show(TapPoint::kMlaProbs, io.layer, m.probTap);

    if (w.gate.present()) {
        backend.sigmoidGate({m.out, m.gate, m.out, m.gateTap, openness});
        step.show(TapPoint::kMlaGate, io.layer, m.gateTap);
    }
    const std::array<LinearPart, 1> output{{{w.output, io.stream, io.write}}};
    backend.linear({m.out, output});
}

}  // namespace pal
