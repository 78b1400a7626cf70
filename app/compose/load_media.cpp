// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "app/compose/media_requests.h"
#include "app/compose/message.h"

namespace pal {
namespace {

Raster rasterOf(const PageImage& image) {
    Raster out{image.width, image.height, Raster::Alpha::kOpaque, {}};
    const auto pixels = static_cast<size_t>(image.width) * static_cast<size_t>(image.height);
    out.pixels.resize(pixels * 4);
    for (size_t i = 0; i < pixels; ++i) {
        std::copy_n(&image.rgb[3 * i], 3, &out.pixels[4 * i]);
        out.pixels[4 * i + 3] = 255;
    }
    return out;
}

// The pictures that lie in one document. They are all read when the first is asked for, and freed after the last: the engine asks in order,
// and going back opens the document again. Thread-safe.
class EmbeddedPictures {
  public:
    // The `number`-th picture of a page, from 1.
    Result<EmbeddedPicture> take(const AttachedFile& document, int page, size_t number,
                                 const DocumentOptions& options) {
        const std::lock_guard lock(mutex_);
        if (pictures_.empty()) {
            PAL_ASSIGN(pictures_, readPictures(document.path, options));
        }
        const auto found = std::find_if(pictures_.begin(), pictures_.end(), [&](const EmbeddedPicture& picture) {
            return picture.page == page && --number == 0;
        });
        if (found == pictures_.end()) {
            return fail(ErrorCode::kConflict, "{}, page {}: has other pictures than when it was planned", document.name,
                        page);
        }
        EmbeddedPicture out = *found;
        if (std::next(found) == pictures_.end()) pictures_ = {};
        return out;
    }

  private:
    std::mutex mutex_;
    std::vector<EmbeddedPicture> pictures_;
};

Result<MediaInput> loadPicture(const ComposedMedium& medium, const AttachedFile& attachment,
                               const ComposeOptions& options, EmbeddedPictures& embedded, const std::stop_token& stop) {
    const ImageRequest request = imageRequest(attachment.options);
    if (medium.page == 0) {
        PAL_ASSIGN(PreparedImage image, prepareImage(sourceOf(attachment), *options.media, request, stop));
        return std::move(image.input);
    }
    DocumentOptions document = documentRequest(attachment, options.document);
    document.stop = stop;
    document.progress = {};
    if (medium.picture > 0) {
        PAL_ASSIGN(const EmbeddedPicture picture, embedded.take(attachment, medium.page, medium.picture, document));
        const std::string name = fmt::format("{}, page {}, {}", attachment.name, medium.page, picture.name);
        const auto source = MediaSource::bytes(name, std::as_bytes(std::span(picture.file)));
        PAL_ASSIGN(PreparedImage image, prepareImage(source, *options.media, request, stop));
        return std::move(image.input);
    }
    PAL_ASSIGN(const PageImage page, readPageImage(attachment.path, medium.page, document));
    if (page.width != medium.width || page.height != medium.height) {
        return fail(ErrorCode::kConflict, "{}, page {}: is {} x {} pixels, was {} x {} when it was planned",
                    attachment.name, medium.page, page.width, page.height, medium.width, medium.height);
    }
    PAL_ASSIGN(PreparedImage image, prepareRaster(rasterOf(page), *options.media, request, stop));
    return std::move(image.input);
}

// The chunks of a clip, decoded one after the other as they are asked for. The engine asks in order; going back opens the clip again.
class ClipChunks {
  public:
    ClipChunks(AttachedFile attachment, MediaConfig config, VideoPlan plan)
        : attachment_(std::move(attachment)), config_(std::move(config)), plan_(std::move(plan)) {}

    Result<std::vector<float>> chunk(size_t index, const std::stop_token& stop) {
        const std::lock_guard lock(mutex_);
        if (!reader_ || next_ != index) {
            VideoPlan rest = plan_;
            rest.chunks.erase(rest.chunks.begin(), rest.chunks.begin() + static_cast<ptrdiff_t>(index));
            PAL_ASSIGN(reader_, VideoReader::open(sourceOf(attachment_), config_, std::move(rest)));
            next_ = index;
        }
        auto read = reader_->next(stop);
        if (!read || !*read) reader_.reset();
        if (!read) return fail(read.error());
        if (!*read) return fail(ErrorCode::kFormat, "{}: ends before its planned frames", attachment_.name);
        if (++next_ == plan_.chunks.size()) reader_.reset();
        return std::move((*read)->input.patches);
    }

