// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"
#include "vision/image.h"

namespace pal {

using ImageBytes = std::span<const std::byte>;

// What every decoder works under. The bytes outlive it.
struct ImageSourceView {
    ImageBytes bytes;
    std::string name;
    ImageLimits limits;
    std::stop_token stop = {};
};

// Why not OpenCV's imgcodecs, for each format (OpenCV 4.6; opencv_decoders_test measures it and fails when a reason is gone):
//   JPEG  a cut file is a picture with grey in it, not an error; CMYK differs from Pillow by up to 1
//   PNG   the whole picture is held (30,000 x 20,000 is 2.4 GB; here it is a few rows), and nothing can be stopped
//   TIFF  an alpha channel is premultiplied; some files in tiles are not read
//   WebP  no animations, so no first frame of one
//   GIF   not known
//   BMP   16-bit pixels differ by up to 7: their low bits stay 0
// It also prints what it thinks of damaged files, and brings 150 libraries that are loaded with the program: GDAL, HDF5, database clients.
// imgproc does what it is good at: turning, colour order, thumbnails, figures of pages.
//
// One picture being decoded, row by row from the top as it lies in the file. Opening one reads the header only; memory that depends on the
// size of the picture is taken by the first readRow(), after openImage() has checked info() against the limits.
class ImageDecoder {
  public:
    explicit ImageDecoder(ImageSourceView source) : source_(std::move(source)) {}
    virtual ~ImageDecoder() = default;
    ImageDecoder(const ImageDecoder&) = delete;
    ImageDecoder& operator=(const ImageDecoder&) = delete;

    // From opening: storedWidth x storedHeight, orientation, alpha, and the decoder's own decodeBytes. The rest from accept().
    [[nodiscard]] const ImageInfo& info() const { return info_; }

    // Completes info() and holds it against the limits. Errors: kFormat, kOutOfMemory.
    Result<> accept();

    // The next of storedHeight rows: storedWidth pixels of R, G, B, A.
    virtual Result<> readRow(uint8_t* rgba) = 0;

  protected:
    template <typename... Args>
    [[nodiscard]] tl::unexpected<Error> damaged(fmt::format_string<Args...> format, Args&&... args) const {
        return fail(ErrorCode::kFormat, "{}: damaged {} image: {}", source_.name, imageFormatName(info_.format),
                    fmt::format(format, std::forward<Args>(args)...));
    }

    ImageSourceView source_;
    ImageInfo info_;
};

using OpenedImage = Result<std::unique_ptr<ImageDecoder>>;
OpenedImage openPng(ImageSourceView source);
OpenedImage openJpeg(ImageSourceView source);
OpenedImage openWebp(ImageSourceView source);
OpenedImage openGif(ImageSourceView source);
OpenedImage openBmp(ImageSourceView source);
OpenedImage openTiff(ImageSourceView source);

// Picks the decoder by the first bytes, whatever the file is called, and checks the limits.
OpenedImage openImage(ImageSourceView source);

}  // namespace pal
