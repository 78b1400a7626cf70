// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <future>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/guarded.h"
#include "vision/frame_converter.h"
#include "vision/patches.h"
#include "vision/thumbnail.h"
#include "vision/video.h"
#include "vision/video_index.h"

namespace pal {
namespace {

// What to do with each packet, in file order.
enum class Use : uint8_t {
    kSkip,    // no wanted frame depends on it
    kDecode,  // only if others refer to it
    kShow,    // it is a wanted frame
};

// Between two runs of needed packets, this many needless ones are decoded rather than restarting the decoder.
constexpr size_t kWorthSkipping = 16;

// A decoder that finds more damage than there are packets makes no headway.
constexpr size_t kMaxDamagedExtra = 64;

// A wanted frame needs every packet from the last key packet before it that is shown no later: frames in front of a key packet in display
// order may still refer to the group before.
std::vector<Use> usesOf(const VideoIndex& index, const std::vector<int64_t>& wanted, bool intraOnly) {
    std::vector<Use> uses(index.packets.size(), Use::kSkip);
    if (index.match == VideoIndex::Match::kOrder) {
        std::fill(uses.begin(), uses.end(), Use::kShow);
        return uses;
    }
    const auto isWanted = [&](int64_t pts) {
        return std::binary_search(wanted.begin(), wanted.end(), pts - index.origin);
    };
    for (size_t p = 0; p < uses.size(); ++p) {
        if (!isWanted(index.packets[p].pts)) continue;
        uses[p] = Use::kShow;
        if (intraOnly) continue;
        size_t key = p;
        while (key > 0 && (index.packets[key].kind != VideoIndex::Packet::Kind::kKey ||
                           index.packets[key].pts > index.packets[p].pts)) {
            if (key < p && uses[key] != Use::kSkip && index.packets[key].pts <= index.packets[p].pts) break;
            --key;
        }
        for (; key < p; ++key) {
            if (uses[key] == Use::kSkip) uses[key] = Use::kDecode;
        }
    }
    if (intraOnly) return uses;
    for (size_t p = 0, gap = 0; p < uses.size(); ++p) {
        if (uses[p] == Use::kSkip) {
            ++gap;
            continue;
        }
        const bool inside = gap < p;  // not in front of everything
        if (inside && gap < kWorthSkipping) {
            std::fill(uses.begin() + static_cast<std::ptrdiff_t>(p - gap),
                      uses.begin() + static_cast<std::ptrdiff_t>(p), Use::kDecode);
        }
        gap = 0;
    }
    return uses;
}

}  // namespace

struct VideoReader::Impl {
    Impl(MediaSource from, const MediaConfig& mediaConfig, VideoPlan videoPlan, const VideoReaderOptions& readerOptions,
         AvInput opened)
        : source(std::move(from)),
          config(mediaConfig),
          plan(std::move(videoPlan)),
          options(readerOptions),
          input(std::move(opened)),
          converter(source.name, plan.orientation) {}

    Result<> start();
    // The next decoded frame that is wanted. Errors: kFormat at the end of the file.
    Result<AvPointer<AVFrame>> decodeWanted(const VideoFrame& target, const std::stop_token& stop);
    // The same in `frame`.
    Result<> nextWanted(const VideoFrame& target, const std::stop_token& stop);
    // One more frame out of the decoder; false when it wants packets.
    Result<bool> receive();
    // Feeds the decoder one step: a packet, or the order to give out what it holds.
    Result<> feed();
    Result<> feedPacket();
    // The frame that is wanted after number `i` of a chunk; null at the end of the clip.
    [[nodiscard]] const VideoFrame* wantedAfter(size_t chunk, size_t i) const;
    Result<> addFrame(const AVFrame& decoded, const VideoFrame& target, VideoChunk& chunk);
    Result<VideoChunk> readChunk(const std::stop_token& stop);

    [[nodiscard]] tl::unexpected<Error> lost(const VideoFrame& target) const {
        return fail(ErrorCode::kFormat, "{}: the frame at {:.3f} s (number {}) cannot be decoded", source.name,
                    target.seconds, target.index);
    }

