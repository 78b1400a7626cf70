// SPDX-License-Identifier: Apache-2.0
#include "tests/vectors/vector_support.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>

#include "engine/base/byte_hash.h"
#include "tests/oracle/dense_oracle.h"

namespace pal::vectors {
namespace {

constexpr double kFloor = 0x1p-21;
constexpr double kApart = 50;

uint16_t bf16Bits(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

float bf16Value(uint16_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// Largest difference and where it is. NaN counts as infinite.
struct Difference {
    double value = 0;
    size_t where = 0;
};

template <typename Other>
Difference largestDifference(const Mat<Other>& a, const Mat<double>& truth) {
    Difference worst;
    for (size_t i = 0; i < truth.v.size(); ++i) {
        double d = std::abs(static_cast<double>(a.v[i]) - truth.v[i]);
        if (std::isnan(d)) d = std::numeric_limits<double>::infinity();
        if (d > worst.value) worst = {d, i};
    }
    return worst;
}

double largest(const Mat<double>& m) {
    double top = 0;
    for (const double x : m.v) top = std::max(top, std::abs(x));
    return top;
}

double boundOf(const Mat<double>& truth, const Mat<float>& naive) {
    return 2 * largestDifference(naive, truth).value + kFloor * largest(truth);
}

// Every CPU backend that a build may hold.
std::vector<BackendCase> knownCpuBackends() {
    const auto cpu = [](CpuIsa isa, int threads) { return [=] { return createCpuBackend({threads, isa}); }; };
    return {{"cpu_avx2_1", cpu(CpuIsa::kAvx2, 1)},     {"cpu_avx2_3", cpu(CpuIsa::kAvx2, 3)},
            {"cpu_avx512_1", cpu(CpuIsa::kAvx512, 1)}, {"cpu_avx512_3", cpu(CpuIsa::kAvx512, 3)},
            {"cpu_amx_1", cpu(CpuIsa::kAmx, 1)},       {"cpu_amx_3", cpu(CpuIsa::kAmx, 3)}};
}

// Every backend that a build may hold.
std::vector<BackendCase> knownBackends() {
    std::vector<BackendCase> all = knownCpuBackends();
    all.push_back({"cuda", [] { return createCudaBackend(0); }});
    return all;
}

std::vector<BackendCase> present(std::vector<BackendCase> cases) {
    std::erase_if(cases, [](const BackendCase& entry) { return entry.make().backend == nullptr; });
    return cases;
}

}  // namespace

std::vector<BackendCase> backendCases() {
    return present(knownBackends());
}

std::vector<BackendCase> cpuBackendCases() {
    return present(knownCpuBackends());
}

TEST(Backends, AtLeastTheCpuIsHere) {
    EXPECT_FALSE(cpuBackendCases().empty());
    for (const BackendCase& entry : knownBackends()) {
        const BackendAttempt attempt = entry.make();
        std::cout << entry.name << ": " << (attempt.backend ? attempt.backend->info().device : attempt.whyNot) << "\n";
    }
}

uint64_t Random::bits() {
    return splitmix64(seed_ + ++count_ * 0x9E3779B97F4A7C15ULL);
}

double Random::uniform(double low, double high) {
    const double u = static_cast<double>(bits() >> 11) * 0x1p-53;
    return static_cast<double>(static_cast<float>(low + (high - low) * u));
}

uint64_t Random::below(uint64_t n) {
    return bits() % n;
}

Mat<double> Random::mat(int64_t rows, int64_t cols, double low, double high) {
    Mat<double> m(rows, cols);
    for (double& x : m.v) x = uniform(low, high);
    return m;
}

std::vector<double> Random::vec(int64_t n, double low, double high) {
    return mat(1, n, low, high).v;
}

Mat<double> roundedToBf16(Mat<double> m) {
    for (double& x : m.v) x = static_cast<double>(bf16Value(bf16Bits(static_cast<float>(x))));
    return m;
}

Mat<float> toFloat(const Mat<double>& m) {
    Mat<float> out(m.rows, m.cols);
    for (size_t i = 0; i < m.v.size(); ++i) out.v[i] = static_cast<float>(m.v[i]);
    return out;
}

Mat<double> toDouble(const Mat<float>& m) {
    Mat<double> out(m.rows, m.cols);
    std::ranges::copy(m.v, out.v.begin());
    return out;
}

std::vector<float> toFloat(const std::vector<double>& v) {
    return {v.begin(), v.end()};
}

Device::Device(Backend& backend, DType dtype, int64_t rows, int64_t cols)
    : backend_(&backend), buffer_(backend.allocate(static_cast<size_t>(rows * cols) * dtypeBytes(dtype))) {
    view_ = TensorView(buffer_.data(), dtype, {rows, cols});
}

Device::Device(Backend& backend, const Mat<double>& values) : Device(backend, DType::kF32, values.rows, values.cols) {
    const Mat<float> host = toFloat(values);
    backend.upload(buffer_.data(), std::as_bytes(std::span(host.v)));
}

Device::Device(Backend& backend, const Mat<int32_t>& values) : Device(backend, DType::kI32, values.rows, values.cols) {
    backend.upload(buffer_.data(), std::as_bytes(std::span(values.v)));
}

Device::Device(Backend& backend, int64_t rows, int64_t cols) : Device(backend, DType::kF32, rows, cols) {
    const std::vector<float> poison(static_cast<size_t>(rows * cols), std::numeric_limits<float>::quiet_NaN());
    backend.upload(buffer_.data(), std::as_bytes(std::span(poison)));
}

Device Device::bf16(Backend& backend, const Mat<double>& values) {
    Device out(backend, DType::kBF16, values.rows, values.cols);
    std::vector<uint16_t> host(values.v.size());
    std::transform(values.v.begin(), values.v.end(), host.begin(),
                   [](double x) { return bf16Bits(static_cast<float>(x)); });
    backend.upload(out.buffer_.data(), std::as_bytes(std::span(host)));
    return out;
}

Device Device::indices(Backend& backend, int64_t rows, int64_t cols) {
    Mat<int32_t> poison(rows, cols);
    for (int32_t& x : poison.v) x = std::numeric_limits<int32_t>::min();
    return {backend, poison};
}

Device Device::latents(Backend& backend, DType dtype, int64_t rows, int64_t cols) {
    if (dtype == DType::kF32) return {backend, rows, cols};
    Device out(backend, dtype, rows, cols);
    const std::vector<uint16_t> poison(static_cast<size_t>(rows * cols), 0x7FC0);
    backend.upload(out.buffer_.data(), std::as_bytes(std::span(poison)));
    return out;
}

Mat<double> Device::read() const {
    if (view_.dtype == DType::kBF16) {
        std::vector<uint16_t> host(static_cast<size_t>(view_.elements()));
        backend_->download(std::as_writable_bytes(std::span(host)), buffer_.data());
        Mat<double> out(view_.dim(0), view_.dim(1));
        std::transform(host.begin(), host.end(), out.v.begin(),
                       [](uint16_t bits) { return static_cast<double>(bf16Value(bits)); });
        return out;
    }
    std::vector<float> host(static_cast<size_t>(view_.elements()));
    backend_->download(std::as_writable_bytes(std::span(host)), buffer_.data());
    Mat<double> out(view_.dim(0), view_.dim(1));
    out.v.assign(host.begin(), host.end());
    return out;
}

Mat<int32_t> Device::readIndices() const {
    Mat<int32_t> out(view_.dim(0), view_.dim(1));
    backend_->download(std::as_writable_bytes(std::span(out.v)), buffer_.data());
    return out;
}

Weight::Weight(Backend& backend, Random& random, WeightFormat format, int64_t rows, int64_t cols)
    : values_(rows, cols) {
    const double gain = 1.7 / std::sqrt(static_cast<double>(cols));
    if (format == WeightFormat::kMxfp4) {
        data_.resize(static_cast<size_t>(rows * cols / 2));
        scale_.resize(static_cast<size_t>(rows * cols / kMxfp4Group));
        for (uint8_t& byte : data_) byte = static_cast<uint8_t>(random.bits() >> 56);
        const int exponent = 126 + static_cast<int>(std::floor(std::log2(gain)));
        for (uint8_t& s : scale_) s = static_cast<uint8_t>(exponent - 2 + static_cast<int>(random.below(4)));
        values_ = oracle::decodeMxfp4<double>(data_.data(), scale_.data(), rows, cols);
    } else if (format == WeightFormat::kBF16) {
        values_ = roundedToBf16(random.mat(rows, cols, -gain, gain));
        data_.resize(values_.v.size() * 2);
        for (size_t i = 0; i < values_.v.size(); ++i) {
            const uint16_t bits = bf16Bits(static_cast<float>(values_.v[i]));
            std::memcpy(data_.data() + 2 * i, &bits, 2);
        }
    } else {
        values_ = random.mat(rows, cols, -gain, gain);
        const Mat<float> host = toFloat(values_);
        data_.resize(host.v.size() * 4);
        std::memcpy(data_.data(), host.v.data(), data_.size());
    }
    const WeightView host{format, rows, cols, data_.data(), scale_.empty() ? nullptr : scale_.data()};
    view_ = backend.importWeight(host);
}

Vector::Vector(Backend& backend, const std::vector<double>& values)
    : host_(toFloat(values)), data_(backend.importVector(host_)) {}

bool hasSingleForm(const Backend& backend, WeightFormat format) {
    const bool matrixUnit = backend.info().device.find("AMX") != std::string::npos;
    return format == WeightFormat::kMxfp4 || (format == WeightFormat::kBF16 && matrixUnit);
}

void expectWithin(const std::string& what, const Mat<double>& kernel, const Mat<double>& truth,
                  const Mat<float>& naive) {
    ASSERT_EQ(kernel.rows, truth.rows) << what;
    ASSERT_EQ(kernel.cols, truth.cols) << what;
    const Difference worst = largestDifference(kernel, truth);
    EXPECT_LE(worst.value, boundOf(truth, naive))
        << what << ": at row " << worst.where / static_cast<size_t>(truth.cols) << " column "
        << worst.where % static_cast<size_t>(truth.cols) << " kernel " << kernel.v[worst.where] << " truth "
        << truth.v[worst.where] << ", largest |truth| " << largest(truth);
}

void expectTellsApart(const std::string& what, const Mat<double>& kernel, const Mat<double>& truth,
                      const Mat<float>& naive, const Mat<double>& wrong) {
    EXPECT_GT(largestDifference(kernel, wrong).value, kApart * boundOf(truth, naive))
        << what << ": the kernel cannot be told from a wrong formula";
}

void OpTest::SetUp() {
    BackendAttempt attempt = GetParam().make();
    ASSERT_NE(attempt.backend, nullptr) << attempt.whyNot;
    backend_ = std::move(attempt.backend);
}

void OpTest::finish() {
    const KernelStatus status = backend_->finish();
    ASSERT_TRUE(status.ok()) << status.message;
}

}  // namespace pal::vectors
