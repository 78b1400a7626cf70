// SPDX-License-Identifier: Apache-2.0
// Absorbed latent attention after FlashMLA: rows (a query's head each) meet the cached rows as one key and value for all heads. A block takes 64 rows and a
// range of pages. Warpgroups have roles: one copies, one makes scores and exponentials, two hold half of the 64 x 512 sums each. While those add page
// i, the scores of page i + 1 are made.
#include <algorithm>

#include "kernels/cuda/hopper.cuh"
#include "kernels/cuda/mla_hopper.h"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/pages.cuh"
#include "kernels/cuda/reduce.cuh"
#include "kernels/cuda/tensor_map.h"

namespace pal::cuda {
namespace {

constexpr int kRows = 64;
constexpr int kKeys = static_cast<int>(kLatentPageTokens);
constexpr int kRank = 512;
constexpr int kWidth = kRank + 64;
constexpr int kBoxes = kWidth / 64;
constexpr int kBoxBytes = kKeys * 128;
constexpr int kPageBytes = kBoxes * kBoxBytes;
constexpr int kStages = 2;
constexpr int kParts = 3;  // of a page: scores begin with the first
constexpr int kBoxesOfPart = kBoxes / kParts;
constexpr int kThreads = 4 * kWarpgroup;
constexpr int kAddingThreads = 2 * kWarpgroup;
constexpr float kSlack = 8;  // powers of two by which a score may pass the reference of its exponential

struct Memory {
    static constexpr int kQueries = 0;
    static constexpr int kPages = kQueries + kBoxes * kRows * 128;
    static constexpr int kWeights = kPages + kStages * kPageBytes;  // exponentials, [64 rows][64 keys]
    static constexpr int kFactors = kWeights + kRows * 128;         // float [64]: by how much the sums shrink
    static constexpr int kBarriers = kFactors + kRows * 4;
    static constexpr int kBytes = kBarriers + 8 * (kStages * (kParts + 1) + 4);
};

struct Maps {
    CUtensorMap pages, queries;
};

struct Splits {
    const Maps& maps;
    const void* base;
    const AbsorbedRows& a;
    uint32_t shared;
    char* memory;
    int64_t firstRow;
    int64_t firstPage;
    int pages;
    int split;

    [[nodiscard]] __device__ uint32_t full(int stage, int part) const {
        return shared + Memory::kBarriers + 8 * (stage * (kParts + 1) + part);
    }
    [[nodiscard]] __device__ uint32_t empty(int stage) const { return full(stage, kParts); }
    // Exponentials of the first and second half of the page's keys.
    [[nodiscard]] __device__ uint32_t weighed(int half) const { return full(kStages, 0) + 8 * half; }
    [[nodiscard]] __device__ uint32_t weightsFree() const { return weighed(2); }
    [[nodiscard]] __device__ uint32_t queriesFull() const { return weighed(3); }
    [[nodiscard]] __device__ uint32_t page(int stage) const { return shared + Memory::kPages + stage * kPageBytes; }

    // Each thread arrives for its own accesses: racecheck does not follow __syncwarp() and one lane that arrives for its warp.
    __device__ void initBarriers() const {
        for (int s = 0; s < kStages; ++s) {
            for (int p = 0; p < kParts; ++p) initBarrier(full(s, p), 1);
            initBarrier(empty(s), kAddingThreads);
        }
        initBarrier(weighed(0), kWarpgroup);
        initBarrier(weighed(1), kWarpgroup);
        initBarrier(weightsFree(), kAddingThreads);
        initBarrier(queriesFull(), 1);
        publishBarriers();
    }

