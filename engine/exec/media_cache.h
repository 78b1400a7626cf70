// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>

#include "engine/exec/vision_tower.h"

namespace pal {

// 128 bits over a medium's grid and its pixels or, where they are made later, their name: equal for equal media.
using MediaHash = std::array<uint64_t, 2>;
[[nodiscard]] MediaHash hashMedia(const MediaInput& media);

// Embeddings of the media that were used last, so that a picture goes through the tower once however many prompts it is part of. Engine
// thread.
class MediaCache {
  public:
    // Holds at most so much device memory; a larger medium is not kept.
    explicit MediaCache(uint64_t capacityBytes) : capacityBytes_(capacityBytes) {}

    // Null when it is not there.
    [[nodiscard]] std::shared_ptr<const MediaEmbedding> find(const MediaHash& media);
    void add(const MediaHash& media, std::shared_ptr<const MediaEmbedding> embedding);

    [[nodiscard]] uint64_t bytes() const { return bytes_; }
    [[nodiscard]] size_t size() const { return entries_.size(); }

  private:
    uint64_t capacityBytes_;
    uint64_t bytes_ = 0;
    std::list<std::pair<MediaHash, std::shared_ptr<const MediaEmbedding>>> entries_;  // the last used first
};

}  // namespace pal
