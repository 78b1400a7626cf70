// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <string_view>

#include "engine/base/result.h"

namespace pal {

// What `work` returns, a Result; kOutOfMemory naming `what` when the memory runs out inside. For entries that read outside data, whose
// size decides what is allocated.
template <typename Work>
auto guardMemory(std::string_view what, const Work& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", what);
    }
}

}  // namespace pal
