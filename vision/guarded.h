// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/base/result.h"

namespace pal {

// Runs `work`, which returns a Result, and turns a lack of memory into one. Stands once around each function that vision/ offers.
template <typename Work>
auto guarded(const std::string& name, Work&& work) -> decltype(work()) {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", name);
    } catch (const std::length_error&) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", name);
    }
}

}  // namespace pal
