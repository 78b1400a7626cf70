// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/media_input.h"
#include "engine/base/result.h"
#include "storage/chats/chat_types.h"
#include "storage/chats/source_files.h"

namespace pal {

// What an attached picture (one part) or clip (a part per group of frames) is in a prompt.
struct MediaContent {
    struct Part {
        std::string prompt;  // holds one media pad
        std::shared_ptr<const MediaInput> input;
    };
    std::vector<Part> parts;
};

// Turns attached pictures and clips into what the vision tower reads, from the bytes that the library keeps; remembers their patches
// while it lives, without a limit. Confined to one thread.
class MediaReader {
  public:
    // `model` is the model's folder, `sources` outlives the reader.
    MediaReader(std::filesystem::path model, const SourceFiles& sources)
        : model_(std::move(model)), sources_(sources) {}

    // Errors: those of decoding with the attachment's name; kUnsupported when the model cannot see.
    Result<MediaContent> read(const Attachment& attachment);

  private:
    std::filesystem::path model_;
    const SourceFiles& sources_;
    std::map<std::pair<Sha256, AttachmentKind>, MediaContent> known_;  // a GIF may be a picture or a clip
};

}  // namespace pal
