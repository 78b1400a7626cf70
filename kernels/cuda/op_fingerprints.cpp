// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/op_fingerprints.h"

#include <cstdint>

namespace pal::cuda {
namespace {

enum class Op : uint64_t {
    kEmbed = 1,
    kLinear,
    kRmsNorm,
    kDepthMix,
    kGlu,
    kSigmoidGate,
    kAdd,
    kShortConv,
    kL2Norm,
    kKdaGate,
    kKda,
    kGatedRmsNorm,
    kKdaMixer,
    kRouter,
    kMoe,
    kMlaAppend,
    kMlaAttention,
    kDigestLogits,
    kFetch,
};

// Adds the words one after the other.
template <typename... Words>
Fingerprint of(Op op, const Words&... words) {
    Fingerprint f;
    f.add(static_cast<uint64_t>(op));
    const auto one = [&f](const auto& word) {
        using Word = std::decay_t<decltype(word)>;
        if constexpr (std::is_enum_v<Word> || std::is_integral_v<Word>) {
            f.add(static_cast<uint64_t>(word));
        } else if constexpr (std::is_same_v<Word, WeightView>) {
            f.add(word.data);
            f.add(static_cast<uint64_t>(word.format));
        } else if constexpr (std::is_same_v<Word, GluParams>) {
            f.add(static_cast<uint64_t>(word.kind));
            f.add(word.beta);
            f.add(word.linearBeta);
        } else {
            f.add(word);
        }
    };
    (one(words), ...);
    return f;
}

}  // namespace

Fingerprint fingerprintOf(const EmbedArgs& args) {
    return of(Op::kEmbed, args.table, args.out);
}
Fingerprint fingerprintOf(const LinearArgs& args) {
    Fingerprint f = of(Op::kLinear, args.x);
    for (const LinearPart& part : args.parts) f.add(of(Op::kLinear, part.weight, part.out, part.write).value());
    return f;
}
Fingerprint fingerprintOf(const RmsNormArgs& args) {
    return of(Op::kRmsNorm, args.x, args.weight, args.eps, args.out);
}
Fingerprint fingerprintOf(const DepthMixArgs& args) {
    Fingerprint f = of(Op::kDepthMix, args.query, args.eps, args.normWeight, args.normEps, args.out, args.probTap);
    for (const ConstTensorView& source : args.sources) f.add(source);
    return f;
}
Fingerprint fingerprintOf(const GluArgs& args) {
    return of(Op::kGlu, args.gate, args.up, args.params, args.out);
}
Fingerprint fingerprintOf(const SigmoidGateArgs& args) {
    return of(Op::kSigmoidGate, args.x, args.gate, args.out, args.gateTap, args.openness);
}
Fingerprint fingerprintOf(const AddArgs& args) {
    return of(Op::kAdd, args.x, args.out);
}
Fingerprint fingerprintOf(const ShortConvArgs& args) {
    return of(Op::kShortConv, args.x, args.weight, args.taps, args.tail, args.out);
}
Fingerprint fingerprintOf(const L2NormArgs& args) {
    return of(Op::kL2Norm, args.x, args.eps, args.scale, args.out);
}
Fingerprint fingerprintOf(const KdaGateArgs& args) {
    return of(Op::kKdaGate, args.z, args.betaLogits, args.aLog, args.dtBias, args.lowerBound.has_value(),
              args.lowerBound.value_or(0), args.logDecay, args.beta, args.halfLife);
}
Fingerprint fingerprintOf(const KdaArgs& args) {
    return of(Op::kKda, args.q, args.k, args.v, args.logDecay, args.beta, args.state, args.out, args.form,
              args.probe.write, args.probe.stateNorm);
}
Fingerprint fingerprintOf(const GatedRmsNormArgs& args) {
    return of(Op::kGatedRmsNorm, args.x, args.weight, args.eps, args.gate, args.out, args.gateTap, args.openness);
}
Fingerprint fingerprintOf(const KdaMixerArgs& args) {
    return of(Op::kKdaMixer, args.qkv, args.conv, args.taps, args.tail, args.normEps, args.z, args.betaLogits,
              args.aLog, args.dtBias, args.lowerBound.has_value(), args.lowerBound.value_or(0), args.state,
              args.outWeight, args.outEps, args.gate, args.out, args.convolved, args.logDecay, args.beta, args.readTap,
              args.gateTap, args.decayTap, args.betaTap, args.halfLife, args.probe.write, args.probe.stateNorm,
              args.openness);
}
Fingerprint fingerprintOf(const RouterArgs& args) {
    return of(Op::kRouter, args.logits, args.bias, args.score, args.groups, args.keptGroups, args.renormalise,
              args.scale, args.index, args.weight);
}
Fingerprint fingerprintOf(const MoeArgs& args) {
    return of(Op::kMoe, args.x, args.index, args.weight, args.experts.data(), args.glu, args.out);
}
Fingerprint fingerprintOf(const LogitDigestArgs& args) {
    return of(Op::kDigestLogits, args.logits, args.count, args.temperature, args.blocks, args.moments);
}
Fingerprint fingerprintOfFetch(std::span<std::byte> host, const void* device) {
    return of(Op::kFetch, host.data(), host.size(), device);
}
Fingerprint fingerprintOf(const MlaAppendArgs& args, void* const* pages) {
    return of(Op::kMlaAppend, args.kv, args.weight, args.eps, pages, args.cache.dtype);
}
Fingerprint fingerprintOf(const MlaAttentionArgs& args, void* const* pages, const void* base, int64_t splits) {
    // These launch by the number of rows.
    const bool counts = args.probTap.present() || args.form == MlaAttentionArgs::Form::kExpanded;
    return of(Op::kMlaAttention, counts ? args.past : 0, args.q, args.kvB, args.nope, args.valueDim, pages, base,
              args.cache.dtype, args.scale, args.out, args.probTap, args.form, splits);
}

}  // namespace pal::cuda
