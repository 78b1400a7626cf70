// SPDX-License-Identifier: Apache-2.0
// Times the sequence-mixing kernels at the sizes of Kimi-Linear-48B and prints JSON: kernel_bench [--threads N] [--only kda|mla|vision].
#include <cstdlib>
#include <iostream>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/kda.h"
#include "kernels/cpu/mla.h"
#include "kernels/cpu/vision.h"
#include "tests/bench/bench_support.h"

namespace pal::bench {
namespace {

using Json = nlohmann::ordered_json;

std::vector<float> uniformFloats(int64_t count, float low, float high) {
    std::minstd_rand engine(1);
    std::uniform_real_distribution<float> uniform(low, high);
    std::vector<float> out(static_cast<size_t>(count));
    for (float& x : out) x = uniform(engine);
    return out;
}

TensorView view(std::vector<float>& data, std::initializer_list<int64_t> extents) {
    return {data.data(), DType::kF32, extents};
}

// The pool and what the machine can do, for the shares in the report.
struct Bench {
    cpu::ThreadPool& pool;
    MachineLimits limits;
};

// Adds time and rate; `share_of_fma` compares processor time with processor time, so that it holds on a busy machine.
void addRates(Json& entry, const Bench& bench, const Timing& timing, double flops) {
    entry["ms"] = timing.wall * 1e3;
    entry["cpu_ms"] = timing.cpu * 1e3;
    entry["gflops"] = flops / timing.wall / 1e9;
    entry["share_of_fma"] = flops / timing.cpu / bench.limits.fmaFlopsPerCore;
}

// One layer of `heads` heads of 128 x 128. The flops are those of the three products with the state that every form needs.
Json benchKda(const Bench& bench, KdaArgs::Form form, const char* name, int64_t tokens, int64_t heads) {
    constexpr int64_t kDim = 128;
    auto q = uniformFloats(tokens * heads * kDim, -0.1F, 0.1F);
    auto k = uniformFloats(tokens * heads * kDim, -0.15F, 0.15F);
    auto v = uniformFloats(tokens * heads * kDim, -1, 1);
    auto decay = uniformFloats(tokens * heads * kDim, -0.5F, 0);
    auto beta = uniformFloats(tokens * heads, 0.1F, 0.9F);
    std::vector<float> state(static_cast<size_t>(heads * kDim * kDim), 0.0F);
    std::vector<float> out(static_cast<size_t>(tokens * heads * kDim));
    const KdaArgs args{view(q, {tokens, heads, kDim}),   view(k, {tokens, heads, kDim}),
                       view(v, {tokens, heads, kDim}),   view(decay, {tokens, heads, kDim}),
                       view(beta, {tokens, heads}),      view(state, {heads, kDim, kDim}),
                       view(out, {tokens, heads, kDim}), form};
    const Timing timing = bestTiming([&] { cpu::kda(args, bench.pool); });
    Json entry{{"op", "kda"}, {"form", name}, {"tokens", tokens}, {"heads", heads}};
    entry["us_per_token"] = timing.wall / static_cast<double>(tokens) * 1e6;
    entry["cpu_us_per_token"] = timing.cpu / static_cast<double>(tokens) * 1e6;
    addRates(entry, bench, timing, 2.0 * 3 * kDim * kDim * static_cast<double>(heads * tokens));
    return entry;
}

// Attention of one layer of 32 heads over `past` cached rows.
Json benchMla(const Bench& bench, MlaAttentionArgs::Form form, const char* name, int64_t past, int64_t tokens,
              DType cacheType) {
    constexpr int64_t kHeads = 32;
    constexpr int64_t kNope = 128;
    constexpr int64_t kRope = 64;
    constexpr int64_t kValue = 128;
    constexpr int64_t kRank = 512;
    const int64_t total = past + tokens;
    auto q = uniformFloats(tokens * kHeads * (kNope + kRope), -1, 1);
    const std::vector<uint16_t> kvB(static_cast<size_t>(kHeads * (kNope + kValue) * kRank), 0x3C12);
    const auto rows = uniformFloats(kLatentPageTokens * (kRank + kRope), -1, 1);
    std::vector<std::vector<std::byte>> storage;
    std::vector<void*> pages;
    for (int64_t p = 0; p * kLatentPageTokens < total; ++p) {
        storage.emplace_back(rows.size() * dtypeBytes(cacheType));
        for (size_t i = 0; i < rows.size(); ++i) {
            if (cacheType == DType::kF32) {
                reinterpret_cast<float*>(storage.back().data())[i] = rows[i];
            } else {
                reinterpret_cast<uint16_t*>(storage.back().data())[i] = static_cast<uint16_t>(0x3C00 + i % 512);
            }
        }
    }
    for (auto& page : storage) pages.push_back(page.data());
    std::vector<float> out(static_cast<size_t>(tokens * kHeads * kValue));
    MlaAttentionArgs args;
    args.q = view(q, {tokens, kHeads, kNope + kRope});
    args.kvB = {WeightFormat::kBF16, kHeads * (kNope + kValue), kRank, kvB.data(), nullptr};
    args.nope = kNope;
    args.valueDim = kValue;
    args.cache = {pages, cacheType, kRank, kRope};
    args.past = past;
    args.scale = 0.0721688F;
    args.out = view(out, {tokens, kHeads, kValue});
    args.form = form;
    const Timing timing = bestTiming([&] { cpu::mlaAttention(args, bench.pool); }, 1.0);
    const auto pairs =
        static_cast<double>(kHeads * tokens) * (static_cast<double>(past) + static_cast<double>(tokens + 1) / 2);
    const double projection = 2.0 * kHeads * (kNope + kValue) * kRank;
    const double flops = form == MlaAttentionArgs::Form::kExpanded
                             ? 2.0 * pairs * (kNope + kRope + kValue) + projection * static_cast<double>(total)
                             : 2.0 * pairs * (2 * kRank + kRope) + projection * static_cast<double>(tokens);
    const auto bytes = static_cast<double>(total * (kRank + kRope)) * static_cast<double>(dtypeBytes(cacheType));
    Json entry{{"op", "mla"}, {"form", name}, {"cache", dtypeName(cacheType)}, {"past", past}, {"tokens", tokens}};
    addRates(entry, bench, timing, flops);
    entry["cache_gb_per_s"] = bytes / timing.wall / 1e9;
    return entry;
}

Json benchVision(const Bench& bench, int64_t patches) {
    constexpr int64_t kHeads = 12;
    constexpr int64_t kDim = 128;
    auto q = uniformFloats(patches * kHeads * kDim, -1, 1);
    auto k = q;
    auto v = q;
    auto out = q;
    const VisionAttentionArgs args{view(q, {patches, kHeads, kDim}), view(k, {patches, kHeads, kDim}),
                                   view(v, {patches, kHeads, kDim}), 0.088F, view(out, {patches, kHeads, kDim})};
    const Timing timing = bestTiming([&] { cpu::visionAttention(args, bench.pool); });
    Json entry{{"op", "vision_attention"}, {"patches", patches}};
    addRates(entry, bench, timing, 4.0 * static_cast<double>(patches) * static_cast<double>(patches * kHeads * kDim));
    return entry;
}

void benchAllKda(const Bench& bench, Json& results) {
    using Form = KdaArgs::Form;
    for (const int64_t tokens : {1, 4, 8, 16, 32, 64, 512}) {
        results.push_back(benchKda(bench, Form::kRecurrent, "recurrent", tokens, 32));
        results.push_back(benchKda(bench, Form::kChunked, "chunked", tokens, 32));
    }
}

void benchAllMla(const Bench& bench, Json& results) {
    using Form = MlaAttentionArgs::Form;
    for (const DType dtype : {DType::kBF16, DType::kF32}) {
        for (const int64_t past : {1024, 8192, 32768}) {
            results.push_back(benchMla(bench, Form::kAbsorbed, "absorbed", past - 1, 1, dtype));
        }
    }
    for (const int64_t tokens : {16, 64, 128, 256, 512}) {
        results.push_back(benchMla(bench, Form::kAbsorbed, "absorbed", 2048, tokens, DType::kBF16));
        results.push_back(benchMla(bench, Form::kExpanded, "expanded", 2048, tokens, DType::kBF16));
    }
}

int run(int threads, std::string_view only) {
    cpu::ThreadPool pool(threads);
    const Bench bench{pool, measureLimits(pool)};
    Json report;
    report["limits"] = toJson(bench.limits, pool);
    Json& results = report["results"];
    if (only.empty() || only == "kda") benchAllKda(bench, results);
    if (only.empty() || only == "mla") benchAllMla(bench, results);
    if (only.empty() || only == "vision") {
        for (const int64_t patches : {1024, 4096}) results.push_back(benchVision(bench, patches));
    }
    std::cout << report.dump(2) << '\n';
    return 0;
}

}  // namespace
}  // namespace pal::bench

int main(int argc, char** argv) {
    int threads = static_cast<int>(std::thread::hardware_concurrency());
    std::string_view only;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::string_view(argv[i]) == "--threads") threads = std::atoi(argv[i + 1]);
        if (std::string_view(argv[i]) == "--only") only = argv[i + 1];
    }
    return pal::bench::run(threads, only);
}
