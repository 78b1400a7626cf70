// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace pal {

struct JsonMember;

// A JSON value as Python's json module sees it: objects keep the order of their members, numbers keep all their digits. Prompts
// are made from such values, and the model was trained on Python's text of them.
struct JsonValue {
    enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };
    Kind kind = Kind::kNull;
    std::string text;  // characters of a string, else the value's text as Python writes it ("null", "true", "1e+16")
    std::vector<JsonValue> items;     // of an array
    std::vector<JsonMember> members;  // of an object, each key once

    // The member's value, or null when there is none or this is no object.
    [[nodiscard]] const JsonValue* find(std::string_view key) const;
    [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
};

struct JsonMember {
    std::string key;
    JsonValue value;
};

inline constexpr int kMaxJsonDepth = 256;                  // nested arrays and objects
inline constexpr size_t kMaxJsonBytes = size_t{64} << 20;  // of text
inline constexpr size_t kMaxConfigBytes = size_t{16}
                                          << 20;  // of a file that describes a model; Kimi K3's largest has 0.1 MB
inline constexpr size_t kMaxJsonValues =
    size_t{4} * 1'000'000;  // in one text, nested ones included; each takes about 100 bytes

// Reads one JSON value (RFC 8259) with Python's leniencies: NaN, Infinity and -Infinity are numbers, of equal keys the last value
// counts at the first place, lone surrogates become U+FFFD. Errors: kFormat with line and column; nothing is recursed deeper than
// kMaxJsonDepth; kUnsupported for more than `maxBytes` bytes or kMaxJsonValues values.
Result<JsonValue> parseJson(std::string_view text, size_t maxBytes = kMaxJsonBytes);

enum class JsonLayout {
    kSpaced,         // json.dumps(v, ensure_ascii=False): members as they are, ", " and ": "
    kCompact,        // the same with separators (",", ":")
    kSortedCompact,  // the same with sort_keys=True: keys by code point
};
[[nodiscard]] std::string writeJson(const JsonValue& value, JsonLayout layout);

// Appends `text` in quotes; escapes only what JSON demands, as Python with ensure_ascii=False.
void appendJsonString(std::string& out, std::string_view text);

}  // namespace pal
