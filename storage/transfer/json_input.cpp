// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/json_input.h"

#include <cmath>
#include <new>

namespace pal {
namespace {

constexpr size_t kMaxBytes = 256ULL << 20;  // parsed it takes about ten times that
constexpr int kMaxDepth = 128;

// Nesting is checked before parsing: values are copied and written by recursion.
bool tooDeep(std::string_view bytes) {
    int depth = 0;
    bool inString = false;
    for (size_t i = 0; i < bytes.size(); ++i) {
        const char c = bytes[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxDepth) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

}  // namespace

Result<nlohmann::json> parseJsonInput(std::string_view bytes, std::string_view name) {
    if (bytes.size() > kMaxBytes)
        return fail(ErrorCode::kUnsupported, "{}: {} bytes of JSON, the limit is {}", name, bytes.size(), kMaxBytes);
    if (tooDeep(bytes)) return fail(ErrorCode::kFormat, "{}: JSON nested deeper than {} levels", name, kMaxDepth);
    try {
        return nlohmann::json::parse(bytes);
    } catch (const nlohmann::json::parse_error& error) {
        return fail(ErrorCode::kFormat, "{}: no JSON at byte {}", name, error.byte);
    } catch (const nlohmann::json::exception& error) {
        return fail(ErrorCode::kFormat, "{}: {}", name, error.what());
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "{}: no memory for {} bytes of JSON", name, bytes.size());
    }
}

const nlohmann::json* memberAt(const nlohmann::json& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
}

std::string textAt(const nlohmann::json& object, std::string_view key) {
    const nlohmann::json* member = memberAt(object, key);
    return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

int64_t wholeAt(const nlohmann::json& object, std::string_view key) {
    const nlohmann::json* member = memberAt(object, key);
    if (member == nullptr || !member->is_number_integer()) return 0;
    // Above int64 it is no number that anything here counts.
    if (member->is_number_unsigned() && member->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) return 0;
    return member->get<int64_t>();
}

int64_t timeAt(const nlohmann::json& object, std::string_view key) {
    const nlohmann::json* member = memberAt(object, key);
    if (member == nullptr || !member->is_number()) return 0;
    constexpr double kMilliseconds = 1e11;  // as seconds: the year 5138
    constexpr double kLatest = 1e14;
    const auto value = member->get<double>();
    if (!std::isfinite(value) || value <= 0 || value > kLatest) return 0;
    return static_cast<int64_t>(value >= kMilliseconds ? value : value * 1000);
}

std::string objectTextAt(const nlohmann::json& object, std::string_view key) {
    const nlohmann::json* member = memberAt(object, key);
    return member != nullptr && member->is_object() ? jsonText(*member) : "{}";
}

std::string jsonText(const nlohmann::json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace pal
