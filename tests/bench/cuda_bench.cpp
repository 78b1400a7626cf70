// SPDX-License-Identifier: Apache-2.0
// Times of the GPU's ops as one JSON object, beside ceilings of the same run: a device copy and, when PAL_CUBLAS names a libcublas.so, its bf16 product.
// Inputs are random and rotate over sets that together do not fit the cache; each figure is the median of --runs runs. Ops of a single-token step are
// timed inside a captured graph, as the engine runs them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kernels/api/backend.h"
#include "tests/bench/cublas_yardstick.h"

namespace pal::bench {
namespace {

constexpr size_t kCacheBytes = size_t{64} << 20;  // of an H200; sets of inputs together are larger
constexpr size_t kRandomBytes = size_t{64} << 20;

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

// Memory that lives as long as the benchmark of one op.
class Arena {
  public:
    Arena(Backend& backend, const std::vector<uint8_t>& random) : backend_(backend), random_(random) {}

    TensorView tensor(DType dtype, std::initializer_list<int64_t> extents, float gain = 1) {
        TensorView view(nullptr, dtype, extents);
        const auto count = static_cast<size_t>(view.elements());
        buffers_.push_back(backend_.allocate(count * dtypeBytes(dtype)));
        view.data = buffers_.back().data();
        if (view.data == nullptr) throw std::runtime_error(fmt::format("no room for {} values", count));
        std::mt19937_64 random(++seed_);
        std::uniform_real_distribution<float> uniform(-gain, gain);
        if (dtype == DType::kF32) {
            std::vector<float> host(count);
            for (float& x : host) x = uniform(random);
            backend_.upload(view.data, std::as_bytes(std::span(host)));
        } else {
            // bf16 with exponents near one; every block of the shared random bytes serves.
            for (size_t done = 0; done < count * 2;) {
                const size_t bytes = std::min(count * 2 - done, random_.size());
                backend_.upload(static_cast<char*>(view.data) + done, std::as_bytes(std::span(random_)).first(bytes));
                done += bytes;
            }
        }
        return view;
    }

    // A weight of its own on the device.
    WeightView weight(WeightFormat format, int64_t rows, int64_t cols) {
        const WeightView shape{format, rows, cols, random_.data(), scales(rows * cols / kMxfp4Group)};
        if (static_cast<size_t>(shape.bytes()) <= random_.size()) return place(shape);
        std::vector<uint8_t> host(static_cast<size_t>(shape.bytes()));
        for (size_t i = 0; i < host.size(); ++i) host[i] = random_[i % random_.size()];
        WeightView large = shape;
        large.data = host.data();
        return place(large);
    }

    const float* vector(int64_t count, float low, float high) {
        std::mt19937_64 random(++seed_);
        std::uniform_real_distribution<float> uniform(low, high);
        std::vector<float> host(static_cast<size_t>(count));
        for (float& x : host) x = uniform(random);
        const float* data = backend_.importVector(host);
        settle();
        return data;
    }

  private:
    // The host's copy may go when they have returned.
    WeightView place(const WeightView& host) {
        const WeightView view = backend_.importWeight(host);
        settle();
        return view;
    }
    void settle() {
        if (const KernelStatus status = backend_.finish(); !status.ok()) throw std::runtime_error(status.message);
    }
    const uint8_t* scales(int64_t count) {
        scales_.assign(static_cast<size_t>(count), 122);
        return scales_.data();
    }

    Backend& backend_;
    const std::vector<uint8_t>& random_;
    std::vector<Buffer> buffers_;
    std::vector<uint8_t> scales_;
    uint64_t seed_ = 0;
};

class Bench {
  public:
    Bench(Backend& backend, int runs) : backend_(backend), runs_(runs), random_(kRandomBytes) {
        std::mt19937_64 random(1);
        for (size_t i = 0; i < random_.size(); i += 8) {
            const uint64_t word = (random() & 0x807F807F807F807FULL) | 0x3F003F003F003F00ULL;
            std::memcpy(random_.data() + i, &word, 8);
        }
    }

