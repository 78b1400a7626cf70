// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/op_cost.h"

#include <algorithm>

namespace pal {
namespace {

template <typename... Views>
uint64_t moved(const Views&... views) {
    const auto one = [](const ConstTensorView& view) {
        return view.present() ? static_cast<uint64_t>(view.elements()) * dtypeBytes(view.dtype) : 0;
    };
    return (one(views) + ...);
}

double product(int64_t rows, int64_t inner, int64_t columns) {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(columns);
}

constexpr double kStateFlops = 6;  // per number of a state

double recurrenceFlops(int64_t tokens, const TensorView& state) {
    return kStateFlops * static_cast<double>(tokens) * static_cast<double>(state.elements());
}

uint64_t latentBytes(const LatentPages& cache, int64_t tokens) {
    return static_cast<uint64_t>(tokens * (cache.rank + cache.rope)) * dtypeBytes(cache.dtype);
}

}  // namespace

OpCost costOf(const EmbedArgs& args) {
    const auto rows = static_cast<uint64_t>(args.ids.size());
    return {rows * static_cast<uint64_t>(args.table.bytes() / args.table.rows) + moved(args.out), 0};
}

OpCost costOf(const LinearArgs& args) {
    OpCost out{moved(args.x), 0};
    for (const LinearPart& part : args.parts) {
        const bool adds = part.write == LinearPart::Write::kAdd;
        out.bytes += static_cast<uint64_t>(part.weight.bytes()) + (adds ? 2 : 1) * moved(part.out);
        out.flops += product(args.x.dim(0), part.weight.cols, part.weight.rows);
    }
    return out;
}

OpCost costOf(const RmsNormArgs& args) {
    return {moved(args.x, args.out), 0};
}

OpCost costOf(const DepthMixArgs& args) {
    OpCost out{moved(args.out, args.probTap), 0};
    for (const ConstTensorView& source : args.sources) out.bytes += moved(source);
    return out;
}

OpCost costOf(const GluArgs& args) {
    return {moved(args.gate, args.up, args.out), 0};
}

OpCost costOf(const SigmoidGateArgs& args) {
    return {moved(args.x, args.gate, args.out, args.gateTap, args.openness), 0};
}

OpCost costOf(const AddArgs& args) {
    return {moved(args.x, args.out, args.out), 0};
}

OpCost costOf(const ShortConvArgs& args) {
    return {moved(args.x, args.out, args.tail, args.tail), product(args.x.dim(0), args.taps, args.x.dim(1))};
}

OpCost costOf(const L2NormArgs& args) {
    return {moved(args.x, args.out), 0};
}

OpCost costOf(const KdaGateArgs& args) {
    return {moved(args.z, args.betaLogits, args.logDecay, args.beta, args.halfLife), 0};
}

OpCost costOf(const KdaArgs& args) {
    return {moved(args.q, args.k, args.v, args.logDecay, args.beta, args.state, args.state, args.out),
            recurrenceFlops(args.q.dim(0), args.state)};
}

OpCost costOf(const GatedRmsNormArgs& args) {
    return {moved(args.x, args.gate, args.out, args.gateTap, args.openness), 0};
}

OpCost costOf(const KdaMixerArgs& args) {
    const int64_t tokens = args.qkv.dim(0);
    return {moved(args.qkv, args.tail, args.tail, args.z, args.betaLogits, args.state, args.state, args.gate, args.out),
            product(tokens, args.taps, args.qkv.dim(1)) + recurrenceFlops(tokens, args.state)};
}

OpCost costOf(const MlaAppendArgs& args) {
    return {moved(args.kv) + latentBytes(args.cache, args.kv.dim(0)), 0};
}

OpCost costOf(const MlaAttentionArgs& args) {
    const int64_t tokens = args.q.dim(0);
    const int64_t heads = args.q.dim(1);
    const int64_t rank = args.cache.rank;
    const int64_t keys = args.past + tokens;
    const int64_t pairs = heads * (tokens * args.past + tokens * (tokens + 1) / 2);
    const int64_t perHead = args.nope + args.valueDim;
    const double absorbed = product(pairs, 1, 2 * rank + args.cache.rope) + product(tokens * heads, rank, perHead);
    const double expanded = product(pairs, 1, perHead + args.cache.rope) + product(keys * heads, rank, perHead);
    return {moved(args.q, args.out) + latentBytes(args.cache, keys) + static_cast<uint64_t>(args.kvB.bytes()),
            std::min(absorbed, expanded)};
}

OpCost costOf(const RouterArgs& args) {
    return {moved(args.logits, args.index, args.weight), 0};
}

OpCost costOf(const MoeArgs& args) {
    constexpr int64_t kMatrices = 3;
    const WeightView& gate = args.experts.front().gate;
    return {moved(args.x, args.index, args.weight, args.out),
            product(args.index.elements(), gate.cols, kMatrices * gate.rows)};
}

OpCost costOf(const LogitDigestArgs& args) {
    return {static_cast<uint64_t>(args.count) * sizeof(float) +
                static_cast<uint64_t>(logitBlocks(args.count)) * sizeof(LogitBlock),
            0};
}

OpCost costOf(const VisionPositionArgs& args) {
    return {moved(args.x, args.x), 0};
}

OpCost costOf(const Rotate2dArgs& args) {
    return {moved(args.x, args.x), 0};
}

OpCost costOf(const VisionAttentionArgs& args) {
    return {moved(args.q, args.k, args.v, args.out),
            2 * product(args.q.dim(0), args.k.dim(0), args.q.dim(1) * args.q.dim(2))};
}

OpCost costOf(const GeluArgs& args) {
    return {moved(args.x, args.x), 0};
}

OpCost costOf(const MergePatchesArgs& args) {
    return {moved(args.x, args.out), 0};
}

}  // namespace pal
