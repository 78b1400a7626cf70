// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/extract/extract.h"
#include "app/extract/flow_pages.h"
#include "app/extract/zip_archive.h"

namespace pal::extract {

// A book (EPUB 2 and 3): the files of its spine in their order, a page each, labelled from its table of contents or their first heading.
// Errors: kFormat, kUnsupported (copy protection), kOutOfMemory.
Result<FlowDocument> readEpub(ZipArchive& archive, const ReadLimits& limits);

}  // namespace pal::extract
