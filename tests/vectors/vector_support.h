// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/api/backend.h"
#include "tests/oracle/mat.h"

// One body per op, run on every backend of the build against the oracle.
//
// Bound: max |kernel - truth| <= 2 * max |plain float loops - truth| + floor, floor = 2^-21 * max |truth| (a few units in the last place of the
// largest element, for cases in which the plain loops happen to be exact). No test has a tolerance of its own.

namespace pal::vectors {

using oracle::Mat;

struct BackendCase {
    std::string name;
    std::function<BackendAttempt()> make;
};

// CPU with each instruction set and with 1 and 3 threads, CUDA: those that this machine has.
std::vector<BackendCase> backendCases();
// The first of these, for promises that other backends do not make.
std::vector<BackendCase> cpuBackendCases();

// Seeded values for inputs; the same on every machine.
class Random {
  public:
    explicit Random(uint64_t seed) : seed_(seed) {}
    // Uniform in [low, high), rounded to float so that float and double oracles see the same input.
    double uniform(double low, double high);
    // Uniform integer in [0, n).
    uint64_t below(uint64_t n);
    uint64_t bits();
    Mat<double> mat(int64_t rows, int64_t cols, double low = -1, double high = 1);
    std::vector<double> vec(int64_t n, double low = -1, double high = 1);

  private:
    uint64_t seed_;
    uint64_t count_ = 0;
};

// Rounds every element to bf16, as a checkpoint stores it.
Mat<double> roundedToBf16(Mat<double> m);

Mat<float> toFloat(const Mat<double>& m);
Mat<double> toDouble(const Mat<float>& m);
std::vector<float> toFloat(const std::vector<double>& v);

// A tensor in the backend's memory, with its host copy's shape.
class Device {
  public:
    Device(Backend& backend, const Mat<double>& values);                               // as f32
    Device(Backend& backend, const Mat<int32_t>& values);                              // as i32
    Device(Backend& backend, int64_t rows, int64_t cols);                              // f32, poisoned with NaN
    static Device bf16(Backend& backend, const Mat<double>& values);                   // rounded
    static Device indices(Backend& backend, int64_t rows, int64_t cols);               // i32, poisoned
    static Device latents(Backend& backend, DType dtype, int64_t rows, int64_t cols);  // f32 or bf16, poisoned

    [[nodiscard]] TensorView view() const { return view_; }
    [[nodiscard]] TensorView heads(int64_t h) const { return view_.splitLast(h, view_.dim(1) / h); }
    [[nodiscard]] Mat<double> read() const;
    [[nodiscard]] Mat<int32_t> readIndices() const;

  private:
    Device(Backend& backend, DType dtype, int64_t rows, int64_t cols);
    Backend* backend_;
    Buffer buffer_;
    TensorView view_;
};

// A weight matrix in one of the storage formats, with the values that it really holds.
class Weight {
  public:
    // Random values of about 1/sqrt(cols).
    Weight(Backend& backend, Random& random, WeightFormat format, int64_t rows, int64_t cols);
    [[nodiscard]] const WeightView& view() const { return view_; }
    [[nodiscard]] const Mat<double>& values() const { return values_; }
    [[nodiscard]] const std::vector<uint8_t>& packed() const { return data_; }
    [[nodiscard]] const std::vector<uint8_t>& scales() const { return scale_; }

  private:
    std::vector<uint8_t> data_;
    std::vector<uint8_t> scale_;
    WeightView view_;
    Mat<double> values_;
};

// A float32 vector in the backend's memory.
class Vector {
  public:
    Vector(Backend& backend, const std::vector<double>& values);
    [[nodiscard]] const float* data() const { return data_; }

  private:
    std::vector<float> host_;
    const float* data_;
};

// Whether a single token has a form of its own with such weights, so that it may differ by rounding from several (see LinearArgs).
bool hasSingleForm(const Backend& backend, WeightFormat format);

// The bound of this header's first comment; `naive` comes from the float oracle.
void expectWithin(const std::string& what, const Mat<double>& kernel, const Mat<double>& truth,
                  const Mat<float>& naive);
// The kernel is not the wrong formula: it misses `wrong` by more than 50 times the bound.
void expectTellsApart(const std::string& what, const Mat<double>& kernel, const Mat<double>& truth,
                      const Mat<float>& naive, const Mat<double>& wrong);

class OpTest : public testing::TestWithParam<BackendCase> {
  protected:
    void SetUp() override;
    // Fails the test when the backend reports an error.
    void finish();
    [[nodiscard]] Backend& backend() { return *backend_; }

  private:
    std::unique_ptr<Backend> backend_;
};

inline std::string caseName(const testing::TestParamInfo<BackendCase>& info) {
    return info.param.name;
}

}  // namespace pal::vectors

#define PAL_ON_EVERY_BACKEND(suite)                                                              \
    INSTANTIATE_TEST_SUITE_P(Backends, suite, testing::ValuesIn(::pal::vectors::backendCases()), \
                             ::pal::vectors::caseName)
