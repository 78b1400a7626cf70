// SPDX-License-Identifier: Apache-2.0
// JPEG with libjpeg-turbo, with the settings that Pillow uses, so that both see the same bytes.
#include <cstddef>
#include <cstdio>
// jpeglib.h needs the two above, and jerror.h numbers its messages by what jpeglib.h defines.
#include <jpeglib.h>

#include <jerror.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <vector>

#include "vision/exif.h"
#include "vision/image_decoder.h"

namespace pal {
namespace {

constexpr int kExifMarker = JPEG_APP0 + 1;
constexpr int kMaxScans = 500;  // a progressive picture needs about ten; thousands only serve to waste hours

// Warnings after which pixels are not what was stored. The library goes on with grey.
bool losesPixels(int warning) {
    switch (warning) {
        case JWRN_JPEG_EOF:
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_ARITH_BAD_CODE:
        case JWRN_MUST_RESYNC:
        case JWRN_BOGUS_PROGRESSION:
            return true;
        default:
            return false;
    }
}

class JpegDecoder final : public ImageDecoder {
  public:
    explicit JpegDecoder(ImageSourceView source) : ImageDecoder(std::move(source)) {}
    ~JpegDecoder() override { jpeg_destroy_decompress(&jpeg_); }

    Result<> open();
    Result<> readRow(uint8_t* rgba) override;

  private:
    // The library's callbacks get a pointer to a part of this.
    struct Handlers {
        jpeg_error_mgr errors;  // must be first
        jpeg_progress_mgr progress;
        JpegDecoder* self;
    };
    // As in PngDecoder: `work` must hold no object that needs destruction.
    template <typename Work>
    bool guarded(const Work& work) {
        if (setjmp(jump_) != 0) return false;  // NOLINT(cert-err52-cpp): the library's own way
        work();
        return true;
    }
    static JpegDecoder* self(j_common_ptr jpeg) { return reinterpret_cast<Handlers*>(jpeg->err)->self; }
    [[noreturn]] static void onError(j_common_ptr jpeg) {
        (*jpeg->err->format_message)(jpeg, self(jpeg)->message_);
        std::longjmp(self(jpeg)->jump_, 1);  // NOLINT(cert-err52-cpp)
    }
    static void onMessage(j_common_ptr jpeg, int level) {
        if (level < 0 && losesPixels(jpeg->err->msg_code)) onError(jpeg);
    }
    static void onText(j_common_ptr) {}
    static void onProgress(j_common_ptr jpeg) {
        JpegDecoder* decoder = self(jpeg);
        const int scans = decoder->jpeg_.input_scan_number;
        if (decoder->source_.stop.stop_requested()) decoder->cancelled_ = true;
        if (!decoder->cancelled_ && scans <= kMaxScans) return;
        std::snprintf(decoder->message_, sizeof(decoder->message_), "%d scans, the limit is %d", scans, kMaxScans);
        std::longjmp(decoder->jump_, 1);  // NOLINT(cert-err52-cpp)
    }
    Result<> start();
    [[nodiscard]] tl::unexpected<Error> failed() const;
    [[nodiscard]] bool isCmyk() const { return jpeg_.num_components == 4; }

