// SPDX-License-Identifier: Apache-2.0
#include "engine/text/json_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "engine/text/json_number.h"
#include "engine/text/utf8.h"

namespace pal {
namespace {

using Kind = JsonValue::Kind;

// Of equal keys the last value counts, at the place of the first.
void keepLastOfEqualKeys(std::vector<JsonMember>& members) {
    std::vector<size_t> order(members.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return members[a].key < members[b].key; });
    std::vector<char> dropped(members.size(), 0);
    bool any = false;
    for (size_t i = 0; i < order.size();) {
        size_t last = i;
        while (last + 1 < order.size() && members[order[last + 1]].key == members[order[i]].key)
            dropped[order[++last]] = 1;
        if (last > i) {
            members[order[i]].value = std::move(members[order[last]].value);
            any = true;
        }
        i = last + 1;
    }
    if (!any) return;
    size_t kept = 0;
    for (size_t i = 0; i < members.size(); ++i) {
        if (dropped[i] != 0) continue;
        if (kept != i) members[kept] = std::move(members[i]);
        ++kept;
    }
    members.resize(kept);
}

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    Result<JsonValue> document() {
        skipBlanks();
        PAL_ASSIGN(JsonValue value, parseValue(0));
        skipBlanks();
        if (at_ < text_.size()) return bad("text after the end of the value");
        return value;
    }

  private:
    [[nodiscard]] tl::unexpected<Error> bad(std::string_view what) const {
        const std::string_view before = text_.substr(0, at_);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
        return fail(ErrorCode::kFormat, "JSON line {}, column {}: {}", line, at_ - lineStart + 1, what);
    }
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char wanted) {
        if (peek() != wanted || at_ >= text_.size()) return false;
        ++at_;
        return true;
    }
    bool takeWord(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    void skipBlanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }

    Result<JsonValue> parseValue(int depth) {
        if (++values_ > kMaxJsonValues) {
            return fail(ErrorCode::kUnsupported, "{} or more JSON values, at most {} are allowed", values_,
                        kMaxJsonValues);
        }
        if (at_ >= text_.size()) return bad("the text ends where a value should be");
        if (depth >= kMaxJsonDepth && (peek() == '[' || peek() == '{')) {
            return bad(fmt::format("nested deeper than {} levels", kMaxJsonDepth));
        }
        switch (peek()) {
            case '{':
                return parseObject(depth);
            case '[':
                return parseArray(depth);
            case '"': {
                PAL_ASSIGN(std::string characters, parseString());
                return JsonValue{Kind::kString, std::move(characters), {}, {}};
            }
            default:
                return parseScalar();
        }
    }

    Result<JsonValue> parseScalar() {
        for (const std::string_view word : {"null", "true", "false", "NaN", "Infinity", "-Infinity"}) {
            if (!takeWord(word)) continue;
            const Kind kind = word == "null"                      ? Kind::kNull
                              : word == "true" || word == "false" ? Kind::kBoolean
                                                                  : Kind::kNumber;
            return JsonValue{kind, std::string(word), {}, {}};
        }
        const size_t start = at_;
        take('-');
        if (!take('0') && !takeDigits()) return bad("expected a value");
        if (take('.') && !takeDigits()) return bad("expected a digit after the decimal point");
        if (take('e') || take('E')) {
            if (!take('+')) take('-');
            if (!takeDigits()) return bad("expected a digit in the exponent");
        }
        return JsonValue{Kind::kNumber, pythonNumber(text_.substr(start, at_ - start)), {}, {}};
    }

    bool takeDigits() {
        const size_t start = at_;
        while (peek() >= '0' && peek() <= '9') ++at_;
        return at_ > start;
    }

    Result<JsonValue> parseArray(int depth) {
        JsonValue value{Kind::kArray, {}, {}, {}};
        ++at_;
        skipBlanks();
        if (take(']')) return value;
        for (;;) {
            skipBlanks();
            PAL_ASSIGN(JsonValue item, parseValue(depth + 1));
            value.items.push_back(std::move(item));
            skipBlanks();
            if (take(']')) return value;
            if (!take(',')) return bad("expected ',' or ']' in an array");
        }
    }

    Result<JsonValue> parseObject(int depth) {
        JsonValue value{Kind::kObject, {}, {}, {}};
        ++at_;
        skipBlanks();
        if (take('}')) return value;
        for (;;) {
            skipBlanks();
            if (peek() != '"') return bad("expected a key in quotes");
            PAL_ASSIGN(std::string key, parseString());
            skipBlanks();
            if (!take(':')) return bad("expected ':' after a key");
            skipBlanks();
            PAL_ASSIGN(JsonValue member, parseValue(depth + 1));
            value.members.push_back({std::move(key), std::move(member)});
            skipBlanks();
            if (take('}')) break;
            if (!take(',')) return bad("expected ',' or '}' in an object");
        }
        keepLastOfEqualKeys(value.members);
        return value;
    }

    Result<std::string> parseString() {
        std::string out;
        ++at_;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"') {
                ++at_;
                return out;
            }
            if (c == '\\') {
                PAL_TRY(parseEscape(out));
                continue;
            }
            if (static_cast<unsigned char>(c) < 0x20) return bad("a control character in a string must be escaped");
            const utf8::Step step = utf8::decode(text_, at_);
            if (step.status != utf8::Status::kValid) return bad("not UTF-8");
            out += text_.substr(at_, step.length);
            at_ += step.length;
        }
        return bad("the text ends inside a string");
    }

    Result<> parseEscape(std::string& out) {
        constexpr std::string_view kLetters = "\"\\/bfnrt";
        constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
        ++at_;
        if (const size_t i = kLetters.find(peek()); at_ < text_.size() && i != std::string_view::npos) {
            out.push_back(kMeanings[i]);
            ++at_;
            return {};
        }
        if (!take('u')) return bad("unknown escape in a string");
        PAL_ASSIGN(uint32_t unit, parseHex());
        const bool highSurrogate = unit >= 0xD800 && unit < 0xDC00;
        if (highSurrogate && text_.substr(at_).starts_with("\\u")) {
            const size_t before = at_;
            at_ += 2;
            PAL_ASSIGN(const uint32_t low, parseHex());
            if (low >= 0xDC00 && low < 0xE000) {
                unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            } else {
                at_ = before;  // not its pair: read again on its own
            }
        }
        utf8::append(out, unit);
        return {};
    }

    Result<uint32_t> parseHex() {
        const std::string_view digits = text_.substr(at_, 4);
        uint32_t unit = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
        if (digits.size() < 4 || error != std::errc{} || end != digits.data() + 4)
            return bad("expected four hex digits after \\u");
        at_ += 4;
        return unit;
    }

    std::string_view text_;
    size_t at_ = 0;
    size_t values_ = 0;  // begun so far
};

