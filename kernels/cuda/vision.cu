// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/vision.h"

#include <algorithm>

#include "kernels/cuda/attention.h"
#include "kernels/cuda/element.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = kElementThreads;
constexpr double kBase = 10000;

// Where output cell i of n lies among `in` table cells, half-pixel centres, clamped.
struct Between {
    int64_t first;
    int64_t second;
    float share;
};

__device__ Between between(int64_t i, int64_t in, int64_t n) {
    double s = (static_cast<double>(i) + 0.5) * static_cast<double>(in) / static_cast<double>(n) - 0.5;
    s = fmin(fmax(s, 0.0), static_cast<double>(in - 1));
    const auto first = static_cast<int64_t>(s);
    return {first, min(first + 1, in - 1), static_cast<float>(s - static_cast<double>(first))};
}

template <typename T>
__global__ void positionKernel(PatchGrid grid, const float* table, int64_t tableH, int64_t tableW, int64_t width,
                               Rows<T> x) {
    const int64_t n = blockIdx.x;
    const int64_t d = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (d >= width) return;
    const Between y = between(n / grid.w % grid.h, tableH, grid.h);
    const Between column = between(n % grid.w, tableW, grid.w);
    const auto at = [&](int64_t r, int64_t c) { return table[(r * tableW + c) * width + d]; };
    const float fx = column.share;
    const float top = (1 - fx) * at(y.first, column.first) + fx * at(y.first, column.second);
    const float bottom = (1 - fx) * at(y.second, column.first) + fx * at(y.second, column.second);
    float position = (1 - y.share) * top + y.share * bottom;
    if (grid.t > 1) {
        const int64_t half = width / 2;
        const double omega = pow(kBase, -static_cast<double>(d % half) / static_cast<double>(half));
        const double angle = static_cast<double>(n / (grid.h * grid.w)) * omega;
        position += static_cast<float>(d < half ? sin(angle) : cos(angle));
    }
    x[n][d] = fromFloat<T>(toFloat(x[n][d]) + position);
}

// turns[p, i] = (cos, sin) of position p times the i-th frequency; in double, since p times a rounded frequency would lose digits.
__global__ void turnsKernel(int64_t positions, int64_t frequencies, float2* turns) {
    const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (i >= positions * frequencies) return;
    const double frequency = pow(kBase, -static_cast<double>(i % frequencies) / static_cast<double>(frequencies));
    const double angle = static_cast<double>(i / frequencies) * frequency;
    turns[i] = {static_cast<float>(cos(angle)), static_cast<float>(sin(angle))};
}

template <typename T>
__global__ void rotateKernel(PatchGrid grid, int64_t heads, int64_t dim, const float2* turns, HeadRows<T> x) {
    const int64_t n = blockIdx.x;
    const int64_t i = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (i >= heads * (dim / 2)) return;
    const int64_t j = i % (dim / 2);
    const int64_t position = j % 2 == 0 ? n % grid.w : n / grid.w % grid.h;
    const float2 turn = turns[position * (dim / 4) + j / 2];
    T* pair = x.at(n, i / (dim / 2)) + 2 * j;
    const float a = toFloat(pair[0]);
    const float b = toFloat(pair[1]);
    pair[0] = fromFloat<T>(a * turn.x - b * turn.y);
    pair[1] = fromFloat<T>(a * turn.y + b * turn.x);
}

template <typename T>
__global__ void geluKernel(GeluKind kind, int64_t width, Rows<T> x) {
    constexpr float kRootTwoOverPi = 0.797884561F;
    constexpr float kRootHalf = 0.707106781F;
    const int64_t c = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (c >= width) return;
    const float v = toFloat(x[blockIdx.x][c]);
    const float gate =
        kind == GeluKind::kTanh ? tanhf(kRootTwoOverPi * (v + 0.044715F * v * v * v)) : erff(v * kRootHalf);
    x[blockIdx.x][c] = fromFloat<T>(0.5F * v * (1 + gate));
}

template <typename T>
__global__ void mergeKernel(PatchGrid grid, int64_t kernelH, int64_t kernelW, Rows<const T> x, int64_t width,
                            Rows<T> out) {
    const int64_t block = blockIdx.x;
    const int64_t i = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (i >= kernelH * kernelW * width) return;
    const int64_t inside = i / width;
    const int64_t row = block / (grid.w / kernelW) * kernelH + inside / kernelW;
    const int64_t column = block % (grid.w / kernelW) * kernelW + inside % kernelW;
    float sum = 0;
    for (int64_t k = 0; k < grid.t; ++k) sum += toFloat(x[(k * grid.h + row) * grid.w + column][i % width]);
    out[block][i] = fromFloat<T>(sum / static_cast<float>(grid.t));
}

}  // namespace

void visionPosition(const Launch& launch, const VisionPositionArgs& args) {
    withElement(args.x.dtype, [&](auto act) {
        using T = decltype(act);
        positionKernel<T><<<gridOver(args.x.dim(0), args.x.dim(1)), kThreads, 0, launch.stream>>>(
            args.grid, args.table, args.tableHeight, args.tableWidth, args.x.dim(1), rowsOf<T>(args.x));
    });
}

bool rotate2d(const Launch& launch, const Rotate2dArgs& args) {
    const int64_t heads = args.x.dim(1);
    const int64_t dim = args.x.dim(2);
    const int64_t positions = std::max(args.grid.h, args.grid.w);
    const int64_t count = positions * (dim / 4);
    if (!launch.scratch.begin(Scratch::bytesFor<float2>(count))) return false;
    auto* turns = launch.scratch.take<float2>(count);
    turnsKernel<<<static_cast<unsigned>(ceilDiv(count, kThreads)), kThreads, 0, launch.stream>>>(positions, dim / 4,
                                                                                                 turns);
    withElement(args.x.dtype, [&](auto act) {
        using T = decltype(act);
        rotateKernel<T><<<gridOver(args.x.dim(0), heads * (dim / 2)), kThreads, 0, launch.stream>>>(
            args.grid, heads, dim, turns, headRowsOf<T>(args.x));
    });
    return true;
}

void visionAttention(const Launch& launch, const VisionAttentionArgs& args) {
    AttentionArgs attention;
    attention.q = args.q;
    attention.k = args.k;
    attention.v = args.v;
    attention.scale = args.scale;
    attention.out = args.out;
    cuda::attention(launch, attention);
}

void gelu(const Launch& launch, const GeluArgs& args) {
    withElement(args.x.dtype, [&](auto act) {
        using T = decltype(act);
        geluKernel<T><<<gridOver(args.x.dim(0), args.x.dim(1)), kThreads, 0, launch.stream>>>(args.kind, args.x.dim(1),
                                                                                              rowsOf<T>(args.x));
    });
}

void mergePatches(const Launch& launch, const MergePatchesArgs& args) {
    withElement(args.x.dtype, [&](auto act) {
        using T = decltype(act);
        mergeKernel<T><<<gridOver(args.out.dim(0), args.out.dim(1)), kThreads, 0, launch.stream>>>(
            args.grid, args.kernelH, args.kernelW, rowsOf<T>(args.x), args.x.dim(1), rowsOf<T>(args.out));
    });
}

}  // namespace pal::cuda
