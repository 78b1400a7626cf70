// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/attachment_reader.h"

#include <algorithm>
#include <utility>

#include "app/compose/found_pictures.h"
#include "app/compose/media_requests.h"
#include "app/composition/attachments.h"
#include "app/desktop/composer/pictures.h"
#include "engine/base/mapped_file.h"
#include "storage/chats/sha256.h"

namespace pal::desktop {
namespace {

constexpr int64_t kThumbnailSide = 256;  // pixels: sharp on a card at twice the scale
constexpr int64_t kClipFrames = 12;

using Progress = std::function<void(double)>;

Result<uint64_t> bytesOf(const std::filesystem::path& path) {
    std::error_code error;
    const uint64_t bytes = std::filesystem::file_size(path, error);
    if (error) return fail(ErrorCode::kIo, "{}: {}", path.string(), error.message());
    return bytes;
}

// The first page as it is printed. A document without such a picture has an icon, too.
QImage pageThumbnail(const AttachedFile& file, const DocumentOptions& reading) {
    const auto& pages = file.document->pages;
    if (pages.empty() || pages.front().imageWidth < 1) return {};
    const auto page = readPageImage(file.path, pages.front().number, reading);
    if (!page) return {};
    const auto side = static_cast<int>(kThumbnailSide);
    return imageOf(*page).scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

Result<> readText(const AttachmentOrder& order, const Progress& progress, const std::stop_token& stop,
                  AttachmentFacts& out) {
    DocumentOptions reading = order.reading;
    reading.stop = stop;
    reading.firstPage = 1;
    reading.lastPage = 0;
    reading.progress = [&](const DocumentProgress& at) {
        if (at.pagesTotal > 0) progress(static_cast<double>(at.pagesDone) / at.pagesTotal);
    };
    {
        PAL_ASSIGN(const MappedFile mapped, MappedFile::open(out.file.path));
        out.file.content = contentName(sha256(mapped.bytes()));
    }
    PAL_ASSIGN(Document document, readDocument(out.file.path, reading));
    out.file.document = std::make_shared<const Document>(std::move(document));
    out.file.pictures = std::make_shared<FoundPictures>();
    reading.progress = {};
    out.thumbnail = pageThumbnail(out.file, reading);
    return {};
}

Result<> readPicture(const MediaConfig& media, const std::stop_token& stop, AttachmentFacts& out) {
    ImageRequest request;
    request.thumbnailSide = kThumbnailSide;
    PAL_ASSIGN(const PreparedImage image, prepareImage(sourceOf(out.file), media, request, stop));
    out.width = image.width;
    out.height = image.height;
    if (image.thumbnail) out.thumbnail = imageOf(*image.thumbnail);
    return {};
}

Result<> readClip(const MediaConfig& media, const Progress& progress, const std::stop_token& stop,
                  AttachmentFacts& out) {
    PAL_ASSIGN(VideoPlan plan, planVideo(sourceOf(out.file), media, {}, progress, stop));
    out.width = plan.width;
    out.height = plan.height;
    VideoRequest few;
    few.maxFrames = kClipFrames;
    PAL_ASSIGN(VideoPlan strip, replanVideo(plan, media, few, out.file.name));
    out.file.clip = std::make_shared<const VideoPlan>(std::move(plan));
    PAL_ASSIGN(VideoReader reader, VideoReader::open(sourceOf(out.file), media, std::move(strip), {kThumbnailSide, 2}));
    while (true) {
        PAL_ASSIGN(const std::optional<VideoChunk> chunk, reader.next(stop));
        if (!chunk) break;
        for (size_t i = 0; i < chunk->thumbnails.size(); ++i)
            out.frames.push_back({chunk->frames[i].seconds, imageOf(chunk->thumbnails[i])});
    }
    if (!out.frames.empty()) out.thumbnail = out.frames.front().image;
    return {};
}

}  // namespace

Result<AttachmentFacts> readAttachment(const AttachmentOrder& order, const Progress& progress,
                                       const std::stop_token& stop) {
    AttachmentFacts out;
    out.file = order.file;
    if (out.file.kind == AttachedKind::kText) {
        if (!out.file.document) {
            Document text;
            text.pageCount = 1;
            text.pages.emplace_back().text = std::exchange(out.file.text, {});
            out.file.document = std::make_shared<const Document>(std::move(text));
        }
        out.bytes = out.file.document->pages.front().text.size();
        return out;
    }
    if (!order.image.isNull() && !order.image.save(QString::fromStdString(out.file.path.string()), "PNG"))
        return fail(ErrorCode::kIo, "{}: the image cannot be written", out.file.path.string());
    PAL_ASSIGN(const AttachedFile known, recogniseFile(out.file.path));
    out.file.kind = known.kind;
    PAL_ASSIGN(out.bytes, bytesOf(out.file.path));
    if (out.file.kind == AttachedKind::kDocument) {
        PAL_TRY(readText(order, progress, stop, out));
        return out;
    }
    if (!order.media) return fail(ErrorCode::kUnsupported, "{}: this model cannot see", out.file.name);
    if (out.file.kind == AttachedKind::kImage) {
        PAL_TRY(readPicture(*order.media, stop, out));
    } else {
        PAL_TRY(readClip(*order.media, progress, stop, out));
    }
    return out;
}

}  // namespace pal::desktop
