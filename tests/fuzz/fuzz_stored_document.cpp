// SPDX-License-Identifier: Apache-2.0
// What archives say about attachments: the map of an extracted text and the options. The input is the map, a zero byte, the text, a zero byte
// and the options; any of them gives a document whose regions lie in its text, and stays what it is when stored again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/composition/attachment_settings.h"
#include "app/composition/session_settings.h"
#include "app/composition/stored_document.h"
#include "engine/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    const size_t first = all.find('\0');
    const size_t second = first == std::string::npos ? first : all.find('\0', first + 1);
    pal::Extraction extraction;
    extraction.map = all.substr(0, first);
    if (first != std::string::npos) extraction.text = all.substr(first + 1, second - first - 1);
    const std::string options = second == std::string::npos ? "" : all.substr(second + 1);

    const pal::Document document = pal::documentOf(extraction);
    PAL_CHECK(!document.pages.empty());
    for (const pal::DocumentPage& page : document.pages) {
        size_t before = 0;
        for (const pal::TextRegion& line : page.map) {
            PAL_CHECK(line.begin >= before && line.begin < line.end && line.end <= page.text.size());
            before = line.end;
        }
    }
    const pal::Document again = pal::documentOf(pal::extractionOf(document));
    PAL_CHECK(again.pages.size() == document.pages.size());

    const pal::AttachmentOptions read = pal::attachmentOptionsFrom(options);
    PAL_CHECK(pal::attachmentOptionsFrom(pal::attachmentOptionsText(read)) == read);
    const std::string settings = pal::settingsText(pal::settingsFrom(options));
    PAL_CHECK(pal::settingsText(pal::settingsFrom(settings)) == settings);
    return 0;
}
