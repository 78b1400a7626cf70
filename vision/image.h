// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>

#include "engine/api/media_input.h"
#include "engine/base/result.h"
#include "vision/media_config.h"
#include "vision/media_source.h"
#include "vision/raster.h"
#include "vision/resize_plan.h"

namespace pal {

// Pictures from files to what the vision tower reads. Functions block and touch no shared state; call them from any worker thread.
//
// Every function checks the limits from the file's header before it decodes, and answers outside data with
//   kUnsupported  not an image of a known format, or a kind of it that is not read (12-bit JPEG)
//   kFormat       damaged, cut short, or not what its header says
//   kOutOfMemory  more pixels or more memory than the limits allow
//   kNotFound, kIo, kCancelled
// An animation gives its first frame. Colour profiles are not applied (the reference ignores them, too).

enum class ImageFormat { kPng, kJpeg, kWebp, kGif, kBmp, kTiff };
// "PNG"
std::string_view imageFormatName(ImageFormat format);

struct ImageLimits {
    int64_t maxSide = 1'000'000;                  // pixels
    int64_t maxPixels = 600'000'000;              // 30,000 x 20,000
    uint64_t maxMemoryBytes = uint64_t{5} << 29;  // for decoding, beside the result: 30,000 x 20,000 x 4 fit
};

// What the header says.
struct ImageInfo {
    ImageFormat format = ImageFormat::kPng;
    int64_t storedWidth = 0, storedHeight = 0;  // pixels as they lie in the file
    int64_t width = 0, height = 0;              // pixels as seen: after the orientation. These go into the prompt
    int orientation = 1;                        // EXIF, 1..8; 1 is upright
    Raster::Alpha alpha = Raster::Alpha::kOpaque;
    // Memory that decoding takes beside its result: rows, or the whole picture where the file's order of pixels asks for that
    // (an orientation other than 1, interlaced PNG, progressive JPEG, WebP, GIF).
    uint64_t decodeBytes = 0;
};
Result<ImageInfo> probeImage(const MediaSource& source, const ImageLimits& limits = {});

struct ImageRequest {
    ImageLimits limits;
    std::optional<int64_t> maxTokens;  // makes the picture smaller, where the config's own limit allows more
    int64_t thumbnailSide = 0;         // pixels of a thumbnail's longer side; 0: none
};

// The cost of an image, known from its header.
struct ImagePlan {
    ImageInfo info;
    ResizePlan resize;
    uint64_t patchBytes = 0;  // of MediaInput::patches
};
Result<ImagePlan> planImageFile(const MediaSource& source, const MediaConfig& config, const ImageRequest& request = {});

struct PreparedImage {
    MediaInput input;
    int64_t width = 0, height = 0;  // original pixels as seen, for imagePrompt()
    ResizePlan resize;
    std::optional<Raster> thumbnail;
};
// Decodes, turns upright, resizes (never up), composites over the background, pads, normalises and cuts into patches, as the reference
// does for RGB and RGBA. Two deliberate differences: the reference leaves a photograph as its sensor lay, here it is turned as its EXIF
// orientation says; and it resizes palette images by nearest neighbour, here all are resized in colour.
Result<PreparedImage> prepareImage(const MediaSource& source, const MediaConfig& config,
                                   const ImageRequest& request = {}, std::stop_token stop = {});

// The same for a picture that is decoded already, such as a page of a document. Only kCancelled and kOutOfMemory.
Result<PreparedImage> prepareRaster(const Raster& picture, const MediaConfig& config, const ImageRequest& request = {},
                                    std::stop_token stop = {});

// The whole picture, upright. The result counts against maxMemoryBytes, too.
Result<Raster> decodeImage(const MediaSource& source, const ImageLimits& limits = {}, std::stop_token stop = {});

}  // namespace pal
