// SPDX-License-Identifier: Apache-2.0
// main() of kernel tests: `--target=avx2` and `--target=avx512` run them with less than the processor may have. Exit code 77: it has not even that.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <string_view>

#include "kernels/cpu/isa.h"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    pal::CpuIsa isa = pal::CpuIsa::kBest;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--target=avx2") isa = pal::CpuIsa::kAvx2;
        if (argument == "--target=avx512") isa = pal::CpuIsa::kAvx512;
    }
    if (const std::string why = pal::cpu::selectIsa(isa); !why.empty()) {
        std::cout << why << '\n';
        return 77;
    }
    std::cout << "target " << pal::cpu::isaName() << '\n';
    return RUN_ALL_TESTS();
}
