// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/vision.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vision.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

void addScaled(float factor, const float* x, float* sum, int64_t count) {
    mapFloats(
        count, sum, [factor](auto d, auto v, auto s) HWY_ATTR { return hn::MulAdd(hn::Set(d, factor), v, s); }, x, sum);
}

void geluRows(const GeluArgs& args, int64_t begin, int64_t end) {
    const int64_t width = args.x.dim(1);
    for (int64_t t = begin; t < end; ++t) {
        float* x = args.x.row<float>(t);
        if (args.kind == GeluKind::kErf) {
            mapFloats(
                width, x,
                [](auto d, auto v) HWY_ATTR {
                    const auto half = hn::Mul(hn::Set(d, 0.5F), v);
                    return hn::MulAdd(half, Erf(d, hn::Mul(v, hn::Set(d, 0.70710678F))), half);
                },
                x);
        } else {
            mapFloats(
                width, x,
                [](auto d, auto v) HWY_ATTR {
                    const auto half = hn::Mul(hn::Set(d, 0.5F), v);
                    const auto cubic = hn::MulAdd(hn::Mul(hn::Mul(v, v), hn::Set(d, 0.044715F)), v, v);
                    return hn::MulAdd(half, Tanh(d, hn::Mul(cubic, hn::Set(d, 0.79788456F))), half);
                },
                x);
        }
    }
}

// Where output row (or column) i of n falls in a table of `size` entries.
struct Tap {
    int64_t low;
    int64_t high;
    float fraction;
};

Tap resizeTap(int64_t i, int64_t size, int64_t n) {
    const double centre = (static_cast<double>(i) + 0.5) * static_cast<double>(size) / static_cast<double>(n) - 0.5;
    const double at = std::clamp(centre, 0.0, static_cast<double>(size - 1));
    const auto low = static_cast<int64_t>(at);
    return {low, std::min(low + 1, size - 1), static_cast<float>(at - static_cast<double>(low))};
}

// x += E[y][column] (+ time[frame]) for the patches of one patch row of one frame; `time` may be null.
void addPosition(const VisionPositionArgs& args, int64_t frame, int64_t y, const float* time) {
    const int64_t width = args.x.dim(1);
    const Tap v = resizeTap(y, args.tableHeight, args.grid.h);
    for (int64_t column = 0; column < args.grid.w; ++column) {
        const Tap h = resizeTap(column, args.tableWidth, args.grid.w);
        const auto entry = [&](int64_t r, int64_t c) { return args.table + (r * args.tableWidth + c) * width; };
        float* x = args.x.row<float>((frame * args.grid.h + y) * args.grid.w + column);
        const float fx = h.fraction;
        const float fy = v.fraction;
        addScaled((1 - fy) * (1 - fx), entry(v.low, h.low), x, width);
        if (fx != 0) addScaled((1 - fy) * fx, entry(v.low, h.high), x, width);
        if (fy != 0) addScaled(fy * (1 - fx), entry(v.high, h.low), x, width);
        if (fx != 0 && fy != 0) addScaled(fy * fx, entry(v.high, h.high), x, width);
        if (time != nullptr) addScaled(1, time, x, width);
    }
}

// Rotates all heads of one patch by cos and sin [dim / 2].
void rotatePatch(const Rotate2dArgs& args, int64_t patch, const float* cosine, const float* sine) {
    const int64_t pairs = args.x.dim(2) / 2;
    for (int64_t head = 0; head < args.x.dim(1); ++head) {
        float* x = args.x.row<float>(patch, head);
        for (int64_t j = 0; j < pairs; ++j) {
            const float a = x[2 * j];
            const float b = x[2 * j + 1];
            x[2 * j] = a * cosine[j] - b * sine[j];
            x[2 * j + 1] = a * sine[j] + b * cosine[j];
        }
    }
}

