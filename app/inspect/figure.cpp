// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pal::inspect {
namespace {

double stackedBefore(const Panel& panel, size_t row, size_t column) {
    double sum = 0;
    for (size_t c = 0; c < column; ++c) {
        const float value = panel.values[panel.cell(row, c)];
        if (value > 0) sum += value;
    }
    return sum;
}

// Stacked parts lie behind each other; a single signed value reaches from zero to either side.
Rect barRect(const Panel& panel, size_t row, size_t column) {
    const double height = panel.area.height / static_cast<double>(panel.rows.size());
    const double y = panel.area.y + height * static_cast<double>(row);
    const float value = panel.values[panel.cell(row, column)];
    const double before = panel.columns.size() > 1 ? stackedBefore(panel, row, column) : 0;
    const double from = panel.scale.at(panel.columns.size() > 1 ? before : std::max(0.0, panel.scale.low));
    const double to = panel.scale.at(before + value);
    const double x = panel.area.x + panel.area.width * std::min(from, to);
    return {x, y + height * 0.1, panel.area.width * std::abs(to - from), height * 0.8};
}

Rect lineRect(const Panel& panel, size_t row, size_t column) {
    const double width = panel.area.width / static_cast<double>(panel.columns.size());
    const double x = panel.area.x + width * static_cast<double>(column);
    const size_t cell = panel.cell(row, column);
    const ValueScale& scale = panel.scaleOfRow(row);
    const auto y = [&](double value) { return panel.area.bottom() - panel.area.height * scale.at(value); };
    double top = y(panel.values[cell]);
    double bottom = top;
    if (!panel.low.empty()) {
        top = std::min(top, y(panel.high[cell]));
        bottom = std::max(bottom, y(panel.low[cell]));
    }
    return {x, top - 2, width, bottom - top + 4};
}

Rect linkRect(const Panel& panel, size_t row, size_t column) {
    const double from =
        panel.area.y + panel.area.height * (static_cast<double>(row) + 0.5) / static_cast<double>(panel.rows.size());
    const double to = panel.area.y + panel.area.height * (static_cast<double>(column) + 0.5) /
                                         static_cast<double>(panel.columns.size());
    return {panel.area.x, std::min(from, to), panel.area.width, std::abs(to - from)};
}

double distance(const Panel& panel, size_t row, size_t column, double x, double y) {
    if (panel.kind == Panel::Kind::kLinks) {
        const double share = (x - panel.area.x) / panel.area.width;
        const auto rows = static_cast<double>(panel.rows.size());
        const auto columns = static_cast<double>(panel.columns.size());
        const double from = (static_cast<double>(row) + 0.5) / rows;
        const double to = (static_cast<double>(column) + 0.5) / columns;
        return std::abs(panel.area.y + panel.area.height * (from + (to - from) * share) - y);
    }
    const Rect rect = cellRect(panel, row, column);
    return std::abs(rect.y + rect.height / 2 - y);
}

size_t indexIn(double at, double begin, double length, size_t count) {
    const double place = (at - begin) / length * static_cast<double>(count);
    return static_cast<size_t>(std::clamp(place, 0.0, static_cast<double>(count) - 1));
}

std::optional<CellPlace> nearestOf(const Panel& panel, size_t index, double x, double y) {
    std::optional<CellPlace> best;
    double least = panel.kind == Panel::Kind::kLinks ? 4 : 1e300;
    const bool anyColumn = panel.kind == Panel::Kind::kLinks;
    const size_t column = indexIn(x, panel.area.x, panel.area.width, panel.columns.size());
    for (size_t row = 0; row < panel.rows.size(); ++row) {
        for (size_t c = anyColumn ? 0 : column; c < (anyColumn ? panel.columns.size() : column + 1); ++c) {
            if (std::isnan(panel.values[panel.cell(row, c)])) continue;
            const double away = distance(panel, row, c, x, y);
            if (away >= least) continue;
            least = away;
            best = CellPlace{index, row, c};
        }
    }
    return best;
}

std::optional<CellPlace> placedAt(const Panel& panel, size_t index, double x, double y) {
    for (size_t column = 0; column < panel.places.size(); ++column)
        if (panel.places[column].contains(x, y)) return CellPlace{index, 0, column};
    return std::nullopt;
}

std::optional<CellPlace> barAt(const Panel& panel, size_t index, double x, double y) {
    const size_t row = indexIn(y, panel.area.y, panel.area.height, panel.rows.size());
    if (panel.columns.size() == 1) return CellPlace{index, row, 0};
    for (size_t column = 0; column < panel.columns.size(); ++column) {
        const Rect rect = barRect(panel, row, column);
        if (x >= rect.x && x < rect.right()) return CellPlace{index, row, column};
    }
    return std::nullopt;
}

int64_t chosen(int64_t first, int64_t second) {
    return second >= 0 ? second : first;
}

}  // namespace

