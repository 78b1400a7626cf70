// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/extract/pdf_word.h"

namespace pal::extract {

struct PageText {
    std::string text;
    std::vector<TextRegion> map;  // one region per printed line
    size_t characters = 0;        // letters and digits
    size_t unknown = 0;           // characters without a known meaning
    size_t foreign = 0;           // characters of U+00A1..U+02FF, which codes without a meaning are often taken for
};

// The text of a page from its words in reading order: a line per printed line, a blank line between blocks, tables row by row with their
// cells at their columns (physical layout), right-to-left lines in reading order, characters cleaned (text_cleanup.h). A word that was
// divided at a line end is put together again: the hyphen goes unless the page writes the word with it elsewhere.
PageText assemblePage(std::span<const PdfWord> words);

}  // namespace pal::extract
