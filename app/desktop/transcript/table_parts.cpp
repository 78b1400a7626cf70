// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/table_parts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace pal::desktop {
namespace {

constexpr size_t kPartRows = 32;
constexpr qsizetype kPartText = 4096;  // characters
constexpr size_t kCandidates = 3;      // texts of a column that are measured: without a font widths are guessed

int guessedWidth(QChar c) {
    if (c.unicode() >= 0x1100) return 8;  // Chinese, Japanese, Korean
    if (QStringView(u"ijlIt.,:;'!|()[]fr ").contains(c)) return 2;
    if (QStringView(u"mwMW@%").contains(c)) return 6;
    return c.isUpper() ? 5 : 4;
}

int guessedWidth(const InlineText& text) {
    int widest = 0, line = 0;
    for (const QChar c : text.text) {
        line = c == QChar::LineSeparator ? 0 : line + guessedWidth(c);
        widest = std::max(widest, line);
    }
    return widest;
}

// The head and kCandidates others to a column; the head again where there are fewer rows.
std::vector<InlineText> widestOf(const Block& table, size_t columns) {
    struct Candidate {
        int width = -1;
        size_t cell = 0;
    };
    std::vector<std::array<Candidate, kCandidates>> best(columns);
    for (size_t c = 0; c < columns; ++c) best[c].fill({-1, c});
    for (size_t i = columns; i < table.cells.size(); ++i) {
        Candidate now{guessedWidth(table.cells[i]), i};
        for (Candidate& held : best[i % columns])
            if (now.width > held.width) std::swap(now, held);
    }
    std::vector<InlineText> out;
    out.reserve(columns * (kCandidates + 1));
    for (size_t c = 0; c < columns; ++c) {
        out.push_back(table.cells[c]);
        for (const Candidate& candidate : best[c]) out.push_back(table.cells[candidate.cell]);
    }
    return out;
}

}  // namespace

std::vector<Block> tableParts(Block table) {
    const size_t columns = table.aligns.size();
    std::vector<size_t> begins{0};  // of the parts, in cells
    qsizetype text = 0;
    for (size_t row = 0; row < table.cells.size(); row += columns) {
        if (row - begins.back() >= kPartRows * columns || text >= kPartText) {
            begins.push_back(row);
            text = 0;
        }
        for (size_t c = 0; c < columns; ++c) text += table.cells[row + c].text.size();
    }
    std::vector<Block> out;
    if (begins.size() == 1) {
        out.push_back(std::move(table));
        return out;
    }
    table.widest = widestOf(table, columns);
    std::vector<InlineText> cells = std::exchange(table.cells, {});
    for (size_t i = 0; i < begins.size(); ++i) {
        const bool last = i + 1 == begins.size();
        const auto at = [&](size_t cell) { return cells.begin() + static_cast<std::ptrdiff_t>(cell); };
        Block& part = out.emplace_back(table);
        part.continues = i > 0;
        part.continued = !last;
        if (i > 0) part.marker.clear();
        part.cells.assign(std::make_move_iterator(at(begins[i])),
                          std::make_move_iterator(last ? cells.end() : at(begins[i + 1])));
    }
    return out;
}

}  // namespace pal::desktop
