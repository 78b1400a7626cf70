// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "engine/exec/sublayer_memory.h"
#include "engine/exec/sublayers.h"

namespace pal {
namespace {

GluParams gluParams(const TextConfig& config) {
    if (config.hiddenAct == HiddenAct::kSilu) return {};
    return {GluKind::kSitu, config.situBeta, config.situLinearBeta.value_or(0)};
}

// stream += down(act(gate x, up x))
void gatedMlp(const StepContext& step, const BoundMlp& w, const ConstTensorView& x, const TensorView& stream,
              Carver memory) {
    const MlpMemory m(step, w.gate.rows, memory);
    const std::array<LinearPart, 2> in{{{w.gate, m.gate}, {w.up, m.up}}};
    step.backend.linear({x, in});
    step.backend.glu({m.gate, m.up, gluParams(step.config), m.gate});
    const std::array<LinearPart, 1> out{{{w.down, stream, LinearPart::Write::kAdd}}};
    step.backend.linear({m.gate, out});
}

void route(const StepContext& step, const BoundMixture& w, const MixtureMemory& m, const SublayerIo& io) {
    const MoeConfig& c = *step.config.moe;
    const std::array<LinearPart, 1> logits{{{w.router, m.logits}}};
    step.backend.linear({io.input, logits});
    RouterArgs args;
    args.logits = m.logits;
    args.bias = w.routerBias.data();
    args.score = c.activation == RouterActivation::kSigmoid ? RouterScore::kSigmoid : RouterScore::kSoftmax;
    args.groups = c.groups;
    args.keptGroups = c.topkGroups;
    args.renormalise = c.renormalize ? RouterArgs::Renormalise::kYes : RouterArgs::Renormalise::kNo;
    args.scale = c.scalingFactor;
    args.index = m.index;
    args.weight = m.weight;
    step.backend.router(args);
    step.show(TapPoint::kMoeIndex, io.layer, m.index);
    step.show(TapPoint::kMoeWeight, io.layer, m.weight);
}

}  // namespace

MlpMemory::MlpMemory(const StepContext& step, int64_t width, Carver& memory)
    : gate(memory.take(step.activation, {step.tokens, width})),
      up(memory.take(step.activation, {step.tokens, width})) {}

MixtureMemory::MixtureMemory(const StepContext& step, Carver& memory) {
    const MoeConfig& c = *step.config.moe;
    const int64_t t = step.tokens;
    logits = memory.take(DType::kF32, {t, c.experts});
    index = memory.take(DType::kI32, {t, c.expertsPerToken});
    weight = memory.take(DType::kF32, {t, c.expertsPerToken});
    if (c.latentSize) latent = memory.take(step.activation, {t, *c.latentSize});
    out = memory.take(step.activation, {t, c.latentSize.value_or(step.config.hiddenSize)});
}

void runMlp(const StepContext& step, const BoundMlp& weights, const SublayerIo& io, Carver memory) {
    gatedMlp(step, weights, io.input, io.stream, memory);
}

void runMixture(const StepContext& step, const BoundMixture& w, const SublayerIo& io, Carver memory) {
    MixtureMemory m(step, memory);
    if (step.probes != nullptr) {
        m.index = step.probes->layer(io.layer).expert;
        m.weight = step.probes->layer(io.layer).weight;
    }
    Backend& backend = step.backend;
    route(step, w, m, io);

    const bool bridged = w.latentDown.present();
    if (bridged) {
        const std::array<LinearPart, 1> down{{{w.latentDown, m.latent}}};
        backend.linear({io.input, down});
    }
    backend.moe(
        {bridged ? ConstTensorView(m.latent) : io.input, m.index, m.weight, w.experts, gluParams(step.config), m.out});
    if (!w.latentNorm.empty()) backend.rmsNorm({m.out, w.latentNorm.data(), step.config.rmsNormEps, m.out});
    if (bridged) {
        const std::array<LinearPart, 1> up{{{w.latentUp, io.stream, LinearPart::Write::kAdd}}};
        backend.linear({m.out, up});
    } else {
        backend.add({m.out, io.stream});
    }
    if (w.shared) gatedMlp(step, *w.shared, io.input, io.stream, memory);
}

size_t sublayerBytes(const StepContext& step, const LayerPlan& plan, int64_t past, Carver memory) {
    size_t most = memory.used();
    const auto fit = [&](const auto& place) {
        Carver fork = memory;
        place(fork);
        most = std::max(most, fork.used());
    };
    if (plan.kdaLayers > 0) fit([&](Carver& c) { KdaMemory(step, c); });
    if (plan.mlaLayers > 0) fit([&](Carver& c) { MlaMemory(step, past, c); });
    if (plan.mixtureLayers < std::ssize(plan.layers)) {
        fit([&](Carver& c) { MlpMemory(step, step.config.intermediateSize, c); });
    }
    if (plan.mixtureLayers > 0) {
        fit([&](Carver& c) {
            MixtureMemory(step, c);
            MlpMemory(step, step.config.moe->sharedWidth(), c);
        });
    }
    return most;
}

}  // namespace pal
