// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pal::detail {
// Writes the failed condition to standard error and aborts: a bug in this program, never outside input.
[[noreturn]] void checkFailed(const char* condition, const char* file, int line);
}  // namespace pal::detail

// Guards an invariant of the program itself, in every build. Outside input must be rejected by a Result before it gets here.
#define PAL_CHECK(condition) \
    (static_cast<bool>(condition) ? static_cast<void>(0) : ::pal::detail::checkFailed(#condition, __FILE__, __LINE__))
