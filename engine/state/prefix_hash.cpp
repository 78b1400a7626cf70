// SPDX-License-Identifier: Apache-2.0
#include "engine/state/prefix_hash.h"

#include <xxhash.h>

#include "engine/base/check.h"

namespace pal {

PrefixHasher::PrefixHasher() : state_(XXH3_createState()) {
    PAL_CHECK(state_ != nullptr);
    restart();
}

void PrefixHasher::Free::operator()(XXH3_state_s* state) const {
    XXH3_freeState(state);
}

void PrefixHasher::restart() {
    XXH3_128bits_reset(state_.get());
    hashed_ = 0;
}

Hash128 PrefixHasher::at(std::span<const uint64_t> identities, int64_t tokens) {
    PAL_CHECK(tokens >= 0 && tokens <= std::ssize(identities));
    if (tokens < hashed_) restart();
    const auto more = identities.subspan(static_cast<size_t>(hashed_), static_cast<size_t>(tokens - hashed_));
    XXH3_128bits_update(state_.get(), more.data(), more.size_bytes());
    hashed_ = tokens;
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return {hash.high64, hash.low64};
}

}  // namespace pal
