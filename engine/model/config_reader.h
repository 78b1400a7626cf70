// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/problems.h"

namespace pal {

// Reads typed values out of one JSON object and notes every missing or wrong one under its full key. After a problem a harmless
// value is returned, so that the caller goes on and collects the rest. Confined to one call of the parser.
class ConfigReader {
  public:
    // `prefix` is the object's own key with a final dot, or empty; `object` and `problems` outlive the reader.
    ConfigReader(const nlohmann::json& object, std::string prefix, Problems& problems)
        : object_(object), prefix_(std::move(prefix)), problems_(problems) {}

    // Neither missing nor null: published configs write null for "off".
    [[nodiscard]] bool has(const char* key) const { return find(key) != nullptr; }

    // Required values; numbers must lie in [low, high].
    int64_t integer(const char* key, int64_t low, int64_t high);
    float number(const char* key, double low, double high);
    bool boolean(const char* key);
    std::string text(const char* key);
    std::vector<int64_t> integers(const char* key, int64_t low, int64_t high);

    // Absent or null gives nothing; a present value must be right.
    std::optional<int64_t> optionalInteger(const char* key, int64_t low, int64_t high);
    std::optional<float> optionalNumber(const char* key, double low, double high);
    std::optional<bool> optionalBoolean(const char* key);
    // One integer or a list of them; absent gives an empty list.
    std::vector<int64_t> optionalIntegers(const char* key, int64_t low, int64_t high);

    // Required, and only this value is run by the engine: another one of its type is noted as unsupported.
    void expect(const char* key, const nlohmann::json& only);

    // A required nested object.
    std::optional<ConfigReader> object(const char* key);

    [[nodiscard]] std::string name(const char* key) const { return prefix_ + key; }
    [[nodiscard]] Problems& problems() { return problems_; }

  private:
    [[nodiscard]] const nlohmann::json* find(const char* key) const;
    const nlohmann::json* required(const char* key);
    std::optional<int64_t> toInteger(const nlohmann::json& value, const char* key, int64_t low, int64_t high);
    std::optional<float> toNumber(const nlohmann::json& value, const char* key, double low, double high);
    std::optional<bool> toBoolean(const nlohmann::json& value, const char* key);
    std::vector<int64_t> toIntegers(const nlohmann::json& list, const char* key, int64_t low, int64_t high);
    void wrongKind(const nlohmann::json& value, const char* key, std::string_view expected);

    const nlohmann::json& object_;
    std::string prefix_;
    Problems& problems_;
};

}  // namespace pal
