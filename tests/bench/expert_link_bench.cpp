// SPDX-License-Identifier: Apache-2.0
// Experts in RAM, two ways to read them: fetched by a kernel to the GPU and computed there, and read over the link by the kernels that compute; beside
// experts on the GPU and the link's rate of the same run. And what page-locking costs: new memory by cudaHostAlloc, memory that is filled first (small
// pages, large pages), a file's own pages. One JSON object.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/api/backend.h"

namespace pal::bench {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

struct Shape {
    const char* name;
    int64_t experts, picks, width, inner;
};

// Host weights of one expert, random, shared by all experts of a layer: what is read does not depend on the values.
class HostExpert {
  public:
    explicit HostExpert(const Shape& shape) {
        std::mt19937_64 random(1);
        data_.resize(static_cast<size_t>(shape.width * shape.inner / 2));
        for (uint8_t& byte : data_) byte = static_cast<uint8_t>(random());
        scale_.assign(static_cast<size_t>(shape.width * shape.inner / kMxfp4Group), 122);
        const WeightView in{WeightFormat::kMxfp4, shape.inner, shape.width, data_.data(), scale_.data()};
        const WeightView out{WeightFormat::kMxfp4, shape.width, shape.inner, data_.data(), scale_.data()};
        weights_ = {in, in, out};
    }
    [[nodiscard]] const ExpertWeights& weights() const { return weights_; }
    [[nodiscard]] double bytes() const { return static_cast<double>(weights_.gate.bytes()) * 3; }

  private:
    std::vector<uint8_t> data_;
    std::vector<uint8_t> scale_;
    ExpertWeights weights_;
};

// Median seconds of a step of `tokens` that is nothing but the experts; picks differ from step to step.
class Steps {
  public:
    Steps(Backend& backend, const Shape& shape) : backend_(backend), shape_(shape) {
        const WeightView host{WeightFormat::kBF16, 8, 64, table_.data(), nullptr};
        embedding_ = backend.importWeight(host);
    }

    double seconds(std::span<const ExpertWeights> experts, int64_t tokens, int runs) {
        const Buffer memory =
            backend_.allocate(static_cast<size_t>(tokens * (4 * shape_.width + 8 * shape_.picks + 256)));
        auto* at = static_cast<char*>(memory.data());
        const TensorView row(at, DType::kBF16, {tokens, 64});
        const TensorView x(at += 256 * tokens, DType::kBF16, {tokens, shape_.width});
        const TensorView out(at += 2 * tokens * shape_.width, DType::kBF16, {tokens, shape_.width});
        const TensorView index(at += 2 * tokens * shape_.width, DType::kI32, {tokens, shape_.picks});
        const TensorView weight(at += 4 * tokens * shape_.picks, DType::kF32, {tokens, shape_.picks});
        backend_.fillZero(memory.data(), memory.size());
        const std::vector<int32_t> ids(static_cast<size_t>(tokens), 3);
        std::vector<double> times;
        constexpr int kWarm = 3;
        for (int run = -kWarm; run < runs; ++run) {
            uploadPicks(index, static_cast<int64_t>(experts.size()));
            const auto start = Clock::now();
            backend_.embed({ids, embedding_, row});
            backend_.moe({x, index, weight, experts, {}, out});
            if (const KernelStatus status = backend_.finish(); !status.ok()) throw std::runtime_error(status.message);
            if (run >= 0) times.push_back(secondsSince(start));
        }
        return median(times);
    }

  private:
    void uploadPicks(const TensorView& index, int64_t experts) {
        std::vector<int32_t> all(static_cast<size_t>(experts));
        for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int32_t>(i);
        std::vector<int32_t> picks;
        for (int64_t t = 0; t < index.dim(0); ++t) {
            for (int64_t i = 0; i < shape_.picks; ++i) {
                const auto other = i + static_cast<int64_t>(random_() % static_cast<uint64_t>(experts - i));
                std::swap(all[static_cast<size_t>(i)], all[static_cast<size_t>(other)]);
                picks.push_back(all[static_cast<size_t>(i)]);
            }
        }
        backend_.upload(index.data, std::as_bytes(std::span(picks)));
    }

