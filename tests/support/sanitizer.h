// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pal::test {

// A sanitizer takes more address space than any limit, keeps freed memory for a while and makes threads itself. GCC and clang tell it differently.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace pal::test
