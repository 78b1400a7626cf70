// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/cuda/hopper.cuh"

// wgmma of the widths that matrix products take; operands and places of the sums as in hopper.cuh.

namespace pal::cuda {

__device__ inline uint64_t advance(uint64_t rowOperand, int columns) {
    return rowOperand + static_cast<uint64_t>(columns * 2 >> 4);
}

// clang-format off
#define PAL_NAMES_32 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define PAL_NAMES_64 PAL_NAMES_32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define PAL_NAMES_80 PAL_NAMES_64 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79"
#define PAL_NAMES_96 PAL_NAMES_80 ",%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define PAL_NAMES_128 PAL_NAMES_96 ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define PAL_SUMS_8(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), "+f"(c[i + 6]), "+f"(c[i + 7])
#define PAL_SUMS_32(i) PAL_SUMS_8(i), PAL_SUMS_8(i + 8), PAL_SUMS_8(i + 16), PAL_SUMS_8(i + 24)
#define PAL_SUMS_64 PAL_SUMS_32(0), PAL_SUMS_32(32)
#define PAL_SUMS_80 PAL_SUMS_64, PAL_SUMS_8(64), PAL_SUMS_8(72)
#define PAL_SUMS_96 PAL_SUMS_80, PAL_SUMS_8(80), PAL_SUMS_8(88)
#define PAL_SUMS_128 PAL_SUMS_96, PAL_SUMS_32(96)
// clang-format on

// c [64 x Columns] += a [64 x 16] b [Columns x 16]^T with the left operand in registers, as mma.sync's of 16 rows per warp.
template <int Columns>
__device__ void productFromRegisters(float (&c)[Columns / 2], const uint32_t (&a)[4], uint64_t b);
// The same with both operands in shared memory.
template <int Columns>
__device__ void product(float (&c)[Columns / 2], uint64_t a, uint64_t b);

#define PAL_PRODUCT_FROM_REGISTERS(columns, names, sums, a0, a1, a2, a3, right)                                       \
    template <>                                                                                                       \
    __device__ inline void productFromRegisters<columns>(float(&c)[columns / 2], const uint32_t(&a)[4], uint64_t b) { \
        asm volatile(                                                                                                 \
            "{ .reg .pred add; setp.eq.u32 add, 1, 1; "                                                               \
            "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" names "}, {" a0 "," a1 "," a2 "," a3   \
            "}, " right ", add, 1, 1, 0; }"                                                                           \
            : sums                                                                                                    \
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));                                                    \
    }
PAL_PRODUCT_FROM_REGISTERS(64, PAL_NAMES_32, PAL_SUMS_32(0), "%32", "%33", "%34", "%35", "%36")
PAL_PRODUCT_FROM_REGISTERS(128, PAL_NAMES_64, PAL_SUMS_64, "%64", "%65", "%66", "%67", "%68")
PAL_PRODUCT_FROM_REGISTERS(160, PAL_NAMES_80, PAL_SUMS_80, "%80", "%81", "%82", "%83", "%84")
PAL_PRODUCT_FROM_REGISTERS(192, PAL_NAMES_96, PAL_SUMS_96, "%96", "%97", "%98", "%99", "%100")
PAL_PRODUCT_FROM_REGISTERS(256, PAL_NAMES_128, PAL_SUMS_128, "%128", "%129", "%130", "%131", "%132")

template <>
__device__ inline void product<256>(float (&c)[128], uint64_t a, uint64_t b) {
    asm volatile(
        "{ .reg .pred add; setp.eq.u32 add, 1, 1; wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" PAL_NAMES_128
        "}, %128, %129, add, 1, 1, 0, 0; }"
        : PAL_SUMS_128
        : "l"(a), "l"(b));
}
#undef PAL_PRODUCT_FROM_REGISTERS
#undef PAL_NAMES_32
#undef PAL_NAMES_64
#undef PAL_NAMES_80
#undef PAL_NAMES_96
#undef PAL_NAMES_128
#undef PAL_SUMS_8
#undef PAL_SUMS_32
#undef PAL_SUMS_64
#undef PAL_SUMS_80
#undef PAL_SUMS_96
#undef PAL_SUMS_128

}  // namespace pal::cuda
