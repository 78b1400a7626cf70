// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/isa.h"

#include <hwy/targets.h>

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pal::cpu {
namespace {

// Highway's AVX3 family is AVX-512 with its extensions; targets with smaller values are wider.
constexpr int64_t kAvx512Targets = HWY_AVX3 | HWY_AVX3_DL;
// Highway 1.0 knows no matrix unit. Every processor that has one also has the extensions of AVX3_DL, for which no kernel is compiled, so that target
// stands for its use.
constexpr int64_t kAmxTarget = HWY_AVX3_DL;

// Flags of leaf 7 of the processor: ecx and edx.
struct Leaf7 {
    unsigned c = 0;
    unsigned d = 0;
};

Leaf7 leaf7() {
    Leaf7 leaf;
    unsigned a = 0;
    unsigned b = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &leaf.c, &leaf.d) == 0) return {};
    return leaf;
}

bool vnniIsThere() {
    constexpr unsigned kVnni = 1U << 11;
    return (leaf7().c & kVnni) != 0;
}

// Linux lends a process the registers of the unit when it asks for them.
bool amxIsThere() {
    constexpr unsigned kBf16AndTiles = 1U << 22 | 1U << 24;
    if ((leaf7().d & kBf16AndTiles) != kBf16AndTiles) return false;
    constexpr long kRequestPermission = 0x1023;
    constexpr long kTileData = 18;
    return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace

std::string selectIsa(CpuIsa wanted) {
    hwy::SetSupportedTargetsForTest(0);
    const int64_t supported = hwy::SupportedTargets();
    if ((supported & HWY_AVX2) == 0) return "this processor has no AVX2";
    if (wanted == CpuIsa::kAvx512 && (supported & kAvx512Targets) == 0) return "this processor has no AVX-512";
    if (wanted == CpuIsa::kAmx && !usesAmx()) return "this processor has no AMX";
    int64_t targets = supported;
    if (wanted == CpuIsa::kAvx2) targets &= ~(HWY_AVX2 - 1);
    if (wanted == CpuIsa::kAvx512) targets = (targets & ~kAmxTarget) | HWY_AVX3;
    hwy::SetSupportedTargetsForTest(
        targets);  // also for kBest: otherwise each question asks the processor again, for 70 us in a VM
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return "";
}

bool usesAmx() {
    static const bool there = amxIsThere();
    return there && (hwy::SupportedTargets() & kAmxTarget) != 0;
}

bool usesVnni() {
    static const bool there = vnniIsThere();
    return there && (hwy::SupportedTargets() & kAvx512Targets) != 0;
}

std::string isaName() {
    if (usesAmx()) return "AVX-512 and AMX";
    return (hwy::SupportedTargets() & kAvx512Targets) != 0 ? "AVX-512" : "AVX2";
}

}  // namespace pal::cpu
