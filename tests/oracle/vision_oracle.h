// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/oracle/mat.h"

// The vision tower's own ops as plain loops. Rows are patches, frame-major then row-major over the grid.

namespace pal::oracle {

struct Grid {
    int64_t t = 1;
    int64_t h = 0;
    int64_t w = 0;
};

// table [H * W, D]; bilinear, half-pixel centres, clamped, then the time term for t > 1.
template <typename Real>
Mat<Real> visionPosition(const Mat<Real>& table, int64_t tableH, int64_t tableW, const Grid& grid) {
    const int64_t width = table.cols;
    Mat<Real> out(grid.t * grid.h * grid.w, width);
    const auto source = [](int64_t i, int64_t in, int64_t n) {
        const double s = (static_cast<double>(i) + 0.5) * static_cast<double>(in) / static_cast<double>(n) - 0.5;
        return std::clamp(s, 0.0, static_cast<double>(in - 1));
    };
    for (int64_t k = 0; k < grid.t; ++k) {
        for (int64_t y = 0; y < grid.h; ++y) {
            for (int64_t x = 0; x < grid.w; ++x) {
                const double sy = source(y, tableH, grid.h);
                const double sx = source(x, tableW, grid.w);
                const auto y0 = static_cast<int64_t>(sy);
                const auto x0 = static_cast<int64_t>(sx);
                const int64_t y1 = std::min(y0 + 1, tableH - 1);
                const int64_t x1 = std::min(x0 + 1, tableW - 1);
                const auto fy = static_cast<Real>(sy - static_cast<double>(y0));
                const auto fx = static_cast<Real>(sx - static_cast<double>(x0));
                Real* row = out.row((k * grid.h + y) * grid.w + x);
                for (int64_t d = 0; d < width; ++d) {
                    const Real top = (1 - fx) * table.at(y0 * tableW + x0, d) + fx * table.at(y0 * tableW + x1, d);
                    const Real bottom = (1 - fx) * table.at(y1 * tableW + x0, d) + fx * table.at(y1 * tableW + x1, d);
                    row[d] = (1 - fy) * top + fy * bottom;
                    if (grid.t == 1) continue;
                    const int64_t half = width / 2;
                    const double omega = std::pow(10000.0, -static_cast<double>(d % half) / static_cast<double>(half));
                    const double angle = static_cast<double>(k) * omega;
                    row[d] += static_cast<Real>(d < half ? std::sin(angle) : std::cos(angle));
                }
            }
        }
    }
    return out;
}

// Pair j of every head turns by (j even ? column : row) * 10000^(-(j / 2) / (dim / 4)).
template <typename Real>
Mat<Real> rotate2d(const Mat<Real>& x, int64_t heads, const Grid& grid) {
    const int64_t dim = x.cols / heads;
    Mat<Real> out(x.rows, x.cols);
    for (int64_t n = 0; n < x.rows; ++n) {
        const int64_t column = n % grid.w;
        const int64_t line = n / grid.w % grid.h;
        for (int64_t h = 0; h < heads; ++h) {
            for (int64_t j = 0; j < dim / 2; ++j) {
                const double frequency =
                    std::pow(10000.0, -static_cast<double>(j / 2) / (static_cast<double>(dim) / 4));
                const double angle = static_cast<double>(j % 2 == 0 ? column : line) * frequency;
                const auto c = static_cast<Real>(std::cos(angle));
                const auto s = static_cast<Real>(std::sin(angle));
                const Real a = x.at(n, h * dim + 2 * j);
                const Real b = x.at(n, h * dim + 2 * j + 1);
                out.at(n, h * dim + 2 * j) = a * c - b * s;
                out.at(n, h * dim + 2 * j + 1) = a * s + b * c;
            }
        }
    }
    return out;
}

template <typename Real>
Mat<Real> visionAttention(const Mat<Real>& q, const Mat<Real>& k, const Mat<Real>& v, int64_t heads) {
    const int64_t dim = q.cols / heads;
    const Real scale = Real(1) / std::sqrt(static_cast<Real>(dim));
    Mat<Real> out(q.rows, q.cols);
    for (int64_t h = 0; h < heads; ++h) {
        for (int64_t i = 0; i < q.rows; ++i) {
            std::vector<Real> score(static_cast<size_t>(k.rows));
            for (int64_t j = 0; j < k.rows; ++j) {
                for (int64_t c = 0; c < dim; ++c)
                    score[static_cast<size_t>(j)] += q.at(i, h * dim + c) * k.at(j, h * dim + c);
                score[static_cast<size_t>(j)] *= scale;
            }
            const Real top = *std::max_element(score.begin(), score.end());
            Real sum = 0;
            for (Real& s : score) sum += s = std::exp(s - top);
            for (int64_t j = 0; j < k.rows; ++j) {
                const Real p = score[static_cast<size_t>(j)] / sum;
                for (int64_t c = 0; c < dim; ++c) out.at(i, h * dim + c) += p * v.at(j, h * dim + c);
            }
        }
    }
    return out;
}

template <typename Real>
Mat<Real> geluTanh(Mat<Real> x) {
    const auto c = static_cast<Real>(0.7978845608028653559);
    for (Real& y : x.v) y = Real(0.5) * y * (1 + std::tanh(c * (y + Real(0.044715) * y * y * y)));
    return x;
}

template <typename Real>
Mat<Real> geluErf(Mat<Real> x) {
    const auto c = static_cast<Real>(0.7071067811865475244);
    for (Real& y : x.v) y = Real(0.5) * y * (1 + std::erf(y * c));
    return x;
}

template <typename Real>
Mat<Real> mergePatches(const Mat<Real>& x, const Grid& grid, int64_t kernelH, int64_t kernelW) {
    const int64_t outH = grid.h / kernelH;
    const int64_t outW = grid.w / kernelW;
    Mat<Real> out(outH * outW, kernelH * kernelW * x.cols);
    for (int64_t R = 0; R < outH; ++R) {
        for (int64_t C = 0; C < outW; ++C) {
            for (int64_t r = 0; r < kernelH; ++r) {
                for (int64_t c = 0; c < kernelW; ++c) {
                    for (int64_t d = 0; d < x.cols; ++d) {
                        Real sum = 0;
                        for (int64_t k = 0; k < grid.t; ++k) {
                            sum += x.at((k * grid.h + R * kernelH + r) * grid.w + C * kernelW + c, d);
                        }
                        out.at(R * outW + C, (r * kernelW + c) * x.cols + d) = sum / static_cast<Real>(grid.t);
                    }
                }
            }
        }
    }
    return out;
}

}  // namespace pal::oracle