  private:
    const AttachedFile attachment_;
    const MediaConfig config_;
    const VideoPlan plan_;
    std::mutex mutex_;
    std::optional<VideoReader> reader_;
    size_t next_ = 0;
};

// Everything that the pixels follow from. Another version of how they are made needs another number.
std::string identityOf(const ComposedMedium& medium, const AttachedFile& attachment, const MediaConfig& config) {
    constexpr int kVersion = 1;
    std::string out = fmt::format("{} {} page {} picture {} of {}x{} as {}x{}, patch {} merge {}, mean {} std {}",
                                  kVersion, attachment.content, medium.page, medium.picture, medium.width,
                                  medium.height, medium.resize.width, medium.resize.height, config.patchSize,
                                  config.mergeSize, fmt::join(config.mean, ","), fmt::join(config.std, ","));
    if (const auto& behind = config.background) {
        out += fmt::format(", background {} {} {} {} {} {}", static_cast<int>(behind->pattern),
                           static_cast<int>(behind->stage), static_cast<int>(behind->firstSquare), behind->square,
                           behind->white, behind->gray);
    }
    for (const VideoFrame& frame : medium.frames) out += fmt::format(" {}", frame.index);
    return out;
}

}  // namespace

void deferMedia(ComposedMessage& message, std::span<const AttachedFile> attachments, const ComposeOptions& options) {
    std::shared_ptr<ClipChunks> clip;
    std::shared_ptr<EmbeddedPictures> embedded;
    size_t clipOf = attachments.size(), chunk = 0, embeddedOf = attachments.size();
    for (ComposedMedium& medium : message.media) {
        const AttachedFile& attachment = attachments[medium.attachment];
        LaterPatches later{identityOf(medium, attachment, *options.media), {}};
        if (medium.kind == ComposedMedium::Kind::kImage) {
            // Without its input, or it would own itself.
            ComposedMedium plan = medium;
            plan.input = nullptr;
            if (embeddedOf != medium.attachment) {
                embedded = std::make_shared<EmbeddedPictures>();
                embeddedOf = medium.attachment;
            }
            later.make = [plan, attachment, options, embedded](const std::stop_token& stop) {
                return loadPicture(plan, attachment, options, *embedded, stop).map([](MediaInput input) {
                    return std::move(input.patches);
                });
            };
        } else {
            if (clipOf != medium.attachment) {
                clip = std::make_shared<ClipChunks>(attachment, *options.media,
                                                    *message.attachments[medium.attachment].video);
                clipOf = medium.attachment;
                chunk = 0;
            }
            later.make = [clip, chunk](const std::stop_token& stop) { return clip->chunk(chunk, stop); };
            ++chunk;
        }
        MediaInput input{std::max<int64_t>(1, std::ssize(medium.frames)),
                         medium.resize.rows,
                         medium.resize.columns,
                         {},
                         std::make_shared<const LaterPatches>(std::move(later))};
        medium.input = std::make_shared<const MediaInput>(std::move(input));
    }
}

Result<> loadMedia(ComposedMessage& message, std::span<const AttachedFile> attachments, const ComposeOptions& options,
                   const std::function<void(size_t done, size_t total)>& progress, std::stop_token stop) {
    std::optional<EmbeddedPictures> embedded;
    std::optional<VideoReader> reader;
    size_t embeddedOf = attachments.size(), readerOf = attachments.size();  // the document and the clip that are open
    for (size_t i = 0; i < message.media.size(); ++i) {
        if (progress) progress(i, message.media.size());
        ComposedMedium& medium = message.media[i];
        const AttachedFile& attachment = attachments[medium.attachment];
        if (medium.kind == ComposedMedium::Kind::kImage) {
            if (embeddedOf != medium.attachment) {
                embedded.emplace();
                embeddedOf = medium.attachment;
            }
            PAL_ASSIGN(MediaInput input, loadPicture(medium, attachment, options, *embedded, stop));
            medium.input = std::make_shared<const MediaInput>(std::move(input));
            continue;
        }
        if (readerOf != medium.attachment) {
            PAL_ASSIGN(reader, VideoReader::open(sourceOf(attachment), *options.media,
                                                 *message.attachments[medium.attachment].video));
            readerOf = medium.attachment;
        }
        PAL_ASSIGN(std::optional<VideoChunk> chunk, reader->next(stop));
        if (!chunk) return fail(ErrorCode::kFormat, "{}: ends before its planned frames", attachment.name);
        medium.input = std::make_shared<const MediaInput>(std::move(chunk->input));
    }
    if (progress) progress(message.media.size(), message.media.size());
    return {};
}

}  // namespace pal
