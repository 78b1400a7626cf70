// SPDX-License-Identifier: Apache-2.0
// Any bytes as a document of any kind: pages as the protocol promises them, or one error. The first byte chooses the name, and with it the
// reader of what the bytes leave open.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/extract/extract.h"
#include "engine/base/check.h"
#include "vision/documents/extract_protocol.h"

// Fontconfig, which poppler asks for fonts, keeps what it has read until the process ends.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libfontconfig";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr std::array kNames{"a.pdf", "a.docx", "a.odt", "a.epub", "a.html", "a.csv", "a.txt", "a.md", "a.cpp", "a"};
    if (size == 0) return 0;
    using namespace pal::extract;
    const Input input{{reinterpret_cast<const char*>(data) + 1, size - 1}, kNames[data[0] % kNames.size()]};
    Request request;
    request.limits.textBytes = 1 << 20;
    Decoder decoder(UINT64_MAX);
    const Write write = [&](std::string_view line) { PAL_CHECK(decoder.feed(line).has_value()); };
    const auto done = writePages(input, request, write);
    if (!done.has_value()) {
        PAL_CHECK(!done.error().message.empty());
        PAL_CHECK(decoder.feed(errorLine(done.error())).has_value());
        return 0;
    }
    PAL_CHECK(decoder.feed(endLine(*done)).has_value());
    PAL_CHECK(decoder.ended());
    uint64_t bytes = 0;
    for (const pal::DocumentPage& page : decoder.document().pages) {
        bytes += page.text.size();
        PAL_CHECK(int64_t{page.imageWidth} * page.imageHeight <= pal::kMaxPageImagePixels);
    }
    PAL_CHECK(bytes <= request.limits.textBytes + decoder.document().pages.size());
    const auto pictures = writePictures(input, request, [](std::string_view) {});
    PAL_CHECK(pictures.has_value() || !pictures.error().message.empty());
    return 0;
}
