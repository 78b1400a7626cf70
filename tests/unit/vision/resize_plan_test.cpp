// SPDX-License-Identifier: Apache-2.0
// The reference's resize plan: sizes, padding, grid and tokens, for K3's numbers and others.
#include "vision/resize_plan.h"

#include <gtest/gtest.h>

#include "tests/unit/vision/k3_media_config.h"

namespace pal {
namespace {

struct Row {
    int64_t width, height, newWidth, newHeight, padWidth, padHeight, rows, columns, tokens;
};

// Calculated from the reference's formula; the rows 100x100, 4000x3000, 8000x8000 and 10000x100 also stand in another implementation's tests.
constexpr Row kTable[] = {
    {1, 1, 1, 1, 27, 27, 2, 2, 1},
    {28, 28, 28, 28, 0, 0, 2, 2, 1},
    {29, 28, 29, 28, 27, 0, 2, 4, 2},
    {100, 100, 100, 100, 12, 12, 8, 8, 16},
    {224, 224, 224, 224, 0, 0, 16, 16, 64},
    {640, 480, 640, 480, 4, 24, 36, 46, 414},
    {896, 896, 896, 896, 0, 0, 64, 64, 1024},
    {1024, 768, 1024, 768, 12, 16, 56, 74, 1036},
    {1920, 1080, 1920, 1080, 12, 12, 78, 138, 2691},
    {3840, 2160, 3840, 2160, 24, 24, 156, 276, 10764},
    {4000, 3000, 4000, 3000, 4, 24, 216, 286, 15444},
    {3584, 3584, 3584, 3584, 0, 0, 256, 256, 16384},
    {4096, 4096, 3591, 3591, 21, 21, 258, 258, 16641},
    {8000, 8000, 3586, 3586, 26, 26, 258, 258, 16641},
    {10000, 100, 7168, 71, 0, 13, 6, 512, 768},
    {100, 10000, 71, 7168, 13, 0, 512, 6, 768},
    {7169, 1, 7168, 1, 0, 27, 2, 512, 256},
    {30000, 20000, 4391, 2927, 5, 13, 210, 314, 16485},
    {1861, 7041, 1850, 7002, 26, 26, 502, 134, 16817},  // the largest number of tokens there is
};

TEST(ResizePlan, FollowsTheReferenceForKimiK3) {
    const MediaConfig config = test::k3Media();
    for (const Row& row : kTable) {
        const ResizePlan plan = planImage(config, row.width, row.height);
        const ResizePlan wanted{row.newWidth, row.newHeight, row.rows, row.columns, row.tokens};
        EXPECT_EQ(plan, wanted) << row.width << "x" << row.height << ": " << plan.width << "x" << plan.height << ", "
                                << plan.rows << "x" << plan.columns << ", " << plan.tokens;
        EXPECT_EQ(plan.columns * 14 - plan.width, row.padWidth);
        EXPECT_EQ(plan.rows * 14 - plan.height, row.padHeight);
    }
}

TEST(ResizePlan, AFrameHasALimitOfItsOwn) {
    MediaConfig config = test::k3Media();
    EXPECT_EQ(planFrame(config, 4, 1920, 1080), planImage(config, 1920, 1080));
    // 16384 patches instead of 65536: half the side.
    const ResizePlan frame = planFrame(config, 4, 8000, 8000);
    EXPECT_EQ(frame, planResize(config, 16384, 8000, 8000));
    EXPECT_EQ(frame.width, 1793);
    // The limit of a clip is spread over the frames of a chunk: 655360 / 4 never binds, 400 / 3 rounds to 133.
    config.video->patchLimitPerVideo = 400;
    EXPECT_EQ(planFrame(config, 3, 1000, 1000), planResize(config, 133, 1000, 1000));
    EXPECT_EQ(planFrame(config, 4, 1000, 1000), planResize(config, 100, 1000, 1000));
}

TEST(ResizePlan, NothingIsEnlargedAndTheBudgetHolds) {
    const MediaConfig config = test::k3Media();
    for (int64_t width = 1; width < 20000; width = width * 5 / 3 + 1) {
        for (int64_t height = 1; height < 20000; height = height * 7 / 4 + 1) {
            const ResizePlan plan = planImage(config, width, height);
            ASSERT_LE(plan.width, width);
            ASSERT_LE(plan.height, height);
            ASSERT_LE(plan.tokens, 16817);
            ASSERT_EQ(plan.tokens * 4, plan.rows * plan.columns);
            ASSERT_LE(std::max(plan.rows, plan.columns), 512);
            ASSERT_TRUE(plan.columns * 14 >= plan.width && plan.columns * 14 - plan.width < 28);
            ASSERT_TRUE(plan.rows * 14 >= plan.height && plan.rows * 14 - plan.height < 28);
        }
    }
}

TEST(ResizePlan, FewerTokensOnRequest) {
    const MediaConfig config = test::k3Media();
    for (const int64_t most : {1, 5, 64, 1000, 15443, 15444, 99999}) {
        const ResizePlan plan = planWithinTokens(config, config.patchLimit, most, 4000, 3000);
        EXPECT_LE(plan.tokens, most);
        if (most >= 15444) {
            EXPECT_EQ(plan, planImage(config, 4000, 3000));
        }
        // Not smaller than needed: a third of a budget above a few tokens is never wasted.
        if (most >= 64 && most < 15444) {
            EXPECT_GT(plan.tokens * 3, most * 2);
        }
    }
    // A picture that is long enough has no plan with one token; the smallest is told.
    EXPECT_GT(planWithinTokens(config, config.patchLimit, 1, 10000, 100).tokens, 1);
}

}  // namespace
}  // namespace pal
