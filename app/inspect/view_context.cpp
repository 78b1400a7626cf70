// SPDX-License-Identifier: Apache-2.0
// The context map: attention mass per region (page, frames, file, turn) and layer, the sink apart.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspect/attention_mass.h"
#include "app/inspect/view_builders.h"

namespace pal::inspect {
namespace {

struct Map {
    std::vector<Entry> columns;
    size_t regions = 0;  // that are shown
    size_t joined = 1;   // of them per column, neighbours
};

// Regions that some of the tokens before `last` are in: nobody has looked at those behind.
size_t regionsBefore(const std::vector<Region>& regions, size_t count, int64_t last) {
    const auto begin = [&](size_t region) {
        if (region < regions.size()) return regions[region].begin;
        return regions.empty() ? 0 : regions.back().end;
    };
    while (count > 1 && begin(count - 1) >= last) --count;
    return count;
}

// A column per region, or per run of neighbours where there are more than pixels.
Map columnsOf(const ViewInput& input, const std::vector<Region>& regions, size_t count, int64_t most, int64_t last) {
    Map out;
    out.regions = count = regionsBefore(regions, count, last);
    out.joined = std::max<size_t>(1, (count + static_cast<size_t>(most) - 1) / static_cast<size_t>(most));
    for (size_t first = 0; first < count; first += out.joined) {
        const size_t end = std::min(first + out.joined, count);
        Entry entry;
        entry.target.region = static_cast<int64_t>(first);
        if (first < regions.size()) {
            const Region& region = regions[first];
            entry.name = region.name;
            if (region.page > 0) entry.label = input.words.say("p. {}", region.page);
            if (region.kind == Region::Kind::kFrames && region.seconds >= 0)
                entry.label = tenthsText(region.seconds, input.options.decimal) + " s";
            entry.target.keyBegin = region.begin;
            entry.target.keyEnd = regions[std::min(end, regions.size()) - 1].end;
            if (end - first > 1)
                entry.name = input.words.say("{} to {}", region.name, regions[std::min(end, regions.size()) - 1].name);
        } else {
            entry.name = input.words.say("this answer");
            entry.label = input.words.say("answer");
            entry.target.keyBegin = regions.empty() ? 0 : regions.back().end;
            entry.target.keyEnd = last;
        }
        out.columns.push_back(std::move(entry));
    }
    return out;
}

void addRow(Panel& panel, const RegionMass& mass, const Map& map) {
    for (size_t first = 0; first < map.regions; first += map.joined) {
        double sum = 0;
        for (size_t i = first; i < std::min({first + map.joined, map.regions, mass.region.size()}); ++i)
            sum += mass.region[i];
        panel.values.push_back(static_cast<float>(sum));
    }
}

struct Rows {
    Panel heat, sink;
};

// The heat with the sink's bars beside it, row by row.
void place(Figure& figure, const ViewInput& input, Rows rows, const Rect& rect) {
    keepMass(rows.heat, input.options.mass);
    rows.heat.scale = chosenScale(rows.heat.values, input.options);
    if (input.options.sink == ViewOptions::Sink::kHide)
        return addPanel(figure, std::move(rows.heat), rect, Legend::kColours);
    constexpr double kShares[] = {0.82, 0.18};
    const auto parts = splitAcross(rect, kShares);
    rows.sink.kind = Panel::Kind::kBars;
    rows.sink.title = input.words.say("sink (first token)");
    for (const float value : rows.sink.values) rows.sink.texts.push_back(numberText(value, input.options.decimal));
    rows.sink.valueName = input.words.say("attention on the first token");
    rows.sink.columns = {{input.words.say("first token"), {}, {.keyBegin = 0, .keyEnd = 1}}};
    rows.sink.scale = {ValueScale::Kind::kLinear, 0, 1};
    rows.sink.columnTitle = rows.heat.columnTitle.empty() ? "" : " ";
    addPanel(figure, std::move(rows.heat), parts[0], Legend::kColours);
    addPanel(figure, std::move(rows.sink), parts[1], Legend::kNone);
}

Rows layerRows(const ViewInput& input, const SpanRecords& records, const Map& map, const std::vector<int64_t>& layers) {
    Rows out;
    out.heat.title = input.words.say("All layers with attention");
    out.heat.columns = map.columns;
    out.heat.valueName = input.words.say("attention");
    RegionMass all;
    for (const int64_t layer : layers) {
        const RegionMass mass = massOf(records, layer, input.selection.head, input.options.sink);
        if (mass.tokens == 0) continue;
        out.heat.rows.push_back(layerEntry(input, layer));
        if (layer == input.selection.layer) out.heat.chosenRow = std::ssize(out.heat.rows) - 1;
        addRow(out.heat, mass, map);
        out.sink.values.push_back(static_cast<float>(mass.sink));
        if (all.region.empty()) all.region.assign(mass.region.size(), 0.0);
        for (size_t i = 0; i < mass.region.size(); ++i) all.region[i] += mass.region[i];
        all.sink += mass.sink;
        ++all.tokens;
    }
    for (double& mass : all.region) mass /= static_cast<double>(std::max<int64_t>(1, all.tokens));
    out.heat.rows.push_back({input.words.say("mean of all"), input.words.say("mean"), {}});
    addRow(out.heat, all, map);
    out.sink.values.push_back(static_cast<float>(all.sink / static_cast<double>(std::max<int64_t>(1, all.tokens))));
    out.sink.rows = out.heat.rows;
    return out;
}

Rows headRows(const ViewInput& input, const SpanRecords& records, const Map& map, int64_t layer) {
    Rows out;
    out.heat.title = input.words.say("Heads of layer {}", layer);
    out.heat.columns = map.columns;
    out.heat.columnTitle = input.words.say("part of the context");
    out.heat.valueName = input.words.say("attention");
    const int64_t heads = input.source.shape().layers[static_cast<size_t>(layer)].heads;
    for (int64_t head = 0; head < heads; ++head) {
        const RegionMass mass = massOf(records, layer, head, input.options.sink);
        out.heat.rows.push_back(headEntry(input, layer, head));
        addRow(out.heat, mass, map);
        out.sink.values.push_back(static_cast<float>(mass.sink));
    }
    out.heat.chosenRow = input.selection.head;
    out.sink.rows = out.heat.rows;
    return out;
}

}  // namespace

Figure buildContext(const ViewInput& input) {
    const std::string title = input.words.say("Where {} looked", spanText(input, input.selection.tokens));
    const AttentionView view = attentionView(input, "context", title);
    if (view.nothing) return *view.nothing;
    const auto& [layer, records, nothing] = view;
    Figure figure = startFigure(input, "context", title);
    figure.caption.push_back(
        input.options.sink == ViewOptions::Sink::kHide
            ? input.words.say("Attention mass per part of the context, mean over tokens; upper map: {}. Without the "
                              "first token, the rest made to sum to 1.",
                              headsText(input))
            : input.words.say("Attention mass per part of the context, mean over tokens; upper map: {}. With the first "
                              "token, shown apart, each row sums to 1.",
                              headsText(input)));
    captionTokens(figure, input, records);
    const RegionMass sample = massOf(records, layer, -1, input.options.sink);
    const auto regions = input.source.regions(records.tokens.back()->position);
    const Map map = columnsOf(input, *regions, sample.region.size(), mostColumns(figure), records.span.end);
    if (map.joined > 1) figure.caption.push_back(input.words.say("{} neighbouring parts to a column.", map.joined));
    constexpr double kShares[] = {0.5, 0.5};
    const auto halves = splitDown(bodyOf(figure), kShares);
    Rows above = layerRows(input, records, map, layersWith(input.source.shape(), isMla));
    Rows below = headRows(input, records, map, layer);
    for (const Entry& row : above.heat.rows) {  // the same parts above each other
        const double width = textWidth(row.label.empty() ? row.name : row.label);
        for (Panel* panel : {&above.heat, &above.sink, &below.heat, &below.sink})
            panel->namesWidth = std::max(panel->namesWidth, width);
    }
    place(figure, input, std::move(above), halves[0]);
    place(figure, input, std::move(below), halves[1]);
    return figure;
}

std::optional<LookedAt> mostLookedAt(const ProbeSource& source, const TokenSpan& tokens) {
    const SpanRecords records = recordsIn(source, tokens);
    if (records.tokens.empty()) return std::nullopt;
    const auto known = source.regions(records.tokens.back()->position);
    const std::vector<Region>& regions = *known;
    std::vector<double> sum(regions.size(), 0.0);
    int64_t layers = 0;
    for (const int64_t layer : layersWith(source.shape(), isMla)) {
        const RegionMass mass = massOf(records, layer, -1, ViewOptions::Sink::kShow);
        if (mass.tokens == 0) continue;
        ++layers;
        for (size_t i = 0; i < std::min(sum.size(), mass.region.size()); ++i) sum[i] += mass.region[i];
    }
    std::optional<LookedAt> out;
    for (size_t i = 0; i < sum.size(); ++i) {
        const double mass = sum[i] / static_cast<double>(std::max<int64_t>(1, layers));
        const bool opens = regions[i].attachment >= 0 || regions[i].page > 0;
        if (!opens || (out && out->mass >= mass)) continue;
        out = LookedAt{regions[i], mass};
    }
    return out;
}

}  // namespace pal::inspect
