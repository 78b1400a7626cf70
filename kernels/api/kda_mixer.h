// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/api/kda_args.h"

namespace pal {

// KdaMixerArgs op by op. Ops: a Backend, or anything else with its five calls.
template <typename Ops>
void kdaMixerInSteps(Ops& ops, const KdaMixerArgs& args) {
    const int64_t heads = args.z.dim(1);
    const int64_t keys = args.z.dim(2);
    const int64_t values = args.gate.dim(2);
    const TensorView convolved = args.inputTap.present() ? args.inputTap : args.convolved;
    const TensorView q = convolved.columns(0, heads * keys).splitLast(heads, keys);
    const TensorView k = convolved.columns(heads * keys, heads * keys).splitLast(heads, keys);
    const TensorView v = convolved.columns(2 * heads * keys, heads * values).splitLast(heads, values);
    const TensorView decay = args.decayTap.present() ? args.decayTap : args.logDecay;
    const TensorView beta = args.betaTap.present() ? args.betaTap : args.beta;
    const TensorView read = args.readTap.present() ? args.readTap : args.out;
    ops.shortConv({args.qkv, args.conv, args.taps, args.tail, convolved});
    ops.l2Norm({q, args.normEps, 1 / std::sqrt(static_cast<float>(keys)), q});
    ops.l2Norm({k, args.normEps, 1, k});
    ops.kdaGate({args.z, args.betaLogits, args.aLog, args.dtBias, args.lowerBound, decay, beta, args.halfLife});
    ops.kda({q, k, v, decay, beta, args.state, read, KdaArgs::Form::kAuto, args.probe});
    ops.gatedRmsNorm({read, args.outWeight, args.outEps, args.gate, args.out, args.gateTap, args.openness});
}

}  // namespace pal
