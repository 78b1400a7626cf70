// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/chats/chat_types.h"
#include "vision/documents/document.h"

namespace pal {

// A document as an extraction of chats.db: the text of all pages, apart by blank lines, and a map that is a JSON array with an object per page:
//   {page, label, begin, end}         its number and its bytes of the text
//   {warnings, picture_only, pictures, figures: [[x, y, w, h], ...]} where there are some
//   {size: [w, h], image: [w, h]}      points and pixels, of pages that are laid out
//   {lines: [[begin, end, x, y, w, h], ...]}  of the page's text and in points of the page
[[nodiscard]] Extraction extractionOf(const Document& document);

// The document again. Maps of earlier versions know less of it (no `end`: up to the next page), and one that holds no sense, as imports may
// bring, gives the whole text as one page.
[[nodiscard]] Document documentOf(const Extraction& extraction);

}  // namespace pal
