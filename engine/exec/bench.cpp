// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "engine/api/telemetry.h"
#include "engine/base/byte_hash.h"
#include "engine/exec/forward.h"
#include "engine/exec/product_rate.h"
#include "engine/exec/runtime.h"
#include "engine/exec/stream_read.h"
#include "engine/exec/timed_backend.h"
#include "engine/model/gpu_sizes.h"

namespace pal {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<int32_t> randomIds(int64_t count, int64_t vocabulary) {
    std::vector<int32_t> out;
    for (int64_t i = 0; i < count; ++i) {
        out.push_back(static_cast<int32_t>(splitmix64(static_cast<uint64_t>(i)) % static_cast<uint64_t>(vocabulary)));
    }
    return out;
}

class Bench {
  public:
    // `report` has the limits and the plan. `stream` may be null.
    Bench(const BenchRequest& request, const Runtime& runtime, TimedBackend& backend, const BenchReport& report,
          StreamRead* stream)
        : request_(request),
          runtime_(runtime),
          backend_(backend),
          report_(report),
          stream_(stream),
          forward_(runtime.weights(), backend) {}

    // A prompt: first timed as it runs, then again op by op.
    Result<PrefillRate> prefill(int64_t tokens) {
        PrefillRate out;
        out.tokens = tokens;
        if (report_.plan.ramLayers > 0)
            PAL_TRY(readPrompt(tokens).map([](double) {}));  // sizes of scratch memory are known then
        const uint64_t before = backend_.linkBytes();
        PAL_ASSIGN(out.seconds, readPrompt(tokens));
        out.prediction.measuredLinkBytes = backend_.linkBytes() - before;
        PAL_TRY(predictPrompt(tokens, out.prediction));
        backend_.startCounting();
        PAL_TRY(readPrompt(tokens).map([](double) {}));
        double seconds = 0;
        const auto& sums = backend_.stopCounting();
        for (size_t i = 0; i < kCostParts; ++i) {
            out.flops += sums[i].matrixFlops;
            seconds += sums[i].matrixSeconds;
            out.parts.push_back(partCost(i, sums[i], tokens));
        }
        out.flops /= std::max(seconds, 1e-9);
        out.ops = opUses(backend_.ops());
        for (const auto& [shape, count] : backend_.shapes())
            out.products.push_back({shape[0], shape[1], shape[2], count});
        return out;
    }

    // Tokens one by one after `context` tokens: first timed as they run, then again part by part, both in turns with a plain read.
    Result<DecodeRate> decode(int64_t context) {
        PAL_ASSIGN(SequenceState state, newState());
        PAL_TRY(fillContext(state, context));
        PAL_TRY(steps(state, 2));  // warm
        DecodeRate out;
        out.context = context;
        const uint64_t before = backend_.linkBytes();
        PAL_TRY(inRounds([&](int64_t count) { return decodeRound(state, count, out); }));
        out.prediction.measuredLinkBytes =
            (backend_.linkBytes() - before) / static_cast<uint64_t>(request_.decodeTokens);
        PAL_TRY(predictToken(context, out.prediction));

        backend_.startCounting();
        PAL_TRY(steps(state, 1));  // marks and memory for picks are there then
        backend_.startCounting();
        PAL_TRY(inRounds([&](int64_t count) {
            if (stream_ != nullptr) stream_->pass();
            return steps(state, count);
        }));
        out.timedTokens = request_.decodeTokens;
        out.ops = opUses(backend_.ops());
        const auto& sums = backend_.stopCounting();
        for (size_t i = 0; i < kCostParts; ++i) {
            out.parts.push_back(partCost(i, sums[i], request_.decodeTokens));
            out.weightBytes += out.parts.back().weightBytes;
        }
        const StateLayout& layout = state.layout();
        const auto kda = static_cast<uint64_t>(layout.kdaLayers) * (layout.kdaBytes() + layout.tailBytes());
        out.stateBytes = 2 * kda + static_cast<uint64_t>(context) * layout.pageBytes() / kLatentPageTokens;
        return out;
    }

  private:
    // The tokens of a context in up to four parts.
    template <typename Round>
    Result<> inRounds(const Round& round) const {
        const int64_t rounds = std::min<int64_t>(4, request_.decodeTokens);
        for (int64_t r = 0; r < rounds; ++r)
            PAL_TRY(round((r + 1) * request_.decodeTokens / rounds - r * request_.decodeTokens / rounds));
        return {};
    }
    Result<> decodeRound(SequenceState& state, int64_t count, DecodeRate& out) {
        DecodeRound round;
        if (stream_ != nullptr) round.streamBytesPerSecond = stream_->pass();
        const auto start = Clock::now();
        PAL_TRY(steps(state, count));
        const double seconds = secondsSince(start);
        round.secondsPerToken = seconds / static_cast<double>(count);
        out.secondsPerToken += seconds / static_cast<double>(request_.decodeTokens);
        out.rounds.push_back(round);
        return {};
    }