    // Seconds of one call, of many rotating ones between two waits.
    double prefill(int calls, const std::function<void(int)>& call) {
        return measure(calls, [&] {
            for (int i = 0; i < calls; ++i) call(i);
            wait();
        });
    }
    // The same within one captured step.
    double decode(int calls, const std::function<void(int)>& call) {
        Arena arena(backend_, random_);
        const WeightView table = arena.weight(WeightFormat::kBF16, 8, 64);
        const TensorView row = arena.tensor(DType::kBF16, {1, 64});
        const int32_t id = 3;
        return measure(calls, [&] {
            backend_.embed({std::span(&id, 1), table, row});
            for (int i = 0; i < calls; ++i) call(i);
            wait();
        });
    }

    Backend& backend() { return backend_; }
    const std::vector<uint8_t>& random() const { return random_; }

    void report(const std::string& name, double seconds, double bytes, double flops) {
        nlohmann::json entry{{"microseconds", seconds * 1e6}};
        if (bytes > 0) entry["bytes_per_second"] = bytes / seconds;
        if (bytes > 0 && copyRate_ > 0) entry["of_copy"] = bytes / seconds / copyRate_;
        if (flops > 0) entry["flops_per_second"] = flops / seconds;
        if (flops > 0 && gemmRate_ > 0) entry["of_gemm"] = flops / seconds / gemmRate_;
        results_[name] = entry;
        std::cerr << name << " " << entry.dump() << "\n";
    }

    void ceilings() {
        const size_t bytes = size_t{4} << 30;
        const Buffer from = backend_.allocate(bytes);
        const Buffer to = backend_.allocate(bytes);
        const double copy = prefill(4, [&](int) { backend_.copy(to.data(), from.data(), bytes); });
        copyRate_ = 2 * static_cast<double>(bytes) / copy;
        results_["copy"] = {{"bytes_per_second", copyRate_}};
        if (const auto rate = cublasFlops(8192)) gemmRate_ = *rate;
        results_["cublas_8192"] = {{"flops_per_second", gemmRate_}};
        std::cerr << results_.dump() << "\n";
    }

    [[nodiscard]] const nlohmann::json& results() const { return results_; }

  private:
    double measure(int calls, const std::function<void()>& batch) {
        for (int i = 0; i < 3; ++i) batch();
        std::vector<double> seconds;
        for (int i = 0; i < runs_; ++i) {
            const double start = secondsNow();
            batch();
            seconds.push_back((secondsNow() - start) / calls);
        }
        return median(std::move(seconds));
    }
    void wait() {
        if (const KernelStatus status = backend_.finish(); !status.ok()) throw std::runtime_error(status.message);
    }

