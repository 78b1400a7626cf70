// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/guarded.h"
#include "vision/frame_converter.h"
#include "vision/orientation.h"
#include "vision/video.h"
#include "vision/video_index.h"

namespace pal {
namespace {

// The frames that a request leaves, [first, first + count) in display order.
struct Range {
    int64_t first = 0, count = 0;
};

Result<> checkRequest(const VideoRequest& request, const std::string& name) {
    const auto bad = [&](const char* what, double value) {
        return fail(ErrorCode::kInvalidArgument, "{}: {} is {}", name, what, value);
    };
    if (request.start && !(*request.start >= 0)) return bad("the start", *request.start);
    if (request.end && !(*request.end >= request.start.value_or(0))) return bad("the end", *request.end);
    if (request.fps && !(*request.fps > 0 && std::isfinite(*request.fps))) return bad("fps", *request.fps);
    if (request.maxFrames && *request.maxFrames < 1) return bad("max frames", static_cast<double>(*request.maxFrames));
    if (request.maxTokens && *request.maxTokens < 1) return bad("max tokens", static_cast<double>(*request.maxTokens));
    return {};
}

double secondsAt(const VideoIndex& index, int64_t frame) {
    return static_cast<double>(index.times[static_cast<size_t>(frame)]) * index.timeBase.num / index.timeBase.den;
}

Result<Range> rangeOf(const VideoIndex& index, const VideoRequest& request, const std::string& name) {
    const auto total = static_cast<int64_t>(index.times.size());
    Range range{0, total};
    while (request.start && range.first < total && secondsAt(index, range.first) < *request.start) ++range.first;
    int64_t last = total - 1;
    while (request.end && last >= range.first && secondsAt(index, last) > *request.end) --last;
    range.count = last - range.first + 1;
    if (range.count < 1) {
        const std::string end = request.end ? fmt::format("to {} s", *request.end) : "on";
        return fail(ErrorCode::kInvalidArgument, "{}: no frame from {} s {}, its frames are from 0 s to {:.3f} s", name,
                    request.start.value_or(0), end, secondsAt(index, total - 1));
    }
    return range;
}

// The reference's number of frames, then the request's and the config's limits. nearbyint() rounds halves to even, as Python does.
int64_t framesWanted(const VideoConfig& config, const VideoRequest& request, const Range& range, double fps) {
    const double sample = std::min(request.fps.value_or(config.sampleFps), fps);
    const double exact = std::nearbyint(static_cast<double>(range.count) * sample / fps);
    int64_t n = std::clamp<int64_t>(static_cast<int64_t>(exact), 1, range.count);
    if (request.maxFrames) n = std::min(n, *request.maxFrames);
    if (config.frameLimit) n = std::min(n, *config.frameLimit);
    return n;
}

// Of `count` points evenly from 0 to `last`, the k-th, as numpy.linspace computes it.
double evenly(double last, int64_t count, int64_t k) {
    if (count == 1) return 0;
    if (k == count - 1) return last;
    return static_cast<double>(k) * (last / static_cast<double>(count - 1));
}

std::vector<VideoFrame> sample(const VideoIndex& index, const FrameRate& rate, const Range& range, int64_t n) {
    std::vector<VideoFrame> out;
    if (rate.rate == VideoPlan::Rate::kConstant) {
        for (int64_t k = 0; k < n; ++k) {
            const double place = evenly(static_cast<double>(range.count - 1), n, k);
            const int64_t frame = range.first + static_cast<int64_t>(std::nearbyint(place));
            out.push_back({frame, static_cast<double>(frame) / rate.fps});
        }
        return out;
    }
    const auto begin = index.times.begin() + range.first, end = begin + range.count;
    for (int64_t k = 0; k < n; ++k) {
        const double target = static_cast<double>(*begin) + evenly(static_cast<double>(*(end - 1) - *begin), n, k);
        auto at = std::lower_bound(begin, end - 1, target,
                                   [](int64_t time, double wanted) { return static_cast<double>(time) < wanted; });
        if (at != begin) {
            const double below = target - static_cast<double>(*(at - 1)), above = static_cast<double>(*at) - target;
            if (below < above || (below == above && (at - index.times.begin()) % 2 != 0)) --at;
        }
        const int64_t frame = at - index.times.begin();
        if (out.empty() || frame > out.back().index) out.push_back({frame, secondsAt(index, frame)});
    }
    return out;
}

std::vector<VideoChunkPlan> group(const MediaConfig& config, std::vector<VideoFrame> frames, int64_t width,
                                  int64_t height) {
    std::vector<VideoChunkPlan> out;
    const auto perChunk = static_cast<size_t>(config.video->framesPerChunk);
    for (size_t first = 0; first < frames.size(); first += perChunk) {
        VideoChunkPlan chunk;
        const size_t end = std::min(frames.size(), first + perChunk);
        chunk.frames.assign(frames.begin() + static_cast<std::ptrdiff_t>(first),
                            frames.begin() + static_cast<std::ptrdiff_t>(end));
        chunk.resize = planFrame(config, static_cast<int64_t>(end - first), width, height);
        chunk.timestamp = videoTimestamp(chunk.frames.front().seconds);
        out.push_back(std::move(chunk));
    }
    return out;
}

// As many frames as whole chunks of them cost at most `maxTokens`.
Result<int64_t> framesWithinTokens(const MediaConfig& config, int64_t maxTokens, int64_t n, const VideoPlan& plan,
                                   const std::string& name) {
    const int64_t perChunk = config.video->framesPerChunk;
    const int64_t cost = planFrame(config, std::min(n, perChunk), plan.width, plan.height).tokens;
    const int64_t chunks = (n + perChunk - 1) / perChunk;
    // The last chunk may be short, and then its frames may be larger.
    const int64_t rest = n - (chunks - 1) * perChunk;
    if ((chunks - 1) * cost + planFrame(config, rest, plan.width, plan.height).tokens <= maxTokens) return n;
    const int64_t fits = std::min(maxTokens / cost * perChunk, n);
    if (fits >= 1) return fits;
    return fail(ErrorCode::kInvalidArgument, "{}: {} frames of {}x{} pixels cost {} tokens, the limit is {}", name,
                std::min(n, perChunk), plan.width, plan.height, cost, maxTokens);
}

void addCosts(const MediaConfig& config, VideoPlan& plan) {
    const auto floatsPerPatch = static_cast<uint64_t>(3 * config.patchSize * config.patchSize);
    uint64_t largestChunk = 0;
    for (const VideoChunkPlan& chunk : plan.chunks) {
        const uint64_t patches = static_cast<uint64_t>(chunk.resize.rows * chunk.resize.columns) * chunk.frames.size();
        plan.sampledFrames += static_cast<int64_t>(chunk.frames.size());
        plan.tokens += chunk.resize.tokens;
        plan.patchBytes += patches * floatsPerPatch * sizeof(float);
        largestChunk = std::max(largestChunk, patches * floatsPerPatch * sizeof(float));
    }
    // A decoder keeps up to 16 frames for reference and some in flight; one frame is converted and resized.
    constexpr uint64_t kDecoderFrames = 24;
    const auto pixels = static_cast<uint64_t>(plan.width) * static_cast<uint64_t>(plan.height);
    plan.readerBytes = pixels * 3 / 2 * kDecoderFrames + pixels * 4 * 3 + largestChunk;
}

void describe(AvInput& input, const AVStream& stream, const AVFrame& frame, VideoPlan& plan) {
    plan.container = input.context()->iformat->name;
    plan.codec = avcodec_get_name(stream.codecpar->codec_id);
    plan.storedWidth = frame.width;
    plan.storedHeight = frame.height;
    plan.orientation = streamOrientation(stream, plan.warnings);
    plan.width = swapsSides(plan.orientation) ? plan.storedHeight : plan.storedWidth;
    plan.height = swapsSides(plan.orientation) ? plan.storedWidth : plan.storedHeight;
    for (unsigned i = 0; i < input.context()->nb_streams; ++i) {
        if (input.context()->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) {
            plan.sound = VideoPlan::Sound::kUnused;
        }
    }
}

// The frames of `plan.index` that a request asks for.
Result<> takeFrames(const MediaConfig& config, const VideoRequest& request, const std::string& name, VideoPlan& plan) {
    PAL_ASSIGN(const Range range, rangeOf(*plan.index, request, name));
    int64_t n = framesWanted(*config.video, request, range, plan.fps);
    if (request.maxTokens) {
        PAL_ASSIGN(n, framesWithinTokens(config, *request.maxTokens, n, plan, name));
    }
    plan.sampleFps = static_cast<double>(n) * plan.fps / static_cast<double>(range.count);
    plan.chunks = group(config, sample(*plan.index, {plan.fps, plan.rate}, range, n), plan.width, plan.height);
    addCosts(config, plan);
    return {};
}

Result<VideoPlan> makePlan(const MediaSource& source, const MediaConfig& config, const VideoRequest& request,
                           const VideoProgress& progress, const std::stop_token& stop) {
    const std::string& name = source.name;
    if (!config.video) return fail(ErrorCode::kUnsupported, "{}: the model's preprocessor knows no video", name);
    PAL_TRY(checkRequest(request, name));
    VideoPlan plan;
    plan.limits = request.limits;
    auto index = std::make_shared<VideoIndex>();
    AVRational stated{0, 0};
    {
        PAL_ASSIGN(AvInput input, AvInput::open(source, kVideoContainers, stop));
        PAL_ASSIGN(AVStream * stream, findVideoStream(input.context(), name));
        PAL_ASSIGN(const AvPointer<AVFrame> first, decodeFirstFrame(input, *stream, name, request.limits, stop));
        describe(input, *stream, *first, plan);
        stated = stream->avg_frame_rate;
    }
    {
        // Opened anew rather than rewound: not every container can go back to its first packet.
        PAL_ASSIGN(AvInput input, AvInput::open(source, kVideoContainers, stop));
        PAL_ASSIGN(AVStream * stream, findVideoStream(input.context(), name));
        PAL_ASSIGN(*index, indexVideo(input, *stream, name, request.limits, progress, stop));
    }
    const FrameRate rate = measureRate(*index, stated);
    plan.fps = rate.fps;
    plan.rate = rate.rate;
    plan.frameCount = static_cast<int64_t>(index->times.size());
    const double lastSeconds =
        index->lastDuration > 0 ? static_cast<double>(index->lastDuration) * index->timeBase.num / index->timeBase.den
                                : 1 / rate.fps;
    plan.seconds = secondsAt(*index, plan.frameCount - 1) + lastSeconds;
    plan.warnings.insert(plan.warnings.end(), index->warnings.begin(), index->warnings.end());

    plan.index = std::move(index);
    PAL_TRY(takeFrames(config, request, name, plan));
    return plan;
}

}  // namespace

std::string videoTimestamp(double seconds) {
    const auto whole = static_cast<int64_t>(seconds);
    const auto milliseconds = static_cast<int64_t>(std::fmod(seconds, 1.0) * 1000);
    return fmt::format("{:02}:{:02}:{:02}.{:03}", whole / 3600 % 24, whole / 60 % 60, whole % 60, milliseconds);
}

Result<VideoPlan> replanVideo(const VideoPlan& plan, const MediaConfig& config, const VideoRequest& request,
                              const std::string& name) {
    if (!config.video) return fail(ErrorCode::kUnsupported, "{}: the model's preprocessor knows no video", name);
    PAL_TRY(checkRequest(request, name));
    VideoPlan out = plan;
    out.sampledFrames = out.tokens = 0;
    out.patchBytes = 0;
    PAL_TRY(takeFrames(config, request, name, out));
    return out;
}

Result<VideoPlan> planVideo(const MediaSource& source, const MediaConfig& config, const VideoRequest& request,
                            const VideoProgress& progress, std::stop_token stop) {
    return guarded(source.name, [&] { return makePlan(source, config, request, progress, stop); });
}

}  // namespace pal