    // One warp. Queries follow the first pages.
    __device__ void copyPages() const {
        const int lane = threadIdx.x % kWarp;
        int place = 0;
        for (int i = 0; i < pages; ++i) {
            if (i % kWarp == 0 && i + lane < pages) {
                const auto* address = static_cast<const char*>(a.table.pages[firstPage + i + lane]);
                place = static_cast<int>((address - static_cast<const char*>(base)) / PageTable::kUnit);
            }
            const int unit = __shfl_sync(0xFFFFFFFFU, place, i % kWarp);
            if (lane != 0) continue;
            if (i == kStages) copyQueries();
            const int stage = i % kStages;
            waitFor(empty(stage), static_cast<uint32_t>(i / kStages + 1) & 1);
            for (int p = 0; p < kParts; ++p) {
                arriveExpecting(full(stage, p), kBoxesOfPart * kBoxBytes);
                for (int box = p * kBoxesOfPart; box < (p + 1) * kBoxesOfPart; ++box) {
                    copyBox(page(stage) + box * kBoxBytes, &maps.pages, box * 64, 0, unit, full(stage, p));
                }
            }
        }
        if (lane == 0 && pages <= kStages) copyQueries();
        __syncwarp();
    }

    // One thread, after the first pages, which wait for nobody.
    __device__ void copyQueries() const {
        awaitPrevious();
        arriveExpecting(queriesFull(), kBoxes * kRows * 128);
        for (int box = 0; box < kBoxes; ++box) {
            copyBox(shared + Memory::kQueries + box * kRows * 128, &maps.queries, box * 64, static_cast<int>(firstRow),
                    0, queriesFull());
        }
    }

    __device__ void scores(int stage, uint32_t parity, float (&s)[32]) const {
#pragma unroll
        for (int p = 0; p < kParts; ++p) {
            waitFor(full(stage, p), parity);
            beginProducts();
#pragma unroll
            for (int k = p * kBoxesOfPart * 4; k < (p + 1) * kBoxesOfPart * 4; ++k) {
                const uint32_t at = k / 4 * kBoxBytes + k % 4 * 32;
                multiplyRows(s, rowOperand(shared + Memory::kQueries + at), rowOperand(page(stage) + at), k > 0);
            }
        }
        commitProducts();
        waitForProducts<0>();
        pin(s);
    }

    // Cached rows of the block's pages that row r may see, or as many as there are.
    [[nodiscard]] __device__ int seen(int r) const {
        const int64_t all = tokensBefore(a.past) + (firstRow + r) / a.heads + 1 - firstPage * kKeys;
        return static_cast<int>(max(int64_t{0}, min(all, static_cast<int64_t>(pages) * kKeys)));
    }

    [[nodiscard]] __device__ float& factor(int row) const {
        return reinterpret_cast<float*>(memory + Memory::kFactors)[row];
    }
    // Hides scores from the key `visible` of the page on.
    __device__ static void mask(int lane, int half, int visible, float (&s)[32]) {
#pragma unroll
        for (int j = 0; j < 16; ++j) {
            const int key = j / 2 * 8 + lane % 4 * 2 + j % 2;
            if (key >= visible) s[j / 2 * 4 + 2 * half + j % 2] = -INFINITY;
        }
    }
    [[nodiscard]] __device__ static float highest(int half, const float (&s)[32]) {
        float most[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            most[j] = fmaxf(fmaxf(s[4 * j + 2 * half], s[4 * j + 2 * half + 1]),
                            fmaxf(s[4 * j + 16 + 2 * half], s[4 * j + 16 + 2 * half + 1]));
        }
        float all = fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
        all = fmaxf(all, __shfl_xor_sync(0xFFFFFFFFU, all, 1));
        return fmaxf(all, __shfl_xor_sync(0xFFFFFFFFU, all, 2));
    }
    // Scores of one half of the keys become exponentials, in shared memory too; their sum.
    [[nodiscard]] __device__ float exponentials(int r, int keys, int half, float base, float (&s)[32]) const {
        const int lane = threadIdx.x % kWarp;
        float added[4] = {};
#pragma unroll
        for (int j = 4 * keys; j < 4 * keys + 4; ++j) {
            float(&pair)[2] = *reinterpret_cast<float(*)[2]>(&s[4 * j + 2 * half]);
#pragma unroll
            for (int c = 0; c < 2; ++c) {
                pair[c] = exp2Fast(pair[c] - base);
                added[j % 2 * 2 + c] += pair[c];
            }
            *reinterpret_cast<uint32_t*>(memory + Memory::kWeights + r * 128 + (j ^ (r % 8)) * 16 + lane % 4 * 4) =
                packBf16(pair[0], pair[1]);
        }
        return added[0] + added[1] + (added[2] + added[3]);
    }

