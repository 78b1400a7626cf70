// SPDX-License-Identifier: Apache-2.0
#include "engine/text/utf8.h"

#include "engine/api/tokenizer.h"

namespace pal {
namespace utf8 {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// What may follow a first byte: number of continuation bytes and the range of the first of them (Unicode 15, table 3-7).
struct Lead {
    uint8_t continuations = 0;  // 0: not a first byte
    uint8_t low = 0x80;
    uint8_t high = 0xBF;
};

Lead leadOf(unsigned char byte) {
    if (byte < 0xC2) return {};
    if (byte < 0xE0) return {1};
    if (byte == 0xE0) return {2, 0xA0, 0xBF};
    if (byte == 0xED) return {2, 0x80, 0x9F};
    if (byte < 0xF0) return {2};
    if (byte == 0xF0) return {3, 0x90, 0xBF};
    if (byte < 0xF4) return {3};
    if (byte == 0xF4) return {3, 0x80, 0x8F};
    return {};
}

}  // namespace

Step decodeMultibyte(std::string_view text, size_t position) {
    const auto first = static_cast<unsigned char>(text[position]);
    Lead lead = leadOf(first);
    if (lead.continuations == 0) return {};
    uint32_t codePoint = first & (0x3FU >> lead.continuations);
    for (uint8_t i = 1; i <= lead.continuations; ++i) {
        if (position + i >= text.size()) return {0xFFFD, i, Status::kTruncated};
        const auto byte = static_cast<unsigned char>(text[position + i]);
        if (byte < lead.low || byte > lead.high) return {0xFFFD, i, Status::kMalformed};
        codePoint = codePoint << 6 | (byte & 0x3FU);
        lead.low = 0x80;
        lead.high = 0xBF;
    }
    return {codePoint, static_cast<uint8_t>(lead.continuations + 1), Status::kValid};
}

void append(std::string& out, uint32_t codePoint) {
    const auto put = [&out](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (codePoint < 0x80) {
        put(codePoint);
    } else if (codePoint < 0x800) {
        put(0xC0 | codePoint >> 6);
        put(0x80 | (codePoint & 0x3F));
    } else if (codePoint > 0x10FFFF || (codePoint >= 0xD800 && codePoint < 0xE000)) {
        out += kReplacement;
    } else if (codePoint < 0x10000) {
        put(0xE0 | codePoint >> 12);
        put(0x80 | (codePoint >> 6 & 0x3F));
        put(0x80 | (codePoint & 0x3F));
    } else {
        put(0xF0 | codePoint >> 18);
        put(0x80 | (codePoint >> 12 & 0x3F));
        put(0x80 | (codePoint >> 6 & 0x3F));
        put(0x80 | (codePoint & 0x3F));
    }
}

bool isValid(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        const Step step = decode(text, i);
        if (step.status != Status::kValid) return false;
        i += step.length;
    }
    return true;
}

}  // namespace utf8

void StreamDecoder::push(std::string_view bytes, std::string& out) {
    std::string joined;
    if (!held_.empty()) {
        joined = std::move(held_);
        held_.clear();
        joined += bytes;
        bytes = joined;
    }
    for (size_t i = 0; i < bytes.size();) {
        const utf8::Step step = utf8::decode(bytes, i);
        if (step.status == utf8::Status::kTruncated) {
            held_ = bytes.substr(i);
            return;
        }
        if (step.status == utf8::Status::kValid) {
            out += bytes.substr(i, step.length);
        } else {
            out += utf8::kReplacement;
        }
        i += step.length;
    }
}

void StreamDecoder::finish(std::string& out) {
    if (!held_.empty()) out += utf8::kReplacement;
    held_.clear();
}

std::string validUtf8(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    StreamDecoder decoder;
    decoder.push(bytes, out);
    decoder.finish(out);
    return out;
}

}  // namespace pal
