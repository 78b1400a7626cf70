// SPDX-License-Identifier: Apache-2.0
// GIF, first frame, with FFmpeg. The header is read here, so that limits apply before a decoder exists.
extern "C" {
#include <libavutil/pixfmt.h>
}

#include <opencv2/imgproc.hpp>
#include <utility>

#include "engine/base/bytes.h"
#include "vision/av_input.h"
#include "vision/image_decoder.h"

namespace pal {
namespace {

class GifDecoder final : public ImageDecoder {
  public:
    explicit GifDecoder(ImageSourceView source) : ImageDecoder(std::move(source)) {}
    Result<> open();
    Result<> readRow(uint8_t* rgba) override;

  private:
    Result<> decode();

    AvPointer<AVFrame> frame_;
    int64_t y_ = 0;
};

Result<> GifDecoder::open() {
    info_.format = ImageFormat::kGif;
    const auto width = readAt<uint16_t>(source_.bytes, 6), height = readAt<uint16_t>(source_.bytes, 8);
    if (!width || !height) return damaged("cut short: {} bytes", source_.bytes.size());
    info_.storedWidth = *width;
    info_.storedHeight = *height;
    info_.alpha = Raster::Alpha::kStraight;  // any frame may leave parts of the canvas empty
    // The canvas, the frame on it, and its colour numbers.
    info_.decodeBytes = static_cast<uint64_t>(*width) * *height * 12;
    return {};
}

Result<> GifDecoder::decode() {
    PAL_ASSIGN(const AvInput input,
               AvInput::open(MediaSource::bytes(source_.name, source_.bytes), "gif", source_.stop));
    if (input.context()->nb_streams < 1) return damaged("no frame");
    const AVStream& stream = *input.context()->streams[0];
    PAL_ASSIGN(const auto decoder, openAvDecoder(stream, source_.name, source_.limits.maxPixels, 1));
    const AvPointer<AVPacket> packet(av_packet_alloc());
    frame_.reset(av_frame_alloc());
    if (!packet || !frame_) return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", source_.name);
    int status = av_read_frame(input.context(), packet.get());
    if (status >= 0) status = avcodec_send_packet(decoder.get(), packet.get());
    if (status >= 0) status = avcodec_send_packet(decoder.get(), nullptr);
    if (status >= 0) status = avcodec_receive_frame(decoder.get(), frame_.get());
    if (status < 0) return damaged("{}", avMessage(status));
    if (frame_->width != info_.storedWidth || frame_->height != info_.storedHeight ||
        (frame_->format != AV_PIX_FMT_BGRA && frame_->format != AV_PIX_FMT_RGBA)) {
        return damaged("a frame of {}x{} pixels on a canvas of {}x{}", frame_->width, frame_->height, info_.storedWidth,
                       info_.storedHeight);
    }
    return {};
}

Result<> GifDecoder::readRow(uint8_t* rgba) {
    if (!frame_) PAL_TRY(decode());
    const int width = static_cast<int>(info_.storedWidth);
    const cv::Mat in(1, width, CV_8UC4, frame_->data[0] + y_ * frame_->linesize[0]);
    cv::Mat out(1, width, CV_8UC4, rgba);
    if (frame_->format == AV_PIX_FMT_BGRA) {
        cv::cvtColor(in, out, cv::COLOR_BGRA2RGBA);
    } else {
        in.copyTo(out);
    }
    ++y_;
    return {};
}

}  // namespace

OpenedImage openGif(ImageSourceView source) {
    auto decoder = std::make_unique<GifDecoder>(std::move(source));
    PAL_TRY(decoder->open());
    return decoder;
}

}  // namespace pal