    Backend& backend_;
    int runs_;
    std::vector<uint8_t> random_;
    double copyRate_ = 0;
    double gemmRate_ = 0;
    nlohmann::json results_;
};

// Sets of inputs of `bytes` each, so that they do not stay in the cache.
int rotation(double bytes) {
    return static_cast<int>(std::clamp(2.0 * static_cast<double>(kCacheBytes) / bytes + 1, 2.0, 48.0));
}

void benchLinear(Bench& bench, WeightFormat format, int64_t tokens, int64_t rows, int64_t cols) {
    Arena arena(bench.backend(), bench.random());
    const double bytes = static_cast<double>(WeightView{format, rows, cols, nullptr, nullptr}.bytes());
    const int sets = rotation(bytes);
    std::vector<WeightView> weights;
    for (int i = 0; i < sets; ++i) weights.push_back(arena.weight(format, rows, cols));
    const TensorView x = arena.tensor(DType::kBF16, {tokens, cols});
    const TensorView out = arena.tensor(DType::kBF16, {tokens, rows});
    const auto call = [&](int i) {
        const LinearPart part{weights[static_cast<size_t>(i % sets)], out};
        bench.backend().linear({x, {&part, 1}});
    };
    constexpr int64_t kFew = 8;
    const bool few = tokens <= kFew;  // reading the weights is all the work
    const double seconds = few ? bench.decode(sets, call) : bench.prefill(4, call);
    bench.report(
        fmt::format("linear {} {}x{} T={}", format == WeightFormat::kBF16 ? "bf16" : "mxfp4", rows, cols, tokens),
        seconds, few ? bytes : 0, 2.0 * static_cast<double>(tokens * rows * cols));
}

// The layer between its projections and its output projection.
void benchKda(Bench& bench, int64_t tokens, int64_t heads) {
    constexpr int64_t kDim = 128;
    Arena arena(bench.backend(), bench.random());
    const int64_t width = heads * kDim;
    const double stateBytes = static_cast<double>(heads * kDim * kDim) * 8;
    const int sets = tokens == 1 ? rotation(stateBytes) : 1;
    KdaMixerArgs args;
    args.qkv = arena.tensor(DType::kBF16, {tokens, 3 * width});
    args.conv = arena.vector(3 * width * 4, -0.5F, 0.5F);
    args.taps = 4;
    args.normEps = 1e-6F;
    args.z = arena.tensor(DType::kBF16, {tokens, width}).splitLast(heads, kDim);
    args.betaLogits = arena.tensor(DType::kBF16, {tokens, heads});
    args.aLog = arena.vector(heads, -1, 1);
    args.dtBias = arena.vector(width, -4, 0);
    args.lowerBound = -5.0F;
    args.outWeight = arena.vector(kDim, 0.5F, 1.5F);
    args.outEps = 1e-5F;
    args.gate = arena.tensor(DType::kBF16, {tokens, width}).splitLast(heads, kDim);
    args.out = arena.tensor(DType::kBF16, {tokens, width}).splitLast(heads, kDim);
    args.convolved = arena.tensor(DType::kBF16, {tokens, 3 * width});
    args.logDecay = arena.tensor(DType::kF32, {tokens, heads, kDim});
    args.beta = arena.tensor(DType::kF32, {tokens, heads});
    std::vector<TensorView> states;
    std::vector<TensorView> tails;
    for (int i = 0; i < sets; ++i) {
        states.push_back(arena.tensor(DType::kF32, {heads, kDim, kDim}, 0.1F));
        tails.push_back(arena.tensor(DType::kBF16, {3, 3 * width}));
    }
    const auto call = [&](int i) {
        const auto set = static_cast<size_t>(i % sets);
        args.state = states[set];
        args.tail = tails[set];
        bench.backend().kdaMixer(args);
    };
    const double seconds = tokens == 1 ? bench.decode(sets, call) : bench.prefill(2, call);
    const double bytes = tokens == 1 ? stateBytes : 16.0 * static_cast<double>(tokens * width);
    bench.report(fmt::format("kda {} heads T={}", heads, tokens), seconds, bytes, 0);
}

void benchMla(Bench& bench, int64_t tokens, int64_t past, int64_t heads) {
    constexpr int64_t kNope = 128;
    constexpr int64_t kRope = 64;
    constexpr int64_t kRank = 512;
    Arena arena(bench.backend(), bench.random());
    std::vector<TensorView> pages;
    std::vector<void*> pointers;
    for (int64_t t = 0; t < past + tokens; t += kLatentPageTokens) {
        pages.push_back(arena.tensor(DType::kBF16, {kLatentPageTokens, kRank + kRope}));
        pointers.push_back(pages.back().data);
    }
    const TensorView q = arena.tensor(DType::kBF16, {tokens, heads, kNope + kRope});
    const TensorView out = arena.tensor(DType::kBF16, {tokens, heads, kNope});
    const WeightView kvB = arena.weight(WeightFormat::kBF16, heads * 2 * kNope, kRank);
    MlaAttentionArgs args{q, kvB, kNope, kNope, {pointers, DType::kBF16, kRank, kRope}, past, 0.0722F, out, {}};
    const TensorView latent = arena.tensor(DType::kBF16, {tokens, kRank + kRope});
    const float* norm = arena.vector(kRank, 0.5F, 1.5F);
    const auto call = [&](int) {
        bench.backend().mlaAppend({latent, norm, 1e-6F, args.cache, past});  // tells a step where it stands
        bench.backend().mlaAttention(args);
    };
    const double seconds = tokens == 1 ? bench.decode(4, call) : bench.prefill(2, call);
    const auto rows = static_cast<double>(past + tokens);
    const double bytes = tokens == 1 ? rows * (kRank + kRope) * 2 : 0;
    const double flops = tokens == 1 ? 0 : static_cast<double>(tokens * heads) * rows * (kNope + kRope + kNope);
    bench.report(fmt::format("mla {} heads T={} past={}", heads, tokens, past), seconds, bytes, flops);
}

void benchMoe(Bench& bench, int64_t tokens, int64_t experts, int64_t picks, int64_t width, int64_t inner) {
    Arena arena(bench.backend(), bench.random());
    std::vector<ExpertWeights> weights;
    for (int64_t e = 0; e < experts; ++e) {
        weights.push_back({arena.weight(WeightFormat::kMxfp4, inner, width),
                           arena.weight(WeightFormat::kMxfp4, inner, width),
                           arena.weight(WeightFormat::kMxfp4, width, inner)});
    }
    constexpr int kSets = 8;  // of routings
    std::mt19937_64 random(5);
    std::vector<TensorView> indices;
    for (int s = 0; s < kSets; ++s) {
        std::vector<int32_t> index;
        for (int64_t t = 0; t < tokens; ++t) {
            std::set<int32_t> chosen;
            while (std::ssize(chosen) < picks)
                chosen.insert(static_cast<int32_t>(random() % static_cast<uint64_t>(experts)));
            index.insert(index.end(), chosen.begin(), chosen.end());
        }
        const TensorView view = arena.tensor(DType::kF32, {tokens, picks});
        bench.backend().upload(view.data, std::as_bytes(std::span(index)));
        indices.emplace_back(view.data, DType::kI32, std::initializer_list<int64_t>{tokens, picks});
    }
    const TensorView weight = arena.tensor(DType::kF32, {tokens, picks});
    const TensorView x = arena.tensor(DType::kBF16, {tokens, width});
    const TensorView out = arena.tensor(DType::kBF16, {tokens, width});
    const auto call = [&](int i) {
        bench.backend().moe(
            {x, indices[static_cast<size_t>(i % kSets)], weight, weights, {GluKind::kSitu, 4, 25}, out});
    };
    const double seconds = tokens == 1 ? bench.decode(kSets, call) : bench.prefill(2, call);
    const double bytes = static_cast<double>(picks * 3 * width * inner) * 17 / 32;
    const double flops = 6.0 * static_cast<double>(tokens * picks * width * inner);
    bench.report(fmt::format("moe {} of {} {}x{} T={}", picks, experts, inner, width, tokens), seconds,
                 tokens == 1 ? bytes : 0, flops);
}

void run(Bench& bench, const std::string& only) {
    const auto wanted = [&](const char* part) { return only.empty() || only.find(part) != std::string::npos; };
    bench.ceilings();
    if (wanted("linear")) {
        for (const auto& [rows, cols] :
             std::vector<std::pair<int64_t, int64_t>>{{12288, 7168}, {1536, 7168}, {4096, 2304}}) {
            for (const int64_t tokens : {1, 2, 4, 8, 8192}) {
                benchLinear(bench, WeightFormat::kBF16, tokens, rows, cols);
            }
        }
    }
    if (wanted("kda")) {
        for (const int64_t heads : {96, 32, 12}) {
            benchKda(bench, 1, heads);
            benchKda(bench, 8192, heads);
        }
    }
    if (wanted("mla")) {
        for (const int64_t heads : {32, 96}) {
            for (const int64_t past : {1 << 10, 1 << 15, 1 << 17, 1 << 19}) benchMla(bench, 1, past, heads);
            benchMla(bench, 8192, 0, heads);
        }
    }
    if (wanted("moe")) {
        for (const int64_t tokens : {1, 8192}) {
            benchMoe(bench, tokens, 256, 8, 2304, 1024);
            benchMoe(bench, tokens, 896, 16, 3584, 3072);
        }
    }
}

}  // namespace
}  // namespace pal::bench

int main(int argc, char** argv) {
    CLI::App app{"Times of the GPU's ops"};
    int runs = 30;
    std::string only;
    app.add_option("--runs", runs, "Runs of each op; the median counts")->capture_default_str();
    app.add_option("--only", only, "Some of: linear kda mla moe");
    CLI11_PARSE(app, argc, argv);
    const pal::BackendAttempt attempt = pal::createCudaBackend(0);
    if (!attempt.backend) {
        std::cerr << attempt.whyNot << "\n";
        return 1;
    }
    try {
        pal::bench::Bench bench(*attempt.backend, runs);
        pal::bench::run(bench, only);
        std::cout << nlohmann::json{{"device", attempt.backend->info().device}, {"ops", bench.results()}}.dump(2)
                  << "\n";
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
