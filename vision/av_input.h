// SPDX-License-Identifier: Apache-2.0
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <memory>
#include <stop_token>
#include <string>

#include "engine/base/result.h"
#include "vision/media_source.h"

namespace pal {

// Owners of FFmpeg's objects.
struct AvFree {
    void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
    void operator()(AVFrame* p) const { av_frame_free(&p); }
    void operator()(AVPacket* p) const { av_packet_free(&p); }
};
template <typename T>
using AvPointer = std::unique_ptr<T, AvFree>;

// What FFmpeg says about an error number.
std::string avMessage(int error);

// An opened container. It reads from the source alone: references to other files and addresses are refused, and so is every container
// that is not asked for. FFmpeg's log is silent. Confined to one thread.
class AvInput {
  public:
    // `formats`: names of FFmpeg's demuxers, separated by commas. Errors: kNotFound, kIo, kUnsupported (not one of these), kFormat, kCancelled.
    static Result<AvInput> open(const MediaSource& source, const char* formats, std::stop_token stop);

    AvInput(AvInput&&) noexcept;
    AvInput& operator=(AvInput&&) noexcept;
    ~AvInput();

    [[nodiscard]] AVFormatContext* context() const;
    [[nodiscard]] uint64_t sizeBytes() const;
    [[nodiscard]] uint64_t positionBytes() const;
    // From now on reading ends when `stop` is asked to.
    void setStop(std::stop_token stop);

  private:
    struct Impl;
    explicit AvInput(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// A decoder for a stream. Errors: kUnsupported, kFormat, kOutOfMemory.
Result<AvPointer<AVCodecContext>> openAvDecoder(const AVStream& stream, const std::string& name, int64_t maxPixels,
                                                int threads);

}  // namespace pal
