// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace pal {

// Runs `work`, which returns a Result, and turns what the standard library throws when a model asks for more than the machine has
// into one. `subject` stands in front of the message. Stands once around each function that the engine offers.
template <typename Work>
auto withoutExceptions(std::string_view subject, Work&& work) -> decltype(work()) {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", subject);
    } catch (const std::length_error&) {
        return fail(ErrorCode::kOutOfMemory, "{}: not enough memory", subject);
    } catch (const std::exception& error) {  // no threads left, a path that cannot be converted
        return fail(ErrorCode::kInternal, "{}: {}", subject, error.what());
    }
}

}  // namespace pal
