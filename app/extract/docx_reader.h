// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/extract/extract.h"
#include "app/extract/flow_pages.h"
#include "app/extract/zip_archive.h"

namespace pal::extract {

// A Word document (ECMA-376): paragraphs, headings, lists with their numbers, tables, foot- and endnotes, text boxes, formulas, headers and
// footers; tracked changes as if accepted, hidden text left out. Pages are those of the last layout that Word recorded, and hard page breaks.
// Errors: kFormat, kUnsupported, kOutOfMemory.
Result<FlowDocument> readDocx(ZipArchive& archive, const ReadLimits& limits);

}  // namespace pal::extract
