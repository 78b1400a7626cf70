// SPDX-License-Identifier: Apache-2.0
#include "app/extract/text_encoding.h"

#include <uchardet/uchardet.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <vector>

namespace pal::extract {
namespace {

using std::string_view_literals::operator""sv;

constexpr size_t kSampleBytes = size_t{4} << 20;  // what the detectors look at

void append(std::string& out, UChar32 codePoint) {
    std::array<uint8_t, U8_MAX_LENGTH> buffer{};
    int32_t length = 0;
    U8_APPEND_UNSAFE(buffer.data(), length, codePoint);
    out.append(buffer.begin(), buffer.begin() + length);
}

// Counts of a walk through supposed UTF-8.
struct Utf8Count {
    size_t multibyte = 0;
    size_t invalid = 0;
    size_t firstInvalid = 0;
};

Utf8Count countUtf8(std::string_view bytes) {
    Utf8Count count;
    const auto* text = reinterpret_cast<const uint8_t*>(bytes.data());
    const auto size = static_cast<int64_t>(bytes.size());
    for (int64_t at = 0; at < size;) {
        const int64_t start = at;
        if (text[at] < 0x80) {
            ++at;
            continue;
        }
        UChar32 codePoint = 0;
        U8_NEXT(text, at, size, codePoint);
        if (codePoint >= 0) {
            ++count.multibyte;
        } else if (count.invalid++ == 0) {
            count.firstInvalid = static_cast<size_t>(start);
        }
    }
    return count;
}

DecodedText fromUtf8(std::string_view bytes, const Utf8Count& count) {
    DecodedText out{{}, "UTF-8", false, count.invalid, count.firstInvalid};
    if (count.invalid == 0) {
        out.text = bytes;
        return out;
    }
    const auto* text = reinterpret_cast<const uint8_t*>(bytes.data());
    const auto size = static_cast<int64_t>(bytes.size());
    for (int64_t at = 0; at < size;) {
        UChar32 codePoint = 0;
        U8_NEXT(text, at, size, codePoint);
        append(out.text, codePoint < 0 ? 0xFFFD : codePoint);
    }
    return out;
}

struct ErrorCount {
    size_t invalid = 0;
    size_t firstInvalid = 0;
    const char* start = nullptr;
};

void U_CALLCONV countInvalid(const void* context, UConverterToUnicodeArgs* arguments, const char* bytes, int32_t length,
                             UConverterCallbackReason reason, UErrorCode* error) {
    if (reason > UCNV_IRREGULAR) return;
    auto* count = static_cast<ErrorCount*>(const_cast<void*>(context));
    if (count->invalid++ == 0 && arguments->source != nullptr) {
        count->firstInvalid = static_cast<size_t>(std::max<ptrdiff_t>(arguments->source - count->start - length, 0));
    }
    UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, arguments, bytes, length, reason, error);
}

// Names by which uchardet, ICU or a web page call an encoding, and the superset that files under that name use in practice.
std::string converterName(std::string_view name) {
    struct Alias {
        std::string_view name, use;
    };
    constexpr std::array kAliases{
        Alias{"GB2312"sv, "GB18030"sv},      Alias{"GBK"sv, "GB18030"sv},
        Alias{"gb_2312-80"sv, "GB18030"sv},  Alias{"ISO-8859-1"sv, "windows-1252"sv},
        Alias{"ASCII"sv, "windows-1252"sv},  Alias{"ISO-8859-9"sv, "windows-1254"sv},
        Alias{"EUC-KR"sv, "windows-949"sv},  Alias{"UHC"sv, "windows-949"sv},
        Alias{"TIS-620"sv, "windows-874"sv}, Alias{"ISO-8859-8-I"sv, "ISO-8859-8"sv},
    };
    for (const Alias& alias : kAliases) {
        if (ucnv_compareNames(alias.name.data(), std::string(name).c_str()) == 0) return std::string(alias.use);
    }
    return std::string(name);
}

std::optional<DecodedText> convert(std::string_view bytes, const std::string& name) {
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(name.c_str(), &error), &ucnv_close);
    if (U_FAILURE(error) || converter == nullptr) return std::nullopt;
    ErrorCount count{0, 0, bytes.data()};
    ucnv_setToUCallBack(converter.get(), countInvalid, &count, nullptr, nullptr, &error);
    DecodedText out;
    const char* standard = ucnv_getStandardName(name.c_str(), "MIME", &error);
    out.encoding = standard != nullptr ? standard : name;
    error = U_ZERO_ERROR;
    std::vector<UChar> buffer(16'384);
    const char* source = bytes.data();
    const char* end = source + bytes.size();
    UChar high = 0;
    do {
        error = U_ZERO_ERROR;
        UChar* target = buffer.data();
        ucnv_toUnicode(converter.get(), &target, target + buffer.size(), &source, end, nullptr, 1, &error);
        for (const UChar* unit = buffer.data(); unit != target; ++unit) {
            if (U16_IS_LEAD(*unit)) {
                high = *unit;
            } else {
                append(out.text, U16_IS_TRAIL(*unit) && high != 0 ? U16_GET_SUPPLEMENTARY(high, *unit) : *unit);
                high = 0;
            }
        }
    } while (error == U_BUFFER_OVERFLOW_ERROR);
    if (U_FAILURE(error)) return std::nullopt;
    out.invalid = count.invalid;
    out.firstInvalid = count.firstInvalid;
    return out;
}

// Control characters between U+0080 and U+009F: nobody writes them, wrong guesses produce them.
size_t strangeControls(std::string_view text) {
    size_t count = 0;
    for (size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == '\xC2' && static_cast<unsigned char>(text[i + 1]) < 0xA0 && text[i + 1] != '\x85') ++count;
    }
    return count;
}

