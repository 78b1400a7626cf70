// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/base/result.h"
#include "kernels/api/backend.h"

namespace pal {

// kOutOfMemory: what wanted memory of a device, how much, and how much is free.
[[nodiscard]] inline tl::unexpected<Error> noRoom(Backend& backend, std::string_view what, size_t bytes) {
    const std::string device = backend.info().device;
    if (const uint64_t free = backend.freeBytes(); free > 0)
        return fail(ErrorCode::kOutOfMemory, "{} needs {} bytes, {} has {} free", what, bytes, device, free);
    return fail(ErrorCode::kOutOfMemory, "{} needs {} bytes, more than {} has free", what, bytes, device);
}

}  // namespace pal
