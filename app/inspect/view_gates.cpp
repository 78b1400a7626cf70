// SPDX-License-Identifier: Apache-2.0
// How open the output gates were: per layer and head, and of one layer over tokens.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

bool hasGate(const LayerShape& layer) {
    return layer.kda || layer.mla;
}

const GateProbe& gateOf(const TokenProbe& probe, int64_t layer) {
    const LayerProbe& found = probe.layers[static_cast<size_t>(layer)];
    return found.kda.gate.mean.empty() ? found.mla.gate : found.kda.gate;
}

float meanOver(const SpanRecords& records, int64_t layer, int64_t head, std::vector<float> GateProbe::*of) {
    double sum = 0;
    int64_t count = 0;
    for (const auto& probe : records.tokens) {
        const auto& values = gateOf(*probe, layer).*of;
        if (head >= std::ssize(values)) continue;
        sum += values[static_cast<size_t>(head)];
        ++count;
    }
    return count == 0 ? kNone : static_cast<float>(sum / static_cast<double>(count));
}

Panel layersPanel(const ViewInput& input, const SpanRecords& records, int64_t chosen) {
    Panel panel = layerHeadPanel(
        input, {layersWith(input.source.shape(), hasGate), chosen,
                [&](int64_t layer, int64_t head) { return meanOver(records, layer, head, &GateProbe::mean); }});
    panel.title = input.words.say("Mean openness, all layers");
    panel.valueName = input.words.say("openness");
    panel.scale = {ValueScale::Kind::kLinear, 0, 1};
    return panel;
}

// Below 0.1, between, above 0.9: stacked shares of each head's channels.
Panel sharesPanel(const ViewInput& input, const SpanRecords& records, int64_t layer) {
    Panel panel;
    panel.kind = Panel::Kind::kBars;
    panel.title = input.words.say("Layer {}: shares of channels", layer);
    panel.valueName = input.words.say("share of channels");
    panel.columns = {{input.words.say("shut"), "", {.layer = layer}},
                     {input.words.say("between"), "", {.layer = layer}},
                     {input.words.say("open"), "", {.layer = layer}}};
    panel.columnColours = {partColour(0), partColour(7), partColour(1)};
    for (int64_t head = 0; head < input.source.shape().layers[static_cast<size_t>(layer)].heads; ++head) {
        panel.rows.push_back(headEntry(input, layer, head));
        const float shut = meanOver(records, layer, head, &GateProbe::closed);
        const float open = meanOver(records, layer, head, &GateProbe::open);
        panel.values.insert(panel.values.end(), {shut, 1 - shut - open, open});
    }
    panel.chosenRow = input.selection.head;
    panel.scale = {ValueScale::Kind::kLinear, 0, 1};
    return panel;
}

Panel tokensPanel(const ViewInput& input, const SpanRecords& records, int64_t layer, int64_t most) {
    Panel panel;
    panel.title = input.words.say("Layer {}: mean openness over tokens", layer);
    panel.valueName = input.words.say("openness");
    panel.columnTitle = input.words.say("token");
    const auto count = static_cast<int64_t>(records.tokens.size());
    const int64_t step = std::max<int64_t>(1, (count + most - 1) / most);
    const int64_t heads = input.source.shape().layers[static_cast<size_t>(layer)].heads;
    for (int64_t head = 0; head < heads; ++head) panel.rows.push_back(headEntry(input, layer, head));
    std::vector<SpanRecords> columns;
    for (int64_t first = 0; first < count; first += step) {
        SpanRecords& part = columns.emplace_back();
        for (int64_t i = first; i < std::min(first + step, count); ++i)
            part.tokens.push_back(records.tokens[static_cast<size_t>(i)]);
        part.span = {part.tokens.front()->position, part.tokens.back()->position + 1};
        panel.columns.push_back(tokenEntry(input, part.span));
        if (part.span.contains(input.selection.tokens.begin)) panel.chosenColumn = std::ssize(panel.columns) - 1;
    }
    for (int64_t head = 0; head < heads; ++head)
        for (const SpanRecords& part : columns) panel.values.push_back(meanOver(part, layer, head, &GateProbe::mean));
    panel.chosenRow = input.selection.head;
    panel.scale = {ValueScale::Kind::kLinear, 0, 1};
    return panel;
}

bool anyGate(const SpanRecords& records, int64_t layer) {
    return std::any_of(records.tokens.begin(), records.tokens.end(),
                       [&](const auto& probe) { return !gateOf(*probe, layer).mean.empty(); });
}

}  // namespace

Figure buildGates(const ViewInput& input) {
    const std::string title =
        input.words.say("How open the output gates were, {}", spanText(input, input.selection.tokens));
    const int64_t layer = layerWith(input, hasGate);
    const SpanRecords records = recordsIn(input.source, input.selection.tokens);
    if (records.tokens.empty()) return nothingCaptured(input, "gates", title);
    if (layer < 0 || !anyGate(records, layer))
        return emptyFigure(input, "gates", title, input.words.say("This layer has no output gate."));
    const TokenSpan around = input.options.range.value_or(
        TokenSpan{std::max<int64_t>(0, input.selection.tokens.begin - 128), input.selection.tokens.end + 128});
    const SpanRecords wide = recordsIn(input.source, around);
    Figure figure = startFigure(input, "gates", title);
    figure.caption.push_back(input.words.say(
        "Sigmoid of each channel's gate: 0 lets nothing of the attention's output through, 1 all. Shut is below 0.1, "
        "open above 0.9."));
    captionTokens(figure, input, records);
    constexpr double kDown[] = {0.55, 0.45};
    constexpr double kAcross[] = {0.5, 0.5};
    const auto rows = splitDown(bodyOf(figure), kDown);
    const auto top = splitAcross(rows[0], kAcross);
    addPanel(figure, layersPanel(input, records, layer), top[0], Legend::kColours);
    addPanel(figure, sharesPanel(input, records, layer), top[1], Legend::kColours);
    addPanel(figure, tokensPanel(input, wide, layer, mostColumns(figure)), rows[1], Legend::kColours);
    return figure;
}

}  // namespace pal::inspect
