// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/base/result.h"

namespace pal {

// What a JSON text from outside may ask for. The defaults fit configs; safetensors headers and shard indexes raise maxBytes.
struct JsonLimits {
    uint64_t maxBytes = 16ULL << 20;
    int maxDepth = 32;
    uint64_t maxValues = 4'000'000;  // of any kind; each takes up to about 200 bytes of memory, however short its text
};

// Parses one JSON object. `name` stands at the front of every error. Stricter than the standard asks: a key that occurs twice in
// one object is an error, because the reader could not say which value counts.
// Errors: kFormat with the byte position.
Result<nlohmann::json> parseJsonObject(std::string_view text, std::string_view name, const JsonLimits& limits = {});

// The same for a file. Errors: kNotFound, kIo, kFormat.
Result<nlohmann::json> readJsonFile(const std::filesystem::path& path, const JsonLimits& limits = {});

}  // namespace pal