    // Exponentials of page i's scores into shared memory, and the factor of what was summed before. The reference of a row, top, only has to keep its
    // exponentials finite, so it seldom moves. Sums begin with the first half of the keys while the second is made.
    __device__ void weigh(int i, int row, float (&s)[32], float (&top)[2], float (&sum)[2]) const {
        const int lane = threadIdx.x % kWarp;
        float shrink[2];
        float base[2];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const float most = highest(half, s);
            const float now = most <= top[half] + kSlack ? top[half] : most;
            base[half] = now == -INFINITY ? 0.0F : now;  // nothing seen yet
            shrink[half] = exp2Fast(top[half] - base[half]);
            top[half] = now;
        }
        waitFor(weightsFree(), static_cast<uint32_t>(i + 1) & 1);
        if (lane % 4 == 0) {
            factor(row) = shrink[0];
            factor(row + 8) = shrink[1];
        }
#pragma unroll
        for (int keys = 0; keys < 2; ++keys) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const float before = keys == 0 ? sum[half] * shrink[half] : sum[half];
                sum[half] = before + exponentials(row + 8 * half, keys, half, base[half], s);
            }
            fenceForAsync();
            arrive(weighed(keys));
        }
    }

    __device__ void makeWeights(int thread) const {
        const int lane = thread % kWarp;
        const int row = thread / kWarp * 16 + lane / 4;
        const int visible[2] = {seen(row), seen(row + 8)};
        float top[2] = {-INFINITY, -INFINITY};
        float sum[2] = {};
        waitFor(queriesFull(), 0);
        for (int i = 0; i < pages; ++i) {
            float s[32];
            scores(i % kStages, static_cast<uint32_t>(i / kStages) & 1, s);
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                if (visible[half] - i * kKeys < kKeys) mask(lane, half, visible[half] - i * kKeys, s);
            }
            weigh(i, row, s, top, sum);
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float total = sum[half] + __shfl_xor_sync(0xFFFFFFFFU, sum[half], 1);
            total += __shfl_xor_sync(0xFFFFFFFFU, total, 2);
            const int64_t r = firstRow + row + 8 * half;
            if (lane % 4 == 0 && r < a.rows) {
                *reinterpret_cast<float2*>(a.stats + (r * a.splits + split) * 2) = make_float2(top[half], total);
            }
        }
    }

    // Latents 256 * side and further.
    __device__ void addLatents(int thread, int side) const {
        const int lane = thread % kWarp;
        const int row = thread / kWarp * 16 + lane / 4;
        float out[2][64];
#pragma unroll
        for (int j = 0; j < 64; ++j) out[0][j] = out[1][j] = 0;
        for (int i = 0; i < pages; ++i) {
            const int stage = i % kStages;
            waitFor(weighed(0), static_cast<uint32_t>(i) & 1);
            const float upper = factor(row);
            const float lower = factor(row + 8);
            if (__any_sync(0xFFFFFFFFU, upper != 1.0F || lower != 1.0F)) {
#pragma unroll
                for (int j = 0; j < 64; ++j) {
                    out[0][j] *= j % 4 < 2 ? upper : lower;
                    out[1][j] *= j % 4 < 2 ? upper : lower;
                }
            }
            pin(out[0]);
            pin(out[1]);
            beginProducts();
            const uint32_t values = page(stage) + side * 4 * kBoxBytes;
#pragma unroll
            for (int k = 0; k < kKeys / 16; ++k) {
                if (k == kKeys / 32) {
                    waitFor(weighed(1), static_cast<uint32_t>(i) & 1);
                    beginProducts();
                }
                const uint64_t weights = rowOperand(shared + Memory::kWeights + k * 32);
                multiplyColumns(out[0], weights, columnOperand(values + k * 2048, kBoxBytes));
                multiplyColumns(out[1], weights, columnOperand(values + 2 * kBoxBytes + k * 2048, kBoxBytes));
            }
            commitProducts();
            waitForProducts<0>();
            pin(out[0]);
            pin(out[1]);
            arrive(weightsFree());
            arrive(empty(stage));
        }
        if (pages > 0) writeSums(row, side, lane, out);
    }

    __device__ void writeSums(int row, int side, int lane, const float (&out)[2][64]) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int64_t r = firstRow + row + 8 * half;
            if (r >= a.rows) continue;
            float* part = a.part + (r * a.splits + split) * kRank + side * 256 + lane % 4 * 2;
