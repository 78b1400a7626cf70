// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

// Pictures that lie in documents, of one document at a time.
class EmbeddedPictures {
  public:
    // The `number`-th picture of a page, from 1.
    Result<const EmbeddedPicture*> find(const AttachedFile& document, int page, size_t number,
                                        const DocumentOptions& options) {
        if (path_ != document.path) {
            PAL_ASSIGN(pictures_, readPictures(document.path, options));
            path_ = document.path;
        }
        for (const EmbeddedPicture& picture : pictures_) {
            if (picture.page == page && --number == 0) return &picture;
        }
        return fail(ErrorCode::kConflict, "{}, page {}: has other pictures than when it was planned", document.name,
                    page);
    }

  private:
    std::filesystem::path path_;
    std::vector<EmbeddedPicture> pictures_;
};

Result<std::shared_ptr<const MediaInput>> loadPicture(const ComposedMedium& medium, const AttachedFile& attachment,
                                                      const ComposeOptions& options, EmbeddedPictures& embedded,
                                                      const std::stop_token& stop) {
    if (medium.page == 0) {
        PAL_ASSIGN(PreparedImage image,
                   prepareImage(MediaSource::file(attachment.path), *options.media, options.image, stop));
        return std::make_shared<const MediaInput>(std::move(image.input));
    }
    DocumentOptions document = options.document;
    document.stop = stop;
    document.progress = {};
    if (medium.picture > 0) {
        PAL_ASSIGN(const EmbeddedPicture* picture, embedded.find(attachment, medium.page, medium.picture, document));
        const std::string name = fmt::format("{}, page {}, {}", attachment.name, medium.page, picture->name);
        const auto source = MediaSource::bytes(name, std::as_bytes(std::span(picture->file)));
        PAL_ASSIGN(PreparedImage image, prepareImage(source, *options.media, options.image, stop));
        return std::make_shared<const MediaInput>(std::move(image.input));
    }
    PAL_ASSIGN(const PageImage page, readPageImage(attachment.path, medium.page, document));
    if (page.width != medium.width || page.height != medium.height) {
        return fail(ErrorCode::kConflict, "{}, page {}: is {} x {} pixels, was {} x {} when it was planned",
                    attachment.name, medium.page, page.width, page.height, medium.width, medium.height);
    }
    PAL_ASSIGN(PreparedImage image, prepareRaster(rasterOf(page), *options.media, options.image, stop));
    return std::make_shared<const MediaInput>(std::move(image.input));
}

}  // namespace

Result<> loadMedia(ComposedMessage& message, std::span<const AttachedFile> attachments, const ComposeOptions& options,
                   const std::function<void(size_t done, size_t total)>& progress, std::stop_token stop) {
    EmbeddedPictures embedded;
    std::optional<VideoReader> reader;
    size_t readerOf = attachments.size();  // the clip that is open
    for (size_t i = 0; i < message.media.size(); ++i) {
        if (progress) progress(i, message.media.size());
        ComposedMedium& medium = message.media[i];
        const AttachedFile& attachment = attachments[medium.attachment];
        if (medium.kind == ComposedMedium::Kind::kImage) {
            PAL_ASSIGN(medium.input, loadPicture(medium, attachment, options, embedded, stop));
            continue;
        }
        if (readerOf != medium.attachment) {
            PAL_ASSIGN(reader, VideoReader::open(MediaSource::file(attachment.path), *options.media,
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
