// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/inspect/scale.h"

// What a view draws, as data. Everything on a panel is a cell of one table of rows and columns: it is painted, exported, pointed at and
// spoken from there, so that the four can't differ. Lengths are device-independent pixels, y downwards.

namespace pal::inspect {

struct Rect {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] bool contains(double px, double py) const {
        return px >= x && py >= y && px < right() && py < bottom();
    }
};

// What a row, a column or a cell stands for; -1: not for one of them.
struct Target {
    int64_t begin = -1, end = -1;        // tokens
    int64_t keyBegin = -1, keyEnd = -1;  // tokens that were looked at
    int64_t layer = -1, head = -1, region = -1, expert = -1, channel = -1, source = -1;
    friend bool operator==(const Target&, const Target&) = default;
};
// What either says; `column` wins.
[[nodiscard]] Target merged(const Target& row, const Target& column);

// A row or a column.
struct Entry {
    std::string name;   // "layer 4 (MLA)", "report.pdf, page 3"
    std::string label;  // on the axis: "4", "p. 3"; empty: the name
    Target target;
};

// A picture behind the cells: the page or frame that they lie on. 8-bit R, G, B, rows from the top.
struct Picture {
    int64_t width = 0, height = 0;
    std::vector<uint8_t> rgb;
};

struct Panel {
    enum class Kind {
        kHeat,    // a colour per cell
        kBars,    // a horizontal bar per row, its columns stacked from the left
        kLines,   // a line per row over the columns, with a band between `low` and `high` where they are given
        kRanges,  // per column a bar from `low` to `high` with a mark at the value; one row
        kTokens,  // cells with text in reading order, tinted; one row
        kLinks,   // rows at the left, columns at the right, a line for each cell, the stronger the larger
    };
    Kind kind = Kind::kHeat;
    std::string title;
    Rect area;   // of the cells
    Rect outer;  // of the panel with its labels
    std::vector<Entry> rows, columns;
    std::vector<float> values;                        // [rows, columns]
    std::vector<float> low, high;                     // as values; what was reduced to them. May be empty
    std::vector<std::string> texts;                   // as values; written into the cells. May be empty
    std::function<std::string(size_t cell)> details;  // more to say of a cell, made when asked for. May be empty
    std::vector<Rect> places;                         // of kTokens: the cells
    std::shared_ptr<const Picture> behind;
    std::string valueName;  // "attention", with its unit: "half-life in tokens"
    ValueScale scale;
    std::vector<ValueScale> rowScales;              // each row has its own: its values have another unit. May be empty
    std::vector<Colour> rowColours, columnColours;  // of lines, of stacked parts. May be empty
    std::vector<Tick> rowTicks, columnTicks;        // along the area's height and width
    std::vector<Tick> valueTicks;  // along the width of kBars, the height (upwards) of kLines and kRanges
    std::string columnTitle;
    std::optional<Rect> legend;                 // where the colours are explained
    int64_t chosenRow = -1, chosenColumn = -1;  // framed: what is selected
    int64_t firstKey = -1;  // of a picture's cells: the token of the first, the others' follow row by row
    double namesWidth = 0;  // em that the names of rows take at least: panels above each other begin at one line

    [[nodiscard]] size_t cell(size_t row, size_t column) const { return row * columns.size() + column; }
    [[nodiscard]] const ValueScale& scaleOfRow(size_t row) const { return rowScales.empty() ? scale : rowScales[row]; }
};

struct Figure {
    std::string view;                  // its name, "context-map"
    std::string title;                 // "Where tokens 120-131 looked"
    std::vector<std::string> caption;  // what was measured, over which tokens, how reduced, whether computed again
    std::string message;               // why there is nothing to see; then there are no panels
    double width = 0, height = 0;
    double textSize = 12;
    char decimal = '.';  // of numbers in texts
    std::vector<Panel> panels;
};

// Cells of all panels.
[[nodiscard]] size_t markCount(const Figure& figure);

// A cell of a figure.
struct CellPlace {
    size_t panel = 0, row = 0, column = 0;
    friend bool operator==(const CellPlace&, const CellPlace&) = default;
};
// Where a cell is drawn. Empty for one without value.
[[nodiscard]] Rect cellRect(const Panel& panel, size_t row, size_t column);
// The cell under a point.
[[nodiscard]] std::optional<CellPlace> cellAt(const Figure& figure, double x, double y);
// The next cell in a direction, as keys move; from the edge of a panel to the next panel above or below. The same where there is none.
[[nodiscard]] CellPlace nextCell(const Figure& figure, const CellPlace& from, int columns, int rows);
[[nodiscard]] Target targetOf(const Figure& figure, const CellPlace& place);
[[nodiscard]] float valueOf(const Figure& figure, const CellPlace& place);
// A cell in words: "layer 4, page 3: attention 0.41 (0.02 to 0.9)", then its details.
[[nodiscard]] std::string describeCell(const Figure& figure, const CellPlace& place);

}  // namespace pal::inspect
