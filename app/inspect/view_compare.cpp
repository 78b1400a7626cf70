// SPDX-License-Identifier: Apache-2.0
// Two of anything: a view of one token, span or branch, the same of another, and their difference on equal axes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

// The first panel with a number per row and column that both figures have.
std::optional<std::pair<size_t, size_t>> comparable(const Figure& a, const Figure& b) {
    for (size_t i = 0; i < a.panels.size(); ++i) {
        for (size_t k = 0; k < b.panels.size(); ++k) {
            const Panel& first = a.panels[i];
            const Panel& second = b.panels[k];
            const bool kind = first.kind == Panel::Kind::kHeat || first.kind == Panel::Kind::kBars;
            if (kind && first.kind == second.kind && first.rows.size() == second.rows.size() &&
                first.columns.size() == second.columns.size())
                return std::pair(i, k);
        }
    }
    return std::nullopt;
}

// Both with the scale of their values together, as heat.
void commonScale(Panel& a, Panel& b) {
    const auto join = [](const ValueScale& x, const ValueScale& y) {
        return ValueScale{x.kind, std::min(x.low, y.low), std::max(x.high, y.high)};
    };
    a.scale = b.scale = join(a.scale, b.scale);
    for (size_t row = 0; row < a.rowScales.size(); ++row)
        a.rowScales[row] = b.rowScales[row] = join(a.rowScales[row], b.rowScales[row]);
    a.kind = b.kind = Panel::Kind::kHeat;
    for (Panel* panel : {&a, &b}) {
        panel->columnColours.clear();
        panel->texts.clear();
        panel->valueTicks.clear();
    }
}

// b - a. Rows with scales of their own are compared each by its own reach.
Panel difference(const ViewInput& input, const Panel& a, const Panel& b) {
    Panel out = a;
    out.title = input.words.say("second minus first");
    out.valueName = input.words.say("difference");
    out.details = nullptr;
    out.rowScales.clear();
    const size_t columns = a.columns.size();
    for (size_t cell = 0; cell < a.values.size(); ++cell) out.values[cell] = b.values[cell] - a.values[cell];
    if (!a.rowScales.empty()) {
        for (size_t row = 0; row < a.rows.size(); ++row)
            out.rowScales.push_back(
                scaleOf(std::span(out.values).subspan(row * columns, columns), ValueScale::Kind::kDiverging));
    }
    out.scale = scaleOf(out.values, ValueScale::Kind::kDiverging);
    return out;
}

}  // namespace

Figure buildCompare(const ViewInput& input) {
    const View* view = findView(input.options.compared);
    const std::string title = input.words.say("Two compared");
    if (view == nullptr || view->build == &buildCompare)
        return emptyFigure(input, "compare", title,
                           input.words.say("There is no view “{}” to compare.", input.options.compared));
    if (!input.other)
        return emptyFigure(input, "compare", title,
                           input.words.say("Choose a second token or span: Alt with a click, or “Compare with”."));
    const ViewInput second = {input.otherSource != nullptr ? *input.otherSource : input.source,
                              *input.other,
                              input.options,
                              input.words,
                              nullptr,
                              std::nullopt,
                              input.stop};
    ViewInput first = input;
    first.other.reset();
    const Figure a = view->build(first), b = view->build(second);
    for (const Figure* figure : {&a, &b})
        if (!figure->message.empty()) return emptyFigure(input, "compare", figure->title, figure->message);
    const auto pair = comparable(a, b);
    if (!pair)
        return emptyFigure(input, "compare", title,
                           input.words.say("The two have other rows or columns: nothing can be set side by side."));
    Figure figure = startFigure(input, "compare", title);
    figure.caption.push_back(input.words.say("First: {}. Second: {}.", a.title, b.title));
    figure.caption.insert(figure.caption.end(), a.caption.begin(), a.caption.end());
    if (b.caption.size() > 1) figure.caption.push_back(b.caption.back());
    Panel left = a.panels[pair->first], right = b.panels[pair->second];
    commonScale(left, right);
    Panel change = difference(input, left, right);
    left.title = input.words.say("first: {}", a.title);
    right.title = input.words.say("second: {}", b.title);
    constexpr double kThirds[] = {1, 1, 1};
    const auto parts = splitDown(bodyOf(figure), kThirds);
    const Legend legend = left.rowScales.empty() ? Legend::kColours : Legend::kNone;
    size_t at = 0;
    for (Panel* panel : {&left, &right, &change}) {
        panel->columnTitle.clear();
        panel->legend.reset();
        addPanel(figure, std::move(*panel), parts[at++], legend);
    }
    return figure;
}

}  // namespace pal::inspect
