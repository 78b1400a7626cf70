// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/api/media_input.h"
#include "engine/base/result.h"
#include "vision/media_config.h"
#include "vision/media_source.h"
#include "vision/raster.h"
#include "vision/resize_plan.h"

namespace pal {

// Clips from files to groups of frames for the vision tower. First planVideo reads the container and decodes one frame: times, sizes, cost.
// Then a VideoReader decodes the planned frames in order and hands out one chunk at a time. Functions block; call them from a worker thread.
//
// Errors: kUnsupported (no known container, no video stream, no decoder for its codec), kFormat (damaged, no frames), kInvalidArgument (a
// request that fits no frame), kOutOfMemory (above the limits), kNotFound, kIo, kCancelled.
// Sound is not used; the plan says whether there is some. No file other than the given one is opened, whatever it refers to.

struct VideoLimits {
    int64_t maxSide = 16'384;        // pixels of a frame
    int64_t maxPixels = 67'108'864;  // of a frame: 8192 x 8192
    int64_t maxFrames = 10'000'000;  // in the file
};

struct VideoRequest {
    std::optional<double> start, end;  // seconds of the clip; frames outside are left out
    std::optional<double> fps;         // frames per second to take, at most; else the config's sample_fps
    std::optional<int64_t> maxFrames;  // take fewer frames, spread over the same time
    std::optional<int64_t> maxTokens;  // of media (not of timestamps): likewise
    VideoLimits limits;
};

struct VideoIndex;

// One frame of the clip that is taken.
struct VideoFrame {
    int64_t index = 0;   // in order of presentation, from 0
    double seconds = 0;  // presentation time, the clip's first frame being at 0
    friend bool operator==(const VideoFrame&, const VideoFrame&) = default;
};

// Frames that enter the tower together. All share the plan.
struct VideoChunkPlan {
    std::vector<VideoFrame> frames;  // 1 .. framesPerChunk
    ResizePlan resize;
    std::string timestamp;  // "00:00:01.500" of the first frame, for videoChunkPrompt()
};

// Everything about a clip that is known before it is decoded.
struct VideoPlan {
    std::string container, codec;               // FFmpeg's names: "mov,mp4,m4a,3gp,3g2,mj2", "h264"
    int64_t storedWidth = 0, storedHeight = 0;  // pixels in the file
    int64_t width = 0, height = 0;              // as seen, after the orientation
    int orientation = 1;                        // EXIF's numbers (orientation.h); 6: turned by 90 degrees clockwise
    int64_t frameCount = 0;                     // frames the file shows
    double seconds = 0;                         // from the first frame to the end of the last
    double fps = 0;                             // of the file; the average when `rate` is kVariable
    enum class Rate { kConstant, kVariable } rate = Rate::kConstant;
    enum class Sound { kNone, kUnused } sound = Sound::kNone;

    std::vector<VideoChunkPlan> chunks;
    double sampleFps = 0;               // that was asked of the file after all limits: frames per second taken
    int64_t sampledFrames = 0;          // in all chunks
    int64_t tokens = 0;                 // of media in all chunks: one per merged patch, once per chunk
    uint64_t patchBytes = 0;            // MediaInput::patches of all chunks together
    uint64_t readerBytes = 0;           // what a VideoReader holds at most, an estimate: decoder, one frame, one chunk
    std::vector<std::string> warnings;  // what is odd: a file that ends early, frames without a time

    VideoLimits limits;                       // the request's
    std::shared_ptr<const VideoIndex> index;  // where the frames lie in the file, for VideoReader
};

using VideoProgress = std::function<void(double done)>;  // 0 .. 1, never falling; on the calling thread; may be empty

// Sampling follows the reference processor of K2.5 on the time axis: n = max(1, round(frames * sampleFps / fps)) targets evenly from the
// first frame to the last, each takes the frame whose presentation time is nearest. With a constant rate that is the reference's
// round(linspace(0, frames - 1, n)), halves to even; with a variable rate times stay true. No frame is taken twice.
Result<VideoPlan> planVideo(const MediaSource& source, const MediaConfig& config, const VideoRequest& request = {},
                            const VideoProgress& progress = {}, std::stop_token stop = {});

// The same clip for another request; reads nothing. `name` stands at the front of errors: those of a request that fits no frame.
Result<VideoPlan> replanVideo(const VideoPlan& plan, const MediaConfig& config, const VideoRequest& request,
                              const std::string& name);

// A chunk as it enters the tower.
struct VideoChunk {
    MediaInput input;
    std::vector<VideoFrame> frames;
    std::string timestamp;
    std::vector<Raster> thumbnails;  // one per frame when asked for
};

struct VideoReaderOptions {
    int64_t thumbnailSide = 0;  // pixels of a thumbnail's longer side; 0: none
    int decoderThreads = 0;     // 1 .. 16; 0: one per core, up to 8
};

// Decodes the frames of a plan. Holds one frame that is converted, the next one and the decoder's own references, however long the clip.
// Confined to one thread; it converts on another.
class VideoReader {
  public:
    // `source` must be what the plan was made of; memory behind it must outlive the reader.
    static Result<VideoReader> open(const MediaSource& source, const MediaConfig& config, VideoPlan plan,
                                    const VideoReaderOptions& options = {});
    VideoReader(VideoReader&&) noexcept;
    VideoReader& operator=(VideoReader&&) noexcept;
    ~VideoReader();

    // The next chunk; empty after the last. A frame that cannot be decoded is an error that names its time. After an error, and after
    // kCancelled, the reader gives the same error again.
    Result<std::optional<VideoChunk>> next(std::stop_token stop = {});

  private:
    struct Impl;
    explicit VideoReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// "HH:MM:SS.mmm": hours modulo 24, milliseconds cut off. `seconds` >= 0.
[[nodiscard]] std::string videoTimestamp(double seconds);

}  // namespace pal
