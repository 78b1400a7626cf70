// SPDX-License-Identifier: Apache-2.0
// WebP with libwebp: lossy, lossless, alpha, and the first frame of an animation. The library decodes whole pictures only.
#include <webp/decode.h>
#include <webp/demux.h>

#include <cstring>
#include <vector>

#include "vision/exif.h"
#include "vision/image_decoder.h"

namespace pal {
namespace {

class WebpDecoder final : public ImageDecoder {
  public:
    explicit WebpDecoder(ImageSourceView source) : ImageDecoder(std::move(source)) {}
    Result<> open();
    Result<> readRow(uint8_t* rgba) override;

  private:
    [[nodiscard]] WebPData data() const {
        return {reinterpret_cast<const uint8_t*>(source_.bytes.data()), source_.bytes.size()};
    }
    void readOrientation();
    Result<> decode();
    Result<> decodeFirstFrame();

    bool animated_ = false;
    int64_t y_ = 0;
    std::vector<uint8_t> pixels_;
};

void WebpDecoder::readOrientation() {
    const WebPData file = data();
    const std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> demuxer(WebPDemux(&file), WebPDemuxDelete);
    WebPChunkIterator chunk{};
    if (!demuxer || !WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk)) return;
    const std::span block(reinterpret_cast<const std::byte*>(chunk.chunk.bytes), chunk.chunk.size);
    info_.orientation = std::max(exifOrientation(block), prefixedExifOrientation(block));
    WebPDemuxReleaseChunkIterator(&chunk);
}

Result<> WebpDecoder::open() {
    info_.format = ImageFormat::kWebp;
    WebPBitstreamFeatures features{};
    const auto status = WebPGetFeatures(data().bytes, data().size, &features);
    if (status != VP8_STATUS_OK) return damaged("its header cannot be read");
    info_.storedWidth = features.width;
    info_.storedHeight = features.height;
    info_.alpha = features.has_alpha ? Raster::Alpha::kStraight : Raster::Alpha::kOpaque;
    animated_ = features.has_animation != 0;
    readOrientation();
    const auto pixels = static_cast<uint64_t>(info_.storedWidth) * static_cast<uint64_t>(info_.storedHeight);
    // The result, and the library's own copy of a lossless picture; an animation is composed from two canvases besides.
    info_.decodeBytes = pixels * (animated_ ? 16 : 8);
    return {};
}

Result<> WebpDecoder::decodeFirstFrame() {
    const WebPData file = data();
    WebPAnimDecoderOptions options;
    WebPAnimDecoderOptionsInit(&options);
    options.color_mode = MODE_RGBA;
    const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(
        WebPAnimDecoderNew(&file, &options), WebPAnimDecoderDelete);
    uint8_t* canvas = nullptr;
    int milliseconds = 0;
    if (!decoder || !WebPAnimDecoderGetNext(decoder.get(), &canvas, &milliseconds)) {
        return damaged("its first frame cannot be decoded");
    }
    std::memcpy(pixels_.data(), canvas, pixels_.size());
    return {};
}

Result<> WebpDecoder::decode() {
    const auto rowBytes = static_cast<size_t>(info_.storedWidth) * 4;
    pixels_.resize(rowBytes * static_cast<size_t>(info_.storedHeight));
    if (animated_) return decodeFirstFrame();
    if (!WebPDecodeRGBAInto(data().bytes, data().size, pixels_.data(), pixels_.size(), static_cast<int>(rowBytes))) {
        return damaged("cut short or broken after {} bytes", source_.bytes.size());
    }
    return {};
}

Result<> WebpDecoder::readRow(uint8_t* rgba) {
    if (pixels_.empty()) PAL_TRY(decode());
    const auto rowBytes = static_cast<size_t>(info_.storedWidth) * 4;
    std::memcpy(rgba, pixels_.data() + static_cast<size_t>(y_) * rowBytes, rowBytes);
    ++y_;
    return {};
}

}  // namespace

OpenedImage openWebp(ImageSourceView source) {
    auto decoder = std::make_unique<WebpDecoder>(std::move(source));
    PAL_TRY(decoder->open());
    return decoder;
}

}  // namespace pal
