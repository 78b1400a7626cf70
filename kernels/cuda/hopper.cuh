// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstdint>

#include "kernels/cuda/tensor_core.cuh"

// What only compute capability 9.0a has: wgmma (a warpgroup of 128 threads multiplies from shared memory), bulk tensor copies, and the barriers in shared
// memory that count their bytes. PTX ISA 8.0, sections 9.7.9 and 9.7.14.

namespace pal::cuda {

inline constexpr int kWarpgroup = 128;

// ---- barriers in shared memory. A phase ends after the expected arrivals and bytes; waiting takes the phase's parity, 0 first.

__device__ inline void initBarrier(uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
// After initBarrier, before another thread, block or copy uses the barriers.
__device__ inline void publishBarriers() {
    asm volatile("fence.mbarrier_init.release.cluster;");
}
__device__ inline void arrive(uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void arriveExpecting(uint32_t barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void waitFor(uint32_t barrier, uint32_t parity) {
    asm volatile(
        "{\n.reg .pred done;\nwait_%=:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra wait_%=;\n}" ::"r"(barrier),
        "r"(parity)
        : "memory");
}
// Orders this thread's writes to shared memory before what wgmma and bulk copies do there after the next barrier.
__device__ inline void fenceForAsync() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// ---- bulk tensor copies of a box to shared memory; `barrier` counts its bytes.

// Contiguous bytes, a multiple of 16 at borders of 16.
__device__ inline void copyBytes(uint32_t to, const void* from, int bytes, uint32_t barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}
__device__ inline void prefetchMap(const CUtensorMap* map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(map));
}
__device__ inline void copyBox(uint32_t to, const CUtensorMap* map, int c0, int c1, int c2, uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
        "[%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(c0), "r"(c1), "r"(c2)
        : "memory");
}
// ---- wgmma. Operands lie in rows of 128 bytes (64 bfloat16), 16-byte pieces exchanged (piece ^ row % 8), each group of 8 rows at a border of 1024 bytes:
// what a bulk tensor copy with CU_TENSOR_MAP_SWIZZLE_128B writes.

// [rows][64 k]: k is contiguous. Steps of 16 k are 32 bytes apart.
__device__ inline uint64_t rowOperand(uint32_t address) {
    constexpr uint64_t kRowGroup = uint64_t{1024 >> 4} << 32;
    constexpr uint64_t kSwizzle128 = uint64_t{1} << 62;
    return kSwizzle128 | kRowGroup | (uint64_t{1} << 16) | ((address & 0x3FFFF) >> 4);
}
// [k][64 columns], `blockBytes` from one block of 64 columns to the next: the columns are contiguous. Steps of 16 k are 2048 bytes apart.
__device__ inline uint64_t columnOperand(uint32_t address, uint32_t blockBytes) {
    constexpr uint64_t kRowGroup = uint64_t{1024 >> 4} << 32;
    constexpr uint64_t kSwizzle128 = uint64_t{1} << 62;
    return kSwizzle128 | kRowGroup | (uint64_t{blockBytes >> 4} << 16) | ((address & 0x3FFFF) >> 4);
}

// Before the first product whose registers other instructions wrote.
__device__ inline void beginProducts() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void commitProducts() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int Pending>
__device__ void waitForProducts() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}
// Keeps the compiler from moving uses of an accumulator over a wait.
template <int Count>
__device__ void pin(float (&d)[Count]) {
#pragma unroll
    for (int i = 0; i < Count; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// d [64 x N] (+)= a [64 x 16] b [16 x N], bfloat16 in, float32 sums. Thread t of the warpgroup holds rows 16 (t / 32) + t % 32 / 4 and 8 further, and of
// each 8 columns j: d[4 j + {0, 1}] the columns 2 (t % 4) + {0, 1} of the first row, d[4 j + {2, 3}] of the second.
#define PAL_D4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define PAL_D16(d, i) PAL_D4(d, i), PAL_D4(d, i + 4), PAL_D4(d, i + 8), PAL_D4(d, i + 12)
#define PAL_D32(d) PAL_D16(d, 0), PAL_D16(d, 16)
#define PAL_D64(d) PAL_D16(d, 0), PAL_D16(d, 16), PAL_D16(d, 32), PAL_D16(d, 48)
#define PAL_R32                                                                                                       \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31}"
#define PAL_R64                                                                                                       \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
    "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "  \
    "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

// Both operands by rows. `add` false: d is overwritten.
__device__ inline void multiplyRows(float (&d)[32], uint64_t a, uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " PAL_R32 ", %32, %33, p, 1, 1, 0, 0;\n}"
        : PAL_D32(d)
        : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}
__device__ inline void multiplyRows(float (&d)[64], uint64_t a, uint64_t b, bool add) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " PAL_R64 ", %64, %65, p, 1, 1, 0, 0;\n}"
        : PAL_D64(d)
        : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}
// b by columns; a by rows or from registers. Always adds.
__device__ inline void multiplyColumns(float (&d)[64], uint64_t a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " PAL_R64 ", %64, %65, 1, 1, 1, 0, 1;"
                 : PAL_D64(d)
                 : "l"(a), "l"(b));
}
__device__ inline void multiplyColumns(float (&d)[64], const uint32_t (&a)[4], uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " PAL_R64
                 ", {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
                 : PAL_D64(d)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

#undef PAL_D4
#undef PAL_D16
#undef PAL_D32
#undef PAL_D64
#undef PAL_R32
#undef PAL_R64

// Registers of each thread of this warpgroup from here on; all warpgroups of the block do one of the two, in a kernel with __launch_bounds__(threads, 1).
template <int Registers>
__device__ void growRegisters() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ void shrinkRegisters() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

}  // namespace pal::cuda
