// SPDX-License-Identifier: Apache-2.0
// TIFF with libtiff, first page: 8-bit grey and colour in strips as stored, everything else that the library can turn into RGBA.
#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <vector>

#include "vision/image_decoder.h"

namespace pal {
namespace {

struct CloseTiff {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};

class TiffDecoder final : public ImageDecoder {
  public:
    explicit TiffDecoder(ImageSourceView source) : ImageDecoder(std::move(source)) {}
    ~TiffDecoder() override {
        if (converting_) TIFFRGBAImageEnd(&image_);
    }
    Result<> open();
    Result<> readRow(uint8_t* rgba) override;

  private:
    struct Cursor {
        ImageBytes bytes;
        toff_t at = 0;
    };
    static tsize_t onRead(thandle_t handle, void* out, tsize_t count) {
        auto* file = static_cast<Cursor*>(handle);
        const auto size = static_cast<toff_t>(file->bytes.size());
        const toff_t left = file->at < size ? size - file->at : 0;
        const auto n = static_cast<size_t>(std::min(left, static_cast<toff_t>(std::max<tsize_t>(0, count))));
        std::memcpy(out, file->bytes.data() + static_cast<size_t>(std::min(file->at, size)), n);
        file->at += n;
        return static_cast<tsize_t>(n);
    }
    static tsize_t onWrite(thandle_t, void*, tsize_t) { return 0; }
    static toff_t onSeek(thandle_t handle, toff_t offset, int whence) {
        auto* file = static_cast<Cursor*>(handle);
        const toff_t base = whence == SEEK_CUR ? file->at : whence == SEEK_END ? file->bytes.size() : 0;
        file->at = base + offset;
        return file->at;
    }
    static int onClose(thandle_t) { return 0; }
    static toff_t onSize(thandle_t handle) { return static_cast<Cursor*>(handle)->bytes.size(); }
    // Without mapping, libtiff 4.5 refuses uncompressed tiles whose size is not a multiple of 1024. It does not write here.
    static int onMap(thandle_t handle, void** base, toff_t* size) {
        const auto* file = static_cast<Cursor*>(handle);
        *base = const_cast<std::byte*>(file->bytes.data());
        *size = file->bytes.size();
        return 1;
    }
    static void onUnmap(thandle_t, void*, toff_t) {}
    static int onError(TIFF*, void* self, const char*, const char* format, va_list arguments) {
        auto* decoder = static_cast<TiffDecoder*>(self);
        std::vsnprintf(decoder->message_, sizeof(decoder->message_), format, arguments);
        return 1;
    }
    static int onWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

    void readAlpha(uint16_t samples);
    Result<> readDirect(uint8_t* rgba);
    Result<> readConverted(uint8_t* rgba);

    Cursor cursor_;
    char message_[256] = {};
    std::unique_ptr<TIFF, CloseTiff> tiff_;
    TIFFRGBAImage image_{};
    bool direct_ = false;      // rows are 8-bit samples as they lie in the file
    bool converting_ = false;  // image_ is in use
    bool premultiplied_ = false;
    int64_t samples_ = 0;
    int64_t y_ = 0;
    int64_t bandRows_ = 0;  // rows that are decoded together
    std::vector<uint8_t> line_;
    std::vector<uint32_t> band_;
};

void TiffDecoder::readAlpha(uint16_t samples) {
    uint16_t extras = 0;
    uint16_t* kinds = nullptr;
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &extras, &kinds);
    const bool associated = extras > 0 && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    const bool straight = extras > 0 && kinds[0] == EXTRASAMPLE_UNASSALPHA;
    info_.alpha = (associated || straight) && samples > extras ? Raster::Alpha::kStraight : Raster::Alpha::kOpaque;
    // The library's conversion multiplies straight alpha in; rows as stored are premultiplied only if the file says so.
    premultiplied_ = info_.alpha == Raster::Alpha::kStraight && (associated || !direct_);
}

Result<> TiffDecoder::open() {
    info_.format = ImageFormat::kTiff;
    cursor_.bytes = source_.bytes;
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                   TIFFOpenOptionsFree);
    if (!options) return fail(ErrorCode::kOutOfMemory, "{}: not enough memory to read a TIFF image", source_.name);
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), onError, this);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), onWarning, this);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(source_.limits.maxMemoryBytes));
    tiff_.reset(TIFFClientOpenExt(source_.name.c_str(), "r", &cursor_, onRead, onWrite, onSeek, onClose, onSize, onMap,
                                  onUnmap, options.get()));
    if (!tiff_) return damaged("{}", message_);

    uint32_t width = 0, height = 0, rowsPerStrip = 0, tileHeight = 0;
    uint16_t bits = 0, samples = 0, planar = 0, photometric = 0, orientation = 0;
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_SAMPLESPERPIXEL, &samples);
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_PLANARCONFIG, &planar);
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_ORIENTATION, &orientation);
    TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_ROWSPERSTRIP, &rowsPerStrip);
    if (!TIFFGetField(tiff_.get(), TIFFTAG_PHOTOMETRIC, &photometric)) return damaged("it does not say its colours");
    info_.storedWidth = width;
    info_.storedHeight = height;
    info_.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    samples_ = samples;
    const bool tiled = TIFFIsTiled(tiff_.get()) != 0;
    const bool grey = photometric == PHOTOMETRIC_MINISBLACK && (samples == 1 || samples == 2);
    const bool colour = photometric == PHOTOMETRIC_RGB && (samples == 3 || samples == 4);
    direct_ = !tiled && bits == 8 && planar == PLANARCONFIG_CONTIG && (grey || colour);
    readAlpha(samples);
    if (tiled) TIFFGetField(tiff_.get(), TIFFTAG_TILELENGTH, &tileHeight);
    bandRows_ = std::clamp<int64_t>(tiled ? tileHeight : rowsPerStrip, 1, std::max<int64_t>(1, height));
    // A strip or a row of tiles, raw and as RGBA, at up to 8 bytes a pixel.
    info_.decodeBytes = static_cast<uint64_t>(width) * (direct_ ? samples : static_cast<uint64_t>(bandRows_) * 12);
    return {};
}

