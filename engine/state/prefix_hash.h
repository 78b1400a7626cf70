// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/api/state_store.h"

struct XXH3_state_s;

namespace pal {

// Names prefixes of a sequence: XXH3-128 over the identities of its first n tokens. Move-only.
class PrefixHasher {
  public:
    PrefixHasher();

    // The name of the first `tokens` of `identities`. Hashes on from the last call when that was for a shorter prefix of the same
    // sequence (the caller says when it is another one with restart()), so that names in ascending order cost one pass together.
    [[nodiscard]] Hash128 at(std::span<const uint64_t> identities, int64_t tokens);
    void restart();

  private:
    struct Free {
        void operator()(XXH3_state_s* state) const;
    };
    std::unique_ptr<XXH3_state_s, Free> state_;
    int64_t hashed_ = 0;
};

}  // namespace pal
