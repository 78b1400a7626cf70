// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace pal {

// What kind of failure an Error is. The app maps codes to translated sentences; messages stay technical English.
enum class ErrorCode {
    kCancelled,        // the caller asked to stop
    kInvalidArgument,  // a request that can never work (bad flag, zero-length prompt)
    kNotFound,         // a file, model or session that is not there
    kIo,               // the operating system refused: permission, disk full, vanished
    kFormat,           // outside data that breaks its own format
    kUnsupported,      // well-formed, but not something this version runs
    kOutOfMemory,
    kDeviceLost,
    kBusy,      // someone else owns the resource now
    kConflict,  // two valid things that do not fit together (state and model fingerprint)
    kCorrupt,   // our own stored data fails its checksum
    kInternal,  // a bug reported as a value
};

// The code's name as written in logs and JSON ("format", "not_found").
std::string_view errorCodeName(ErrorCode code);

// An expected failure. `message` names the file or tensor and both numbers, without a final full stop.
struct Error {
    ErrorCode code = ErrorCode::kInternal;
    std::string message;

    // "context: message", same code.
    [[nodiscard]] Error withContext(std::string_view context) const {
        return {code, fmt::format("{}: {}", context, message)};
    }
};

template <typename T = void>
using Result = tl::expected<T, Error>;

template <typename... Args>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
    return tl::unexpected<Error>(Error{code, fmt::format(format, std::forward<Args>(args)...)});
}

// Passes an error on to the caller's own Result type.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace pal

// Evaluates a Result<void> expression and returns its error from the enclosing function, if any.
#define PAL_TRY(expression)                                                          \
    do {                                                                             \
        if (auto palTryResult_ = (expression); !palTryResult_.has_value())           \
            return ::tl::unexpected<::pal::Error>(std::move(palTryResult_.error())); \
    } while (false)

#define PAL_CONCAT_INNER(a, b) a##b
#define PAL_CONCAT(a, b) PAL_CONCAT_INNER(a, b)

// PAL_ASSIGN(auto x, makeX()) declares x from a Result<T>, or returns its error from the enclosing function.
#define PAL_ASSIGN(declaration, expression) PAL_ASSIGN_INNER(PAL_CONCAT(palAssign_, __LINE__), declaration, expression)
#define PAL_ASSIGN_INNER(temporary, declaration, expression)                                         \
    auto temporary = (expression);                                                                   \
    if (!temporary.has_value()) return ::tl::unexpected<::pal::Error>(std::move(temporary.error())); \
    declaration = std::move(*temporary)