#pragma unroll
            for (int n = 0; n < 2; ++n) {
#pragma unroll
                for (int j = 0; j < 16; ++j) {
                    *reinterpret_cast<float2*>(part + n * 128 + j * 8) =
                        make_float2(out[n][4 * j + 2 * half], out[n][4 * j + 2 * half + 1]);
                }
            }
        }
    }

    __device__ void run() const {
        const int thread = static_cast<int>(threadIdx.x) % kWarpgroup;
        const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
        if (group == 0) {
            shrinkRegisters<24>();
            if (thread < kWarp) copyPages();
        } else if (group == 1) {
            shrinkRegisters<120>();
            makeWeights(thread);
        } else {
            growRegisters<184>();
            addLatents(thread, group - 2);
        }
    }
};

// Blocks (split, tile of rows).
__global__ void __launch_bounds__(kThreads, 1)
    splitsKernel(const __grid_constant__ Maps maps, const void* base, const __grid_constant__ AbsorbedRows a) {
    extern __shared__ __align__(1024) char buffer[];
    letNextStart();
    const int split = static_cast<int>(blockIdx.x);
    const int64_t allPages = (tokensBefore(a.past) + a.tokens + kKeys - 1) / kKeys;
    const int64_t firstPage = allPages * split / a.splits;
    const Splits work{maps,      base,
                      a,         sharedAddress(buffer),
                      buffer,    static_cast<int64_t>(blockIdx.y) * kRows,
                      firstPage, static_cast<int>(allPages * (split + 1) / a.splits - firstPage),
                      split};
    if (threadIdx.x == 0) {
        prefetchMap(&maps.pages);
        prefetchMap(&maps.queries);
        work.initBarriers();
    }
    __syncthreads();
    work.run();
}

}  // namespace

int hopperSplits(const Launch& launch, int64_t rows) {
    return static_cast<int>(std::max<int64_t>(1, launch.multiprocessors / ceilDiv(rows, kRows)));
}

bool mlaSplitsHopper(const Launch& launch, const AbsorbedRows& a) {
    // Pages lie anywhere; one map reaches them all, because its third coordinate counts units from the base.
    constexpr uint64_t kUnits = uint64_t{1} << 31;
    const auto rows = static_cast<uint64_t>(a.rows);
    Maps maps;
    if (!makeTensorMap({a.table.base, {kWidth, kKeys, kUnits}, {kWidth * 2, PageTable::kUnit}, kKeys}, maps.pages) ||
        !makeTensorMap({a.queries, {kWidth, rows, 1}, {kWidth * 2, kWidth * 2}, kRows}, maps.queries)) {
        return false;
    }
    cudaFuncSetAttribute(splitsKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Memory::kBytes);
    const dim3 grid{static_cast<unsigned>(a.splits), static_cast<unsigned>(ceilDiv(a.rows, kRows))};
    launchOverlapped(launch, splitsKernel, grid, kThreads, Memory::kBytes, maps, a.table.base, a);
    return true;
}

}  // namespace pal::cuda
