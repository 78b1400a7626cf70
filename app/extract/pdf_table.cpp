// SPDX-License-Identifier: Apache-2.0
#include "app/extract/pdf_table.h"

#include <algorithm>
#include <numeric>

namespace pal::extract {
namespace {

constexpr size_t kShortCell = 16;  // characters
constexpr size_t kLeastRows = 3;
constexpr double kCellGap = 0.8;      // of the line height, between words that no space connects
constexpr double kWideSpace = 3.0;    // of the line height, between words that a space connects
constexpr double kRowDistance = 4.0;  // of the line height, between rows of one table
constexpr size_t kLooseRows = 2;      // rows in one piece (a cell's second line) that may stand between rows of a table

struct Cell {
    std::vector<size_t> words;
    double left = 0, right = 0;
    size_t characters = 0;
};

struct Row {
    std::vector<Cell> cells;
    double top = 0, bottom = 0;
    bool tabular = false;
};

// Words whose middles lie within the first one's height, from top to bottom.
std::vector<std::vector<size_t>> wordRows(std::span<const PdfWord> words) {
    std::vector<size_t> order;
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i].rotation == 0) order.push_back(i);
    }
    const auto middle = [&](size_t i) { return words[i].box.y + words[i].box.height / 2; };
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return middle(a) < middle(b); });
    std::vector<std::vector<size_t>> rows;
    double bottom = 0;
    for (const size_t word : order) {
        if (rows.empty() || middle(word) > bottom) {
            rows.emplace_back();
            bottom = middle(word) + words[word].box.height / 2;
        }
        rows.back().push_back(word);
    }
    for (auto& row : rows) {
        std::stable_sort(row.begin(), row.end(), [&](size_t a, size_t b) { return words[a].box.x < words[b].box.x; });
    }
    return rows;
}

// Two or three pieces, at least half of them short; or more, and the short ones hold a good part of the text. The second rule keeps two
// text columns with numbered paragraphs ("[1] long text [7] long text") from being a table.
bool isTabular(const Row& row) {
    if (row.cells.size() < 2) return false;
    size_t shortCells = 0;
    size_t shortCharacters = 0;
    size_t characters = 0;
    for (const Cell& cell : row.cells) {
        characters += cell.characters;
        if (cell.characters > kShortCell) continue;
        ++shortCells;
        shortCharacters += cell.characters;
    }
    if (shortCells * 2 < row.cells.size()) return false;
    return row.cells.size() <= 3 || shortCharacters * 10 >= characters * 3;
}

Row makeRow(std::span<const PdfWord> words, const std::vector<size_t>& members) {
    Row row;
    row.top = words[members.front()].box.y;
    for (size_t i = 0; i < members.size(); ++i) {
        const PdfWord& word = words[members[i]];
        const double gap = i == 0 ? 0 : word.box.x - row.cells.back().right;
        const double least = i > 0 && words[members[i - 1]].spaceAfter ? kWideSpace : kCellGap;
        if (i == 0 || gap > least * word.box.height) row.cells.push_back({{}, word.box.x, word.box.x, 0});
        Cell& cell = row.cells.back();
        cell.words.push_back(members[i]);
        cell.right = std::max(cell.right, word.box.x + word.box.width);
        cell.characters += word.text.size() + (cell.words.size() > 1 ? 1 : 0);
        row.top = std::min(row.top, word.box.y);
        row.bottom = std::max(row.bottom, word.box.y + word.box.height);
    }
    row.tabular = isTabular(row);
    return row;
}

// Whether at least two cells of one row stand below two of the other; one is enough for rows of a label and a text, whose labels may be
// indented by their level, as in a table of contents.
bool aligned(const Row& above, const Row& below) {
    size_t pairs = 0;
    size_t at = 0;
    for (const Cell& cell : above.cells) {
        while (at < below.cells.size() && below.cells[at].right < cell.left) ++at;
        if (at < below.cells.size() && below.cells[at].left <= cell.right) {
            ++pairs;
            ++at;
        }
    }
    const bool labelled = above.cells.size() == 2 && below.cells.size() == 2;
    return pairs >= (labelled ? 1 : 2);
}

bool near(const Row& above, const Row& below) {
    const double height = std::min(above.bottom - above.top, below.bottom - below.top);
    return below.top - above.bottom < kRowDistance * height;
}

// The row after the table that begins at rows[first].
size_t tableEnd(const std::vector<Row>& rows, size_t first) {
    size_t end = first + 1;
    for (size_t next = end; next < rows.size() && next - end <= kLooseRows && near(rows[next - 1], rows[next]);
         ++next) {
        if (!rows[next].tabular) {
            const Row& above = rows[end - 1];
            const Cell& piece = rows[next].cells.front();
            const bool inside = rows[next].cells.size() == 1 && piece.characters <= 3 * kShortCell &&
                                piece.left >= above.cells.front().left - 1 &&
                                piece.right <= above.cells.back().right + 1;
            if (!inside) break;
            continue;
        }
        if (!aligned(rows[end - 1], rows[next])) break;
        end = next + 1;
    }
    return end;
}

}  // namespace

std::vector<PdfTable> findTables(std::span<const PdfWord> words) {
    std::vector<Row> rows;
    for (const std::vector<size_t>& members : wordRows(words)) rows.push_back(makeRow(words, members));
    std::vector<PdfTable> tables;
    for (size_t first = 0; first < rows.size();) {
        const size_t end = rows[first].tabular ? tableEnd(rows, first) : first + 1;
        const auto begin = rows.begin() + static_cast<ptrdiff_t>(first);
        const auto tabular = std::count_if(begin, rows.begin() + static_cast<ptrdiff_t>(end),
                                           [](const Row& row) { return row.tabular; });
        if (static_cast<size_t>(tabular) >= kLeastRows) {
            PdfTable& table = tables.emplace_back();
            for (size_t i = first; i < end; ++i) {
                TableRow& row = table.rows.emplace_back();
                for (Cell& cell : rows[i].cells) row.push_back(std::move(cell.words));
            }
        }
        first = end;
    }
    return tables;
}

}  // namespace pal::extract
