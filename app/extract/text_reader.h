// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/extract/extract.h"
#include "vision/documents/document.h"

namespace pal::extract {

// Text in any encoding, Markdown, CSV, source code: one page with the file's own characters and line ends, only decoded to UTF-8.
// Errors: kFormat for bytes that are no text, kOutOfMemory above the limit of text.
Result<Document> readText(const Input& input, DocumentKind kind, const ReadLimits& limits);

}  // namespace pal::extract
