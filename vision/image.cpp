// SPDX-License-Identifier: Apache-2.0
#include "vision/image.h"

#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include "engine/base/guarded.h"
#include "engine/base/mapped_file.h"
#include "vision/image_decoder.h"
#include "vision/orientation.h"
#include "vision/patches.h"
#include "vision/resample.h"
#include "vision/thumbnail.h"

namespace pal {
namespace {

struct Signature {
    std::string_view bytes;
    size_t at;
    OpenedImage (*open)(ImageSourceView);
};

using namespace std::string_view_literals;
constexpr Signature kSignatures[] = {
    {"\x89PNG\r\n\x1a\n"sv, 0, openPng},
    {"\xff\xd8\xff"sv, 0, openJpeg},
    {"WEBP"sv, 8, openWebp},
    {"GIF87a"sv, 0, openGif},
    {"GIF89a"sv, 0, openGif},
    {"BM"sv, 0, openBmp},
    {"II*\0"sv, 0, openTiff},
    {"MM\0*"sv, 0, openTiff},
    {"II+\0"sv, 0, openTiff},
    {"MM\0+"sv, 0, openTiff},
};

// Files up to this size are read into memory: one that shrinks while it is mapped would end the program.
constexpr size_t kMaxReadBytes = 256U << 20;

// The bytes of a source.
struct LoadedSource {
    std::optional<MappedFile> file;
    std::vector<std::byte> content;
    ImageSourceView view;

