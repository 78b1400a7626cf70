// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace pal::extract {

// A radical (U+2E80..U+2FDF) and the ideograph that is written alike. PDF writers that map glyphs back to characters often find the
// radical first, and no text is searched or tokenised by radicals.
struct CjkRadical {
    char16_t radical;
    char32_t ideograph;
};

// By radical, ascending; Unicode's property Equivalent_Unified_Ideograph (NFKC alone leaves most of U+2E80..U+2EFF as they are).
std::span<const CjkRadical> cjkRadicals();

}  // namespace pal::extract