class Writer {
  public:
    explicit Writer(JsonLayout layout)
        : sorted_(layout == JsonLayout::kSortedCompact),
          comma_(layout == JsonLayout::kSpaced ? ", " : ","),
          colon_(layout == JsonLayout::kSpaced ? ": " : ":") {}

    void write(std::string& out, const JsonValue& value) const {
        switch (value.kind) {
            case Kind::kString:
                appendJsonString(out, value.text);
                break;
            case Kind::kArray:
                out += '[';
                for (size_t i = 0; i < value.items.size(); ++i) {
                    if (i > 0) out += comma_;
                    write(out, value.items[i]);
                }
                out += ']';
                break;
            case Kind::kObject:
                writeObject(out, value);
                break;
            default:
                out += value.text;
        }
    }

  private:
    void writeObject(std::string& out, const JsonValue& value) const {
        std::vector<const JsonMember*> members;
        for (const JsonMember& member : value.members) members.push_back(&member);
        if (sorted_) {  // UTF-8 keeps the order of code points
            std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
        }
        out += '{';
        for (size_t i = 0; i < members.size(); ++i) {
            if (i > 0) out += comma_;
            appendJsonString(out, members[i]->key);
            out += colon_;
            write(out, members[i]->value);
        }
        out += '}';
    }

    bool sorted_;
    std::string_view comma_;
    std::string_view colon_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
    const auto found = std::find_if(members.begin(), members.end(), [&](const JsonMember& m) { return m.key == key; });
    return found != members.end() ? &found->value : nullptr;
}

Result<JsonValue> parseJson(std::string_view text, size_t maxBytes) {
    if (text.size() > maxBytes) {
        return fail(ErrorCode::kUnsupported, "{} bytes of JSON, at most {} are allowed", text.size(), maxBytes);
    }
    return Parser(text).document();
}

std::string writeJson(const JsonValue& value, JsonLayout layout) {
    std::string out;
    Writer(layout).write(out, value);
    return out;
}

void appendJsonString(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
        constexpr std::string_view kLetters = "\"\\bfnrt";
        if (const size_t i = kNamed.find(c); i != std::string_view::npos) {
            out += '\\';
            out += kLetters[i];
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    out += '"';
}

}  // namespace pal
