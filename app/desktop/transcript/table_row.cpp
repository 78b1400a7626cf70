// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/table_row.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pal::desktop {
namespace {

Qt::Alignment alignmentOf(CellAlign align) {
    switch (align) {
        case CellAlign::kStart:
            return Qt::AlignLeft;
        case CellAlign::kLeft:
            return Qt::AlignLeft | Qt::AlignAbsolute;
        case CellAlign::kCentre:
            return Qt::AlignHCenter;
        case CellAlign::kRight:
            return Qt::AlignRight | Qt::AlignAbsolute;
    }
    return Qt::AlignLeft;
}

TextSetting cellSetting(const Theme& theme, bool head) {
    TextSetting setting;
    setting.font = theme.body();
    if (head) setting.font.setWeight(QFont::Bold);
    setting.colour = theme.colours().text;
    return setting;
}

constexpr qreal kUnbroken = 1e6;

}  // namespace

TableRow::Cell TableRow::setCell(const InlineText& text, const Theme& theme, const TextSetting& setting, Cell* before) {
    if (before != nullptr && before->text->text() == text && before->text->setting() == setting)
        return std::move(*before);
    Cell cell;
    cell.text = std::make_unique<TextLayout>(text, theme, setting);
    return cell;
}

TableRow::TableRow(const Block& block, const Theme& theme, const TablePlace& place, TableRow* before)
    : inset_(place.inset), pad_(theme.space(2)), first_(!block.continues) {
    const size_t columns = block.aligns.size();
    columns_.assign(columns, 0);
    int offset = 0;
    const bool sameColumns = before != nullptr && before->columns_.size() == columns;
    for (size_t i = 0; i < block.cells.size(); ++i) {
        TextSetting setting = cellSetting(theme, first_ && i < columns);
        setting.alignment = alignmentOf(block.aligns[i % columns]);
        Cell* known = sameColumns && i < before->cells_.size() ? &before->cells_[i] : nullptr;
        Cell& cell = cells_.emplace_back(setCell(block.cells[i], theme, setting, known));
        cell.begin = offset;
        cell.length = static_cast<int>(block.cells[i].text.size());
        offset += cell.length + 1;
    }
    measure(block, theme);
    shareWidth(place.width - inset_ - 2 * pad_ * static_cast<qreal>(columns));
    qreal y = place.top;
    for (size_t begin = 0; begin < cells_.size(); begin += columns) {
        rows_.push_back(y);
        qreal x = inset_ + pad_, tallest = 0;
        for (size_t c = 0; c < columns; ++c) {
            Cell& cell = cells_[begin + c];
            if (cell.width != columns_[c]) cell.text->breakLines(columns_[c]);
            cell.width = columns_[c];
            cell.at = {x, y + theme.space(1)};
            cell.text->addHots(cell.at, hots_);
            tallest = std::max(tallest, cell.text->height());
            x += columns_[c] + 2 * pad_;
        }
        right_ = x - pad_;
        y += tallest + 2 * theme.space(1);
    }
    rows_.push_back(y);
    height_ = y + 1;
}

// How wide columns would be that break no line: those of a table in parts by the texts that were chosen from all of them.
void TableRow::measure(const Block& block, const Theme& theme) {
    const auto need = [&](size_t column, qreal width) {
        columns_[column] = std::max(columns_[column], std::ceil(width) + 1);
    };
    if (block.widest.empty()) {
        for (size_t i = 0; i < cells_.size(); ++i) {
            Cell& cell = cells_[i];
            if (cell.natural < 0) {
                cell.text->breakLines(kUnbroken);
                cell.natural = cell.text->naturalWidth();
                cell.width = -1;
            }
            need(i % columns_.size(), cell.natural);
        }
        return;
    }
    const size_t each = block.widest.size() / columns_.size();
    for (size_t i = 0; i < block.widest.size(); ++i) {
        TextLayout text(block.widest[i], theme, cellSetting(theme, i % each == 0));
        text.breakLines(kUnbroken);
        need(i / each, text.naturalWidth());
    }
}

// Columns that need less than a fair share keep their width; the others share what is left.
void TableRow::shareWidth(qreal available) {
    const qreal natural = std::accumulate(columns_.begin(), columns_.end(), qreal{0});
    if (natural <= available) return;
    std::vector<size_t> order(columns_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return columns_[a] < columns_[b]; });
    qreal left = std::max<qreal>(available, 20);
    for (size_t i = 0; i < order.size(); ++i) {
        const qreal share = left / static_cast<qreal>(order.size() - i);
        columns_[order[i]] = std::min(columns_[order[i]], share);
        left -= columns_[order[i]];
    }
}

void TableRow::paint(QPainter& painter, const Theme& theme, const RowPaint& state) const {
    const Colours& colours = theme.colours();
    if (first_ && rows_.size() > 1)
        painter.fillRect(QRectF(inset_, rows_[0], right_ - inset_, rows_[1] - rows_[0]), colours.sunken);
    // The line above a later part is the last one of the part before.
    for (size_t i = first_ ? 0 : 1; i < rows_.size(); ++i)
        painter.fillRect(QRectF(inset_, rows_[i], right_ - inset_, 1), colours.faint);
    for (const Cell& cell : cells_) {
        if (state.clip.isValid() &&
            (cell.at.y() > state.clip.bottom() || cell.at.y() + cell.text->height() < state.clip.top()))
            continue;
        RowPaint own;
        own.clip = state.clip;
        own.selectionBegin = std::clamp(state.selectionBegin - cell.begin, 0, cell.length);
        own.selectionEnd = std::clamp(state.selectionEnd - cell.begin, 0, cell.length);
        for (FoundRun run : state.found) {
            run.begin = std::max(run.begin - cell.begin, 0);
            run.end = std::min(run.end - cell.begin, cell.length);
            if (run.begin < run.end) own.found.push_back(run);
        }
        cell.text->paint(painter, cell.at, theme, own);
    }
    paintFocus(painter, theme, state);
}

const TableRow::Cell& TableRow::cellAt(QPointF point) const {
    size_t row = 0;
    while (row + 2 < rows_.size() && point.y() >= rows_[row + 1]) ++row;
    size_t column = 0;
    qreal right = inset_ + columns_[0] + 2 * pad_;
    while (column + 1 < columns_.size() && point.x() >= right) right += columns_[++column] + 2 * pad_;
    return cells_[row * columns_.size() + column];
}

int TableRow::offsetAt(QPointF point) const {
    if (cells_.empty()) return 0;
    const Cell& cell = cellAt(point);
    return cell.begin + cell.text->offsetAt(point - cell.at);
}

QRectF TableRow::caret(int offset) const {
    for (const Cell& cell : cells_) {
        if (offset <= cell.begin + cell.length)
            return cell.text->caret(std::max(0, offset - cell.begin)).translated(cell.at);
    }
    return {};
}

}  // namespace pal::desktop