    MediaSource source;
    MediaConfig config;
    VideoPlan plan;
    VideoReaderOptions options;
    AvInput input;
    FrameConverter converter;
    AvPointer<AVCodecContext> decoder;
    AvPointer<AVPacket> packet;
    AvPointer<AVFrame> frame;
    std::optional<Result<AvPointer<AVFrame>>>
        ahead;  // the next wanted frame, decoded while the one before was converted
    std::vector<Use> uses;
    size_t packetsRead = 0;
    size_t damagedPackets = 0;
    int64_t framesOut = 0;  // decoded so far, for Match::kOrder
    bool intraOnly = false;
    bool gap = false;   // packets were skipped since the last one that was decoded
    bool held = false;  // `packet` waits for the decoder to be emptied
    enum class Phase { kFeeding, kEmptying, kEnded } phase = Phase::kFeeding;
    size_t nextChunk = 0;
    std::optional<Error> broken;
};

Result<> VideoReader::Impl::start() {
    PAL_ASSIGN(AVStream * stream, findVideoStream(input.context(), source.name));
    for (unsigned i = 0; i < input.context()->nb_streams; ++i) {
        if (input.context()->streams[i] != stream) input.context()->streams[i]->discard = AVDISCARD_ALL;
    }
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    const int threads = options.decoderThreads > 0 ? std::min(options.decoderThreads, 16) : std::clamp(cores, 1, 8);
    PAL_ASSIGN(decoder, openAvDecoder(*stream, source.name, plan.limits.maxPixels, threads));
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(stream->codecpar->codec_id);
    intraOnly = descriptor && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
    packet.reset(av_packet_alloc());
    frame.reset(av_frame_alloc());
    if (!packet || !frame) return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", source.name);
    std::vector<int64_t> wanted;
    for (const VideoChunkPlan& chunk : plan.chunks) {
        for (const VideoFrame& target : chunk.frames) {
            wanted.push_back(plan.index->times[static_cast<size_t>(target.index)]);
        }
    }
    uses = usesOf(*plan.index, wanted, intraOnly);
    return {};
}

Result<bool> VideoReader::Impl::receive() {
    const int status = avcodec_receive_frame(decoder.get(), frame.get());
    if (status >= 0) return true;
    if (status == AVERROR(EAGAIN)) return false;
    if (status != AVERROR_EOF) {
        // The frames that damaged packets take with them are missed by their times.
        if (status == AVERROR_INVALIDDATA && ++damagedPackets <= uses.size() + kMaxDamagedExtra) return receive();
        return fail(ErrorCode::kFormat, "{}: the decoder stopped: {}", source.name, avMessage(status));
    }
    if (!held) {
        phase = Phase::kEnded;
        return false;
    }
    avcodec_flush_buffers(decoder.get());
    phase = Phase::kFeeding;
    return false;
}

Result<> VideoReader::Impl::feedPacket() {
    const Use use = uses[packetsRead - 1];
    // Frames that nothing refers to are left out unless they are wanted.
    const bool byTime = plan.index->match == VideoIndex::Match::kTime;
    decoder->skip_frame = byTime && use == Use::kDecode ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
    static_cast<void>(avcodec_send_packet(decoder.get(), packet.get()));
    av_packet_unref(packet.get());
    held = gap = false;
    return {};
}

Result<> VideoReader::Impl::feed() {
    if (held) return feedPacket();
    while (packetsRead < uses.size()) {
        const int status = av_read_frame(input.context(), packet.get());
        if (status < 0) break;  // also when it is stopped, which nextWanted sees
        const bool counted = packet->stream_index == plan.index->stream &&
                             (packet->flags & (AV_PKT_FLAG_DISCARD | AV_PKT_FLAG_CORRUPT)) == 0 && packet->size > 0 &&
                             (packet->pts != AV_NOPTS_VALUE || packet->dts != AV_NOPTS_VALUE);
        // What an edit list cuts off is still needed by what follows it.
        const bool cutOff = packet->stream_index == plan.index->stream && (packet->flags & AV_PKT_FLAG_DISCARD) != 0;
        if (cutOff) {
            static_cast<void>(avcodec_send_packet(decoder.get(), packet.get()));
            av_packet_unref(packet.get());
            return {};
        }
        if (!counted || uses[packetsRead++] == Use::kSkip) {
            gap = gap || counted;
            av_packet_unref(packet.get());
            continue;
        }
        if (!gap || intraOnly) return feedPacket();
        // The decoder first gives out what it holds, and forgets the frames before the gap.
        held = true;
        phase = Phase::kEmptying;
        static_cast<void>(avcodec_send_packet(decoder.get(), nullptr));
        return {};
    }
    phase = Phase::kEmptying;
    static_cast<void>(avcodec_send_packet(decoder.get(), nullptr));
    return {};
}

Result<> VideoReader::Impl::nextWanted(const VideoFrame& target, const std::stop_token& stop) {
    const VideoIndex& index = *plan.index;
    const int64_t time = index.times[static_cast<size_t>(target.index)];
    for (;;) {
        if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", source.name);
        PAL_ASSIGN(const bool got, receive());
        if (!got) {
            if (phase == Phase::kEnded) return lost(target);
            if (phase == Phase::kFeeding) PAL_TRY(feed());
            continue;
        }
        const int64_t order = framesOut++;
        if (index.match == VideoIndex::Match::kOrder) {
            if (order == target.index) return {};
            continue;
        }
        int64_t shown = 0;
        if (frame->pts == AV_NOPTS_VALUE || __builtin_sub_overflow(frame->pts, index.origin, &shown)) continue;
        if (shown < time) continue;
        const bool damaged = frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
        if (shown > time || damaged) return lost(target);
        return {};
    }
}

Result<AvPointer<AVFrame>> VideoReader::Impl::decodeWanted(const VideoFrame& target, const std::stop_token& stop) {
    PAL_TRY(nextWanted(target, stop));
    AvPointer<AVFrame> out(av_frame_alloc());
    if (!out) return fail(ErrorCode::kOutOfMemory, "{}: not enough memory for a frame", source.name);
    av_frame_move_ref(out.get(), frame.get());
    return out;
}

const VideoFrame* VideoReader::Impl::wantedAfter(size_t chunk, size_t i) const {
    const std::vector<VideoFrame>& frames = plan.chunks[chunk].frames;
    if (i + 1 < frames.size()) return &frames[i + 1];
    return chunk + 1 < plan.chunks.size() ? &plan.chunks[chunk + 1].frames.front() : nullptr;
}

Result<> VideoReader::Impl::addFrame(const AVFrame& decoded, const VideoFrame& target, VideoChunk& chunk) {
    if (decoded.width != plan.storedWidth || decoded.height != plan.storedHeight) {
        return fail(ErrorCode::kUnsupported, "{}: the frames change from {}x{} to {}x{} pixels at {:.3f} s",
                    source.name, plan.storedWidth, plan.storedHeight, decoded.width, decoded.height, target.seconds);
    }
    const ResizePlan& resize = plan.chunks[nextChunk].resize;
    PAL_ASSIGN(const PixelRows picture, converter.convert(decoded, resize.width, resize.height));
    appendFrame(config, picture, chunk.input);
    if (options.thumbnailSide > 0) chunk.thumbnails.push_back(thumbnailOf(picture, options.thumbnailSide));
    chunk.frames.push_back(target);
    return {};
}

// On a thread of its own, or when it is waited for where the system gives no more threads.
template <typename Work>
std::future<Result<>> inBackground(const Work& work) {
    try {
        return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, work);
    }
}

