// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace pal {

// Parses JSON that others wrote. Errors: kFormat naming `name` and the byte, also for nesting above 128 levels; kUnsupported above
// 256 MiB; kOutOfMemory.
Result<nlohmann::json> parseJsonInput(std::string_view bytes, std::string_view name);

// Members of an object, leniently: a member that is missing or of another type counts as absent.
[[nodiscard]] const nlohmann::json* memberAt(const nlohmann::json& object, std::string_view key);
[[nodiscard]] std::string textAt(const nlohmann::json& object, std::string_view key);
[[nodiscard]] int64_t wholeAt(const nlohmann::json& object, std::string_view key);
// A time in seconds or, from 1e11 on, milliseconds since 1970, as milliseconds; 0 when there is none.
[[nodiscard]] int64_t timeAt(const nlohmann::json& object, std::string_view key);
// The object as text, "{}" when it is none.
[[nodiscard]] std::string objectTextAt(const nlohmann::json& object, std::string_view key);

// Text of a JSON value; malformed UTF-8 becomes U+FFFD.
[[nodiscard]] std::string jsonText(const nlohmann::json& value, int indent = -1);

}  // namespace pal
