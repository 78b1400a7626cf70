// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/dense.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/dense.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/bf16-inl.h"
#include "kernels/cpu/glu-inl.h"
#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/probe-inl.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

void embedRows(const EmbedArgs& args, int64_t begin, int64_t end) {
    const int64_t width = args.table.cols;
    for (int64_t t = begin; t < end; ++t) {
        const int64_t at = args.ids[static_cast<size_t>(t)] * width;
        float* out = args.out.row<float>(t);
        if (args.table.format == WeightFormat::kBF16) {
            widenBf16(static_cast<const uint16_t*>(args.table.data) + at, out, width);
        } else {
            std::memcpy(out, static_cast<const float*>(args.table.data) + at,
                        static_cast<size_t>(width) * sizeof(float));
        }
    }
}

// out[i] = x[i] * factor * weight[i]
void scaleRow(const float* x, float factor, const float* weight, float* out, int64_t count) {
    mapFloats(
        count, out, [factor](auto d, auto v, auto w) HWY_ATTR { return hn::Mul(hn::Mul(v, hn::Set(d, factor)), w); }, x,
        weight);
}

void normRow(const float* x, const float* weight, float eps, float* out, int64_t count) {
    const float mean = sumOfSquares(x, count) / static_cast<float>(count);
    scaleRow(x, reciprocalRoot(mean + eps), weight, out, count);
}

void rmsNormRows(const RmsNormArgs& args, int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
        normRow(args.x.row<const float>(t), args.weight, args.eps, args.out.row<float>(t), args.x.dim(1));
    }
}

// softmax_j( (v_j . query) rsqrt(mean v_j^2 + eps) ) of token t into probs[n].
void depthProbs(const DepthMixArgs& args, int64_t t, float* probs) {
    const size_t n = args.sources.size();
    const int64_t width = args.out.dim(1);
    for (size_t j = 0; j < n; ++j) {
        const auto* v = args.sources[j].row<const float>(t);
        const float mean = sumOfSquares(v, width) / static_cast<float>(width);
        probs[j] = dot(v, args.query, width) * reciprocalRoot(mean + args.eps);
    }
    const float top = *std::max_element(probs, probs + n);
    const F32 d;
    float sum = 0;
    for (size_t j = 0; j < n; ++j) sum += probs[j] = hn::GetLane(Exp(d, hn::Set(d, probs[j] - top)));
    for (size_t j = 0; j < n; ++j) probs[j] /= sum;
}

void depthMixRows(const DepthMixArgs& args, int64_t begin, int64_t end) {
    const size_t n = args.sources.size();
    const int64_t width = args.out.dim(1);
    std::vector<float> probs(n);
    for (int64_t t = begin; t < end; ++t) {
        depthProbs(args, t, probs.data());
        float* out = args.out.row<float>(t);
        for (size_t j = 0; j < n; ++j) {
            const float p = probs[j];
            const auto* v = args.sources[j].row<const float>(t);
            if (j == 0) {
                mapFloats(
                    width, out, [p](auto d, auto x) HWY_ATTR { return hn::Mul(hn::Set(d, p), x); }, v);
            } else {
                mapFloats(
                    width, out, [p](auto d, auto x, auto sum) HWY_ATTR { return hn::MulAdd(hn::Set(d, p), x, sum); }, v,
                    out);
            }
        }
        if (args.normWeight != nullptr) normRow(out, args.normWeight, args.normEps, out, width);
        if (args.probTap.present()) std::copy(probs.begin(), probs.end(), args.probTap.row<float>(t));
    }
}

void gluRows(const GluArgs& args, int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
        gluRow(args.params, args.gate.row<const float>(t), args.up.row<const float>(t), args.out.row<float>(t),
               args.out.dim(1));
    }
}

void sigmoidGateRows(const SigmoidGateArgs& args, int64_t begin, int64_t end) {
    const int64_t width = args.out.dim(1);
    for (int64_t t = begin; t < end; ++t) {
        const auto* gate = args.gate.row<const float>(t);
        if (args.gateTap.present()) {
            mapFloats(
                width, args.gateTap.row<float>(t), [](auto d, auto g) HWY_ATTR { return Sigmoid(d, g); }, gate);
        }
        if (const int64_t probed = probeRow(args.openness, t, args.x.dim(0)); probed >= 0) {
            const int64_t heads = args.openness.dim(1);
            for (int64_t head = 0; head < heads; ++head) {
                openness(gate + head * (width / heads), width / heads, args.openness.row<float>(probed, head));
            }
        }
        mapFloats(
            width, args.out.row<float>(t), [](auto d, auto x, auto g) HWY_ATTR { return hn::Mul(x, Sigmoid(d, g)); },
            args.x.row<const float>(t), gate);
    }
}

void addRows(const AddArgs& args, int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
        float* out = args.out.row<float>(t);
        mapFloats(
            args.out.dim(1), out, [](auto, auto a, auto b) HWY_ATTR { return hn::Add(a, b); },
            args.x.row<const float>(t), out);
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(embedRows);
HWY_EXPORT(rmsNormRows);
HWY_EXPORT(depthMixRows);
HWY_EXPORT(gluRows);
HWY_EXPORT(sigmoidGateRows);
HWY_EXPORT(addRows);

void embed(const EmbedArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.out.dim(0), rowsPerBlock(args.out.dim(1)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(embedRows)(args, begin, end);
    });
}

void rmsNorm(const RmsNormArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.out.dim(0), rowsPerBlock(args.out.dim(1)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(rmsNormRows)(args, begin, end);
    });
}

void depthMix(const DepthMixArgs& args, ThreadPool& pool) {
    const auto sources = static_cast<int64_t>(args.sources.size());
    forBlocks(pool, args.out.dim(0), rowsPerBlock(args.out.dim(1) * sources), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(depthMixRows)(args, begin, end);
    });
}

void glu(const GluArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.out.dim(0), rowsPerBlock(args.out.dim(1)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(gluRows)(args, begin, end);
    });
}

void sigmoidGate(const SigmoidGateArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.out.dim(0), rowsPerBlock(args.out.dim(1)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(sigmoidGateRows)(args, begin, end);
    });
}

void add(const AddArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.out.dim(0), rowsPerBlock(args.out.dim(1)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(addRows)(args, begin, end);
    });
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
