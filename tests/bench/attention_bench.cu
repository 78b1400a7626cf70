// SPDX-License-Identifier: Apache-2.0
// Times of the CUDA kernels of attention and KDA as one JSON object, beside a copy of the same run. Inputs are random; each figure is the median over the
// replays of a graph of calls whose inputs rotate over sets that together do not fit the cache. Replays that do not count go before for 0.3 s: the device
// holds its power to a limit, and what ran before would decide the clock of what comes next. That clock is told with each figure.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/cuda/attention.h"
#include "kernels/cuda/device_query.h"
#include "kernels/cuda/kda_chunk_stages.h"
#include "kernels/cuda/kda_step.h"
#include "kernels/cuda/mla.h"

namespace pal::bench {
namespace {

using cuda::Bf16;

constexpr int64_t kDim = 128;   // of a KDA head
constexpr int64_t kNope = 128;  // of an MLA key
constexpr int64_t kRope = 64;
constexpr int64_t kRank = 512;
constexpr int64_t kValues = 128;

void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
void check(bool launched) {
    if (!launched) throw std::runtime_error("the device has no room");
}

__device__ float randomUnit(uint64_t i) {  // splitmix64's finaliser, in [-1, 1)
    i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ULL;
    i = (i ^ (i >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<float>((i ^ (i >> 31)) >> 40) * 0x1p-23F - 1.0F;
}

template <typename T>
__global__ void fillKernel(T* to, int64_t count, uint64_t seed, float low, float high) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
        const float unit = randomUnit((static_cast<uint64_t>(i) + (seed << 40)) * 0x9E3779B97F4A7C15ULL);
        to[i] = cuda::fromFloat<T>(low + (high - low) * (unit + 1) / 2);
    }
}

__global__ void copyKernel(uint4* to, const uint4* from, int64_t count) {
    constexpr int kAtOnce = 4;
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + (kAtOnce - 1) * step < count; i += kAtOnce * step) {
        uint4 pieces[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) pieces[k] = __ldcs(from + i + k * step);
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) __stcs(to + i + k * step, pieces[k]);
    }
}

// Cycles and nanoseconds of a multiprocessor, by its number.
__global__ void clockKernel(int64_t* to) {
    uint32_t multiprocessor;
    int64_t nanoseconds;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    if (multiprocessor != 0 || threadIdx.x != 0) return;
    to[0] = clock64();
    to[1] = nanoseconds;
}

