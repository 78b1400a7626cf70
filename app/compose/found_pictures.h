// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/compose/attached_file.h"
#include "vision/image.h"

namespace pal {

// A picture that lies in a document without laid out pages: its header, or what is wrong with it.
struct FoundPicture {
    int page = 0;
    Result<ImageInfo> info;
};

// The pictures found in one document, for a message that is composed again and again while a person writes: the document is then opened once
// for each choice of options. Holds sizes, no pixels. Thread-safe; shared by copies of the AttachedFile.
class FoundPictures {
  public:
    using List = std::shared_ptr<const std::vector<FoundPicture>>;

    // Null when they were looked for with other options, or not at all.
    [[nodiscard]] List find(const AttachmentOptions& options) const {
        const std::lock_guard lock(mutex_);
        return options_ == options ? pictures_ : nullptr;
    }
    void keep(const AttachmentOptions& options, List pictures) {
        const std::lock_guard lock(mutex_);
        options_ = options;
        pictures_ = std::move(pictures);
    }

  private:
    mutable std::mutex mutex_;
    std::optional<AttachmentOptions> options_;
    List pictures_;
};

}  // namespace pal
