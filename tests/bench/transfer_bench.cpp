// SPDX-License-Identifier: Apache-2.0
// What moves between the GPU and the computer's memory, beside the link: page-locked copies of 1 GiB each way in the same run.
//   transfer_bench [MODEL FOLDER [--cold]]      without a folder only the link and the state; prints JSON
// The state is that of Kimi-Linear with 131,072 tokens: whole, and in the groups of pages in which the engine stores it. The codec makes no checksum,
// what one costs is told apart. Weights are read from the system's
// cache, which is filled before; with --cold once more from the disk, beside a plain read of the same files from it. Steps: one token of the model after 1,024, with its logits brought to the host and a draw.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/byte_hash.h"
#include "engine/exec/forward.h"
#include "engine/exec/runtime.h"
#include "engine/exec/sampler.h"
#include "engine/state/state_codec.h"
#include "tests/bench/kimi_linear_layout.h"
#include "tests/support/forwarding_backend.h"

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr size_t kGiB = size_t{1} << 30;
constexpr int64_t kTokens = 131072;
constexpr int kRuns = 5;

double secondsOf(const std::function<void()>& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

double medianSeconds(const std::function<void()>& work) {
    std::vector<double> all;
    for (int i = 0; i < kRuns; ++i) all.push_back(secondsOf(work));
    return median(all);
}

void require(bool ok, const std::string& what) {
    if (ok) return;
    std::fprintf(stderr, "transfer_bench: %s failed\n", what.c_str());
    std::exit(1);
}

template <typename T>
T must(pal::Result<T> result) {
    require(result.has_value(), result ? "" : result.error().message);
    return std::move(*result);
}

struct Link {
    double up = 0;  // bytes per second
    double down = 0;
};

Link measureLink() {
    void* host = nullptr;
    void* device = nullptr;
    cudaStream_t stream = nullptr;
    require(cudaMallocHost(&host, kGiB) == cudaSuccess && cudaMalloc(&device, kGiB) == cudaSuccess &&
                cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess,
            "memory for the link");
    const auto rate = [&](void* to, const void* from, cudaMemcpyKind kind) {
        return kGiB / medianSeconds([&] {
                   cudaMemcpyAsync(to, from, kGiB, kind, stream);
                   cudaStreamSynchronize(stream);
               });
    };
    rate(device, host, cudaMemcpyHostToDevice);
    const Link link{rate(device, host, cudaMemcpyHostToDevice), rate(host, device, cudaMemcpyDeviceToHost)};
    cudaStreamDestroy(stream);
    cudaFree(device);
    cudaFreeHost(host);
    return link;
}

Json rates(double bytes, double seconds, double link) {
    return {{"gigabytes", bytes / 1e9},
            {"milliseconds", seconds * 1e3},
            {"gigabytes_per_second", bytes / seconds / 1e9},
            {"share_of_link", bytes / seconds / link}};
}

std::vector<std::byte> noise(size_t bytes) {
    std::vector<std::byte> out(bytes);
    for (size_t i = 0; i < bytes; ++i) out[i] = static_cast<std::byte>(pal::splitmix64(i / 8) >> (i % 8 * 8));
    return out;
}

pal::SequenceState filledState(pal::Backend& backend) {
    pal::SequenceState state =
        must(pal::SequenceState::create(backend, pal::bench::kimiLinearLayout(pal::DType::kBF16)));
    require(state.reserve(kTokens).has_value(), "memory for the state");
    const std::vector<std::byte> recurrent = noise(state.layout().recurrentBytes());
    backend.upload(state.recurrent(), recurrent);
    std::vector<pal::Upload> pages;
    for (int64_t layer = 0; layer < state.layout().mlaLayers; ++layer) {
        const auto list = state.latents(layer).pages;
        for (size_t i = 0; i < list.size(); ++i)
            pages.push_back({list[i], std::span(recurrent).subspan(64 * (i % 1000), state.layout().layerPageBytes())});
    }
    backend.uploadAll(pages);
    state.advance(kTokens);
    return state;
}

// Median seconds of `work`, whose result stays until the next run.
std::pair<pal::ByteBuffer, double> timed(const std::function<pal::ByteBuffer()>& work) {
    pal::ByteBuffer bytes = work();
    std::vector<double> seconds;
    for (int i = 0; i < kRuns; ++i) {
        bytes = {};
        seconds.push_back(secondsOf([&] { bytes = work(); }));
    }
    return {std::move(bytes), median(seconds)};
}

Json saveState(pal::Backend& backend, const Link& link, const pal::SequenceState& state, pal::HostBlocks& blocks,
               pal::ByteBuffer& kept) {
    constexpr int64_t kGroup = 8 * pal::kLatentPageTokens;  // as the engine stores them
    const std::vector<float> logits(163840, 1.0F);
    Json out;
    pal::ByteBuffer first;
    const double locking = secondsOf([&] { first = pal::encodeCheckpoint(backend, state, logits, 0, &blocks); });
    const auto size = static_cast<double>(first.size());
    out["page_locked_block_first_time"] = rates(size, locking, link.down);
    first = {};
    const auto whole = [&](pal::HostBlocks* to) {
        return timed([&, to] { return pal::encodeCheckpoint(backend, state, logits, 0, to); });
    };
    out["new_ordinary_memory"] = rates(size, whole(nullptr).second, link.down);
    auto [bytes, seconds] = whole(&blocks);
    out["page_locked_block"] = rates(size, seconds, link.down);
    const double hashed = secondsOf([&] { require(XXH3_128bits(bytes.data(), bytes.size()).low64 != 0, "checksum"); });
    out["checksum_of_the_same_bytes_apart"] = {{"milliseconds", hashed * 1e3}};
    const double groups = medianSeconds([&] {
        for (int64_t at = 0; at < kTokens; at += kGroup)
            require(pal::encodePages(backend, state, at, at + kGroup, &blocks).size() > 0, "a group");
    });
    const double latents = size - static_cast<double>(state.layout().recurrentBytes());
    out["groups_of_512_tokens"] = rates(latents, groups, link.down);
    const auto part = timed([&] { return pal::encodeCheckpoint(backend, state, logits, kTokens, &blocks); });
    out["what_a_checkpoint_holds_up"] = rates(static_cast<double>(part.first.size()), part.second, link.down);
    kept = std::move(bytes);
    return out;
}

Json loadState(pal::Backend& backend, const Link& link, std::span<const std::byte> locked) {
    pal::ByteBuffer ordinary(locked.size());
    std::ranges::copy(locked, ordinary.span().begin());
    Json out;
    for (const auto& [name, bytes] : {std::pair{"page_locked_block", locked}, {"ordinary_memory", ordinary.span()}}) {
        std::optional<pal::SequenceState> read;
        std::vector<double> seconds;
        for (int i = 0; i < kRuns; ++i) {
            read = must(pal::SequenceState::create(backend, pal::bench::kimiLinearLayout(pal::DType::kBF16)));
            require(read->reserve(kTokens).has_value(), "memory for a second state");
            require(backend.finish().ok(), "room for a second state");
            seconds.push_back(secondsOf([&, from = bytes] {
                require(pal::decodeCheckpoint(from, backend, *read).has_value(), "reading the state");
            }));
        }
        read->advance(kTokens);
        out[name] = rates(static_cast<double>(bytes.size()), median(seconds), link.up);
        const std::vector<float> logits(163840, 1.0F);
        const pal::ByteBuffer again = pal::encodeCheckpoint(backend, *read, logits, 0);
        require(std::ranges::equal(locked, again.span()), "the same bytes there and back");
    }
    return out;
}

Json moveState(pal::Backend& backend, const Link& link) {
    const pal::SequenceState state = filledState(backend);
    pal::HostBlocks blocks(backend, size_t{4} << 30);
    pal::ByteBuffer bytes;
    Json out;
    out["to_memory"] = saveState(backend, link, state, blocks, bytes);
    out["to_device"] = loadState(backend, link, std::as_const(bytes).span());
    require(backend.finish().ok(), "the device");
    return out;
}

// Tells where a step's time goes on the host.
class StepClock final : public pal::ForwardingBackend {
  public:
    using ForwardingBackend::ForwardingBackend;
    void embed(const pal::EmbedArgs& args) override {
        begin = Clock::now();
        ForwardingBackend::embed(args);
    }
    pal::KernelStatus finish() override {
        const auto launched = Clock::now();
        pal::KernelStatus status = ForwardingBackend::finish();
        const auto end = Clock::now();
        ++waits;
        before += std::chrono::duration<double>(launched - begin).count();
        waiting += std::chrono::duration<double>(end - launched).count();
        begin = end;
        return status;
    }
    void startCounting() {
        before = waiting = 0;
        waits = 0;
    }

    Clock::time_point begin;
    double before = 0;   // from embed() to finish()
    double waiting = 0;  // in finish(): the launch and the kernels
    int64_t waits = 0;
};

Json steps(const pal::Runtime& runtime, StepClock& clock) {
    constexpr int64_t kContext = 1024;
    constexpr int kWarm = 4;
    constexpr int kSteps = 200;
    pal::Forward forward(runtime.weights(), clock);
    pal::HostLogits logits;
    Json out;
    for (const auto& [name, temperature, topP] : {std::tuple{"greedy", 0.0F, 1.0F},
                                                  {"temperature_1", 1.0F, 1.0F},
                                                  {"temperature_0.6_top_p_0.95", 0.6F, 0.95F}}) {
        pal::SequenceState state = must(pal::SequenceState::create(clock, runtime.stateLayout(pal::DType::kBF16)));
        std::vector<int32_t> prompt(kContext);
        for (size_t i = 0; i < prompt.size(); ++i) prompt[i] = static_cast<int32_t>(pal::splitmix64(i) % 1000);
        pal::StepInput first;
        first.ids = prompt;
        must(forward.step(first, state));
        pal::SamplingParams params;
        params.temperature = temperature;
        params.topP = topP;
        int32_t token = 1;
        double drawing = 0;
        double all = 0;
        for (int i = 0; i < kWarm + kSteps; ++i) {
            if (i == kWarm) {
                clock.startCounting();
                drawing = all = 0;
            }
            const auto start = Clock::now();
            pal::StepInput input;
            input.ids = std::span(&token, 1);
            input.delivery = &logits;
            input.temperature = temperature;
            must(forward.step(input, state));
            logits.keep();
            const auto drawn = Clock::now();
            token =
                must(pal::drawToken(logits.values(), params, {}, static_cast<uint64_t>(i), logits.digest(temperature)))
                    .token;
            drawing += std::chrono::duration<double>(Clock::now() - drawn).count();
            all += std::chrono::duration<double>(Clock::now() - start).count();
        }
        const double micro = 1e6 / kSteps;
        out[name] = {{"microseconds", all * micro},
                     {"tokens_per_second", kSteps / all},
                     {"host_before_launch", clock.before * micro},
                     {"launch_and_kernels", clock.waiting * micro},
                     {"draw", drawing * micro},
                     {"host_share", 1 - clock.waiting / all},
                     {"waits_per_step", static_cast<double>(clock.waits) / kSteps}};
    }
    return out;
}

std::vector<std::string> weightFiles(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
    }
    return files;
}

