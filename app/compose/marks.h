// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pal {

// The marks that stand before the text of an attachment and of each of its pages. A model can repeat them, and they lead back.

// "[file 2: report.pdf, 12 pages]"; pages are named when there is more than one. `attachment` counts from 0.
[[nodiscard]] std::string fileMark(size_t attachment, std::string_view name, int pages);
// "[file 2, page 3]", with the document's own label where it says something else: "[file 2, page 3, labelled iv]".
[[nodiscard]] std::string pageMark(size_t attachment, int page, std::string_view label);

// A mark in a text of the model. A moment of a clip is cited with the time that stands before its frames: "[file 2, 00:00:01.500]".
struct Citation {
    size_t begin = 0, end = 0;           // bytes of the text
    size_t attachment = 0;               // from 0
    int page = 0;                        // from 1; 0: the attachment as a whole
    std::optional<double> seconds = {};  // of a clip
    friend bool operator==(const Citation&, const Citation&) = default;
};
// All marks of a text in order, also in other case; those of attachments that are not there (`attachments` of them) are no marks.
[[nodiscard]] std::vector<Citation> findCitations(std::string_view text, size_t attachments);

}  // namespace pal
