// SPDX-License-Identifier: Apache-2.0
// Any bytes as the output of pal-extract, in pieces: what comes out is whole and inside its limits, or there is an error.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/check.h"
#include "vision/documents/extract_protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const size_t piece = size % 7 + 1;
    pal::extract::Decoder decoder(1 << 20);
    while (!rest.empty()) {
        const size_t taken = std::min(piece, rest.size());
        const auto fed = decoder.feed(rest.substr(0, taken));
        if (!fed.has_value()) {
            PAL_CHECK(!fed.error().message.empty());
            return 0;
        }
        rest.remove_prefix(taken);
    }
    PAL_CHECK(!decoder.ended() || decoder.document().pages.size() == static_cast<size_t>(decoder.pagesExpected()));
    for (const pal::DocumentPage& page : decoder.document().pages) {
        size_t last = 0;
        for (const pal::TextRegion& region : page.map) {
            PAL_CHECK(region.begin >= last && region.end >= region.begin && region.end <= page.text.size());
            last = region.end;
        }
    }
    return 0;
}