// How much speaks for UTF-16 with the high byte at position `high` of each pair: spaces, line ends and the punctuation of East Asia, which
// read the other way round mean nothing.
struct WideCount {
    size_t common = 0;
    size_t printable = 0;
};

WideCount countWide(std::string_view bytes, size_t high) {
    constexpr std::array<UChar32, 7> kCommon{0x0A, 0x0D, 0x20, 0x3000, 0x3001, 0x3002, 0xFF0C};
    WideCount count;
    for (size_t i = 0; i < bytes.size(); i += 2) {
        const auto unit = static_cast<UChar32>((static_cast<unsigned char>(bytes[i + high]) << 8) |
                                               static_cast<unsigned char>(bytes[i + 1 - high]));
        if (std::find(kCommon.begin(), kCommon.end(), unit) != kCommon.end()) ++count.common;
        if (U16_IS_SURROGATE(unit) || u_isgraph(unit) || u_isspace(unit)) ++count.printable;
    }
    return count;
}

// Whether a text is mostly letters of ASCII, at even places as often as at odd ones: then it has one byte a character, for the high bytes of
// UTF-16 are zeros or a script's own.
bool lettersEverywhere(std::string_view bytes) {
    std::array<size_t, 2> letters{};
    for (size_t i = 0; i < bytes.size(); ++i) letters[i % 2] += std::isalpha(static_cast<unsigned char>(bytes[i])) != 0;
    const auto [fewer, more] = std::minmax(letters[0], letters[1]);
    return (fewer + more) * 2 >= bytes.size() && fewer * 4 >= more * 3;
}

// UTF-16 without a byte order mark. There is a zero in it, which alone proves little, for zeros stray into other texts; it is nearly all
// printable in one of the two orders, and what is common in text is common in that order.
std::optional<std::string> markless16(std::string_view bytes) {
    if (bytes.size() < 4 || bytes.size() % 2 != 0) return std::nullopt;
    std::array<size_t, 2> zeros{};
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\0') ++zeros[i % 2];
    }
    if (zeros[0] + zeros[1] == 0 || lettersEverywhere(bytes)) return std::nullopt;
    const std::array counts{countWide(bytes, 0), countWide(bytes, 1)};
    size_t high = counts[0].common > counts[1].common ? 0 : 1;
    if (counts[0].common == counts[1].common) high = zeros[0] > zeros[1] ? 0 : 1;
    if (counts[high].printable * 20 < (bytes.size() / 2) * 19) return std::nullopt;
    return high == 1 ? "UTF-16LE" : "UTF-16BE";
}

std::vector<std::string> proposals(std::string_view sample) {
    std::vector<std::string> out;
    const std::unique_ptr<uchardet, decltype(&uchardet_delete)> detector(uchardet_new(), &uchardet_delete);
    uchardet_handle_data(detector.get(), sample.data(), sample.size());
    uchardet_data_end(detector.get());
    if (const char* name = uchardet_get_charset(detector.get()); *name != '\0') out.emplace_back(name);

    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> icu(ucsdet_open(&error), &ucsdet_close);
    if (U_SUCCESS(error)) ucsdet_setText(icu.get(), sample.data(), static_cast<int32_t>(sample.size()), &error);
    int32_t found = 0;
    const UCharsetMatch** matches = U_SUCCESS(error) ? ucsdet_detectAll(icu.get(), &found, &error) : nullptr;
    for (int32_t i = 0; U_SUCCESS(error) && i < found; ++i) out.emplace_back(ucsdet_getName(matches[i], &error));
    out.emplace_back("windows-1252");
    // UTF-8 and UTF-16 were decided before; IBM's mainframe pages fit any bytes.
    std::erase_if(out, [](const std::string& name) { return name.starts_with("UTF-") || name.starts_with("IBM4"); });
    return out;
}

