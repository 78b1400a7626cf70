// SPDX-License-Identifier: Apache-2.0
// PNG with libpng: palette, grey and colour of 1 to 16 bits with any kind of transparency become 8-bit RGBA.
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <vector>

#include "vision/exif.h"
#include "vision/image_decoder.h"

namespace pal {
namespace {

constexpr png_alloc_size_t kMaxChunkBytes = 1U << 20;  // of EXIF data and the like
// Texts, profiles and suggested palettes are not looked at, and could inflate to gigabytes before the size of the picture is known.
constexpr png_byte kSkippedChunks[] = "tEXt\0zTXt\0iTXt\0iCCP\0sPLT";
constexpr int kSkippedCount = 5;

class PngDecoder final : public ImageDecoder {
  public:
    explicit PngDecoder(ImageSourceView source) : ImageDecoder(std::move(source)) {}
    ~PngDecoder() override { png_destroy_read_struct(&png_, &meta_, nullptr); }

    Result<> open();
    Result<> readRow(uint8_t* rgba) override;

  private:
    // Runs calls into libpng, which leaves them by longjmp on an error: `work` must hold no object that needs destruction.
    template <typename Work>
    bool guarded(const Work& work) {
        if (setjmp(jump_) != 0) return false;  // NOLINT(cert-err52-cpp): the library's own way
        work();
        return true;
    }
    Result<> readInterlaced();

    static void onError(png_structp png, png_const_charp text) {
        auto* self = static_cast<PngDecoder*>(png_get_error_ptr(png));
        std::strncpy(self->message_, text, sizeof(self->message_) - 1);
        std::longjmp(self->jump_, 1);  // NOLINT(cert-err52-cpp)
    }
    static void onWarning(png_structp, png_const_charp) {}
    static void onRead(png_structp png, png_bytep out, png_size_t count) {
        auto* self = static_cast<PngDecoder*>(png_get_io_ptr(png));
        if (self->source_.bytes.size() - self->at_ < count) png_error(png, "the file ends early");
        std::memcpy(out, self->source_.bytes.data() + self->at_, count);
        self->at_ += count;
    }

    std::jmp_buf jump_{};
    char message_[128] = {};
    png_structp png_ = nullptr;
    png_infop meta_ = nullptr;
    size_t at_ = 0;
    int64_t y_ = 0;
    bool interlaced_ = false;
    std::vector<uint8_t> whole_;  // the picture when it is interlaced
    std::vector<png_bytep> wholeRows_;
};

Result<> PngDecoder::open() {
    info_.format = ImageFormat::kPng;
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning);
    meta_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!meta_) return fail(ErrorCode::kOutOfMemory, "{}: not enough memory to read a PNG image", source_.name);
    int alpha = 0;
    const bool read = guarded([&] {
        png_set_read_fn(png_, this, onRead);
        // Sizes are judged by openImage(); libpng's own limit would answer without the numbers.
        png_set_user_limits(png_, 0x7fffffff, 0x7fffffff);
        png_set_chunk_malloc_max(png_, kMaxChunkBytes);
        png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, kSkippedChunks, kSkippedCount);
        png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
        png_read_info(png_, meta_);
        const int colours = png_get_color_type(png_, meta_);
        const bool cutout = png_get_valid(png_, meta_, PNG_INFO_tRNS) != 0;
        alpha = cutout || (colours & PNG_COLOR_MASK_ALPHA) != 0 ? 1 : 0;
        png_set_expand(png_);
        png_set_strip_16(png_);
        png_set_gray_to_rgb(png_);
        png_set_add_alpha(png_, 255, PNG_FILLER_AFTER);
        interlaced_ = png_set_interlace_handling(png_) > 1;
        png_read_update_info(png_, meta_);
        info_.storedWidth = png_get_image_width(png_, meta_);
        info_.storedHeight = png_get_image_height(png_, meta_);
        png_bytep exif = nullptr;
        png_uint_32 exifBytes = 0;
        if (png_get_eXIf_1(png_, meta_, &exifBytes, &exif) != 0 && exif) {
            info_.orientation = exifOrientation({reinterpret_cast<const std::byte*>(exif), exifBytes});
        }
    });
    if (!read) return damaged("{}", message_);
    info_.alpha = alpha ? Raster::Alpha::kStraight : Raster::Alpha::kOpaque;
    // Three rows of up to 8 bytes a pixel inside libpng, and its window for inflating.
    const auto width = static_cast<uint64_t>(info_.storedWidth);
    info_.decodeBytes = width * 24 + (64U << 10);
    if (interlaced_) info_.decodeBytes += width * static_cast<uint64_t>(info_.storedHeight) * 4;
    return {};
}

// The passes of an interlaced picture each cover all of it.
Result<> PngDecoder::readInterlaced() {
    const auto rowBytes = static_cast<size_t>(info_.storedWidth) * 4;
    whole_.resize(rowBytes * static_cast<size_t>(info_.storedHeight));
    wholeRows_.resize(static_cast<size_t>(info_.storedHeight));
    for (size_t y = 0; y < wholeRows_.size(); ++y) wholeRows_[y] = whole_.data() + y * rowBytes;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; ++pass) {
        for (png_bytep& row : wholeRows_) {
            if (source_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", source_.name);
            if (!guarded([&] { png_read_row(png_, row, nullptr); })) return damaged("{}", message_);
        }
    }
    return {};
}

Result<> PngDecoder::readRow(uint8_t* rgba) {
    if (interlaced_) {
        if (whole_.empty()) PAL_TRY(readInterlaced());
        const auto rowBytes = static_cast<size_t>(info_.storedWidth) * 4;
        std::memcpy(rgba, wholeRows_[static_cast<size_t>(y_)], rowBytes);
    } else if (!guarded([&] { png_read_row(png_, rgba, nullptr); })) {
        return damaged("{} (row {} of {})", message_, y_ + 1, info_.storedHeight);
    }
    ++y_;
    return {};
}

}  // namespace

OpenedImage openPng(ImageSourceView source) {
    auto decoder = std::make_unique<PngDecoder>(std::move(source));
    PAL_TRY(decoder->open());
    return decoder;
}

}  // namespace pal
