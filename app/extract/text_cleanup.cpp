// SPDX-License-Identifier: Apache-2.0
#include "app/extract/text_cleanup.h"

#include <unicode/ubidi.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/extract/cjk_radicals.h"

namespace pal::extract {
namespace {

constexpr UChar32 kReplacement = 0xFFFD;

bool isPresentationForm(UChar32 c) {
    return (c >= 0xFB00 && c <= 0xFDFF) || (c >= 0xFE70 && c <= 0xFEFE);
}

bool isDropped(UChar32 c) {
    return c == 0x200B || c == 0x200E || c == 0x200F || c == 0x061C || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

bool isOddSpace(UChar32 c) {
    return c == 0x00A0 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F;
}

void append(std::u16string& out, UChar32 c) {
    if (c > 0xFFFF) out += U16_LEAD(c);
    out += c > 0xFFFF ? static_cast<char16_t>(U16_TRAIL(c)) : static_cast<char16_t>(c);
}

void appendDecomposed(std::u16string& out, UChar32 c) {
    UErrorCode error = U_ZERO_ERROR;
    std::array<UChar, 32> buffer{};
    const UNormalizer2* nfkc = unorm2_getNFKCInstance(&error);
    const int32_t length =
        U_SUCCESS(error) ? unorm2_getDecomposition(nfkc, c, buffer.data(), static_cast<int32_t>(buffer.size()), &error)
                         : -1;
    if (U_FAILURE(error) || length < 0) {
        append(out, c);
    } else {
        out.append(buffer.data(), static_cast<size_t>(length));
    }
}

// Bullets of the symbol fonts of office programs, which have no Unicode of their own.
UChar32 symbolBullet(UChar32 c) {
    switch (c) {
        case 0xF0B7:  // Symbol
        case 0xF09F:
            return 0x2022;
        case 0xF0A7:  // Wingdings
        case 0xF06E:
            return 0x25AA;
        default:
            return 0;
    }
}

UChar32 ideographOf(UChar32 radical) {
    const auto table = cjkRadicals();
    const auto found = std::lower_bound(table.begin(), table.end(), radical,
                                        [](const CjkRadical& entry, UChar32 value) { return entry.radical < value; });
    return found != table.end() && found->radical == radical ? static_cast<UChar32>(found->ideograph) : radical;
}

void appendClean(CleanText& out, UChar32 c) {
    if (c >= 0x2E80 && c <= 0x2FDF) c = ideographOf(c);
    if (const UChar32 bullet = symbolBullet(c); bullet != 0) c = bullet;
    const int8_t type = u_charType(c);
    if (isDropped(c)) return;
    if (isOddSpace(c)) {
        out.text += u' ';
    } else if (isPresentationForm(c)) {
        appendDecomposed(out.text, c);
    } else if (type == U_CONTROL_CHAR && c != '\t') {
        ++out.unknown;
    } else if (c == kReplacement || type == U_PRIVATE_USE_CHAR || type == U_SURROGATE || type == U_UNASSIGNED) {
        ++out.unknown;
        append(out.text, kReplacement);
    } else {
        append(out.text, c);
    }
}

std::u16string composed(std::u16string_view text) {
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2* nfc = unorm2_getNFCInstance(&error);
    const auto length = static_cast<int32_t>(text.size());
    if (U_FAILURE(error) || unorm2_isNormalized(nfc, text.data(), length, &error)) return std::u16string(text);
    std::u16string out(text.size() * 3 + 16, u'\0');
    const int32_t written =
        unorm2_normalize(nfc, text.data(), length, out.data(), static_cast<int32_t>(out.size()), &error);
    if (U_FAILURE(error)) return std::u16string(text);
    out.resize(static_cast<size_t>(written));
    return out;
}

bool isRightToLeft(UChar32 c) {
    const UCharDirection direction = u_charDirection(c);
    return direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC;
}

// Some writers map a mirrored bracket to the character it shows, others to the one that was typed. In a line read from the right the
// first of a pair opens; when it closes, the brackets are of the first sort.
void turnBrackets(std::u16string& line) {
    const size_t first = line.find_first_of(u"()[]{}");
    if (first == std::u16string::npos || std::u16string_view(u")]}").find(line[first]) == std::u16string_view::npos)
        return;
    if (line.find_first_of(u"([{", first) == std::u16string::npos) return;
    for (char16_t& c : line) {
        if (std::u16string_view(u"()[]{}").find(c) != std::u16string_view::npos)
            c = static_cast<char16_t>(u_charMirror(c));
    }
}

}  // namespace

CleanText cleanCharacters(std::u16string_view text) {
    CleanText out;
    if (std::all_of(text.begin(), text.end(), [](char16_t c) { return c >= 0x20 && c < 0x7F; })) {
        out.text = text;
        return out;
    }
    out.text.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        UChar32 c = 0;
        U16_NEXT(text, at, text.size(), c);
        appendClean(out, c);
    }
    out.text = composed(out.text);
    return out;
}

bool hasRightToLeft(std::u16string_view text) {
    for (size_t at = 0; at < text.size();) {
        if (text[at] < 0x590) {  // no such script below
            ++at;
            continue;
        }
        UChar32 c = 0;
        U16_NEXT(text, at, text.size(), c);
        if (isRightToLeft(c)) return true;
    }
    return false;
}

std::u16string logicalOrder(std::u16string_view leftToRight) {
    int balance = 0;
    for (size_t at = 0; at < leftToRight.size();) {
        UChar32 c = 0;
        U16_NEXT(leftToRight, at, leftToRight.size(), c);
        if (isRightToLeft(c)) {
            ++balance;
        } else if (u_charDirection(c) == U_LEFT_TO_RIGHT) {
            --balance;
        }
    }
    UErrorCode error = U_ZERO_ERROR;
    const std::unique_ptr<UBiDi, decltype(&ubidi_close)> bidi(ubidi_open(), &ubidi_close);
    if (bidi == nullptr) return std::u16string(leftToRight);
    // From places to reading order is the Unicode bidirectional algorithm backwards; ICU calls that inverse.
    ubidi_setInverse(bidi.get(), 1);
    const UBiDiLevel level = balance > 0 ? 1 : 0;
    ubidi_setPara(bidi.get(), leftToRight.data(), static_cast<int32_t>(leftToRight.size()), level, nullptr, &error);
    std::u16string out(leftToRight.size() * 3 + 16, u'\0');  // room for the direction marks that ICU may insert
    const int32_t written = ubidi_writeReordered(bidi.get(), out.data(), static_cast<int32_t>(out.size()),
                                                 UBIDI_KEEP_BASE_COMBINING | UBIDI_REMOVE_BIDI_CONTROLS, &error);
    if (U_FAILURE(error)) return std::u16string(leftToRight);
    out.resize(static_cast<size_t>(written));
    std::erase_if(out, [](char16_t c) { return isDropped(c); });
    if (level == 1) turnBrackets(out);
    return out;
}

std::string toUtf8(std::u16string_view text) {
    std::string out(text.size() * 3, '\0');
    UErrorCode error = U_ZERO_ERROR;
    int32_t written = 0;
    u_strToUTF8WithSub(out.data(), static_cast<int32_t>(out.size()), &written, text.data(),
                       static_cast<int32_t>(text.size()), kReplacement, nullptr, &error);
    out.resize(U_SUCCESS(error) || error == U_STRING_NOT_TERMINATED_WARNING ? static_cast<size_t>(written) : 0);
    return out;
}

}  // namespace pal::extract