Target merged(const Target& row, const Target& column) {
    return {chosen(row.begin, column.begin),   chosen(row.end, column.end),       chosen(row.keyBegin, column.keyBegin),
            chosen(row.keyEnd, column.keyEnd), chosen(row.layer, column.layer),   chosen(row.head, column.head),
            chosen(row.region, column.region), chosen(row.expert, column.expert), chosen(row.channel, column.channel),
            chosen(row.source, column.source)};
}

size_t markCount(const Figure& figure) {
    size_t out = 0;
    for (const Panel& panel : figure.panels) out += panel.values.size();
    return out;
}

Rect cellRect(const Panel& panel, size_t row, size_t column) {
    if (std::isnan(panel.values[panel.cell(row, column)]) && panel.kind != Panel::Kind::kTokens) return {};
    switch (panel.kind) {
        case Panel::Kind::kTokens:
            return panel.places[column];
        case Panel::Kind::kBars:
            return barRect(panel, row, column);
        case Panel::Kind::kLines:
        case Panel::Kind::kRanges:
            return lineRect(panel, row, column);
        case Panel::Kind::kLinks:
            return linkRect(panel, row, column);
        case Panel::Kind::kHeat:
            break;
    }
    const double width = panel.area.width / static_cast<double>(panel.columns.size());
    const double height = panel.area.height / static_cast<double>(panel.rows.size());
    return {panel.area.x + width * static_cast<double>(column), panel.area.y + height * static_cast<double>(row), width,
            height};
}

std::optional<CellPlace> cellAt(const Figure& figure, double x, double y) {
    for (size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        if (!panel.area.contains(x, y) || panel.values.empty()) continue;
        switch (panel.kind) {
            case Panel::Kind::kTokens:
                return placedAt(panel, i, x, y);
            case Panel::Kind::kBars:
                return barAt(panel, i, x, y);
            case Panel::Kind::kLines:
            case Panel::Kind::kRanges:
            case Panel::Kind::kLinks:
                return nearestOf(panel, i, x, y);
            case Panel::Kind::kHeat:
                return CellPlace{i, indexIn(y, panel.area.y, panel.area.height, panel.rows.size()),
                                 indexIn(x, panel.area.x, panel.area.width, panel.columns.size())};
        }
    }
    return std::nullopt;
}

CellPlace nextCell(const Figure& figure, const CellPlace& from, int columns, int rows) {
    if (from.panel >= figure.panels.size()) return from;
    CellPlace to = from;
    const auto move = [](size_t at, int step, size_t count) {
        const auto moved = static_cast<int64_t>(at) + step;
        return static_cast<size_t>(std::clamp(moved, int64_t{0}, static_cast<int64_t>(count) - 1));
    };
    const Panel& panel = figure.panels[from.panel];
    if (panel.values.empty()) return from;
    to.column = move(from.column, columns, panel.columns.size());
    to.row = move(from.row, rows, panel.rows.size());
    if (rows == 0 || to.row != from.row) return to;
    // Over the edge: the next panel with cells, entered on the side that is nearer.
    const int step = rows > 0 ? 1 : -1;
    for (auto next = static_cast<int64_t>(from.panel) + step;
         next >= 0 && next < static_cast<int64_t>(figure.panels.size()); next += step) {
        const Panel& other = figure.panels[static_cast<size_t>(next)];
        if (other.values.empty()) continue;
        return {static_cast<size_t>(next), step > 0 ? 0 : other.rows.size() - 1,
                std::min(from.column, other.columns.size() - 1)};
    }
    return from;
}

Target targetOf(const Figure& figure, const CellPlace& place) {
    const Panel& panel = figure.panels[place.panel];
    Target out = merged(panel.rows[place.row].target, panel.columns[place.column].target);
    if (panel.firstKey < 0) return out;
    out.keyBegin = panel.firstKey + static_cast<int64_t>(panel.cell(place.row, place.column));
    out.keyEnd = out.keyBegin + 1;
    return out;
}

float valueOf(const Figure& figure, const CellPlace& place) {
    const Panel& panel = figure.panels[place.panel];
    return panel.values[panel.cell(place.row, place.column)];
}

std::string describeCell(const Figure& figure, const CellPlace& place) {
    const Panel& panel = figure.panels[place.panel];
    const size_t cell = panel.cell(place.row, place.column);
    std::string name = panel.rows[place.row].name;
    const std::string& column = panel.columns[place.column].name;
    if (!column.empty()) name += (name.empty() ? "" : ", ") + column;
    std::string out = fmt::format("{}: {} {}", name, panel.valueName, numberText(panel.values[cell], figure.decimal));
    if (!panel.low.empty())
        out += fmt::format(" ({} … {})", numberText(panel.low[cell], figure.decimal),
                           numberText(panel.high[cell], figure.decimal));
    if (!panel.details) return out;
    const std::string details = panel.details(cell);
    if (!details.empty()) out += "\n" + details;
    return out;
}

}  // namespace pal::inspect
