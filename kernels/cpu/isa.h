// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/api/backend.h"

namespace pal::cpu {

// Limits Highway's run-time dispatch to the wanted instruction set, for the whole process. Returns why it cannot ("this processor has no AVX-512"), or "".
std::string selectIsa(CpuIsa wanted);

// Whether products of several tokens run on the matrix unit (AMX) now. The first call asks the system for the use of its registers.
bool usesAmx();

// Whether products of single tokens with MXFP4 weights run on AVX-512's byte products (VNNI) now.
bool usesVnni();

// The instruction set that kernels run with now: "AVX2", "AVX-512" or "AVX-512 and AMX".
std::string isaName();

}  // namespace pal::cpu
