// SPDX-License-Identifier: Apache-2.0
#include "engine/model/config_reader.h"

#include <algorithm>
#include <limits>

namespace pal {
namespace {

using nlohmann::json;

// A value as it stands in the file, short enough for a message.
std::string shown(const json& value) {
    constexpr size_t kShown = 60;
    std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() > kShown) text = text.substr(0, kShown) + "...";
    return text;
}

}  // namespace

const json* ConfigReader::find(const char* key) const {
    const auto it = object_.find(key);
    return it == object_.end() || it->is_null() ? nullptr : &*it;
}

const json* ConfigReader::required(const char* key) {
    const json* value = find(key);
    if (value == nullptr) problems_.add("{} is missing", name(key));
    return value;
}

void ConfigReader::wrongKind(const json& value, const char* key, std::string_view expected) {
    problems_.add("{} is {}, expected {}", name(key), shown(value), expected);
}

std::optional<int64_t> ConfigReader::toInteger(const json& value, const char* key, int64_t low, int64_t high) {
    if (!value.is_number_integer()) {
        wrongKind(value, key, "an integer");
        return std::nullopt;
    }
    const bool tooBig = value.is_number_unsigned() &&
                        value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    if (tooBig || value.get<int64_t>() < low || value.get<int64_t>() > high) {
        problems_.add("{} is {}, expected {} to {}", name(key), shown(value), low, high);
        return std::nullopt;
    }
    return value.get<int64_t>();
}

std::optional<float> ConfigReader::toNumber(const json& value, const char* key, double low, double high) {
    if (!value.is_number()) {
        wrongKind(value, key, "a number");
        return std::nullopt;
    }
    const auto number = value.get<double>();
    if (!(number >= low && number <= high)) {
        problems_.add("{} is {}, expected {} to {}", name(key), shown(value), low, high);
        return std::nullopt;
    }
    return static_cast<float>(number);
}

std::optional<bool> ConfigReader::toBoolean(const json& value, const char* key) {
    if (value.is_boolean()) return value.get<bool>();
    wrongKind(value, key, "true or false");
    return std::nullopt;
}

std::vector<int64_t> ConfigReader::toIntegers(const json& list, const char* key, int64_t low, int64_t high) {
    std::vector<int64_t> out;
    for (const json& entry : list) {
        const auto value = toInteger(entry, key, low, high);
        if (!value.has_value()) break;
        out.push_back(*value);
    }
    return out;
}

int64_t ConfigReader::integer(const char* key, int64_t low, int64_t high) {
    const json* value = required(key);
    return value == nullptr ? low : toInteger(*value, key, low, high).value_or(low);
}

float ConfigReader::number(const char* key, double low, double high) {
    const json* value = required(key);
    const auto fallback = static_cast<float>(low);
    return value == nullptr ? fallback : toNumber(*value, key, low, high).value_or(fallback);
}

bool ConfigReader::boolean(const char* key) {
    const json* value = required(key);
    return value != nullptr && toBoolean(*value, key).value_or(false);
}

std::string ConfigReader::text(const char* key) {
    const json* value = required(key);
    if (value == nullptr) return {};
    if (value->is_string()) return value->get<std::string>();
    wrongKind(*value, key, "a string");
    return {};
}

std::vector<int64_t> ConfigReader::integers(const char* key, int64_t low, int64_t high) {
    const json* value = required(key);
    if (value == nullptr) return {};
    if (value->is_array()) return toIntegers(*value, key, low, high);
    wrongKind(*value, key, "a list of integers");
    return {};
}

std::optional<int64_t> ConfigReader::optionalInteger(const char* key, int64_t low, int64_t high) {
    const json* value = find(key);
    return value == nullptr ? std::nullopt : toInteger(*value, key, low, high);
}

std::optional<float> ConfigReader::optionalNumber(const char* key, double low, double high) {
    const json* value = find(key);
    return value == nullptr ? std::nullopt : toNumber(*value, key, low, high);
}

std::optional<bool> ConfigReader::optionalBoolean(const char* key) {
    const json* value = find(key);
    return value == nullptr ? std::nullopt : toBoolean(*value, key);
}

std::vector<int64_t> ConfigReader::optionalIntegers(const char* key, int64_t low, int64_t high) {
    const json* value = find(key);
    if (value == nullptr) return {};
    if (value->is_array()) return toIntegers(*value, key, low, high);
    const auto single = toInteger(*value, key, low, high);
    return single.has_value() ? std::vector{*single} : std::vector<int64_t>{};
}

void ConfigReader::expect(const char* key, const json& only) {
    const json* value = required(key);
    if (value == nullptr || *value == only) return;
    if (value->type() != only.type()) return wrongKind(*value, key, only.dump());
    problems_.addUnsupported("{} is {}, only {} is supported", name(key), shown(*value), only.dump());
}

std::optional<ConfigReader> ConfigReader::object(const char* key) {
    const json* value = required(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_object()) {
        wrongKind(*value, key, "an object");
        return std::nullopt;
    }
    return ConfigReader(*value, name(key) + ".", problems_);
}

}  // namespace pal
