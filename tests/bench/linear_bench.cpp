// SPDX-License-Identifier: Apache-2.0
// Rates of linear and moe as JSON lines: bytes of weights per second against a plain streaming read, and arithmetic against OpenBLAS sgemm
// on the same shape in float32, each pair measured in turns. On a shared machine the best of many short repeats is what the code can do, the
// median what it did; both are given.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/linear.h"
#include "kernels/cpu/moe.h"
#include "tests/bench/yardsticks.h"

namespace pal::bench {
namespace {

// Weights are taken from this many bytes in turn, so that they come from memory and not from a cache.
constexpr int64_t kPool = int64_t{640} << 20;

struct Times {
    std::vector<double> seconds;
    [[nodiscard]] double best() const { return *std::ranges::min_element(seconds); }
    [[nodiscard]] double median() {
        std::ranges::sort(seconds);
        return seconds[seconds.size() / 2];
    }
};

enum class Clock : uint8_t { kWall, kThreadCpu };

double now(Clock clock) {
    timespec time{};
    clock_gettime(clock == Clock::kWall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

const char* name(WeightFormat format) {
    return format == WeightFormat::kF32 ? "f32" : format == WeightFormat::kBF16 ? "bf16" : "mxfp4";
}

class Bench {
  public:
    Bench(int threads, Clock clock, double seconds)
        : pool_(threads), blas_(threads), clock_(clock), secondsPerCase_(seconds), bytes_(kPool) {
        std::mt19937_64 random(1);
        for (size_t i = 0; i < bytes_.size(); i += 8) {
            // Exponents of bf16 and f32 numbers near one, so that nothing is infinite or denormal.
            const uint64_t word = (random() & 0x807F807F807F807FULL) | 0x3F003F003F003F00ULL;
            std::memcpy(bytes_.data() + i, &word, 8);
        }
        scales_.resize(static_cast<size_t>(kPool / 16));
        for (uint8_t& scale : scales_) scale = static_cast<uint8_t>(118 + random() % 8);
    }

    void linearCase(WeightFormat format, int64_t tokens, int64_t rows, int64_t cols, bool compareGemm) {
        std::vector<float> x(static_cast<size_t>(tokens * cols), 0.25F);
        std::vector<float> out(static_cast<size_t>(tokens * rows));
        std::vector<float> dense(compareGemm ? static_cast<size_t>(rows * cols) : 0, 0.5F);
        WeightView weight{format, rows, cols, nullptr, nullptr};
        // Small matrices are measured several in a row: one call is too short for the clock.
        const int64_t calls = std::max<int64_t>(1, (int64_t{4} << 20) / (weight.bytes() * tokens));
        Times own;
        Times read;
        Times gemm;
        repeat([&] {
            own.seconds.push_back(timed([&] {
                for (int64_t i = 0; i < calls; ++i) {
                    take(weight);
                    const LinearPart part{weight, {out.data(), DType::kF32, {tokens, rows}}, LinearPart::Write::kSet};
                    cpu::linear({{x.data(), DType::kF32, {tokens, cols}}, {&part, 1}}, pool_);
                }
            }));
            const int64_t begin = cursor_ + calls * weight.bytes() <= kPool ? cursor_ : 0;
            cursor_ = begin + calls * weight.bytes();
            read.seconds.push_back(
                timed([&] { sink_ |= streamingRead(bytes_.data() + begin, calls * weight.bytes(), pool_); }));
            if (compareGemm)
                gemm.seconds.push_back(
                    timed([&] { blas_.multiply(x.data(), dense.data(), out.data(), tokens, rows, cols); }));
        });
        const auto bytes = static_cast<double>(calls * weight.bytes());
        const auto flops = 2.0 * static_cast<double>(calls * tokens * rows * cols);
        std::string line =
            fmt::format(R"({{"op": "linear", "format": "{}", "tokens": {}, "rows": {}, "cols": {}, "us": {:.1f})",
                        name(format), tokens, rows, cols, own.best() / static_cast<double>(calls) * 1e6);
        line += rates(bytes, flops, own, read);
        if (compareGemm) {
            const double gemmFlops = 2.0 * static_cast<double>(tokens * rows * cols);
            line += fmt::format(R"(, "gemm_gflops": {:.1f}, "to_gemm": {:.2f}, "to_gemm_median": {:.2f})",
                                gemmFlops / gemm.best() / 1e9, flops / own.best() / (gemmFlops / gemm.best()),
                                flops / own.median() / (gemmFlops / gemm.median()));
        }
        std::puts((line + "}").c_str());
        std::fflush(stdout);
    }

    void moeCase(WeightFormat format, int64_t tokens, int64_t experts, int64_t picks, int64_t width, int64_t inner) {
        std::vector<ExpertWeights> weights(static_cast<size_t>(experts));
        for (ExpertWeights& expert : weights) {
            for (WeightView* view : {&expert.gate, &expert.up}) take(*view = {format, inner, width, nullptr, nullptr});
            take(expert.down = {format, width, inner, nullptr, nullptr});
        }
        std::vector<float> x(static_cast<size_t>(tokens * width), 0.01F);
        std::vector<float> out(x.size());
        std::vector<int32_t> index(static_cast<size_t>(tokens * picks));
        const std::vector<float> weight(index.size(), 0.125F);
        std::mt19937 random(2);
        std::vector<int32_t> order(static_cast<size_t>(experts));
        std::iota(order.begin(), order.end(), 0);
        Times own;
        Times read;
        int64_t touched = 0;
        repeat([&] {
            std::vector<bool> used(order.size());
            for (size_t t = 0; t < static_cast<size_t>(tokens); ++t) {
                std::ranges::shuffle(order, random);
                std::copy_n(order.begin(), picks, index.begin() + static_cast<ptrdiff_t>(t) * picks);
                for (int64_t p = 0; p < picks; ++p) used[static_cast<size_t>(order[static_cast<size_t>(p)])] = true;
            }
            touched = std::ranges::count(used, true) * 3 * weights[0].gate.bytes();
            own.seconds.push_back(timed([&] {
                                      cpu::moe({{x.data(), DType::kF32, {tokens, width}},
                                                {index.data(), DType::kI32, {tokens, picks}},
                                                {weight.data(), DType::kF32, {tokens, picks}},
                                                weights,
                                                {},
                                                {out.data(), DType::kF32, {tokens, width}}},
                                               pool_);
                                  }) /
                                  static_cast<double>(touched));
            const int64_t readBytes = std::min(touched, kPool);
            read.seconds.push_back(timed([&] { sink_ |= streamingRead(bytes_.data(), readBytes, pool_); }) /
                                   static_cast<double>(readBytes));
        });
        std::string line =
            fmt::format(R"({{"op": "moe", "format": "{}", "tokens": {}, "experts": {}, "picks": {}, "us": {:.1f})",
                        name(format), tokens, experts, picks, own.best() * static_cast<double>(touched) * 1e6);
        line += rates(1, 6.0 * static_cast<double>(tokens * picks * width * inner) / static_cast<double>(touched), own,
                      read);
        std::puts((line + "}").c_str());
        std::fflush(stdout);
    }

    [[nodiscard]] bool hasGemm() const { return blas_.present(); }
    [[nodiscard]] uint64_t sink() const { return sink_; }

  private:
    static std::string rates(double bytes, double flops, Times& own, Times& read) {
        return fmt::format(
            R"(, "gflops": {:.1f}, "gbps": {:.2f}, "read_gbps": {:.2f}, "to_read": {:.2f}, "to_read_median": {:.2f})",
            flops / own.best() / 1e9, bytes / own.best() / 1e9, bytes / read.best() / 1e9, read.best() / own.best(),
            read.median() / own.median());
    }

    [[nodiscard]] double timed(const std::function<void()>& body) const {
        const double begin = now(clock_);
        body();
        return now(clock_) - begin;
    }

    void repeat(const std::function<void()>& body) const {
        const double begin = now(Clock::kWall);
        for (int i = 0; i < 5 || now(Clock::kWall) - begin < secondsPerCase_; ++i) body();
    }

    // Points a weight at the next bytes of the pool.
    void take(WeightView& weight) {
        const int64_t bytes = weight.rows * weight.cols *
                              (weight.format == WeightFormat::kF32    ? 8
                               : weight.format == WeightFormat::kBF16 ? 4
                                                                      : 1) /
                              2;
        if (cursor_ + bytes > kPool) cursor_ = 0;
        weight.data = bytes_.data() + cursor_;
        weight.scale = scales_.data() + cursor_ / 16;
        cursor_ += (bytes + 63) / 64 * 64;
    }

    cpu::ThreadPool pool_;
    OpenBlas blas_;
    Clock clock_;
    double secondsPerCase_;
    std::vector<char> bytes_;
    std::vector<uint8_t> scales_;
    int64_t cursor_ = 0;
    uint64_t sink_ = 0;
};

struct Shape {
    int64_t rows;
    int64_t cols;
};

// Kimi-Linear: hidden 2304, heads x head size 4096, expert 1024, dense 9216. A small model: hidden 384.
constexpr Shape kShapes[] = {{4096, 2304}, {2304, 4096}, {9216, 2304}, {2304, 9216}, {1024, 2304},
                             {2304, 1024}, {32, 2304},   {1536, 384},  {384, 384}};

void runAll(Bench& bench, const std::vector<std::string>& only, const std::vector<std::string>& formats) {
    const auto wanted = [&](const char* group) { return only.empty() || std::ranges::find(only, group) != only.end(); };
    for (const WeightFormat format : {WeightFormat::kBF16, WeightFormat::kMxfp4, WeightFormat::kF32}) {
        if (!formats.empty() && std::ranges::find(formats, name(format)) == formats.end()) continue;
        if (wanted("decode")) {
            for (const Shape& shape : kShapes) bench.linearCase(format, 1, shape.rows, shape.cols, false);
        }
        if (wanted("prefill")) {
            for (const Shape& shape : kShapes) {
                for (const int64_t tokens : {64, 256, 512})
                    bench.linearCase(format, tokens, shape.rows, shape.cols, bench.hasGemm());
            }
        }
        if (wanted("curve")) {
            for (const int64_t tokens : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512}) {
                bench.linearCase(format, tokens, 4096, 2304, bench.hasGemm());
            }
        }
        if (wanted("moe") && format != WeightFormat::kF32) {
            for (const int64_t tokens : {1, 2, 4, 8, 16, 32, 64, 128, 512})
                bench.moeCase(format, tokens, 64, 8, 2304, 1024);
        }
    }
}

}  // namespace
}  // namespace pal::bench

int main(int argc, char** argv) {
    CLI::App app("Rates of the CPU kernels against a streaming read and OpenBLAS, as JSON lines");
    int threads = 2;
    double seconds = 0.5;
    bool cpuTime = false;
    std::vector<std::string> only;
    std::vector<std::string> formats;
    app.add_flag("--cpu-time", cpuTime, "Measure the CPU time of the calling thread: for one thread on a busy machine");
    app.add_option("--threads", threads, "Threads of the pool and of OpenBLAS");
    app.add_option("--seconds", seconds, "Time per case");
    app.add_option("--only", only, "Groups: decode, prefill, curve, moe");
    app.add_option("--format", formats, "Weights: bf16, mxfp4, f32");
    CLI11_PARSE(app, argc, argv);
    pal::bench::Bench bench(threads, cpuTime ? pal::bench::Clock::kThreadCpu : pal::bench::Clock::kWall, seconds);
    std::puts(
        fmt::format(R"({{"isa": "{}", "threads": {}, "openblas": {}}})", pal::cpu::isaName(), threads, bench.hasGemm())
            .c_str());
    pal::bench::runAll(bench, only, formats);
    return bench.sink() == 42 ? 1 : 0;
}
