// SPDX-License-Identifier: Apache-2.0
#include "vision/frame_converter.h"

extern "C" {
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include <array>
#include <cstring>
#include <utility>

#include "vision/orientation.h"
#include "vision/resample.h"

namespace pal {

Result<> checkFrameSize(int64_t width, int64_t height, const VideoLimits& limits, const std::string& name) {
    if (width >= 0 && height >= 0 && width <= limits.maxSide && height <= limits.maxSide &&
        width * height <= limits.maxPixels) {
        return {};
    }
    return fail(ErrorCode::kOutOfMemory, "{}: frames of {}x{} pixels, the limits are {} pixels and {} along a side",
                name, width, height, limits.maxPixels, limits.maxSide);
}

Result<AvPointer<AVFrame>> decodeFirstFrame(AvInput& input, AVStream& stream, const std::string& name,
                                            const VideoLimits& limits, const std::stop_token& stop) {
    PAL_TRY(checkFrameSize(stream.codecpar->width, stream.codecpar->height, limits, name));
    PAL_ASSIGN(const auto decoder, openAvDecoder(stream, name, limits.maxPixels, 1));
    const AvPointer<AVPacket> packet(av_packet_alloc());
    AvPointer<AVFrame> frame(av_frame_alloc());
    if (!packet || !frame) return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", name);
    // A clip whose beginning is damaged may still show something; one without any frame in its first hundreds does not.
    constexpr int kMaxPackets = 300;
    for (int read = 0, status = 0; status >= 0 && read < kMaxPackets;) {
        status = av_read_frame(input.context(), packet.get());
        if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", name);
        if (status >= 0 && packet->stream_index != stream.index) {
            av_packet_unref(packet.get());
            continue;
        }
        ++read;
        static_cast<void>(avcodec_send_packet(decoder.get(), status >= 0 ? packet.get() : nullptr));
        av_packet_unref(packet.get());
        if (avcodec_receive_frame(decoder.get(), frame.get()) >= 0) {
            PAL_TRY(checkFrameSize(frame->width, frame->height, limits, name));
            if (frame->width >= 1 && frame->height >= 1) return frame;
        }
    }
    return fail(ErrorCode::kFormat, "{}: 0 frames can be decoded ({})", name,
                avcodec_get_name(stream.codecpar->codec_id));
}

int streamOrientation(const AVStream& stream, std::vector<std::string>& warnings) {
    size_t bytes = 0;
    const uint8_t* data = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
    if (!data || bytes < 9 * sizeof(int32_t)) return 1;
    std::array<int32_t, 9> matrix;
    std::memcpy(matrix.data(), data, sizeof(matrix));
    const auto sign = [&](size_t i) { return matrix[i] > 0 ? 1 : matrix[i] < 0 ? -1 : 0; };
    // The directions in which the stored x and y axes run when seen: (a, b) and (c, d).
    constexpr std::array<std::array<int, 4>, 8> kMatrices = {{{1, 0, 0, 1},
                                                              {-1, 0, 0, 1},
                                                              {-1, 0, 0, -1},
                                                              {1, 0, 0, -1},
                                                              {0, 1, 1, 0},
                                                              {0, 1, -1, 0},
                                                              {0, -1, -1, 0},
                                                              {0, -1, 1, 0}}};
    const std::array<int, 4> seen = {sign(0), sign(1), sign(3), sign(4)};
    for (size_t i = 0; i < kMatrices.size(); ++i) {
        if (kMatrices[i] == seen) return static_cast<int>(i) + 1;
    }
    warnings.push_back("the file asks for a rotation that is not by a quarter turn; it is not applied");
    return 1;
}

namespace {

// An opaque picture of this size, in memory that it keeps from frame to frame.
void useAs(Raster& picture, int64_t width, int64_t height) {
    picture.width = width;
    picture.height = height;
    picture.pixels.resize(static_cast<size_t>(width * height * 4));
}

}  // namespace

FrameConverter::FrameConverter(std::string name, int orientation) : name_(std::move(name)), orientation_(orientation) {}

FrameConverter::~FrameConverter() {
    sws_freeContext(scaler_);
}

Result<> FrameConverter::toRgba(const AVFrame& frame) {
    scaler_ = sws_getCachedContext(scaler_, frame.width, frame.height, static_cast<AVPixelFormat>(frame.format),
                                   frame.width, frame.height, AV_PIX_FMT_RGBA, SWS_BICUBIC, nullptr, nullptr, nullptr);
    if (!scaler_) {
        const char* format = av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame.format));
        return fail(ErrorCode::kUnsupported, "{}: frames of {}x{} pixels in format {} cannot be converted", name_,
                    frame.width, frame.height, format ? format : "unknown");
    }
    const int* colours =
        sws_getCoefficients(frame.colorspace == AVCOL_SPC_UNSPECIFIED ? SWS_CS_DEFAULT : int{frame.colorspace});
    int *inTable = nullptr, *outTable = nullptr;
    int inRange = 0, outRange = 0, brightness = 0, contrast = 0, saturation = 0;
    if (sws_getColorspaceDetails(scaler_, &inTable, &inRange, &outTable, &outRange, &brightness, &contrast,
                                 &saturation) >= 0) {
        // Formats such as yuvj420p are full range by themselves, which the scaler knows.
        if (frame.color_range == AVCOL_RANGE_JPEG) inRange = 1;
        sws_setColorspaceDetails(scaler_, colours, inRange, outTable, outRange, brightness, contrast, saturation);
    }
    if (!rgba_ || rgba_->width != frame.width || rgba_->height != frame.height) {
        rgba_.reset(av_frame_alloc());
        if (rgba_) {
            rgba_->format = AV_PIX_FMT_RGBA;
            rgba_->width = frame.width;
            rgba_->height = frame.height;
        }
        if (!rgba_ || av_frame_get_buffer(rgba_.get(), 0) < 0) {
            return fail(ErrorCode::kOutOfMemory, "{}: not enough memory for a frame", name_);
        }
    }
    const int rows = sws_scale(scaler_, frame.data, frame.linesize, 0, frame.height, rgba_->data, rgba_->linesize);
    if (rows == frame.height) return {};
    return fail(ErrorCode::kFormat, "{}: {} of {} rows of a frame could be converted", name_, rows, frame.height);
}

Result<PixelRows> FrameConverter::convert(const AVFrame& frame, int64_t width, int64_t height) {
    PAL_TRY(toRgba(frame));
    PixelRows picture{rgba_->data[0], frame.width, frame.height, rgba_->linesize[0]};
    if (orientation_ != 1) {
        const bool swaps = swapsSides(orientation_);
        useAs(upright_, swaps ? picture.height : picture.width, swaps ? picture.width : picture.height);
        placeRows(orientation_, 0, picture, upright_);
        picture = rowsOf(upright_);
    }
    if (picture.width == width && picture.height == height) return picture;
    useAs(resized_, width, height);
    Resampler resampler(picture.width, picture.height, resized_.alpha, width, height);
    for (int64_t y = 0; y < picture.height; ++y) resampler.push(picture.row(y), resized_);
    return rowsOf(resized_);
}

}  // namespace pal
