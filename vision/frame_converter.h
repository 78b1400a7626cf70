// SPDX-License-Identifier: Apache-2.0
#pragma once

extern "C" {
#include <libswscale/swscale.h>
}

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "vision/av_input.h"
#include "vision/raster.h"
#include "vision/video.h"

namespace pal {

// Decodes until the first frame: its size and format are what the clip really has. Errors: kUnsupported, kFormat, kOutOfMemory, kCancelled.
Result<AvPointer<AVFrame>> decodeFirstFrame(AvInput& input, AVStream& stream, const std::string& name,
                                            const VideoLimits& limits, const std::stop_token& stop);

// How frames of `stream` are turned to stand upright, from its display matrix (orientation.h). A matrix that does more is left alone and
// noted in `warnings`.
int streamOrientation(const AVStream& stream, std::vector<std::string>& warnings);

// kOutOfMemory when a frame of these pixels is above the limits.
Result<> checkFrameSize(int64_t width, int64_t height, const VideoLimits& limits, const std::string& name);

// Decoded frames -> upright pictures of a wanted size. Colours are converted as swscale does by default, by the frame's own matrix and
// range (OpenCV knows only one matrix in one range); the resize is Resampler's. Holds one frame in RGBA, and its turned and resized form
// where they differ.
class FrameConverter {
  public:
    FrameConverter(std::string name, int orientation);
    ~FrameConverter();

    // The picture lies in this object, until the next call.
    Result<PixelRows> convert(const AVFrame& frame, int64_t width, int64_t height);

  private:
    Result<> toRgba(const AVFrame& frame);

    std::string name_;
    int orientation_;
    SwsContext* scaler_ = nullptr;
    AvPointer<AVFrame> rgba_;
    Raster upright_, resized_;
};

}  // namespace pal