Result<> TiffDecoder::readDirect(uint8_t* rgba) {
    const tsize_t rowBytes = TIFFScanlineSize(tiff_.get());
    line_.resize(static_cast<size_t>(std::max<tsize_t>(rowBytes, info_.storedWidth * samples_)));
    if (TIFFReadScanline(tiff_.get(), line_.data(), static_cast<uint32_t>(y_)) < 0) return damaged("{}", message_);
    const uint8_t* in = line_.data();
    const bool grey = samples_ < 3, alpha = info_.alpha == Raster::Alpha::kStraight;
    for (int64_t x = 0; x < info_.storedWidth; ++x, in += samples_, rgba += 4) {
        rgba[0] = in[0];
        rgba[1] = grey ? in[0] : in[1];
        rgba[2] = grey ? in[0] : in[2];
        rgba[3] = alpha ? in[samples_ - 1] : uint8_t{255};
    }
    return {};
}

Result<> TiffDecoder::readConverted(uint8_t* rgba) {
    const int64_t inBand = y_ % bandRows_;
    const auto width = static_cast<size_t>(info_.storedWidth);
    if (inBand == 0) {
        if (!converting_) {
            char problem[1024] = {};
            if (!TIFFRGBAImageOK(tiff_.get(), problem) || !TIFFRGBAImageBegin(&image_, tiff_.get(), 1, problem)) {
                return fail(ErrorCode::kUnsupported, "{}: TIFF image that is not read: {}", source_.name, problem);
            }
            converting_ = true;
            image_.orientation = image_.req_orientation = ORIENTATION_TOPLEFT;  // turned by the caller
            band_.resize(width * static_cast<size_t>(bandRows_));
        }
        const int64_t rows = std::min(bandRows_, info_.storedHeight - y_);
        image_.row_offset = static_cast<int>(y_);
        if (!TIFFRGBAImageGet(&image_, band_.data(), static_cast<uint32_t>(width), static_cast<uint32_t>(rows))) {
            return damaged("{}", message_);
        }
    }
    const uint32_t* in = band_.data() + static_cast<size_t>(inBand) * width;
    for (size_t x = 0; x < width; ++x, rgba += 4) {
        rgba[0] = static_cast<uint8_t>(TIFFGetR(in[x]));
        rgba[1] = static_cast<uint8_t>(TIFFGetG(in[x]));
        rgba[2] = static_cast<uint8_t>(TIFFGetB(in[x]));
        rgba[3] = info_.alpha == Raster::Alpha::kStraight ? static_cast<uint8_t>(TIFFGetA(in[x])) : uint8_t{255};
    }
    return {};
}

Result<> TiffDecoder::readRow(uint8_t* rgba) {
    PAL_TRY(direct_ ? readDirect(rgba) : readConverted(rgba));
    ++y_;
    if (!premultiplied_) return {};
    for (int64_t i = 0; i < info_.storedWidth * 4; i += 4) {
        const int alpha = rgba[i + 3];
        if (alpha == 0 || alpha == 255) continue;
        for (int64_t c = i; c < i + 3; ++c) rgba[c] = static_cast<uint8_t>(std::min(255, 255 * rgba[c] / alpha));
    }
    return {};
}

}  // namespace

OpenedImage openTiff(ImageSourceView source) {
    auto decoder = std::make_unique<TiffDecoder>(std::move(source));
    PAL_TRY(decoder->open());
    return decoder;
}

}  // namespace pal