DecodedText guess(std::string_view bytes) {
    std::optional<DecodedText> best;
    size_t bestProblems = 0;
    for (const std::string& name : proposals(bytes.substr(0, kSampleBytes))) {
        std::optional<DecodedText> decoded = convert(bytes, converterName(name));
        if (!decoded.has_value()) continue;
        const size_t problems = decoded->invalid + strangeControls(decoded->text);
        if (!best.has_value() || problems < bestProblems) {
            best = std::move(decoded);
            bestProblems = problems;
        }
        if (bestProblems == 0) break;
    }
    if (!best.has_value()) return fromUtf8(bytes, countUtf8(bytes));
    best->guessed = true;
    return std::move(*best);
}

// Encodings of seven bits, which name themselves: by escapes, or by the pair ~{ before Chinese and ~} behind it on the same line.
struct SevenBit {
    std::string_view sign;
    const char* encoding;
};
constexpr std::array kSevenBit{
    SevenBit{"\x1B$B"sv, "ISO-2022-JP-2"},
    SevenBit{"\x1B$@"sv, "ISO-2022-JP-2"},
    SevenBit{"\x1B$(D"sv, "ISO-2022-JP-2"},
    SevenBit{"\x1B$)C"sv, "ISO-2022-KR"},
    SevenBit{"\x1B$)A"sv, "ISO-2022-CN"},
    SevenBit{"\x1B$)G"sv, "ISO-2022-CN"},
    SevenBit{"~{"sv, "HZ"},
};

// What a program means by ~{ is rarely closed on its line with a whole number of pairs between.
bool pairsAreClosed(std::string_view text) {
    for (size_t at = text.find("~{"); at != std::string_view::npos; at = text.find("~{", at)) {
        const size_t end = text.find("~}", at += 2);
        if (end == std::string_view::npos || (end - at) % 2 != 0 || end == at) return false;
        if (text.substr(at, end - at).find('\n') != std::string_view::npos) return false;
        at = end;
    }
    return true;
}

std::optional<DecodedText> sevenBit(std::string_view bytes) {
    for (const SevenBit& known : kSevenBit) {
        if (bytes.find(known.sign) == std::string_view::npos) continue;
        if (known.sign == "~{" && !pairsAreClosed(bytes)) continue;
        std::optional<DecodedText> decoded = convert(bytes, known.encoding);
        if (decoded.has_value() && decoded->invalid == 0) return decoded;
    }
    return std::nullopt;
}

struct Mark {
    std::string_view bytes;
    const char* encoding;
};
// The longer ones first: UTF-32LE begins as UTF-16LE does.
constexpr std::array kMarks{Mark{"\xFF\xFE\0\0"sv, "UTF-32LE"}, Mark{"\0\0\xFE\xFF"sv, "UTF-32BE"},
                            Mark{"\xEF\xBB\xBF"sv, "UTF-8"}, Mark{"\xFF\xFE"sv, "UTF-16LE"},
                            Mark{"\xFE\xFF"sv, "UTF-16BE"}};

std::optional<DecodedText> fromMark(std::string_view bytes) {
    for (const Mark& mark : kMarks) {
        if (!bytes.starts_with(mark.bytes)) continue;
        const std::string_view rest = bytes.substr(mark.bytes.size());
        std::optional<DecodedText> out =
            mark.encoding == "UTF-8"sv ? fromUtf8(rest, countUtf8(rest)) : convert(rest, mark.encoding);
        if (out.has_value() && out->invalid > 0) out->firstInvalid += mark.bytes.size();
        return out;
    }
    return std::nullopt;
}

}  // namespace

DecodedText decodeText(std::string_view bytes) {
    if (std::optional<DecodedText> marked = fromMark(bytes); marked.has_value()) return std::move(*marked);
    const Utf8Count utf8 = countUtf8(bytes);
    if (const std::optional<std::string> wide = markless16(bytes); wide.has_value()) {
        std::optional<DecodedText> decoded = convert(bytes, *wide);
        if (decoded.has_value() && decoded->invalid == 0) {
            decoded->guessed = true;
            return std::move(*decoded);
        }
    }
    if (utf8.multibyte == 0 && utf8.invalid == 0) {
        if (std::optional<DecodedText> decoded = sevenBit(bytes); decoded.has_value()) return std::move(*decoded);
    }
    if (utf8.multibyte >= 2 * utf8.invalid) return fromUtf8(bytes, utf8);
    return guess(bytes);
}

DecodedText decodeText(std::string_view bytes, const std::string& declared) {
    if (std::optional<DecodedText> marked = fromMark(bytes); marked.has_value()) return std::move(*marked);
    const Utf8Count utf8 = countUtf8(bytes);
    if (utf8.invalid == 0 && utf8.multibyte > 0) return fromUtf8(bytes, utf8);
    std::optional<DecodedText> decoded;
    // A page that could say so in ASCII is not UTF-16, whatever it says.
    if (!declared.empty() && ucnv_compareNames(declared.substr(0, 5).c_str(), "utf-1") != 0) {
        decoded = convert(bytes, converterName(declared));
    }
    return decoded.has_value() ? std::move(*decoded) : decodeText(bytes);
}

}  // namespace pal::extract
