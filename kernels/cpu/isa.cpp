// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/isa.h"

#include <hwy/targets.h>

namespace pal::cpu {
namespace {

// Highway's AVX3 family is AVX-512 with its extensions; targets with smaller values are wider.
constexpr int64_t kAvx512Targets = HWY_AVX3 | HWY_AVX3_DL;

}  // namespace

std::string selectIsa(CpuIsa wanted) {
    hwy::SetSupportedTargetsForTest(0);
    const int64_t supported = hwy::SupportedTargets();
    if ((supported & HWY_AVX2) == 0) return "this processor has no AVX2";
    if (wanted == CpuIsa::kBest) return "";
    if (wanted == CpuIsa::kAvx512 && (supported & kAvx512Targets) == 0) return "this processor has no AVX-512";
    hwy::SetSupportedTargetsForTest(wanted == CpuIsa::kAvx2 ? supported & ~(HWY_AVX2 - 1) : supported);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return "";
}

std::string isaName() {
    const int64_t supported = hwy::SupportedTargets();
    return hwy::TargetName(supported & -supported);
}

}  // namespace pal::cpu