// The system forgets what it holds of the files.
void dropFromCache(const std::string& folder) {
    for (const std::string& file : weightFiles(folder)) {
        const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
        require(
            descriptor >= 0 && fdatasync(descriptor) == 0 && posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0,
            file);
        close(descriptor);
    }
}

// A plain read of all files by a thread per processor: bytes per second.
double readFiles(const std::string& folder) {
    constexpr size_t kPiece = size_t{8} << 20;
    struct Piece {
        int descriptor;
        off_t at;
    };
    std::vector<Piece> pieces;
    std::vector<int> descriptors;
    for (const std::string& file : weightFiles(folder)) {
        descriptors.push_back(open(file.c_str(), O_RDONLY | O_CLOEXEC));
        require(descriptors.back() >= 0, file);
        const auto size = static_cast<off_t>(std::filesystem::file_size(file));
        for (off_t at = 0; at < size; at += static_cast<off_t>(kPiece)) pieces.push_back({descriptors.back(), at});
    }
    std::atomic<size_t> next = 0;
    std::atomic<size_t> bytes = 0;
    const double seconds = secondsOf([&] {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
            threads.emplace_back([&] {
                std::vector<char> room(kPiece);
                for (size_t at = next++; at < pieces.size(); at = next++) {
                    const ssize_t got = pread(pieces[at].descriptor, room.data(), kPiece, pieces[at].at);
                    require(got > 0, "reading the weights");
                    bytes += static_cast<size_t>(got);
                }
            });
        }
    });
    for (const int descriptor : descriptors) close(descriptor);
    return static_cast<double>(bytes) / seconds;
}

