// SPDX-License-Identifier: Apache-2.0
#include "vision/video_index.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pal {
namespace {

// What a packet scan collects before the frames are put in order.
struct Scan {
    std::vector<int64_t> shown;  // pts or, without one, dts
    size_t packets = 0;          // all of the stream's
    size_t withoutPts = 0;
    size_t damaged = 0;
    int lastError = AVERROR_EOF;
};

Result<Scan> readPackets(AvInput& input, const AVStream& stream, const std::string& name, const VideoLimits& limits,
                         const VideoProgress& progress, const std::stop_token& stop, VideoIndex& index) {
    const AvPointer<AVPacket> packet(av_packet_alloc());
    if (!packet) return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", name);
    Scan scan;
    double told = 0;
    for (;;) {
        scan.lastError = av_read_frame(input.context(), packet.get());
        if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", name);
        if (scan.lastError < 0) return scan;
        scan.packets += packet->stream_index == stream.index ? 1 : 0;
        if (packet->stream_index == stream.index && (packet->flags & AV_PKT_FLAG_DISCARD) == 0) {
            const int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
            if ((packet->flags & AV_PKT_FLAG_CORRUPT) != 0 || packet->size == 0 || time == AV_NOPTS_VALUE) {
                ++scan.damaged;
            } else {
                const bool key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
                scan.withoutPts += packet->pts == AV_NOPTS_VALUE ? 1 : 0;
                scan.shown.push_back(time);
                index.packets.push_back(
                    {packet->pts, key ? VideoIndex::Packet::Kind::kKey : VideoIndex::Packet::Kind::kDelta});
                index.lastDuration = packet->duration;
            }
        }
        av_packet_unref(packet.get());
        if (static_cast<int64_t>(scan.shown.size()) > limits.maxFrames) {
            return fail(ErrorCode::kOutOfMemory, "{}: more than {} frames", name, limits.maxFrames);
        }
        const double done =
            static_cast<double>(input.positionBytes()) / static_cast<double>(std::max<uint64_t>(1, input.sizeBytes()));
        if (progress && done > told + 0.01) progress(told = done);
    }
}

double secondsOf(int64_t ticks, AVRational base) {
    return static_cast<double>(ticks) * base.num / base.den;
}

// What the container promised and the packets do not keep.
void warnOfLoss(const AvInput& input, const AVStream& stream, const Scan& scan, VideoIndex& index) {
    if (scan.damaged > 0) {
        index.warnings.push_back(
            scan.damaged == 1 ? "a frame is damaged or without a time and is left out"
                              : fmt::format("{} frames are damaged or without a time and are left out", scan.damaged));
    }
    if (scan.lastError != AVERROR_EOF) {
        index.warnings.push_back(fmt::format("reading stopped early: {}", avMessage(scan.lastError)));
    }
    const double end = secondsOf(index.times.back() + index.lastDuration, index.timeBase);
    const bool own = stream.duration != AV_NOPTS_VALUE && stream.duration > 0;
    const double promised = own ? secondsOf(stream.duration, index.timeBase)
                                : static_cast<double>(std::max<int64_t>(0, input.context()->duration)) / AV_TIME_BASE;
    const double slack = std::max(0.5, promised * 0.02);
    if (promised > end + slack) {
        index.warnings.push_back(fmt::format(
            "the file ends early: its header promises {:.3f} s, its frames end at {:.3f} s", promised, end));
        return;
    }
    // Some containers list every frame at the front, others only key frames, or none.
    const int listed = avformat_index_get_entries_count(&stream);
    if (listed > 0 && static_cast<size_t>(listed) > scan.packets) {
        index.warnings.push_back(
            fmt::format("the file ends early: {} of the {} frames that it lists are there", scan.packets, listed));
    }
}

}  // namespace

Result<AVStream*> findVideoStream(AVFormatContext* context, const std::string& name) {
    AVStream* best = nullptr;
    for (unsigned i = 0; i < context->nb_streams; ++i) {
        AVStream* stream = context->streams[i];
        const bool picture = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
                             (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) == 0;
        const auto area = [](const AVStream* s) { return int64_t{s->codecpar->width} * s->codecpar->height; };
        if (picture && (!best || area(stream) > area(best))) best = stream;
    }
    if (!best) return fail(ErrorCode::kUnsupported, "{}: no video in it", name);
    return best;
}

Result<VideoIndex> indexVideo(AvInput& input, const AVStream& stream, const std::string& name,
                              const VideoLimits& limits, const VideoProgress& progress, const std::stop_token& stop) {
    for (unsigned i = 0; i < input.context()->nb_streams; ++i) {
        AVStream* other = input.context()->streams[i];
        if (other->index != stream.index) other->discard = AVDISCARD_ALL;
    }
    VideoIndex index;
    index.stream = stream.index;
    index.timeBase = stream.time_base;
    if (index.timeBase.num <= 0 || index.timeBase.den <= 0) return fail(ErrorCode::kFormat, "{}: no time base", name);
    PAL_ASSIGN(Scan scan, readPackets(input, stream, name, limits, progress, stop, index));
    if (scan.shown.empty()) return fail(ErrorCode::kFormat, "{}: 0 frames can be shown", name);

    if (scan.withoutPts > 0) index.match = VideoIndex::Match::kOrder;
    std::sort(scan.shown.begin(), scan.shown.end());
    if (index.match == VideoIndex::Match::kTime) {
        // Two frames of one time cannot both be seen.
        scan.shown.erase(std::unique(scan.shown.begin(), scan.shown.end()), scan.shown.end());
    }
    index.origin = scan.shown.front();
    for (int64_t& time : scan.shown) {
        // Times from a hostile file may be further apart than a number can say.
        if (__builtin_sub_overflow(time, index.origin, &time))
            return fail(ErrorCode::kFormat, "{}: impossible times", name);
    }
    constexpr double kMostSeconds = 100.0 * 365 * 86400;
    if (secondsOf(scan.shown.back(), index.timeBase) > kMostSeconds) {
        return fail(ErrorCode::kFormat, "{}: its times span {:.0f} s", name,
                    secondsOf(scan.shown.back(), index.timeBase));
    }
    index.times = std::move(scan.shown);
    index.lastDuration = std::clamp<int64_t>(index.lastDuration, 0, int64_t{1} << 40);
    warnOfLoss(input, stream, scan, index);
    if (progress) progress(1);
    return index;
}

FrameRate measureRate(const VideoIndex& index, AVRational stated) {
    const auto frames = static_cast<double>(index.times.size());
    const double base = secondsOf(1, index.timeBase);
    const auto span = static_cast<double>(index.times.back());
    const double said = stated.num > 0 && stated.den > 0 ? static_cast<double>(stated.num) / stated.den : 0;
    if (index.times.size() < 2 || span <= 0) {
        const double once = index.lastDuration > 0 ? 1 / (static_cast<double>(index.lastDuration) * base) : 1;
        return {said > 0 ? said : once, VideoPlan::Rate::kConstant};
    }
    const double measured = (frames - 1) / (span * base);
    const double step = span / (frames - 1);
    bool constant = true;
    for (size_t i = 0; constant && i < index.times.size(); ++i) {
        constant = std::abs(static_cast<double>(index.times[i]) - static_cast<double>(i) * step) <= 1.01;
    }
    // The stated rate is exact where the measured one is only as fine as the container's clock.
    const bool agrees = said > 0 && std::abs((frames - 1) / said / base - span) <= 1.5;
    if (!constant) return {measured, VideoPlan::Rate::kVariable};
    return {agrees ? said : measured, VideoPlan::Rate::kConstant};
}

}  // namespace pal
