// SPDX-License-Identifier: Apache-2.0
#include "kernels/api/kda_mixer.h"

#include <cmath>

#include "kernels/cuda/kda.h"
#include "kernels/cuda/kda_chunk_stages.h"
#include "kernels/cuda/kda_forms.h"
#include "kernels/cuda/kda_step.h"
#include "kernels/cuda/probes.h"

namespace pal::cuda {
namespace {

// The single ops on a launch, as kdaMixerInSteps calls them.
struct Steps {
    const Launch& launch;
    bool fits = true;
    void shortConv(const ShortConvArgs& args) const { cuda::shortConv(launch, args); }
    void l2Norm(const L2NormArgs& args) const { cuda::l2Norm(launch, args); }
    void kdaGate(const KdaGateArgs& args) const { cuda::kdaGate(launch, args); }
    void kda(const KdaArgs& args) { fits = cuda::kda(launch, args); }
    void gatedRmsNorm(const GatedRmsNormArgs& args) const { cuda::gatedRmsNorm(launch, args); }
};

template <typename T, typename View>
HeadRows<T> headRowsOrNone(const View& view) {
    return view.present() ? headRowsOf<T>(view) : HeadRows<T>{nullptr, 0, 0};
}
Rows<float> rowsOrNone(const TensorView& view) {
    return view.present() ? rowsOf<float>(view) : Rows<float>{nullptr, 0};
}

bool fitsStep(const KdaMixerArgs& args) {
    return args.qkv.dim(0) == 1 && args.out.dtype == DType::kBF16 &&
           kdaStepFits(args.z.dim(2), args.gate.dim(2), args.taps) &&
           reinterpret_cast<uintptr_t>(args.conv) % 16 == 0 && reinterpret_cast<uintptr_t>(args.outWeight) % 16 == 0;
}

void stepOf(const Launch& launch, const KdaMixerArgs& args) {
    KdaStep step{};
    step.dim = static_cast<int>(args.z.dim(2));
    step.qkv = rowsOf<Bf16>(args.qkv);
    step.conv = args.conv;
    step.z = headRowsOf<Bf16>(args.z);
    step.betaLogits = rowsOf<Bf16>(args.betaLogits);
    step.aLog = args.aLog;
    step.dtBias = args.dtBias;
    step.bounded = args.lowerBound.has_value();
    step.lowerBound = args.lowerBound.value_or(0);
    step.normEps = args.normEps;
    step.outWeight = args.outWeight;
    step.outEps = args.outEps;
    step.gate = headRowsOf<Bf16>(args.gate);
    step.out = headRowsOf<Bf16>(args.out);
    step.heads = static_cast<int>(args.z.dim(1));
    step.sequences = 1;
    step.state[0] = static_cast<float*>(args.state.data);
    step.tail[0] = static_cast<Bf16*>(args.tail.data);
    step.decayTap = headRowsOrNone<float>(args.decayTap);
    step.gateTap = headRowsOrNone<float>(args.gateTap);
    step.betaTap = rowsOrNone(args.betaTap);
    step.readTap = headRowsOrNone<Bf16>(args.readTap);
    step.look = {headRowsOrNone<float>(args.halfLife), headRowsOrNone<float>(args.openness),
                 rowsOrNone(args.probe.write), rowsOrNone(args.probe.stateNorm)};
    kdaStep(launch, step);
}

RawRows rawRowsOf(const KdaMixerArgs& args, const KdaArgs& rule) {
    RawRows rows{};
    rows.q = headRowsOf<Bf16>(rule.q);
    rows.k = headRowsOf<Bf16>(rule.k);
    rows.z = headRowsOf<Bf16>(args.z);
    rows.betaLogits = rowsOf<Bf16>(args.betaLogits);
    rows.aLog = args.aLog;
    rows.dtBias = args.dtBias;
    rows.bounded = args.lowerBound.has_value();
    rows.lowerBound = args.lowerBound.value_or(0);
    rows.normEps = args.normEps;
    rows.queryScale = 1 / std::sqrt(static_cast<float>(args.z.dim(2)));
    rows.decayTap = headRowsOrNone<float>(args.decayTap);
    rows.betaTap = rowsOrNone(args.betaTap);
    return rows;
}

// The chunk form straight from the convolution's output. rule: the arguments of its kda().
bool chunksOf(const Launch& launch, const KdaMixerArgs& args, const KdaArgs& rule) {
    const int64_t tokens = args.qkv.dim(0);
    const int64_t heads = args.z.dim(1);
    const int64_t keys = args.z.dim(2);
    const size_t bytes = chunksBytes(tokens, heads, keys);
    if (!launch.scratch.begin(Scratch::padded(bytes))) return false;
    auto* chunks = static_cast<char*>(launch.scratch.take(bytes));
    cuda::shortConv(launch, {args.qkv, args.conv, args.taps, args.tail, args.convolved});
    prepareChunks(launch, rawRowsOf(args, rule), tokens, heads, keys, chunks);
    scanChunks(launch,
               {headRowsOf<Bf16>(rule.v), headRowsOf<Bf16>(rule.out), static_cast<float*>(args.state.data), chunks,
                tokens, heads, rule.v.dim(2)},
               keys);
    cuda::gatedRmsNorm(launch, {rule.out, args.outWeight, args.outEps, args.gate, args.out, args.gateTap});
    return true;
}

bool mix(const Launch& launch, const KdaMixerArgs& args) {
    const int64_t heads = args.z.dim(1);
    const int64_t keys = args.z.dim(2);
    const int64_t values = args.gate.dim(2);
    KdaArgs rule;
    rule.q = args.convolved.columns(0, heads * keys).splitLast(heads, keys);
    rule.k = args.convolved.columns(heads * keys, heads * keys).splitLast(heads, keys);
    rule.v = args.convolved.columns(2 * heads * keys, heads * values).splitLast(heads, values);
    rule.logDecay = args.logDecay;
    rule.state = args.state;
    rule.out = args.readTap.present() ? args.readTap : args.out;
    if (takesChunks(rule) && alignedForPieces(args.z)) return chunksOf(launch, args, rule);
    Steps steps{launch};
    kdaMixerInSteps(steps, args);
    return steps.fits;
}

}  // namespace

bool kdaMixer(const Launch& launch, const KdaMixerArgs& args) {
    if (fitsStep(args)) {
        stepOf(launch, args);
        return true;
    }
    KdaMixerArgs own = args;
    if (args.halfLife.present() && !args.decayTap.present()) own.decayTap = args.logDecay;
    if (args.probe.present()) writesBefore(launch, args);
    const bool done = mix(launch, own);
    if (args.probe.present()) stateNorms(launch, args.state, args.probe.stateNorm);
    if (args.halfLife.present()) halfLives(launch, own.decayTap, args.halfLife);
    if (args.openness.present()) openness(launch, args.gate, args.openness);
    return done;
}

}  // namespace pal::cuda