Json model(const std::string& folder, const Link& link, bool cold) {
    Json out;
    out["cache_gigabytes_per_second"] = readFiles(folder) / 1e9;  // and fills it
    if (cold) {
        dropFromCache(folder);
        out["disk_gigabytes_per_second"] = readFiles(folder) / 1e9;
    }
    for (int round = 0; round < (cold ? 4 : 3); ++round) {
        if (round == 3) dropFromCache(folder);
        pal::BoundModel bound = must(pal::loadModel(folder));
        const double bytes = static_cast<double>(bound.store.bytes());
        pal::BackendAttempt attempt = pal::createCudaBackend(0);
        require(attempt.backend != nullptr, attempt.whyNot);
        auto clocked = std::make_unique<StepClock>(std::move(attempt.backend));
        StepClock& clock = *clocked;
        std::unique_ptr<pal::Runtime> runtime;
        const double seconds =
            secondsOf([&] { runtime = must(pal::Runtime::create(std::move(bound), std::move(clocked))); });
        out[round == 3 ? "cold_upload" : "upload"].push_back(rates(bytes, seconds, link.up));
        if (round == 2) out["steps"] = steps(*runtime, clock);
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const Link link = measureLink();
    Json out{{"link_up_gigabytes_per_second", link.up / 1e9}, {"link_down_gigabytes_per_second", link.down / 1e9}};
    {
        const pal::BackendAttempt attempt = pal::createCudaBackend(0);
        require(attempt.backend != nullptr, attempt.whyNot);
        out["device"] = attempt.backend->info().device;
        out["state"] = moveState(*attempt.backend, link);
    }
    if (argc > 1) out["model"] = model(argv[1], link, argc > 2 && std::string(argv[2]) == "--cold");
    std::printf("%s\n", out.dump(2).c_str());
    return 0;
}
