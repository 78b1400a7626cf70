// SPDX-License-Identifier: Apache-2.0
#include "app/composition/media_reader.h"

#include "engine/api/chat.h"
#include "vision/image.h"
#include "vision/media_config.h"
#include "vision/video.h"

namespace pal {
namespace {

Result<MediaContent> readImage(const MediaSource& source, const MediaConfig& config) {
    PAL_ASSIGN(PreparedImage image, prepareImage(source, config));
    return MediaContent{{{imagePrompt(static_cast<uint32_t>(image.width), static_cast<uint32_t>(image.height)),
                          std::make_shared<const MediaInput>(std::move(image.input))}}};
}

Result<MediaContent> readVideo(const MediaSource& source, const MediaConfig& config) {
    PAL_ASSIGN(VideoPlan plan, planVideo(source, config));
    PAL_ASSIGN(VideoReader reader, VideoReader::open(source, config, std::move(plan)));
    MediaContent out;
    while (true) {
        PAL_ASSIGN(std::optional<VideoChunk> chunk, reader.next());
        if (!chunk) return out;
        out.parts.push_back(
            {videoChunkPrompt(chunk->timestamp), std::make_shared<const MediaInput>(std::move(chunk->input))});
    }
}

}  // namespace

Result<MediaContent> MediaReader::read(const Attachment& attachment) {
    const std::pair key(attachment.sha256, attachment.kind);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    PAL_ASSIGN(const MediaConfig config, readMediaConfig(model_));
    MediaSource source = MediaSource::file(sources_.path(attachment.sha256));
    source.name = attachment.name;
    PAL_ASSIGN(MediaContent content,
               attachment.kind == AttachmentKind::kVideo ? readVideo(source, config) : readImage(source, config));
    return known_.emplace(key, std::move(content)).first->second;
}

}  // namespace pal
