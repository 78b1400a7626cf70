// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/product_rate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <vector>

#include "engine/base/byte_hash.h"
#include "engine/exec/forward.h"

namespace pal {
namespace {

constexpr int64_t kGpuSize = 8192;
constexpr int64_t kCpuSize = 2048;
constexpr int kRuns = 5;

// Numbers of either sign from 0.125 to 0.5: products of zeros are faster.
std::vector<std::byte> randomNumbers(int64_t count, DType dtype) {
    std::vector<std::byte> out(static_cast<size_t>(count) * dtypeBytes(dtype));
    for (size_t i = 0; i + 1 < out.size(); i += 2) {
        const uint64_t bits = splitmix64(i);
        out[i] = static_cast<std::byte>(bits);
        out[i + 1] = static_cast<std::byte>(0x3e | (bits >> 8 & 0x80U));
    }
    return out;
}

Buffer upload(Backend& backend, int64_t count, DType dtype) {
    Buffer out = backend.allocate(static_cast<size_t>(count) * dtypeBytes(dtype));
    if (out.data() != nullptr) backend.upload(out.data(), randomNumbers(count, dtype));
    return out;
}

Result<double> secondsOf(Backend& backend, const LinearArgs& args) {
    const bool marked = backend.markTime();
    const auto start = std::chrono::steady_clock::now();
    backend.linear(args);
    if (marked) static_cast<void>(backend.markTime());
    PAL_TRY(toResult(backend.finish()));
    if (!marked) return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::vector<double> times = backend.takeTimes();
    return times.empty() ? 0 : times.front();
}

}  // namespace

Result<double> productRate(Backend& backend) {
    const BackendInfo info = backend.info();
    const int64_t n = info.threads > 0 ? kCpuSize : kGpuSize;
    const Buffer weight = upload(backend, n * n, DType::kBF16);
    const Buffer x = upload(backend, n * n, info.activation);
    const Buffer out = backend.allocate(static_cast<size_t>(n * n) * dtypeBytes(info.activation));
    if (weight.data() == nullptr || x.data() == nullptr || out.data() == nullptr) return 0;
    const std::array<LinearPart, 1> parts{
        {{{WeightFormat::kBF16, n, n, weight.data()}, TensorView(out.data(), info.activation, {n, n})}}};
    double best = 0;
    for (int i = 0; i < kRuns; ++i) {
        PAL_ASSIGN(const double seconds,
                   secondsOf(backend, {ConstTensorView(x.data(), info.activation, {n, n}), parts}));
        if (seconds > 0) best = std::max(best, 2.0 * static_cast<double>(n * n * n) / seconds);
    }
    return best;
}

}  // namespace pal