    static std::vector<OpUse> opUses(const OpSums& sums) {
        std::vector<OpUse> out;
        for (const auto& [key, sum] : sums) {
            out.push_back({std::string(key.first), std::string(costPartName(key.second)), sum.calls, sum.seconds,
                           sum.cost.bytes, sum.cost.flops});
        }
        std::ranges::stable_sort(out, std::greater(), &OpUse::seconds);
        return out;
    }

    // The plan of this run at another place of a session; nothing has to fit.
    Result<GpuPlan> planAt(int64_t context, int64_t chunk) const {
        GpuPlanRequest request;
        request.memory.freeBytes = UINT64_MAX;
        request.memory.copyRate = report_.limits.bytesPerSecond;
        request.memory.linkRate = report_.limits.linkBytesPerSecond;
        request.contextTokens = static_cast<uint64_t>(context);
        request.chunkTokens = static_cast<uint64_t>(chunk);
        request.latents = request_.engine.latents;
        request.ramLayers = report_.plan.ramLayers;
        return planGpu(gpuPlanSizes(runtime_.plan(), runtime_.store()), request);
    }
    Result<> predictToken(int64_t context, Prediction& out) const {
        if (request_.engine.device != Device::kCuda) return {};
        PAL_ASSIGN(const GpuPlan plan, planAt(context, 1));
        out.linkBytes = plan.linkReadBytes;
        out.seconds = plan.gpuSeconds + plan.linkSeconds;
        return {};
    }
    Result<> predictPrompt(int64_t tokens, Prediction& out) const {
        if (report_.plan.ramLayers == 0) return {};
        for (int64_t done = 0; done < tokens; done += request_.engine.chunkTokens) {
            PAL_ASSIGN(const GpuPlan plan, planAt(tokens, std::min(request_.engine.chunkTokens, tokens - done)));
            out.linkBytes += plan.chunkLinkBytes;
            out.seconds += plan.chunkLinkSeconds;
        }
        return {};
    }

    static PartCost partCost(size_t part, const CostSum& sum, int64_t tokens) {
        return {std::string(costPartName(static_cast<CostPart>(part))), sum.seconds / static_cast<double>(tokens),
                sum.weightBytes / static_cast<uint64_t>(tokens)};
    }

    // Reads a prompt from nothing, in chunks, with logits of the last token; returns the seconds that took.
    Result<double> readPrompt(int64_t tokens) {
        PAL_ASSIGN(SequenceState state, newState());
        const std::vector<int32_t> ids = randomIds(tokens, runtime_.config().text.vocabSize);
        const auto start = Clock::now();
        while (state.position() < tokens) {
            const int64_t count = std::min(request_.engine.chunkTokens, tokens - state.position());
            StepInput input;
            input.ids = std::span(ids).subspan(static_cast<size_t>(state.position()), static_cast<size_t>(count));
            input.logits = state.position() + count == tokens ? LogitRows::kLast : LogitRows::kNone;
            PAL_TRY(forward_.step(input, state).map([](const auto&) {}));
        }
        return secondsSince(start);
    }

    Result<SequenceState> newState() {
        return SequenceState::create(backend_, runtime_.stateLayout(latentDType(request_.engine.latents)));
    }

    Result<> steps(SequenceState& state, int64_t count) {
        const std::vector<int32_t> ids = randomIds(count, runtime_.config().text.vocabSize);
        for (int64_t i = 0; i < count; ++i) {
            StepInput input;
            input.ids = std::span(ids).subspan(static_cast<size_t>(i), 1);
            PAL_TRY(forward_.step(input, state).map([](const auto&) {}));
        }
        return {};
    }

    // Latent rows of small random numbers, the same page over and over.
    Result<> fillContext(SequenceState& state, int64_t context) {
        PAL_TRY(state.reserve(context));
        const StateLayout& layout = state.layout();
        std::vector<std::byte> page(layout.layerPageBytes());
        for (size_t i = 0; i + 1 < page.size(); i += 2) {
            // The upper half of a float32, or a bfloat16: sign and exponent of +-0.25 .. 0.5, random mantissa.
            const uint64_t bits = splitmix64(i);
            page[i] = static_cast<std::byte>(bits);
            page[i + 1] = static_cast<std::byte>(0x3e | (bits >> 8 & 0x80U));
        }
        for (int64_t layer = 0; layer < layout.mlaLayers; ++layer) {
            for (void* target : state.latents(layer).pages) backend_.upload(target, page);
        }
        state.advance(context);
        return {};
    }

