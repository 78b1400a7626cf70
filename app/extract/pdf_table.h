// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/extract/pdf_word.h"

namespace pal::extract {

// A row of a table: its cells from left to right, each the indices of its words from left to right.
using TableRow = std::vector<std::vector<size_t>>;

struct PdfTable {
    std::vector<TableRow> rows;  // from top to bottom
};

// The tables of a page. Reading order takes columns one after the other, which is right for prose and tears a table's rows apart, so
// tables are found by their shape: at least three rows one below the other, cut by wide gaps into cells that are mostly short and stand
// below each other. Lines of text columns are cut by gaps too, but their pieces are long. Words that are turned belong to no table.
std::vector<PdfTable> findTables(std::span<const PdfWord> words);

}  // namespace pal::extract