    Backend& backend_;
    const Shape& shape_;
    WeightView embedding_;
    std::array<uint16_t, 512> table_{};
    std::mt19937_64 random_{7};
};

nlohmann::json measureShape(const Shape& shape) {
    const BackendAttempt attempt = createCudaBackend(0);
    Backend& backend = *attempt.backend;
    const HostExpert expert(shape);
    std::vector<ExpertWeights> inRam(static_cast<size_t>(shape.experts + 1), expert.weights());
    const auto start = Clock::now();
    if (const KernelStatus status = backend.keepOnHost(inRam, [](uint64_t) { return true; }); !status.ok())
        throw std::runtime_error(status.message);
    nlohmann::json out{
        {"bytes_of_an_expert", expert.bytes()},
        {"kept_bytes_per_second", expert.bytes() * static_cast<double>(inRam.size()) / secondsSince(start)}};
    std::vector<ExpertWeights> onGpu;
    for (int64_t e = 0; e < std::min<int64_t>(shape.experts, 64); ++e) {
        const ExpertWeights& w = expert.weights();
        onGpu.push_back({backend.importWeight(w.gate), backend.importWeight(w.up), backend.importWeight(w.down)});
    }
    Steps steps(backend, shape);
    for (const int64_t tokens : {1, 2, 4}) {
        const double bytes = expert.bytes() * static_cast<double>(tokens * shape.picks);
        // A span that does not begin at the first expert is no layer that the backend knows: kernels get the addresses of the host as they are.
        const double direct = steps.seconds(std::span(inRam).subspan(1), tokens, 20);
        const double fetched = steps.seconds(inRam, tokens, 20);
        const double there = steps.seconds(onGpu, tokens, 20);
        out[std::to_string(tokens) + " tokens"] = {{"on_gpu_seconds", there},
                                                   {"fetched_seconds", fetched},
                                                   {"fetched_bytes_per_second_at_most", bytes / fetched},
                                                   {"read_in_place_seconds", direct},
                                                   {"read_in_place_bytes_per_second_at_most", bytes / direct}};
    }
    return out;
}

double lockRate(void* memory, size_t bytes, unsigned flags) {
    const auto start = Clock::now();
    const cudaError_t error = cudaHostRegister(memory, bytes, flags);
    const double seconds = secondsSince(start);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    cudaHostUnregister(memory);
    return static_cast<double>(bytes) / seconds;
}

// Bytes per second; 0: refused.
nlohmann::json measureLocking(const std::string& file) {
    constexpr size_t kBytes = size_t{256} << 20;
    nlohmann::json out;
    void* allocated = nullptr;
    auto start = Clock::now();
    out["cudaHostAlloc"] =
        cudaHostAlloc(&allocated, kBytes, cudaHostAllocMapped) == cudaSuccess ? kBytes / secondsSince(start) : 0;
    cudaFreeHost(allocated);
    std::cerr << out.dump() << "\n";
    for (const bool large : {false, true}) {
        void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(memory, kBytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        start = Clock::now();
        std::memset(memory, 1, kBytes);
        const std::string name = large ? "large pages" : "small pages";
        out[name + " filled by one thread"] = kBytes / secondsSince(start);
        out[name + " locked"] = lockRate(memory, kBytes, cudaHostRegisterMapped);
        munmap(memory, kBytes);
        std::cerr << out.dump() << "\n";
    }
    const int descriptor = open(file.c_str(), O_RDONLY);
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0) return out;
    const size_t bytes = std::min(kBytes, static_cast<size_t>(status.st_size));
    void* mapped = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    volatile char sum = 0;
    for (size_t i = 0; i < bytes; i += 4096) sum = sum + static_cast<const char*>(mapped)[i];
    out["file locked, read-only"] = lockRate(mapped, bytes, cudaHostRegisterMapped | cudaHostRegisterReadOnly);
    out["file locked"] = lockRate(mapped, bytes, cudaHostRegisterMapped);
    munmap(mapped, bytes);
    close(descriptor);
    return out;
}

int run(const std::string& file) {
    const BackendAttempt attempt = createCudaBackend(0);
    if (!attempt.backend) {
        std::cerr << attempt.whyNot << "\n";
        return 1;
    }
    Backend& backend = *attempt.backend;
    const MemoryRates rates = backend.measureRates();
    nlohmann::json out{{"device", backend.info().device}, {"copy", rates.copy}, {"link", rates.link}};
    for (const Shape& shape : {Shape{"kimi-linear", 256, 8, 2304, 1024}, Shape{"kimi-k3", 896, 16, 3584, 3072}}) {
        out[shape.name] = measureShape(shape);
        std::cerr << shape.name << " " << out[shape.name].dump() << "\n";
    }
    out["locking"] = measureLocking(file);
    std::cout << out.dump(2) << "\n";
    return 0;
}

}  // namespace
}  // namespace pal::bench

int main(int argc, char** argv) {
    try {
        return pal::bench::run(argc > 1 ? argv[1] : "");
    } catch (const std::exception& e) {
        std::cerr << e.what() << "\n";
        return 1;
    }
}
