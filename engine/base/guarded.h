// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace pal {

// Runs `work`, which returns a Result, and turns what libraries throw into one: a lack of memory is kOutOfMemory, anything else
// kInternal. `what` begins the message. Stands once around each public function whose work calls code that throws.
template <typename Work>
auto guarded(std::string_view what, Work&& work) -> decltype(work()) {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", what);
    } catch (const std::length_error&) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", what);
    } catch (const std::exception& error) {
        return fail(ErrorCode::kInternal, "{}: {}", what, error.what());
    }
}

}  // namespace pal