    std::jmp_buf jump_{};
    Handlers handlers_{};
    jpeg_decompress_struct jpeg_{};
    char message_[JMSG_LENGTH_MAX] = {};
    bool cancelled_ = false, started_ = false;
    std::vector<uint8_t> line_;
};

tl::unexpected<Error> JpegDecoder::failed() const {
    if (cancelled_) return fail(ErrorCode::kCancelled, "{}: stopped", source_.name);
    const int code = handlers_.errors.msg_code;
    if (code == JERR_NO_BACKING_STORE || code == JERR_OUT_OF_MEMORY) {
        return fail(ErrorCode::kOutOfMemory, "{}: decoding {}x{} pixels takes more than {} bytes of memory",
                    source_.name, info_.storedWidth, info_.storedHeight, source_.limits.maxMemoryBytes);
    }
    if (code == JERR_BAD_PRECISION) {
        return fail(ErrorCode::kUnsupported, "{}: JPEG image of {} bits, only 8 are read", source_.name,
                    handlers_.errors.msg_parm.i[0]);
    }
    return damaged("{}", message_);
}

Result<> JpegDecoder::open() {
    info_.format = ImageFormat::kJpeg;
    handlers_.self = this;
    jpeg_.err = jpeg_std_error(&handlers_.errors);
    handlers_.errors.error_exit = onError;
    handlers_.errors.emit_message = onMessage;
    handlers_.errors.output_message = onText;
    const bool read = guarded([&] {
        jpeg_create_decompress(&jpeg_);
        jpeg_.mem->max_memory_to_use = static_cast<long>(source_.limits.maxMemoryBytes);
        jpeg_save_markers(&jpeg_, kExifMarker, 0xffff);
        jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(source_.bytes.data()), source_.bytes.size());
        jpeg_read_header(&jpeg_, TRUE);
    });
    if (!read) return failed();
    info_.storedWidth = jpeg_.image_width;
    info_.storedHeight = jpeg_.image_height;
    for (const auto* marker = jpeg_.marker_list; marker; marker = marker->next) {
        const auto* data = reinterpret_cast<const std::byte*>(marker->data);
        const int found = prefixedExifOrientation({data, marker->data_length});
        if (found != 1) info_.orientation = found;
    }
    const auto width = static_cast<uint64_t>(info_.storedWidth), height = static_cast<uint64_t>(info_.storedHeight);
    info_.decodeBytes = width * 4 * 64 + (1U << 20);  // rows of blocks in several stages
    if (jpeg_has_multiple_scans(&jpeg_)) {
        // Every coefficient is kept, in 2 bytes.
        uint64_t samples = 0;
        for (int c = 0; c < jpeg_.num_components; ++c) {
            const auto& part = jpeg_.comp_info[c];
            samples += width * height * static_cast<uint64_t>(part.h_samp_factor * part.v_samp_factor) /
                       static_cast<uint64_t>(jpeg_.max_h_samp_factor * jpeg_.max_v_samp_factor);
        }
        info_.decodeBytes += samples * 2;
    }
    return {};
}

Result<> JpegDecoder::start() {
    handlers_.progress.progress_monitor = onProgress;
    jpeg_.progress = &handlers_.progress;
    jpeg_.out_color_space = isCmyk() ? JCS_CMYK : JCS_EXT_RGBA;
    if (!guarded([&] { jpeg_start_decompress(&jpeg_); })) return failed();
    started_ = true;
    return {};
}

// Stored inverted, as Adobe does. As Pillow: c' = (255 - k) - (c (255 - k) / 255, rounded).
void cmykToRgba(const uint8_t* in, int64_t pixels, uint8_t* out) {
    for (int64_t i = 0; i < pixels * 4; i += 4) {
        const int light = in[i + 3];
        for (int64_t c = i; c < i + 3; ++c) {
            const int product = (255 - in[c]) * light + 128;
            out[c] = static_cast<uint8_t>(std::max(0, light - (((product >> 8) + product) >> 8)));
        }
        out[i + 3] = 255;
    }
}

Result<> JpegDecoder::readRow(uint8_t* rgba) {
    if (!started_) PAL_TRY(start());
    if (isCmyk()) line_.resize(static_cast<size_t>(info_.storedWidth) * 4);
    JSAMPROW target = isCmyk() ? line_.data() : rgba;
    if (!guarded([&] { jpeg_read_scanlines(&jpeg_, &target, 1); })) return failed();
    if (isCmyk()) cmykToRgba(line_.data(), info_.storedWidth, rgba);
    return {};
}

}  // namespace

OpenedImage openJpeg(ImageSourceView source) {
    auto decoder = std::make_unique<JpegDecoder>(std::move(source));
    PAL_TRY(decoder->open());
    return decoder;
}

}  // namespace pal
