// SPDX-License-Identifier: Apache-2.0
// Attention on a picture, page or frame: a cell per token of it, over the picture itself, and the mass of each frame of its clip.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspect/attention_mass.h"
#include "app/inspect/view_builders.h"

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

bool hasGrid(const Region& region) {
    return region.rows > 0 && region.columns > 0;
}

// Mass of each token of a region's grid, row by row; NaN where it is not known.
std::vector<float> gridMass(const Region& region, const KeyMass& mass) {
    const auto cells = static_cast<size_t>(region.rows * region.columns);
    std::vector<float> out(cells, mass.exact ? 0 : kNone);
    for (const KeyMass::Entry& entry : mass.keys) {
        const int64_t cell = entry.key - region.gridBegin;
        if (cell >= 0 && cell < static_cast<int64_t>(cells)) out[static_cast<size_t>(cell)] = entry.mass;
    }
    return out;
}

// The picture that is looked at most; the one that ViewOptions::range begins in, where it names one.
const Region* wantedPicture(const ViewInput& input, const std::vector<Region>& regions, const KeyMass& mass) {
    const Region* best = nullptr;
    double most = -1;
    for (const Region& region : regions) {
        if (!hasGrid(region)) continue;
        if (input.options.range && input.options.range->begin >= region.begin &&
            input.options.range->begin < region.end)
            return &region;
        double sum = 0;
        for (const float value : gridMass(region, mass))
            if (!std::isnan(value)) sum += value;
        if (sum > most) {
            most = sum;
            best = &region;
        }
    }
    return best;
}

Panel gridPanel(const ViewInput& input, const Region& region, const KeyMass& mass, int64_t layer) {
    Panel panel;
    panel.firstKey = region.gridBegin;
    panel.title = region.name;
    panel.valueName = input.words.say("attention");
    for (int64_t row = 0; row < region.rows; ++row) {
        Entry& entry = panel.rows.emplace_back();
        entry.name = input.words.say("row {}", row);
        entry.label = std::to_string(row);
        entry.target.layer = layer;
    }
    panel.values = gridMass(region, mass);
    for (int64_t column = 0; column < region.columns; ++column)
        panel.columns.push_back({input.words.say("column {}", column), std::to_string(column), {}});
    panel.scale = chosenScale(panel.values, input.options);
    panel.behind = input.source.picture(region);
    return panel;
}

// The heat keeps the picture's shape.
void keepShape(Panel& panel, const Region& region) {
    const double wide = panel.behind ? static_cast<double>(panel.behind->width) : static_cast<double>(region.columns);
    const double high = panel.behind ? static_cast<double>(panel.behind->height) : static_cast<double>(region.rows);
    const double scale = std::min(panel.area.width / wide, panel.area.height / high);
    panel.area.width = wide * scale;
    panel.area.height = high * scale;
    for (Tick& tick : panel.rowTicks) tick.at = std::clamp(tick.at, 0.0, 1.0);
    if (panel.legend) panel.legend->x = panel.area.right() + 12;
}

// Mean of the layers.
std::vector<double> regionMass(const ViewInput& input, const SpanRecords& records, std::span<const int64_t> layers) {
    std::vector<double> out;
    for (const int64_t layer : layers) {
        const RegionMass mass = massOf(records, layer, input.selection.head, ViewOptions::Sink::kShow);
        out.resize(std::max(out.size(), mass.region.size()));
        for (size_t i = 0; i < mass.region.size(); ++i) out[i] += mass.region[i] / static_cast<double>(layers.size());
    }
    return out;
}

// Mass of each group of frames of the clip that `region` belongs to.
Panel timeline(const ViewInput& input, const SpanRecords& records, const std::vector<Region>& regions,
               const Region& region, std::span<const int64_t> layers) {
    Panel panel;
    panel.kind = Panel::Kind::kLines;
    panel.title = input.words.say("Attention per time of the clip, {}", headsText(input));
    panel.valueName = input.words.say("attention");
    panel.rows.resize(1);
    if (layers.size() == 1) {
        panel.rows[0] = {input.words.say("layer {}", layers.front()), {}, {.layer = layers.front()}};
    } else {
        panel.rows[0].name = input.words.say("mean over layers");
    }
    panel.rowColours = {partColour(0)};
    const std::vector<double> mass = regionMass(input, records, layers);
    for (size_t i = 0; i < regions.size(); ++i) {
        const Region& frame = regions[i];
        if (frame.kind != Region::Kind::kFrames || frame.message != region.message ||
            frame.attachment != region.attachment)
            continue;
        Entry entry{frame.name, tenthsText(frame.seconds, input.options.decimal) + " s", {}};
        entry.target.region = static_cast<int64_t>(i);
        entry.target.keyBegin = frame.begin;
        entry.target.keyEnd = frame.end;
        panel.columns.push_back(std::move(entry));
        panel.values.push_back(i < mass.size() ? static_cast<float>(mass[i]) : kNone);
    }
    panel.scale = lineScale(panel.values);
    return panel;
}

// What a cell is, of which layers.
std::string captionOf(const ViewInput& input, std::span<const int64_t> layers, const KeyMass& mass) {
    const Words& words = input.words;
    if (layers.size() == 1) {
        return mass.exact ? words.say("Layer {}, {}: attention on each token of the picture, every token known.",
                                      layers.front(), headsText(input))
                          : words.say(
                                "Layer {}: attention on the tokens of the picture that are among the most attended of "
                                "each token, mean over heads; plain cells hold less.",
                                layers.front());
    }
    return mass.exact ? words.say(
                            "Mean over all layers with attention, {}: attention on each token of the picture, "
                            "every token known.",
                            headsText(input))
                      : words.say(
                            "Mean over all layers with attention: attention on the tokens of the picture that "
                            "are among the most attended of each token, mean over heads; plain cells hold less.");
}

}  // namespace

Figure buildOverlay(const ViewInput& input) {
    const std::string title = input.words.say("What {} saw", spanText(input, input.selection.tokens));
    const AttentionView view = attentionView(input, "overlay", title);
    if (view.nothing) return *view.nothing;
    const SpanRecords& records = view.records;
    const std::vector<int64_t> layers = attentionLayers(input);
    const auto known = input.source.regions(records.tokens.back()->position);
    const std::vector<Region>& regions = *known;
    const KeyMass mass = keyMassOf(input.source, records, layers, input.selection.head);
    const Region* region = wantedPicture(input, regions, mass);
    if (region == nullptr)
        return emptyFigure(input, "overlay", title,
                           input.words.say("There is no picture, page or clip before this token."));
    Figure figure = startFigure(input, "overlay", title);
    figure.caption.push_back(captionOf(input, layers, mass));
    captionTokens(figure, input, records);
    Panel grid = gridPanel(input, *region, mass, layers.size() == 1 ? layers.front() : -1);
    Panel time;
    if (region->kind == Region::Kind::kFrames) time = timeline(input, records, regions, *region, layers);
    const bool clip = time.columns.size() > 1;
    const std::vector<double> shares = clip ? std::vector<double>{0.7, 0.3} : std::vector<double>{1.0};
    const auto parts = splitDown(bodyOf(figure), shares);
    fit(grid, parts[0], figure, Legend::kColours);
    keepShape(grid, *region);
    figure.panels.push_back(std::move(grid));
    if (clip) addPanel(figure, std::move(time), parts[1], Legend::kNone);
    return figure;
}

}  // namespace pal::inspect