// A frame is converted on a thread of its own while the next one is decoded: a decoder has only so many frames in flight, and its threads
// would wait for the conversion.
Result<VideoChunk> VideoReader::Impl::readChunk(const std::stop_token& stop) {
    const VideoChunkPlan& chunkPlan = plan.chunks[nextChunk];
    VideoChunk chunk;
    chunk.timestamp = chunkPlan.timestamp;
    chunk.input = makeMediaInput(config, chunkPlan.resize, static_cast<int64_t>(chunkPlan.frames.size()));
    for (size_t i = 0; i < chunkPlan.frames.size(); ++i) {
        if (!ahead) ahead = decodeWanted(chunkPlan.frames[i], stop);
        if (!*ahead) return fail(ahead->error());
        const AvPointer<AVFrame> decoded = std::move(**ahead);
        ahead.reset();
        std::future<Result<>> added = inBackground([&] { return addFrame(*decoded, chunkPlan.frames[i], chunk); });
        if (const VideoFrame* following = wantedAfter(nextChunk, i)) ahead = decodeWanted(*following, stop);
        PAL_TRY(added.get());
        // Any other error is that of the frame, which may belong to the next chunk.
        if (ahead && !*ahead && ahead->error().code == ErrorCode::kCancelled) return fail(ahead->error());
    }
    return chunk;
}

VideoReader::VideoReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;
VideoReader::~VideoReader() = default;

Result<VideoReader> VideoReader::open(const MediaSource& source, const MediaConfig& config, VideoPlan plan,
                                      const VideoReaderOptions& options) {
    if (!plan.index) return fail(ErrorCode::kInvalidArgument, "{}: a plan that planVideo did not make", source.name);
    return guarded(source.name, [&]() -> Result<VideoReader> {
        PAL_ASSIGN(AvInput input, AvInput::open(source, kVideoContainers, {}));
        auto impl = std::make_unique<Impl>(source, config, std::move(plan), options, std::move(input));
        PAL_TRY(impl->start());
        return VideoReader(std::move(impl));
    });
}

Result<std::optional<VideoChunk>> VideoReader::next(std::stop_token stop) {
    Impl& s = *impl_;
    if (s.broken) return fail(*s.broken);
    if (s.nextChunk >= s.plan.chunks.size()) return std::nullopt;
    s.input.setStop(stop);
    auto chunk = guarded(s.source.name, [&] { return s.readChunk(stop); });
    s.input.setStop({});
    if (!chunk) {
        s.broken = chunk.error();
        return fail(std::move(chunk.error()));
    }
    ++s.nextChunk;
    return std::optional(std::move(*chunk));
}

}  // namespace pal
