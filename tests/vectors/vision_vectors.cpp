// SPDX-License-Identifier: Apache-2.0
// visionPosition, rotate2d, visionAttention, gelu, mergePatches.
#include "tests/oracle/vision_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

class Vision : public OpTest {};
PAL_ON_EVERY_BACKEND(Vision);

const std::vector<PatchGrid> kGrids{{1, 2, 2}, {1, 8, 8}, {1, 6, 10}, {1, 14, 4}, {4, 4, 6}, {3, 2, 8}, {2, 18, 2}};

TEST_P(Vision, Position) {
    Random random(41);
    constexpr int64_t kWidth = 24;
    const Mat<double> table = random.mat(8 * 8, kWidth, -2, 2);
    const Vector t(backend(), table.v);
    for (const PatchGrid& grid : kGrids) {
        const Mat<double> x = random.mat(grid.patches(), kWidth, -1, 1);
        const Device out(backend(), x);
        backend().visionPosition({grid, t.data(), 8, 8, out.view()});
        finish();
        Mat<double> truth = oracle::visionPosition(table, 8, 8, {grid.t, grid.h, grid.w});
        Mat<float> naive = oracle::visionPosition(toFloat(table), 8, 8, {grid.t, grid.h, grid.w});
        for (size_t i = 0; i < truth.v.size(); ++i) {
            truth.v[i] += x.v[i];
            naive.v[i] += static_cast<float>(x.v[i]);
        }
        expectWithin(fmt::format("position {}x{}x{}", grid.t, grid.h, grid.w), out.read(), truth, naive);
    }
}

TEST_P(Vision, Rotation) {
    Random random(42);
    for (const PatchGrid& grid : kGrids) {
        const Mat<double> x = random.mat(grid.patches(), 3 * 12, -2, 2);
        const Device out(backend(), x);
        backend().rotate2d({grid, out.heads(3)});
        finish();
        const auto truth = oracle::rotate2d(x, 3, {grid.t, grid.h, grid.w});
        const auto naive = oracle::rotate2d(toFloat(x), 3, {grid.t, grid.h, grid.w});
        expectWithin("rotation", out.read(), truth, naive);
        if (grid.h != grid.w && grid.t == 1) {
            // Rows and columns exchanged: the documented mistake of the reference's own comment.
            Mat<double> moved(x.rows, x.cols);
            const auto index = [&](int64_t n) { return n % grid.w * grid.h + n / grid.w; };
            for (int64_t n = 0; n < x.rows; ++n) std::copy_n(x.row(n), x.cols, moved.row(index(n)));
            const auto turned = oracle::rotate2d(moved, 3, {1, grid.w, grid.h});
            Mat<double> wrong(x.rows, x.cols);
            for (int64_t n = 0; n < x.rows; ++n) std::copy_n(turned.row(index(n)), x.cols, wrong.row(n));
            expectTellsApart("column turns the even pairs", out.read(), truth, naive, wrong);
        }
    }
}

TEST_P(Vision, RotationOfOneStep) {
    Mat<double> x(2, 8);
    x.at(1, 0) = 1;  // patch (row 0, column 1): pair 0 turns by 1 radian, pair 1 not at all
    x.at(1, 2) = 1;
    const Device out(backend(), x);
    backend().rotate2d({{1, 1, 2}, out.heads(1)});
    finish();
    const Mat<double> got = out.read();
    EXPECT_NEAR(got.at(1, 0), std::cos(1.0), 1e-6);
    EXPECT_NEAR(got.at(1, 1), std::sin(1.0), 1e-6);
    EXPECT_EQ(got.at(1, 2), 1.0);
    EXPECT_EQ(got.at(1, 3), 0.0);
}

TEST_P(Vision, Attention) {
    Random random(43);
    for (const int64_t patches : {1, 4, 63, 64, 65, 200}) {
        for (const double size : {1.0, 20.0}) {
            const Mat<double> q = random.mat(patches, 3 * 20, -size, size);
            const Mat<double> k = random.mat(patches, 3 * 20, -2, 2);
            const Mat<double> v = random.mat(patches, 3 * 20, -2, 2);
            const Device qd(backend(), q);
            const Device kd(backend(), k);
            const Device vd(backend(), v);
            const Device out(backend(), patches, 3 * 20);
            backend().visionAttention(
                {qd.heads(3), kd.heads(3), vd.heads(3), static_cast<float>(std::pow(20.0, -0.5)), out.heads(3)});
            finish();
            expectWithin(fmt::format("vision attention N {}", patches), out.read(), oracle::visionAttention(q, k, v, 3),
                         oracle::visionAttention(toFloat(q), toFloat(k), toFloat(v), 3));
        }
    }
}

TEST_P(Vision, Gelu) {
    Random random(44);
    const Mat<double> x = random.mat(3, 157, -8, 8);
    const Device tanhOut(backend(), x);
    const Device erfOut(backend(), x);
    backend().gelu({GeluKind::kTanh, tanhOut.view()});
    backend().gelu({GeluKind::kErf, erfOut.view()});
    finish();
    expectWithin("gelu tanh", tanhOut.read(), oracle::geluTanh(x), oracle::geluTanh(toFloat(x)));
    expectWithin("gelu erf", erfOut.read(), oracle::geluErf(x), oracle::geluErf(toFloat(x)));
    expectTellsApart("erf is not tanh", erfOut.read(), oracle::geluErf(x), oracle::geluErf(toFloat(x)),
                     oracle::geluTanh(x));
}

TEST_P(Vision, Merge) {
    Random random(45);
    for (const PatchGrid& grid : kGrids) {
        const Mat<double> x = random.mat(grid.patches(), 9, -2, 2);
        const Device input(backend(), x);
        const Device out(backend(), grid.h / 2 * (grid.w / 2), 4 * 9);
        backend().mergePatches({grid, 2, 2, input.view(), out.view()});
        finish();
        expectWithin("merge", out.read(), oracle::mergePatches(x, {grid.t, grid.h, grid.w}, 2, 2),
                     oracle::mergePatches(toFloat(x), {grid.t, grid.h, grid.w}, 2, 2));
    }
}

}  // namespace
}  // namespace pal::vectors
