// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bench_support.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

#include "kernels/cpu/isa.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/bench_support.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::bench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// `steps` rounds of ten independent multiply-adds; returns the floating-point operations done.
double spinFma(int64_t steps, float* sink) {
    constexpr int kChains = 10;
    const hn::ScalableTag<float> d;
    const auto a = hn::Set(d, 0.999F);
    hn::Vec<decltype(d)> chain[kChains];
    // Different numbers, or the compiler makes one chain of several.
    PAL_UNROLL
    for (int i = 0; i < kChains; ++i) chain[i] = hn::Set(d, sink[0] + static_cast<float>(i));
    for (int64_t step = 0; step < steps; ++step) {
        PAL_UNROLL
        for (int i = 0; i < kChains; ++i) chain[i] = hn::MulAdd(chain[i], a, a);
    }
    auto sum = hn::Zero(d);
    PAL_UNROLL
    for (int i = 0; i < kChains; ++i) sum = hn::Add(sum, chain[i]);
    sink[0] = hn::GetLane(sum);
    return 2.0 * kChains * static_cast<double>(steps) * static_cast<double>(hn::Lanes(d));
}

// Sum of `count` floats, a multiple of four vectors.
float streamSum(const float* data, int64_t count) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    for (int64_t i = 0; i + 4 * lanes <= count; i += 4 * lanes) {
        s0 = hn::Add(s0, hn::LoadU(d, data + i));
        s1 = hn::Add(s1, hn::LoadU(d, data + i + lanes));
        s2 = hn::Add(s2, hn::LoadU(d, data + i + 2 * lanes));
        s3 = hn::Add(s3, hn::LoadU(d, data + i + 3 * lanes));
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

}  // namespace
}  // namespace pal::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::bench {

HWY_EXPORT(spinFma);
HWY_EXPORT(streamSum);

namespace {

double processSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Timing timeFma(cpu::ThreadPool& pool, double& flops) {
    constexpr int64_t kSteps = 500000;
    std::vector<double> each(static_cast<size_t>(pool.threads()));
    std::vector<float> sinks(static_cast<size_t>(pool.threads()), 1.0F);
    const Timing timing = bestTiming([&] {
        pool.parallelFor(pool.threads(), [&](int64_t task, int) {
            const auto i = static_cast<size_t>(task);
            each[i] = HWY_DYNAMIC_DISPATCH(spinFma)(kSteps, &sinks[i]);
        });
    });
    for (const double f : each) flops += f;
    return timing;
}

double readBytesPerSecond(cpu::ThreadPool& pool) {
    constexpr int64_t kFloats = int64_t{64} << 20;  // 256 MiB
    constexpr int64_t kBlock = int64_t{1} << 18;
    std::vector<float> data(static_cast<size_t>(kFloats), 1.0F);
    std::vector<float> sums(static_cast<size_t>(kFloats / kBlock));
    const Timing timing = bestTiming([&] {
        pool.parallelFor(kFloats / kBlock, [&](int64_t task, int) {
            sums[static_cast<size_t>(task)] = HWY_DYNAMIC_DISPATCH(streamSum)(data.data() + task * kBlock, kBlock);
        });
    });
    return static_cast<double>(kFloats) * sizeof(float) / timing.wall;
}

}  // namespace

Timing bestTiming(const std::function<void()>& run, double budget) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    Timing best{1e30, 1e30};
    for (int i = 0; i < 5 || std::chrono::duration<double>(Clock::now() - begin).count() < budget; ++i) {
        const auto start = Clock::now();
        const double cpuStart = processSeconds();
        run();
        best.cpu = std::min(best.cpu, processSeconds() - cpuStart);
        best.wall = std::min(best.wall, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

MachineLimits measureLimits(cpu::ThreadPool& pool) {
    double flops = 0;
    const Timing fma = timeFma(pool, flops);
    return {flops / fma.wall, flops / fma.cpu, readBytesPerSecond(pool)};
}

nlohmann::ordered_json toJson(const MachineLimits& limits, const cpu::ThreadPool& pool) {
    return {{"threads", pool.threads()},
            {"isa", cpu::isaName()},
            {"fma_gflops", limits.fmaFlops / 1e9},
            {"fma_gflops_per_core", limits.fmaFlopsPerCore / 1e9},
            {"read_gb_per_s", limits.readBytes / 1e9}};
}

}  // namespace pal::bench
#endif  // HWY_ONCE
