// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "app/extract/extract.h"
#include "app/extract/pdf_reader.h"
#include "engine/base/result.h"

namespace pal::extract {

// A page as it goes out.
struct PdfPageLine {
    std::string line;  // pageLine() of it
    uint64_t textBytes = 0;
};

// Reads the pages of a range that is there and gives them to `take` in order, on the calling thread, until it fails. Many pages are read
// by several threads, each with the document opened anew from `bytes` and at most a few pages ahead. `pdf` is what `bytes` were opened
// as; its pages have the same text whoever reads them. Errors: kOutOfMemory, and those of `take`.
Result<> readPages(const PdfDocument& pdf, std::string_view bytes, const std::string& password, const PageRange& range,
                   const std::function<Result<>(int number, const PdfPageLine&)>& take);

}  // namespace pal::extract