void mergeBlock(const MergePatchesArgs& args, int64_t blockRow, int64_t blockColumn) {
    const int64_t width = args.x.dim(1);
    float* out = args.out.row<float>(blockRow * (args.grid.w / args.kernelW) + blockColumn);
    const float share = 1.0F / static_cast<float>(args.grid.t);
    for (int64_t r = 0; r < args.kernelH; ++r) {
        for (int64_t c = 0; c < args.kernelW; ++c, out += width) {
            std::fill(out, out + width, 0.0F);
            const int64_t y = blockRow * args.kernelH + r;
            const int64_t column = blockColumn * args.kernelW + c;
            for (int64_t frame = 0; frame < args.grid.t; ++frame) {
                const int64_t patch = (frame * args.grid.h + y) * args.grid.w + column;
                addScaled(share, args.x.row<const float>(patch), out, width);
            }
        }
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(geluRows);
HWY_EXPORT(addPosition);
HWY_EXPORT(rotatePatch);
HWY_EXPORT(mergeBlock);

namespace {

// [sin(k w_i) | cos(k w_i)], w_i = 10000^(-i / (D/2)), for frames 0..t-1; empty for a still image.
std::vector<float> timeTable(int64_t frames, int64_t width) {
    if (frames <= 1) return {};
    std::vector<float> table(static_cast<size_t>(frames * width));
    const int64_t half = width / 2;
    for (int64_t k = 0; k < frames; ++k) {
        for (int64_t i = 0; i < half; ++i) {
            const double angle =
                static_cast<double>(k) * std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(half));
            table[static_cast<size_t>(k * width + i)] = static_cast<float>(std::sin(angle));
            table[static_cast<size_t>(k * width + half + i)] = static_cast<float>(std::cos(angle));
        }
    }
    return table;
}

}  // namespace

void visionPosition(const VisionPositionArgs& args, ThreadPool& pool) {
    const int64_t width = args.x.dim(1);
    const std::vector<float> time = timeTable(args.grid.t, width);
    pool.parallelFor(args.grid.t * args.grid.h, [&](int64_t task, int) {
        const int64_t frame = task / args.grid.h;
        HWY_DYNAMIC_DISPATCH(addPosition)
        (args, frame, task % args.grid.h, time.empty() ? nullptr : time.data() + frame * width);
    });
}

void rotate2d(const Rotate2dArgs& args, ThreadPool& pool) {
    const int64_t pairs = args.x.dim(2) / 2;
    const int64_t positions = std::max(args.grid.h, args.grid.w);
    // cos and sin of position * frequency, [positions, dim / 4] each.
    const int64_t frequencies = pairs / 2;
    std::vector<float> cosine(static_cast<size_t>(positions * frequencies));
    std::vector<float> sine(cosine.size());
    for (int64_t p = 0; p < positions; ++p) {
        for (int64_t i = 0; i < frequencies; ++i) {
            const double exponent = -4.0 * static_cast<double>(i) / static_cast<double>(2 * pairs);
            const double angle = static_cast<double>(p) * std::pow(10000.0, exponent);
            cosine[static_cast<size_t>(p * frequencies + i)] = static_cast<float>(std::cos(angle));
            sine[static_cast<size_t>(p * frequencies + i)] = static_cast<float>(std::sin(angle));
        }
    }
    forBlocks(pool, args.grid.patches(), 16, [&](int64_t begin, int64_t end, int) {
        std::vector<float> c(static_cast<size_t>(pairs));
        std::vector<float> s(static_cast<size_t>(pairs));
        for (int64_t patch = begin; patch < end; ++patch) {
            const int64_t inFrame = patch % (args.grid.h * args.grid.w);
            const int64_t y = inFrame / args.grid.w;
            const int64_t x = inFrame % args.grid.w;
            for (int64_t j = 0; j < pairs; ++j) {
                const auto at = static_cast<size_t>((j % 2 == 0 ? x : y) * frequencies + j / 2);
                c[static_cast<size_t>(j)] = cosine[at];
                s[static_cast<size_t>(j)] = sine[at];
            }
            HWY_DYNAMIC_DISPATCH(rotatePatch)(args, patch, c.data(), s.data());
        }
    });
}

void gelu(const GeluArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.x.dim(0), rowsPerBlock(args.x.dim(1)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(geluRows)(args, begin, end);
    });
}

void mergePatches(const MergePatchesArgs& args, ThreadPool& pool) {
    const int64_t columns = args.grid.w / args.kernelW;
    pool.parallelFor(args.grid.h / args.kernelH * columns, [&](int64_t task, int) {
        HWY_DYNAMIC_DISPATCH(mergeBlock)(args, task / columns, task % columns);
    });
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
