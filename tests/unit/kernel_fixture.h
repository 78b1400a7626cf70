// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/api/tensor_view.h"

// Random tensors and weights for kernel tests, with the double values that the stored bits stand for.

namespace pal::test {

inline constexpr std::array<double, 8> kE2m1 = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

class Random {
  public:
    explicit Random(uint32_t seed) : engine_(seed) {}
    float normal() { return distribution_(engine_); }
    int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

  private:
    std::mt19937 engine_;
    std::normal_distribution<float> distribution_;
};

// A float32 tensor whose rows are `gap` elements apart beyond their width; the gap holds a marker that nobody may change.
class Activations {
  public:
    static constexpr float kMarker = 12345.5F;

    Activations(int64_t rows, int64_t cols, int64_t gap = 0)
        : rows_(rows), cols_(cols), stride_(cols + gap), data_(static_cast<size_t>(rows * (cols + gap)), kMarker) {}

    Activations& randomise(Random& random) {
        for (int64_t i = 0; i < rows_; ++i) {
            for (int64_t j = 0; j < cols_; ++j) at(i, j) = random.normal();
        }
        return *this;
    }
    float& at(int64_t i, int64_t j) { return data_[static_cast<size_t>(i * stride_ + j)]; }
    [[nodiscard]] float at(int64_t i, int64_t j) const { return data_[static_cast<size_t>(i * stride_ + j)]; }
    [[nodiscard]] int64_t rows() const { return rows_; }
    [[nodiscard]] int64_t cols() const { return cols_; }
    TensorView view() {
        TensorView view(data_.data(), DType::kF32, {rows_, cols_});
        view.stride[0] = stride_;
        return view;
    }
    [[nodiscard]] bool markersIntact() const {
        for (int64_t i = 0; i < rows_; ++i) {
            for (int64_t j = cols_; j < stride_; ++j) {
                if (at(i, j) != kMarker) return false;
            }
        }
        return true;
    }

  private:
    int64_t rows_;
    int64_t cols_;
    int64_t stride_;
    std::vector<float> data_;
};

// A weight matrix in storage of exactly its size, at an odd address as in a mapped file, and its values in double.
class Weight {
  public:
    Weight(WeightFormat format, int64_t rows, int64_t cols, Random& random)
        : view_{format, rows, cols, nullptr, nullptr} {
        values_.resize(static_cast<size_t>(rows * cols));
        data_.assign(1, 0);
        if (format == WeightFormat::kMxfp4) {
            fillMxfp4(random, 110, 130);
            return;
        }
        for (double& value : values_) {
            const auto bits = std::bit_cast<uint32_t>(random.normal());
            const bool half = format == WeightFormat::kBF16;
            value = static_cast<double>(std::bit_cast<float>(half ? bits & 0xFFFF0000U : bits));
            for (int byte = half ? 2 : 0; byte < 4; ++byte) data_.push_back(static_cast<uint8_t>(bits >> (8 * byte)));
        }
    }

    // MXFP4 with random codes and scale codes in [low, high].
    void fillMxfp4(Random& random, int low, int high) {
        std::vector<uint8_t> codes(values_.size());
        for (uint8_t& code : codes) code = static_cast<uint8_t>(random.integer(0, 15));
        scale_.resize(values_.size() / kMxfp4Group);
        for (uint8_t& scale : scale_) scale = static_cast<uint8_t>(random.integer(low, high));
        setMxfp4(codes, scale_);
    }

    void setMxfp4(const std::vector<uint8_t>& codes, const std::vector<uint8_t>& scales) {
        data_.assign(1, 0);
        scale_ = scales;
        for (size_t i = 0; i < codes.size(); i += 2)
            data_.push_back(static_cast<uint8_t>(codes[i] | codes[i + 1] << 4));
        for (size_t i = 0; i < codes.size(); ++i) {
            const double magnitude = std::ldexp(kE2m1[codes[i] & 7], scale_[i / kMxfp4Group] - 127);
            values_[i] = codes[i] >= 8 ? -magnitude : magnitude;
        }
    }

    [[nodiscard]] WeightView view() const {
        WeightView view = view_;
        view.data = data_.data() + 1;
        if (view.format == WeightFormat::kMxfp4) view.scale = scale_.data();
        return view;
    }
    [[nodiscard]] double at(int64_t row, int64_t col) const {
        return values_[static_cast<size_t>(row * view_.cols + col)];
    }

  private:
    WeightView view_;
    std::vector<double> values_;
    std::vector<uint8_t> data_;
    std::vector<uint8_t> scale_;
};

}  // namespace pal::test
