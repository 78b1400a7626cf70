// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/media_cache.h"

#include <xxhash.h>

#include <algorithm>

namespace pal {

MediaHash hashMedia(const MediaInput& media) {
    const std::array<int64_t, 3> grid{media.frames, media.rows, media.columns};
    const XXH64_hash_t seed = XXH3_64bits(grid.data(), sizeof grid);
    if (media.later) {
        const std::string& name = media.later->identity;
        const XXH128_hash_t hash = XXH3_128bits_withSeed(name.data(), name.size(), ~seed);
        return {hash.low64, hash.high64};
    }
    const XXH128_hash_t hash = XXH3_128bits_withSeed(media.patches.data(), media.patches.size() * sizeof(float), seed);
    return {hash.low64, hash.high64};
}

std::shared_ptr<const MediaEmbedding> MediaCache::find(const MediaHash& media) {
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == media; });
    if (entry == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, entry);
    return entry->second;
}

void MediaCache::add(const MediaHash& media, std::shared_ptr<const MediaEmbedding> embedding) {
    const uint64_t size = embedding->memory.size();
    if (size > capacityBytes_ || find(media) != nullptr) return;
    entries_.emplace_front(media, std::move(embedding));
    bytes_ += size;
    for (; bytes_ > capacityBytes_; entries_.pop_back()) bytes_ -= entries_.back().second->memory.size();
}

}  // namespace pal
