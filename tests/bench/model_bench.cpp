// SPDX-License-Identifier: Apache-2.0
// `pal bench` beside OpenBLAS: the same report as JSON, and for each prompt the rate of sgemm over the very products of that prompt, with the same
// threads in the same run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "app/cli/bench_json.h"
#include "tests/bench/yardsticks.h"

namespace pal::bench {
namespace {

double secondsOf(const OpenBlas& blas, int64_t tokens, int64_t rows, int64_t cols, std::vector<float>& memory) {
    using Clock = std::chrono::steady_clock;
    const auto at = [&](int64_t floats) { return memory.data() + floats; };
    const int64_t weight = rows * cols;
    const int64_t x = tokens * cols;
    memory.resize(std::max(memory.size(), static_cast<size_t>(weight + x + tokens * rows)), 0.01F);
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        const auto start = Clock::now();
        blas.multiply(at(weight), at(0), at(weight + x), tokens, rows, cols);
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

// Products of single tokens are no matter of a GEMM, and few: the head of a prompt's last token.
double gemmRate(const OpenBlas& blas, const PrefillRate& rate) {
    std::vector<float> memory;
    double seconds = 0;
    double flops = 0;
    for (const auto& [tokens, rows, cols, count] : rate.products) {
        if (tokens == 1) continue;
        seconds += static_cast<double>(count) * secondsOf(blas, tokens, rows, cols, memory);
        flops += 2.0 * static_cast<double>(count * tokens * rows * cols);
    }
    return cli::perSecond(flops, seconds);
}

int run(const BenchRequest& request) {
    const auto report = benchModel(request, [](std::string_view step) { fmt::print(stderr, "{}\n", step); });
    if (!report) {
        fmt::print(stderr, "model_bench: {}\n", report.error().message);
        return 1;
    }
    nlohmann::json out = cli::benchJson(*report);
    const OpenBlas blas(request.engine.threads);
    for (size_t i = 0; blas.present() && i < report->prefill.size(); ++i) {
        const double rate = gemmRate(blas, report->prefill[i]);
        out["prefill"][i]["openblas_flops_per_second"] = rate;
        out["prefill"][i]["share_of_openblas"] = report->prefill[i].flops / rate;
    }
    fmt::print("{}\n", out.dump(2));
    return 0;
}

}  // namespace
}  // namespace pal::bench

int main(int argc, char** argv) {
    CLI::App app("What pal bench measures, and the rate of OpenBLAS on the same matrix products");
    pal::BenchRequest request;
    request.engine.threads = static_cast<int>(std::thread::hardware_concurrency());
    app.add_option("model", request.model, "Model folder")->required();
    app.add_option("-p,--prefill", request.prefillTokens, "Prompt lengths in tokens")->delimiter(',');
    app.add_option("-c,--contexts", request.decodeContexts, "Tokens before the decoded ones")->delimiter(',');
    app.add_option("-n,--predict", request.decodeTokens, "Tokens to decode per context");
    app.add_option("--threads", request.engine.threads, "Threads of the engine and of OpenBLAS");
    CLI11_PARSE(app, argc, argv);
    return pal::bench::run(request);
}
