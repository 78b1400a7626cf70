// SPDX-License-Identifier: Apache-2.0
#include "app/cli/long_names.h"

#include <gtest/gtest.h>

namespace pal::cli {
namespace {

using Arguments = std::vector<std::string>;

TEST(LongNames, EachHasTwoDashesAfterwards) {
    EXPECT_EQ(withLongNames({"-ctk", "bf16", "-ctv", "bf16"}),
              (Arguments{"--cache-type-k", "bf16", "--cache-type-v", "bf16"}));
    EXPECT_EQ(withLongNames({"-dev", "-fit", "-fitt", "-ncmoe", "-ngl", "-sm", "-sys", "-ts"}),
              (Arguments{"--device", "--fit", "--fit-target", "--n-cpu-moe", "--n-gpu-layers", "--split-mode",
                         "--system-prompt", "--tensor-split"}));
}

TEST(LongNames, AllElseStays) {
    const Arguments others{"run", "-c", "4", "-ctk=bf16", "-n2", "--ngl", "ngl", "-", "", "-t", "s"};
    EXPECT_EQ(withLongNames(others), others);
    EXPECT_EQ(withLongNames({}), Arguments{});
}

TEST(LongNames, AfterTwoDashesAreWords) {
    EXPECT_EQ(withLongNames({"-sm", "none", "--", "-sm"}), (Arguments{"--split-mode", "none", "--", "-sm"}));
}

}  // namespace
}  // namespace pal::cli
