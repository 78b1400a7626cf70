// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/cuda/element.cuh"

// mma.sync and what feeds it: asynchronous copies to shared memory and ldmatrix. sm_80 and newer.

namespace pal::cuda {

__device__ inline uint32_t sharedAddress(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

// 16 bytes from global to shared memory, or zeros when `from` is null; `readable` is any address in device memory.
__device__ inline void copyPiece(uint32_t to, const void* from, const void* readable) {
    const int bytes = from == nullptr ? 0 : 16;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from == nullptr ? readable : from),
                 "r"(bytes));
}
__device__ inline void commitCopies() {
    asm volatile("cp.async.commit_group;");
}
template <int Pending>
__device__ void waitForCopies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending));
}

__device__ inline void loadMatrices(uint32_t (&r)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}
__device__ inline void loadMatricesTransposed(uint32_t (&r)[4], uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

// An 8 x 8 matrix spread over the warp as accumulators are (row lane / 4, columns 2 (lane % 4) and the next), transposed.
__device__ inline uint32_t transposed(uint32_t pair) {
    uint32_t out;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out) : "r"(pair));
    return out;
}

// c [16 x 8] += a [16 x 16] b [16 x 8], bfloat16 in, float32 sums. A lane holds rows lane/4 and lane/4 + 8, columns 2 (lane%4) and the next of c.
__device__ inline void multiply(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ inline uint32_t packBf16(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const uint32_t*>(&pair);
}

// Piece (16 bytes) of a row of `RowBytes`, a multiple of 128: pieces are exchanged (piece ^ row % 8) so that eight rows meet no bank twice.
template <int RowBytes>
__device__ uint32_t pieceAddress(uint32_t base, int row, int piece) {
    static_assert(RowBytes % 128 == 0);
    return base + static_cast<uint32_t>(row * RowBytes + ((piece ^ (row & 7)) * 16));
}

}  // namespace pal::cuda