    static Result<LoadedSource> load(const MediaSource& source, const ImageLimits& limits, std::stop_token stop) {
        LoadedSource loaded{std::nullopt, {}, {source.memory, source.name, limits, std::move(stop)}};
        if (source.path.empty()) return loaded;
        PAL_ASSIGN(loaded.file, MappedFile::open(source.path));
        loaded.view.bytes = loaded.file->bytes();
        if (loaded.view.bytes.size() > kMaxReadBytes) return loaded;
        loaded.content.resize(loaded.view.bytes.size());
        loaded.file.reset();
        std::ifstream in(source.path, std::ios::binary);
        in.read(reinterpret_cast<char*>(loaded.content.data()), static_cast<std::streamsize>(loaded.content.size()));
        loaded.view.bytes =
            std::span(loaded.content).first(static_cast<size_t>(std::max<std::streamsize>(0, in.gcount())));
        return loaded;
    }
};

// Rows that are turned upright together.
constexpr int64_t kBandRows = 64;

uint64_t rasterBytes(int64_t width, int64_t height) {
    return static_cast<uint64_t>(width) * static_cast<uint64_t>(height) * 4;
}

// Completes what the decoder knows and holds it against the limits.
Result<> judge(ImageInfo& info, const ImageSourceView& source) {
    info.width = info.storedWidth;
    info.height = info.storedHeight;
    if (swapsSides(info.orientation)) std::swap(info.width, info.height);
    const auto& limits = source.limits;
    if (info.width < 1 || info.height < 1) {
        return fail(ErrorCode::kFormat, "{}: {} image of {}x{} pixels", source.name, imageFormatName(info.format),
                    info.width, info.height);
    }
    if (std::max(info.width, info.height) > limits.maxSide || info.width > limits.maxPixels / info.height) {
        return fail(ErrorCode::kOutOfMemory,
                    "{}: {} image of {}x{} pixels, the limits are {} pixels in all and {} along a side", source.name,
                    imageFormatName(info.format), info.width, info.height, limits.maxPixels, limits.maxSide);
    }
    if (info.orientation != 1) {
        info.decodeBytes += rasterBytes(info.width, info.height) + rasterBytes(info.storedWidth, kBandRows);
    }
    if (info.decodeBytes > limits.maxMemoryBytes) {
        return fail(ErrorCode::kOutOfMemory,
                    "{}: decoding this {} image of {}x{} pixels takes {} bytes of memory, the limit is {}", source.name,
                    imageFormatName(info.format), info.width, info.height, info.decodeBytes, limits.maxMemoryBytes);
    }
    return {};
}

Result<Raster> readUpright(ImageDecoder& decoder, const ImageSourceView& source) {
    const ImageInfo& info = decoder.info();
    Raster out{info.width, info.height, info.alpha, std::vector<uint8_t>(rasterBytes(info.width, info.height))};
    const int64_t stride = info.storedWidth * 4;
    std::vector<uint8_t> band(info.orientation == 1 ? 0 : static_cast<size_t>(stride * kBandRows));
    for (int64_t y = 0, held = 0; y < info.storedHeight; ++y) {
        if (source.stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", source.name);
        PAL_TRY(decoder.readRow(info.orientation == 1 ? out.row(y) : band.data() + held * stride));
        if (info.orientation == 1 || (++held < kBandRows && y + 1 < info.storedHeight)) continue;
        placeRows(info.orientation, y + 1 - held, {band.data(), info.storedWidth, held, stride}, out);
        held = 0;
    }
    return out;
}

// Takes rows from the top and ends with the picture as the model sees it: resized, opaque.
class Fitter {
  public:
    Fitter(const MediaConfig& config, const ResizePlan& plan, int64_t width, int64_t height, Raster::Alpha alpha)
        : background_(config.background),
          width_(width),
          before_(alpha == Raster::Alpha::kStraight &&
                  (!background_ || background_->stage == Background::Stage::kBeforeResize)),
          resampler_(width, height, before_ ? Raster::Alpha::kOpaque : alpha, plan.width, plan.height),
          out_{plan.width, plan.height, before_ ? Raster::Alpha::kOpaque : alpha,
               std::vector<uint8_t>(rasterBytes(plan.width, plan.height))} {}

    // May change the row.
    void push(uint8_t* row) {
        if (before_) compositeRow(background_, y_, width_, row);
        resampler_.push(row, out_);
        ++y_;
    }
    Raster finish() {
        compositeOver(background_, out_);
        return std::move(out_);
    }

  private:
    std::optional<Background> background_;
    int64_t width_;
    bool before_;  // composited before the resize
    Resampler resampler_;
    Raster out_;
    int64_t y_ = 0;
};

ResizePlan planFor(const MediaConfig& config, const ImageRequest& request, int64_t width, int64_t height) {
    return request.maxTokens ? planWithinTokens(config, config.patchLimit, *request.maxTokens, width, height)
                             : planImage(config, width, height);
}

PreparedImage finish(const MediaConfig& config, const ImageRequest& request, const ResizePlan& plan,
                     const Raster& fitted, int64_t width, int64_t height) {
    PreparedImage out;
    out.width = width;
    out.height = height;
    out.resize = plan;
    out.input = makeMediaInput(config, plan, 1);
    appendFrame(config, rowsOf(fitted), out.input);
    if (request.thumbnailSide > 0) out.thumbnail = thumbnailOf(rowsOf(fitted), request.thumbnailSide);
    return out;
}

Result<> checkRequest(const ImageRequest& request, const std::string& name) {
    if (!request.maxTokens || *request.maxTokens >= 1) return {};
    return fail(ErrorCode::kInvalidArgument, "{}: at most {} tokens for an image", name, *request.maxTokens);
}

Result<PreparedImage> prepare(const MediaSource& source, const MediaConfig& config, const ImageRequest& request,
                              std::stop_token stop) {
    PAL_TRY(checkRequest(request, source.name));
    PAL_ASSIGN(const LoadedSource loaded, LoadedSource::load(source, request.limits, std::move(stop)));
    PAL_ASSIGN(const auto decoder, openImage(loaded.view));
    const ImageInfo& info = decoder->info();
    const ResizePlan plan = planFor(config, request, info.width, info.height);
    Fitter fitter(config, plan, info.width, info.height, info.alpha);
    if (info.orientation != 1) {
        PAL_ASSIGN(Raster upright, readUpright(*decoder, loaded.view));
        for (int64_t y = 0; y < upright.height; ++y) fitter.push(upright.row(y));
    } else {
        std::vector<uint8_t> line(static_cast<size_t>(info.width) * 4);
        for (int64_t y = 0; y < info.height; ++y) {
            if (loaded.view.stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", source.name);
            PAL_TRY(decoder->readRow(line.data()));
            fitter.push(line.data());
        }
    }
    return finish(config, request, plan, fitter.finish(), info.width, info.height);
}

}  // namespace

std::string_view imageFormatName(ImageFormat format) {
    switch (format) {
        case ImageFormat::kPng:
            return "PNG";
        case ImageFormat::kJpeg:
            return "JPEG";
        case ImageFormat::kWebp:
            return "WebP";
        case ImageFormat::kGif:
            return "GIF";
        case ImageFormat::kBmp:
            return "BMP";
        case ImageFormat::kTiff:
            return "TIFF";
    }
    return "unknown";
}

OpenedImage openImage(ImageSourceView source) {
    const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()), source.bytes.size());
    for (const Signature& signature : kSignatures) {
        if (text.size() < signature.at || text.substr(signature.at, signature.bytes.size()) != signature.bytes) {
            continue;
        }
        PAL_ASSIGN(auto decoder, signature.open(source));
        PAL_TRY(decoder->accept());
        return decoder;
    }
    return fail(ErrorCode::kUnsupported, "{}: not a PNG, JPEG, WebP, GIF, BMP or TIFF image", source.name);
}

Result<> ImageDecoder::accept() {
    return judge(info_, source_);
}

Result<ImageInfo> probeImage(const MediaSource& source, const ImageLimits& limits) {
    return guarded(source.name, [&]() -> Result<ImageInfo> {
        PAL_ASSIGN(const LoadedSource loaded, LoadedSource::load(source, limits, {}));
        PAL_ASSIGN(const auto decoder, openImage(loaded.view));
        return decoder->info();
    });
}

Result<ImagePlan> planImageFile(const MediaSource& source, const MediaConfig& config, const ImageRequest& request) {
    PAL_TRY(checkRequest(request, source.name));
    PAL_ASSIGN(const ImageInfo info, probeImage(source, request.limits));
    const ResizePlan plan = planFor(config, request, info.width, info.height);
    const int64_t floats = plan.rows * plan.columns * 3 * config.patchSize * config.patchSize;
    return ImagePlan{info, plan, static_cast<uint64_t>(floats) * sizeof(float)};
}

Result<PreparedImage> prepareImage(const MediaSource& source, const MediaConfig& config, const ImageRequest& request,
                                   std::stop_token stop) {
    return guarded(source.name, [&] { return prepare(source, config, request, std::move(stop)); });
}

Result<PreparedImage> prepareRaster(const Raster& picture, const MediaConfig& config, const ImageRequest& request,
                                    std::stop_token stop) {
    constexpr auto kName = "picture";
    PAL_TRY(checkRequest(request, kName));
    return guarded(kName, [&]() -> Result<PreparedImage> {
        const ResizePlan plan = planFor(config, request, picture.width, picture.height);
        Fitter fitter(config, plan, picture.width, picture.height, picture.alpha);
        std::vector<uint8_t> line(static_cast<size_t>(picture.width) * 4);
        for (int64_t y = 0; y < picture.height; ++y) {
            if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "{}: stopped", kName);
            std::memcpy(line.data(), picture.row(y), line.size());
            fitter.push(line.data());
        }
        return finish(config, request, plan, fitter.finish(), picture.width, picture.height);
    });
}

Result<Raster> decodeImage(const MediaSource& source, const ImageLimits& limits, std::stop_token stop) {
    return guarded(source.name, [&]() -> Result<Raster> {
        PAL_ASSIGN(const LoadedSource loaded, LoadedSource::load(source, limits, std::move(stop)));
        PAL_ASSIGN(const auto decoder, openImage(loaded.view));
        const uint64_t bytes = rasterBytes(decoder->info().width, decoder->info().height);
        if (bytes > limits.maxMemoryBytes) {
            return fail(ErrorCode::kOutOfMemory, "{}: {}x{} pixels take {} bytes of memory, the limit is {}",
                        source.name, decoder->info().width, decoder->info().height, bytes, limits.maxMemoryBytes);
        }
        return readUpright(*decoder, loaded.view);
    });
}

}  // namespace pal
