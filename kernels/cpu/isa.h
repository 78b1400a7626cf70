// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/api/backend.h"

namespace pal::cpu {

// Limits Highway's run-time dispatch to the wanted instruction set, for the whole process. Returns why it cannot ("this processor has no AVX-512"), or "".
std::string selectIsa(CpuIsa wanted);

// The instruction set that kernels run with now, as Highway names it ("AVX2", "AVX3").
std::string isaName();

}  // namespace pal::cpu
