// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "app/desktop/transcript/block.h"
#include "app/desktop/transcript/row_layout.h"
#include "app/desktop/transcript/text_layout.h"

namespace pal::desktop {

struct TablePlace {
    qreal top = 0, inset = 0, width = 0;
};

// A table or a part of one: columns as wide as their text where that fits, else the widest ones are wrapped. Offsets are those of blockText().
class TableRow : public RowLayout {
  public:
    // `before`, if any, is an earlier state of the table with the same theme; it is spent.
    TableRow(const Block& block, const Theme& theme, const TablePlace& place, TableRow* before = nullptr);

    void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const override;
    [[nodiscard]] int offsetAt(QPointF point) const override;
    [[nodiscard]] QRectF caret(int offset) const override;

  private:
    struct Cell {
        std::unique_ptr<TextLayout> text;
        qreal natural = -1, width = -1;  // unbroken, and what it is broken for; negative: not known, not broken
        QPointF at;
        int begin = 0, length = 0;  // in the table's text
    };
    [[nodiscard]] static Cell setCell(const InlineText& text, const Theme& theme, const TextSetting& setting,
                                      Cell* before);
    void measure(const Block& block, const Theme& theme);
    void shareWidth(qreal available);
    [[nodiscard]] const Cell& cellAt(QPointF point) const;

    std::vector<Cell> cells_;
    std::vector<qreal> columns_;  // widths without padding
    std::vector<qreal> rows_;     // tops, and the bottom of the last
    qreal inset_, pad_, right_ = 0;
    bool first_;  // part of its table, with the head
};

}  // namespace pal::desktop