class Bench {
  public:
    Bench(int multiprocessors, int capability, int runs)
        : multiprocessors_(multiprocessors), capability_(capability), runs_(runs) {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~Bench() {
        clear();
        cudaStreamDestroy(stream_);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    [[nodiscard]] cuda::Launch launch() { return {stream_, scratch_, multiprocessors_, capability_}; }

    template <typename T>
    T* memory(int64_t count) {
        void* data = nullptr;
        check(cudaMalloc(&data, sizeof(T) * static_cast<size_t>(count)));
        memory_.push_back(data);
        return static_cast<T*>(data);
    }
    template <typename T>
    T* random(int64_t count, float low = -2, float high = 2) {
        T* data = memory<T>(count);
        fillKernel<<<1024, 256, 0, stream_>>>(data, count, ++seed_, low, high);
        return data;
    }
    // Frees what the last benchmark took.
    void clear() {
        cudaDeviceSynchronize();
        for (void* data : memory_) cudaFree(data);
        memory_.clear();
    }

    // Seconds of one of `calls` calls.
    double measure(int calls, const std::function<void(int)>& call) {
        for (int i = 0; i < calls; ++i) call(i);  // sizes the scratch memory
        check(cudaStreamSynchronize(stream_));
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t exec = nullptr;
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < calls; ++i) call(i);
        check(cudaStreamEndCapture(stream_, &graph));
        check(cudaGraphInstantiate(&exec, graph, 0));
        cudaEvent_t start = nullptr;
        cudaEvent_t end = nullptr;
        check(cudaEventCreate(&start));
        check(cudaEventCreate(&end));
        std::vector<double> seconds;
        constexpr double kSettling = 0.3;  // seconds
        int64_t* marks = memory<int64_t>(4);
        double before = 0;
        for (int run = 0; run < runs_;) {
            if (run == 0 && before >= kSettling) clockKernel<<<16 * multiprocessors_, 32, 0, stream_>>>(marks);
            cudaEventRecord(start, stream_);
            check(cudaGraphLaunch(exec, stream_));
            cudaEventRecord(end, stream_);
            check(cudaEventSynchronize(end));
            float milliseconds = 0;
            cudaEventElapsedTime(&milliseconds, start, end);
            if (before < kSettling) {
                before += static_cast<double>(milliseconds) / 1e3;
                continue;
            }
            seconds.push_back(static_cast<double>(milliseconds) / 1e3 / calls);
            ++run;
        }
        clockKernel<<<16 * multiprocessors_, 32, 0, stream_>>>(marks + 2);
        int64_t marked[4];
        check(cudaMemcpyAsync(marked, marks, sizeof(marked), cudaMemcpyDeviceToHost, stream_));
        check(cudaStreamSynchronize(stream_));
        gigahertz_ = static_cast<double>(marked[2] - marked[0]) / static_cast<double>(marked[3] - marked[1]);
        cudaEventDestroy(start);
        cudaEventDestroy(end);
        cudaGraphExecDestroy(exec);
        cudaGraphDestroy(graph);
        std::sort(seconds.begin(), seconds.end());
        return seconds[seconds.size() / 2];
    }

    void report(const std::string& name, double seconds, double bytes, double flops) {
        nlohmann::json entry{{"microseconds", seconds * 1e6}, {"gigahertz", gigahertz_}};
        if (bytes > 0) {
            entry["bytes"] = bytes;
            entry["of_copy"] = bytes / seconds / copyRate_;
        }
        if (flops > 0) entry["tflops_per_second"] = flops / seconds / 1e12;
        results_[name] = entry;
        std::cerr << name << " " << entry.dump() << "\n";
    }

    void copyCeiling() {
        constexpr int64_t kBytes = int64_t{4} << 30;
        auto* from = random<float>(kBytes / 4);
        auto* to = memory<float>(kBytes / 4);
        const double seconds = measure(1, [&](int) {
            copyKernel<<<multiprocessors_ * 16, 512, 0, stream_>>>(reinterpret_cast<uint4*>(to),
                                                                   reinterpret_cast<const uint4*>(from), kBytes / 16);
        });
        copyRate_ = 2.0 * kBytes / seconds;
        results_["copy"] = {{"bytes_per_second", copyRate_}};
        clear();
    }

    [[nodiscard]] const nlohmann::json& results() const { return results_; }

  private:
    int multiprocessors_;
    int capability_;
    int runs_;
    cudaStream_t stream_ = nullptr;
    cuda::Scratch scratch_;
    std::vector<void*> memory_;
    uint64_t seed_ = 0;
    double copyRate_ = 1;
    double gigahertz_ = 0;  // while the last was measured
    nlohmann::json results_;
};

TensorView bf16(Bf16* data, std::initializer_list<int64_t> extents) {
    return {data, DType::kBF16, extents};
}

// Convolution, gate, delta rule and gated norm of one token of each of `batch` sequences.
void benchStep(Bench& bench, int heads, int batch) {
    const int64_t width = heads * kDim;
    const int sets = batch == 1 ? 16 : 2;
    std::vector<cuda::KdaStep> steps(static_cast<size_t>(sets));
    for (cuda::KdaStep& step : steps) {
        step.dim = kDim;
        step.qkv = {bench.random<Bf16>(batch * 3 * width), 3 * width};
        step.conv = bench.random<float>(3 * width * 4, -0.5F, 0.5F);
        step.z = {bench.random<Bf16>(batch * width), width, kDim};
        step.betaLogits = {bench.random<Bf16>(batch * heads), heads};
        step.aLog = bench.random<float>(heads, -1, 1);
        step.dtBias = bench.random<float>(width, -4, 0);
        step.bounded = true;
        step.lowerBound = -5;
        step.normEps = 1e-6F;
        step.outWeight = bench.random<float>(kDim, 0.5F, 1.5F);
        step.outEps = 1e-5F;
        step.gate = {bench.random<Bf16>(batch * width), width, kDim};
        step.out = {bench.memory<Bf16>(batch * width), width, kDim};
        step.heads = heads;
        step.sequences = batch;
        for (int s = 0; s < batch; ++s) {
            step.state[s] = bench.random<float>(width * kDim, -0.1F, 0.1F);
            step.tail[s] = bench.random<Bf16>(9 * width);
        }
    }
    const double seconds =
        bench.measure(2 * sets, [&](int i) { cuda::kdaStep(bench.launch(), steps[static_cast<size_t>(i % sets)]); });
    // State and tails in and out, q|k|v, z, gate and the result.
    const double bytes = static_cast<double>(batch * width) * (2 * kDim * 4 + 2 * 9 * 2 + 3 * 2 + 3 * 2);
    bench.report("kda step, heads " + std::to_string(heads) + ", batch " + std::to_string(batch), seconds, bytes, 0);
    bench.clear();
}

// Norms, gate, beta and delta rule of a long input.
void benchChunks(Bench& bench, int64_t tokens, int64_t heads) {
    const int64_t width = heads * kDim;
    const TensorView qkv = bf16(bench.random<Bf16>(tokens * 3 * width), {tokens, 3 * width});
    const auto part = [&](int i) {
        return cuda::headRowsOf<Bf16>(ConstTensorView(qkv.columns(i * width, width).splitLast(heads, kDim)));
    };
    cuda::RawRows rows{};
    rows.q = part(0);
    rows.k = part(1);
    rows.z = {bench.random<Bf16>(tokens * width), width, kDim};
    rows.betaLogits = {bench.random<Bf16>(tokens * heads), heads};
    rows.aLog = bench.random<float>(heads, -1, 1);
    rows.dtBias = bench.random<float>(width, -4, 0);
    rows.bounded = true;
    rows.lowerBound = -5;
    rows.normEps = 1e-6F;
    rows.queryScale = 0.0884F;
    auto* chunks = bench.memory<char>(static_cast<int64_t>(cuda::chunkBytes(kDim)) * heads * ((tokens + 15) / 16));
    const cuda::ScanArgs scan{part(2),
                              {bench.memory<Bf16>(tokens * width), width, kDim},
                              bench.random<float>(width * kDim, -0.1F, 0.1F),
                              chunks,
                              tokens,
                              heads,
                              kDim};
    const double seconds = bench.measure(2, [&](int) {
        cuda::prepareChunks(bench.launch(), rows, tokens, heads, kDim, chunks);
        cuda::scanChunks(bench.launch(), scan, kDim);
    });
    const std::string name = ", T " + std::to_string(tokens) + ", heads " + std::to_string(heads);
    bench.report("kda prefill" + name, seconds, 10.0 * static_cast<double>(tokens * width), 0);
    const double prepare =
        bench.measure(2, [&](int) { cuda::prepareChunks(bench.launch(), rows, tokens, heads, kDim, chunks); });
    bench.report("kda prefill, preparing alone" + name, prepare, 0, 0);
    bench.clear();
}

// The absorbed form over pages in random order, from the projected query to the value channels.
void benchDecode(Bench& bench, int64_t past, int64_t heads) {
    constexpr int64_t kWidth = kRank + kRope;
    const int64_t count = (past + kLatentPageTokens) / kLatentPageTokens;
    auto* pool = bench.random<Bf16>(count * kLatentPageTokens * kWidth);
    std::vector<void*> pages;
    for (int64_t i = 0; i < count; ++i) pages.push_back(pool + i * kLatentPageTokens * kWidth);
    std::shuffle(pages.begin(), pages.end(), std::mt19937_64(7));
    auto* table = bench.memory<void*>(count);
    check(cudaMemcpy(table, pages.data(), pages.size() * sizeof(void*), cudaMemcpyHostToDevice));
    const cuda::PageTable pageTable{table, DType::kBF16, kRank, kRope, pool};
    MlaAttentionArgs args;
    args.q = bf16(bench.random<Bf16>(heads * (kNope + kRope)), {1, heads, kNope + kRope});
    args.nope = kNope;
    args.valueDim = kValues;
    args.past = past;
    args.scale = 0.0722F;
    args.out = bf16(bench.memory<Bf16>(heads * kValues), {1, heads, kValues});
    constexpr int kSets = 4;  // of weights
    std::vector<const Bf16*> weights;
    for (int i = 0; i < kSets; ++i)
        weights.push_back(bench.random<Bf16>(heads * (kNope + kValues) * kRank, -0.08F, 0.08F));
    const double seconds = bench.measure(kSets, [&](int i) {
        args.kvB = {WeightFormat::kBF16, heads * (kNope + kValues), kRank, weights[static_cast<size_t>(i)], nullptr};
        check(cuda::mlaAttention(bench.launch(), args, pageTable, {past, nullptr}));
    });
    const auto rows = static_cast<double>(past + 1);
    const double bytes = rows * kWidth * 2 + 2.0 * static_cast<double>(heads * (kNope + kValues) * kRank);
    bench.report("mla decode, context " + std::to_string(past + 1) + ", heads " + std::to_string(heads), seconds, bytes,
                 2.0 * (kWidth + kRank) * rows * static_cast<double>(heads));
    bench.clear();
}

// Causal attention with keys of 128 own and 64 shared channels.
void benchPrefill(Bench& bench, int64_t tokens, int64_t heads) {
    const int64_t each = kNope + kValues;
    cuda::AttentionArgs args;
    args.q = bf16(bench.random<Bf16>(tokens * heads * (kNope + kRope)), {tokens, heads, kNope + kRope});
    auto* expanded = bench.random<Bf16>(tokens * heads * each);
    TensorView keys = bf16(expanded, {tokens, heads, kNope});
    keys.stride = {heads * each, each, 1, 0};
    args.k = keys;
    TensorView values = keys;
    values.data = expanded + kNope;
    args.v = values;
    args.sharedKey = bf16(bench.random<Bf16>(tokens * kRope), {tokens, kRope});
    args.firstQuery = 0;
    args.scale = 0.0722F;
    args.out = bf16(bench.memory<Bf16>(tokens * heads * kValues), {tokens, heads, kValues});
    const double seconds = bench.measure(2, [&](int) { cuda::attention(bench.launch(), args); });
    bench.report("mla prefill, T " + std::to_string(tokens) + ", heads " + std::to_string(heads), seconds, 0,
                 static_cast<double>(tokens * tokens * heads) * (kNope + kRope + kValues));
    bench.clear();
}

void run(Bench& bench) {
    bench.copyCeiling();
    for (const int batch : {1, 8, 64}) benchStep(bench, 96, batch);
    benchStep(bench, 32, 1);
    for (const int64_t heads : {96, 32, 12}) benchChunks(bench, 8192, heads);
    for (const int64_t heads : {32, 96}) {
        for (const int64_t context : {1 << 10, 1 << 15, 1 << 17, 1 << 19, 1 << 20}) {
            benchDecode(bench, context - 1, heads);
        }
        benchPrefill(bench, 8192, heads);
    }
}

}  // namespace
}  // namespace pal::bench

int main(int argc, char** argv) {
    const pal::cuda::DeviceQuery device = pal::cuda::queryDevice(0);
    if (!device.found) {
        std::cerr << device.whyNot << "\n";
        return 1;
    }
    try {
        const int runs = argc > 1 ? std::atoi(argv[1]) : 30;
        pal::bench::Bench bench(device.multiprocessors, device.major * 10 + device.minor, runs);
        pal::bench::run(bench);
        std::cout << nlohmann::json{{"device", device.name}, {"runs", runs}, {"kernels", bench.results()}}.dump(2)
                  << "\n";
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
