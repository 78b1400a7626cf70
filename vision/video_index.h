// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "vision/av_input.h"
#include "vision/video.h"

namespace pal {

inline constexpr char kVideoContainers[] = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi";

// Where the frames of a clip lie, from its packets alone. Times are in units of `timeBase` from the first frame shown.
struct VideoIndex {
    struct Packet {
        enum class Kind : uint8_t { kDelta, kKey };
        int64_t pts = 0;  // AV_NOPTS_VALUE when the container does not know it
        Kind kind = Kind::kDelta;
    };
    // How a decoded frame is known: by its time, or, in containers without presentation times, by its place in the order of display.
    enum class Match { kTime, kOrder };

    int stream = -1;
    AVRational timeBase{1, 1};
    int64_t origin = 0;  // pts of the first frame shown
    Match match = Match::kTime;
    std::vector<int64_t> times;   // of all frames shown, ascending, the first 0
    std::vector<Packet> packets;  // in file order, those that show a frame
    int64_t lastDuration = 0;     // of the last frame, 0 when unknown
    std::vector<std::string> warnings;
};

// The stream that a person would call the video: the best one that is no cover picture. Errors: kUnsupported.
Result<AVStream*> findVideoStream(AVFormatContext* context, const std::string& name);

// Reads all packets of `stream` without decoding. Errors: kFormat (no frames), kOutOfMemory (too many), kCancelled.
Result<VideoIndex> indexVideo(AvInput& input, const AVStream& stream, const std::string& name,
                              const VideoLimits& limits, const VideoProgress& progress, const std::stop_token& stop);

// The rate of `index`: exact where the container states it and the times agree. kConstant when every frame is within a tick of its place.
struct FrameRate {
    double fps = 0;
    VideoPlan::Rate rate = VideoPlan::Rate::kConstant;
};
FrameRate measureRate(const VideoIndex& index, AVRational stated);

}  // namespace pal
