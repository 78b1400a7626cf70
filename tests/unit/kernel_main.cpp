// SPDX-License-Identifier: Apache-2.0
// main() of kernel tests: `--target=avx2` runs them with AVX2 on a processor that has AVX-512.
#include <gtest/gtest.h>

#include <hwy/targets.h>
#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--target=avx2") hwy::SetSupportedTargetsForTest(HWY_AVX2);
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const int64_t targets = hwy::SupportedTargets();
    std::cout << "target " << hwy::TargetName(targets & -targets) << '\n';
    return RUN_ALL_TESTS();
}
