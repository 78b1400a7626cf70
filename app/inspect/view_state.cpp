// SPDX-License-Identifier: Apache-2.0
// The state of a KDA layer: its norm over the session, and of one head the matrix, its spectrum and what a window changed.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspect/state_figures.h"
#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

TokenSpan wholeSpan(const ViewInput& input) {
    if (input.options.range) return *input.options.range;
    const std::vector<TokenSpan> covered = input.source.covered();
    return covered.empty() ? TokenSpan{} : TokenSpan{covered.front().begin, covered.back().end};
}

Panel normPanel(const ViewInput& input, const Figure& figure, int64_t layer) {
    Panel panel;
    panel.kind = Panel::Kind::kLines;
    panel.title = input.words.say("Layer {}: norm of the state over tokens", layer);
    panel.valueName = input.words.say("norm of the state");
    panel.columnTitle = input.words.say("token");
    panel.rows = {{input.words.say("layer {}", layer), "", {.layer = layer}}};
    panel.rowColours = {partColour(0)};
    for (const SeriesBin& bin : input.source.bins(Scalar::kStateNorm, layer, wholeSpan(input), mostColumns(figure))) {
        panel.columns.push_back(tokenEntry(input, bin.tokens));
        if (bin.tokens.contains(input.selection.tokens.begin)) panel.chosenColumn = std::ssize(panel.columns) - 1;
        panel.values.push_back(bin.mean);
        panel.low.push_back(bin.low);
        panel.high.push_back(bin.high);
    }
    panel.scale = lineScale(panel.high);
    return panel;
}

// One head's S as an image, rows the value channels, columns the key channels.
Panel imagePanel(const ViewInput& input, const RawLayer& raw, std::span<const float> state) {
    const RawKda& kda = raw.kda;
    const int64_t head = shownHead(input);
    Panel panel;
    panel.valueName = input.words.say("value of S");
    panel.columnTitle = input.words.say("key channel");
    for (int64_t v = 0; v < kda.valueDim; ++v) {
        Entry entry = headEntry(input, raw.layer, head);
        entry.name = input.words.say("value channel {}", v);
        entry.label = std::to_string(v);
        panel.rows.push_back(std::move(entry));
    }
    for (int64_t k = 0; k < kda.keyDim; ++k)
        panel.columns.push_back({input.words.say("key channel {}", k), std::to_string(k), {.channel = k}});
    const auto first = static_cast<size_t>(head * kda.valueDim * kda.keyDim);
    const auto count = static_cast<size_t>(kda.valueDim * kda.keyDim);
    for (size_t i = first; i < first + count; ++i) panel.values.push_back(state[i]);
    panel.scale = scaleOf(panel.values, ValueScale::Kind::kDiverging);
    return panel;
}

// Singular values of the head's matrix before and after the window, by rank; the effective ranks go into the caption.
Panel spectrumPanel(const ViewInput& input, const RawLayer& raw, std::vector<std::string>& caption) {
    const RawKda& kda = raw.kda;
    const auto size = static_cast<size_t>(kda.valueDim * kda.keyDim);
    const auto first = static_cast<size_t>(shownHead(input)) * size;
    const StateFigures before =
        stateFigures(std::span(kda.stateBefore).subspan(first, size), kda.valueDim, kda.keyDim, input.stop);
    const StateFigures after =
        stateFigures(std::span(kda.stateAfter).subspan(first, size), kda.valueDim, kda.keyDim, input.stop);
    Panel panel;
    panel.kind = Panel::Kind::kLines;
    panel.title = input.words.say("Singular values");
    caption.push_back(input.words.say("Effective rank of head {}: {} before, {} after.", shownHead(input),
                                      numberText(before.effectiveRank, input.options.decimal),
                                      numberText(after.effectiveRank, input.options.decimal)));
    panel.valueName = input.words.say("singular value");
    panel.columnTitle = input.words.say("from the largest on");
    panel.rowColours = {partColour(7), partColour(0)};
    for (const auto& [name, figures] :
         {std::pair(input.words.say("before"), &before), {input.words.say("after"), &after}}) {
        panel.rows.push_back({name, "", {.layer = raw.layer, .head = shownHead(input)}});
        for (const double value : figures->singular) panel.values.push_back(static_cast<float>(value));
    }
    for (size_t i = 0; i < after.singular.size(); ++i)
        panel.columns.push_back({input.words.say("place {}", i + 1), std::to_string(i + 1), {}});
    panel.scale = lineScale(panel.values);
    return panel;
}

}  // namespace

Figure buildState(const ViewInput& input) {
    const int64_t layer = layerWith(input, isKda);
    const std::string title = input.words.say("The state of delta attention, layer {}", layer);
    if (layer < 0)
        return emptyFigure(input, "state", title, input.words.say("This model has no delta attention layer."));
    if (input.source.covered().empty()) return nothingCaptured(input, "state", title);
    Figure figure = startFigure(input, "state", title);
    figure.caption.push_back(
        input.words.say("Frobenius norm over all heads after each token, with its smallest and "
                        "largest value where a column holds several tokens."));
    const auto window = input.source.window(input.selection.tokens.begin);
    const RawLayer* raw = rawLayer(window.get(), layer);
    const bool image = raw != nullptr && !raw->kda.stateAfter.empty() && shownHead(input) < raw->kda.heads;
    figure.caption.push_back(image ? input.words.say("Head {}: S before {} and after, computed again.",
                                                     shownHead(input), spanText(input, {window->begin, window->end}))
                                   : input.words.say("Compute a window with all values to see the matrix of a head."));
    Panel spectrum;
    if (image) spectrum = spectrumPanel(input, *raw, figure.caption);
    const std::vector<double> shares = image ? std::vector<double>{0.35, 0.65} : std::vector<double>{1.0};
    const auto rows = splitDown(bodyOf(figure), shares);
    addPanel(figure, normPanel(input, figure, layer), rows[0], Legend::kNone);
    if (image) {
        constexpr double kThirds[] = {0.36, 0.36, 0.28};
        const auto below = splitAcross(rows[1], kThirds);
        Panel after = imagePanel(input, *raw, raw->kda.stateAfter);
        after.title = input.words.say("Head {} after the window", shownHead(input));
        Panel change = imagePanel(input, *raw, stateDifference(raw->kda.stateBefore, raw->kda.stateAfter));
        change.title = input.words.say("What the window changed");
        addPanel(figure, std::move(after), below[0], Legend::kColours);
        addPanel(figure, std::move(change), below[1], Legend::kColours);
        addPanel(figure, std::move(spectrum), below[2], Legend::kColours);
    }
    return figure;
}

}  // namespace pal::inspect