    const BenchRequest& request_;
    const Runtime& runtime_;
    TimedBackend& backend_;
    const BenchReport& report_;
    StreamRead* stream_;
    Forward forward_;
};

Result<> checkLengths(const BenchRequest& request) {
    const auto positive = [](int64_t n) { return n > 0; };
    if (std::all_of(request.prefillTokens.begin(), request.prefillTokens.end(), positive) &&
        std::all_of(request.decodeContexts.begin(), request.decodeContexts.end(), positive) &&
        request.decodeTokens > 0) {
        return {};
    }
    return fail(ErrorCode::kInvalidArgument, "lengths of a benchmark must be at least 1 token");
}

// What the sessions of a benchmark come to, so that memory is planned for these.
int64_t longestSession(const BenchRequest& request) {
    constexpr int64_t kWarmTokens = 3;
    int64_t longest = 0;
    for (const int64_t tokens : request.prefillTokens) longest = std::max(longest, tokens);
    for (const int64_t context : request.decodeContexts)
        longest = std::max(longest, context + kWarmTokens + 2 * request.decodeTokens);
    return longest;
}

// Before the model takes the device's memory.
Result<> measureLimits(Backend& backend, BenchReport& report) {
    const MemoryRates rates = backend.measureRates();
    report.limits.bytesPerSecond = rates.copy;
    report.limits.linkBytesPerSecond = rates.link;
    PAL_ASSIGN(report.limits.flopsPerSecond, productRate(backend));
    return {};
}

Result<> measureLengths(const BenchRequest& request, Bench& bench,
                        const std::function<void(std::string_view)>& progress, BenchReport& report) {
    for (const int64_t tokens : request.prefillTokens) {
        progress(fmt::format("prefill of {} tokens", tokens));
        PAL_ASSIGN(PrefillRate rate, bench.prefill(tokens));
        report.prefill.push_back(std::move(rate));
    }
    for (const int64_t context : request.decodeContexts) {
        progress(fmt::format("decode after {} tokens", context));
        PAL_ASSIGN(DecodeRate rate, bench.decode(context));
        report.decode.push_back(std::move(rate));
    }
    return {};
}

}  // namespace

Result<BenchReport> benchModel(const BenchRequest& wanted, const std::function<void(std::string_view)>& progress) {
    PAL_TRY(checkLengths(wanted));
    BenchReport report;
    progress("loading");
    auto start = Clock::now();
    PAL_ASSIGN(BoundModel model, loadModel(wanted.model));
    report.loadSeconds = secondsSince(start);
    BenchRequest request = wanted;
    if (request.engine.contextTokens == 0)
        request.engine.contextTokens = std::min(longestSession(request), model.plan.config.text.contextLimit);
    PAL_ASSIGN(request.engine, completeOptions(request.engine, model.plan.config.text));
    PAL_ASSIGN(std::unique_ptr<Backend> inner, createBackend(request.engine));
    auto timed = std::make_unique<TimedBackend>(std::move(inner));
    TimedBackend& backend = *timed;
    progress("measuring the device");
    PAL_TRY(measureLimits(backend, report));
    const uint64_t free = backend.freeBytes();
    PAL_ASSIGN(report.plan, planFor(model, request.engine, backend,
                                    {report.limits.bytesPerSecond, report.limits.linkBytesPerSecond}));
    start = Clock::now();
    PAL_ASSIGN(const std::unique_ptr<Runtime> runtime,
               Runtime::create(std::move(model), std::move(timed), {}, report.plan));
    backend.learn(runtime->weights());
    report.loadSeconds += secondsSince(start);

    const BackendInfo info = backend.info();
    report.device = info.threads > 0 ? fmt::format("{}, {} threads", info.device, info.threads) : info.device;
    report.deviceTimes = info.threads == 0;
    report.modelBytes = runtime->store().bytes();
    std::optional<StreamRead> stream;
    if (info.threads > 0) {
        progress("reading the weights as a stream");
        std::vector<std::span<const std::byte>> regions;
        for (const MappedFile& shard : runtime->store().shards()) regions.push_back(shard.bytes());
        stream.emplace(std::move(regions), info.threads);
        stream->pass();
    }
    Bench bench(request, *runtime, backend, report, stream ? &*stream : nullptr);
    PAL_TRY(measureLengths(request, bench, progress, report));
    if (stream) report.streamBytesPerSecond = report.limits.bytesPerSecond = stream->best();
    report.gpuBytesTaken = free - std::min(free, backend.freeBytes());
    return report;
}

}  // namespace pal
