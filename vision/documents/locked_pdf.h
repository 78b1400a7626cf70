// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "engine/base/result.h"

namespace pal {

// How the errors about PDFs with a password begin behind the file's name: no password was given, or not the right one.
inline constexpr std::string_view kLockedPdf = "a PDF locked with a password";
inline constexpr std::string_view kOtherPassword = "a PDF locked with another password";

enum class PasswordWish { kNone, kFirst, kAnother };

// Which password would help against an error of reading a document.
[[nodiscard]] inline PasswordWish passwordWish(const Error& error) {
    if (error.message.find(kOtherPassword) != std::string::npos) return PasswordWish::kAnother;
    return error.message.find(kLockedPdf) != std::string::npos ? PasswordWish::kFirst : PasswordWish::kNone;
}

}  // namespace pal
