// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/extract/extract.h"
#include "app/extract/flow_pages.h"
#include "app/extract/zip_archive.h"

namespace pal::extract {

// An OpenDocument text (OASIS ODF 1.3, part 3): paragraphs, headings, lists, tables, notes, text boxes; tracked changes as if accepted,
// hidden text left out. Pages are those of the last layout that the writer recorded. Errors: kFormat, kUnsupported, kOutOfMemory.
Result<FlowDocument> readOdt(ZipArchive& archive, const ReadLimits& limits);

}  // namespace pal::extract
