// SPDX-License-Identifier: Apache-2.0
// All heads of all layers with attention at once: a small map each, tokens downwards, parts of the context to the right.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "app/inspect/attention_mass.h"
#include "app/inspect/view_builders.h"

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr int64_t kMostCells = 32;  // of one map, in each direction

// Consecutive runs of `count` things, at most `most` runs: [begin, end) of each.
std::vector<std::pair<size_t, size_t>> runsOf(size_t count, int64_t most) {
    const auto step = std::max<size_t>(1, (count + static_cast<size_t>(most) - 1) / static_cast<size_t>(most));
    std::vector<std::pair<size_t, size_t>> out;
    for (size_t begin = 0; begin < count; begin += step) out.emplace_back(begin, std::min(begin + step, count));
    return out;
}

// The layout: maps of `tokens` by `parts` cells with a row and a column between them.
struct Mosaic {
    std::vector<int64_t> layers;
    int64_t heads = 0;
    std::vector<SpanRecords> tokens;
    std::vector<std::pair<size_t, size_t>> parts;
    size_t regions = 0;
};

Mosaic mosaicOf(const ViewInput& input, const Figure& figure, const SpanRecords& records, size_t regions) {
    Mosaic out;
    out.layers = layersWith(input.source.shape(), isMla);
    for (const int64_t layer : out.layers)
        out.heads = std::max(out.heads, input.source.shape().layers[static_cast<size_t>(layer)].heads);
    out.regions = regions;
    out.parts = runsOf(regions, std::clamp<int64_t>(mostColumns(figure) / out.heads - 1, 1, kMostCells));
    const auto high = static_cast<int64_t>(figure.height) / std::ssize(out.layers) - 1;
    for (const auto& [begin, end] : runsOf(records.tokens.size(), std::clamp<int64_t>(high, 1, kMostCells))) {
        SpanRecords& part = out.tokens.emplace_back();
        for (size_t i = begin; i < end; ++i) part.tokens.push_back(records.tokens[i]);
        part.span = {part.tokens.front()->position, part.tokens.back()->position + 1};
    }
    return out;
}

void addRows(Panel& panel, const ViewInput& input, const Mosaic& mosaic) {
    for (const int64_t layer : mosaic.layers) {
        if (!panel.rows.empty()) panel.rows.emplace_back();
        for (const SpanRecords& part : mosaic.tokens) {
            Entry entry = tokenEntry(input, part.span);
            entry.name = input.words.say("{}, {}", input.words.say("layer {}", layer), entry.name);
            entry.target.layer = layer;
            panel.rows.push_back(std::move(entry));
        }
    }
}

void addColumns(Panel& panel, const ViewInput& input, const Mosaic& mosaic, const std::vector<Region>& regions) {
    for (int64_t head = 0; head < mosaic.heads; ++head) {
        if (head > 0) panel.columns.emplace_back();
        for (const auto& [begin, end] : mosaic.parts) {
            Entry entry;
            const bool named = begin < regions.size();
            entry.name = input.words.say("head {}", head) + ", " +
                         (named ? regions[begin].name : input.words.say("this answer"));
            entry.target = {.head = head, .region = static_cast<int64_t>(begin)};
            if (named) {
                entry.target.keyBegin = regions[begin].begin;
                entry.target.keyEnd = regions[std::min(end, regions.size()) - 1].end;
            }
            panel.columns.push_back(std::move(entry));
        }
    }
}

// A map's values into their place.
void fillMap(Panel& panel, const ViewInput& input, const Mosaic& mosaic, size_t at, int64_t head) {
    const size_t firstRow = at * (mosaic.tokens.size() + 1);
    const size_t firstColumn = static_cast<size_t>(head) * (mosaic.parts.size() + 1);
    for (size_t t = 0; t < mosaic.tokens.size(); ++t) {
        const RegionMass mass = massOf(mosaic.tokens[t], mosaic.layers[at], head, input.options.sink);
        if (mass.region.size() != mosaic.regions) continue;
        for (size_t p = 0; p < mosaic.parts.size(); ++p) {
            const auto begin = mass.region.begin() + static_cast<ptrdiff_t>(mosaic.parts[p].first);
            const auto end = mass.region.begin() + static_cast<ptrdiff_t>(mosaic.parts[p].second);
            panel.values[panel.cell(firstRow + t, firstColumn + p)] =
                static_cast<float>(std::accumulate(begin, end, 0.0));
        }
    }
}

// One label per map, in its middle.
std::vector<Tick> mapTicks(size_t maps, size_t cells, double room, const std::function<std::string(size_t)>& label) {
    std::vector<Tick> out;
    const double all = static_cast<double>(maps * (cells + 1) - 1);
    const auto step = static_cast<size_t>(std::max(1.0, std::ceil(room * static_cast<double>(maps))));
    for (size_t map = 0; map < maps; map += step)
        out.push_back({(static_cast<double>(map * (cells + 1)) + static_cast<double>(cells) / 2) / all, label(map)});
    return out;
}

}  // namespace

Figure buildModel(const ViewInput& input) {
    const std::string title = input.words.say("All heads, {}", spanText(input, input.selection.tokens));
    AttentionView view = attentionView(input, "model", title);
    if (view.nothing) return *view.nothing;
    const SpanRecords records = recordsIn(input.source, input.selection.tokens, 2 * kMostCells);
    if (records.tokens.empty()) return nothingCaptured(input, "model", title);
    const auto regions = input.source.regions(records.tokens.back()->position);
    const MlaProbe& last = records.tokens.back()->layers[static_cast<size_t>(view.layer)].mla;
    if (last.mass.empty()) return nothingCaptured(input, "model", title);
    Figure figure = startFigure(input, "model", title);
    const Mosaic mosaic = mosaicOf(input, figure, records, last.mass.size() / last.sink.size());
    const size_t rows = mosaic.tokens.size(), columns = mosaic.parts.size();
    figure.caption.push_back(
        input.options.sink == ViewOptions::Sink::kHide
            ? input.words.say("A map per layer and head: attention mass of {} rows of tokens on {} columns of parts of "
                              "the context, without the first token, the rest made to sum to 1.",
                              rows, columns)
            : input.words.say("A map per layer and head: attention mass of {} rows of tokens on {} columns of parts of "
                              "the context, without the first token.",
                              rows, columns));
    captionTokens(figure, input, records);
    Panel panel;
    panel.valueName = input.words.say("attention");
    panel.columnTitle = input.words.say("head");
    addRows(panel, input, mosaic);
    addColumns(panel, input, mosaic, *regions);
    panel.values.assign(panel.rows.size() * panel.columns.size(), kNone);
    for (size_t at = 0; at < mosaic.layers.size(); ++at)
        for (int64_t head = 0; head < mosaic.heads; ++head) fillMap(panel, input, mosaic, at, head);
    panel.scale = chosenScale(panel.values, input.options);
    const Rect body = bodyOf(figure);
    fit(panel, body, figure, Legend::kColours);
    const double size = figure.textSize;
    panel.rowTicks = mapTicks(mosaic.layers.size(), mosaic.tokens.size(), size * 1.1 / panel.area.height,
                              [&](size_t map) { return layerEntry(input, mosaic.layers[map]).label; });
    panel.columnTicks = mapTicks(static_cast<size_t>(mosaic.heads), mosaic.parts.size(), size * 2.5 / panel.area.width,
                                 [](size_t map) { return std::to_string(map); });
    figure.panels.push_back(std::move(panel));
    return figure;
}

}  // namespace pal::inspect
