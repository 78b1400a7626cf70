// SPDX-License-Identifier: Apache-2.0
// How long KDA remembers: half-lives per layer and head, their spread over channels, and the channels of one head.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

// Geometric mean over the records of one quantile of one head.
float meanHalfLife(const SpanRecords& records, int64_t layer, int64_t head, int64_t quantile) {
    double sum = 0;
    int64_t count = 0;
    for (const auto& probe : records.tokens) {
        const auto& values = probe->layers[static_cast<size_t>(layer)].kda.halfLife;
        const auto at = static_cast<size_t>(head * kProbeQuantiles + quantile);
        if (at >= values.size()) continue;
        sum += std::log(static_cast<double>(values[at]));
        ++count;
    }
    return count == 0 ? kNone : static_cast<float>(std::exp(sum / static_cast<double>(count)));
}

Panel layerPanel(const ViewInput& input, const SpanRecords& records, int64_t chosen) {
    Panel panel = layerHeadPanel(
        input, {layersWith(input.source.shape(), isKda), chosen,
                [&](int64_t layer, int64_t head) { return meanHalfLife(records, layer, head, kProbeQuantiles / 2); }});
    panel.title = input.words.say("Median over channels, all KDA layers");
    panel.valueName = input.words.say("half-life (tokens)");
    panel.scale = scaleOf(panel.values, ValueScale::Kind::kLog, 12);
    return panel;
}

// The 0.1 to 0.9 quantiles of each head's channels with the median.
Panel spreadPanel(const ViewInput& input, const SpanRecords& records, int64_t layer) {
    Panel panel;
    panel.kind = Panel::Kind::kRanges;
    panel.title = input.words.say("Layer {}: 10 % to 90 % of a head's channels, and the median", layer);
    panel.valueName = input.words.say("half-life (tokens)");
    panel.columnTitle = input.words.say("head");
    panel.rows = {{"", "", {.layer = layer}}};
    std::vector<float> all;
    for (int64_t head = 0; head < input.source.shape().layers[static_cast<size_t>(layer)].heads; ++head) {
        panel.columns.push_back(headEntry(input, layer, head));
        panel.values.push_back(meanHalfLife(records, layer, head, kProbeQuantiles / 2));
        panel.low.push_back(meanHalfLife(records, layer, head, 0));
        panel.high.push_back(meanHalfLife(records, layer, head, kProbeQuantiles - 1));
        all.insert(all.end(), {panel.low.back(), panel.high.back()});
    }
    panel.chosenColumn = input.selection.head;
    panel.scale = scaleOf(all, ValueScale::Kind::kLog, 12);
    return panel;
}

// The channels of one head over the tokens of the window, exactly.
Panel channelPanel(const ViewInput& input, const Figure& figure, const WindowProbe& window, const RawLayer& raw) {
    const RawKda& kda = raw.kda;
    const int64_t head = shownHead(input), tokens = window.end - window.begin;
    Panel panel;
    panel.title = input.words.say("Layer {}, head {}: every channel, over the window", raw.layer, head);
    panel.valueName = input.words.say("half-life (tokens)");
    panel.columnTitle = input.words.say("token");
    const int64_t step = std::max<int64_t>(1, (tokens + mostColumns(figure) - 1) / mostColumns(figure));
    for (int64_t begin = 0; begin < tokens; begin += step) {
        const TokenSpan span{window.begin + begin, window.begin + std::min(begin + step, tokens)};
        panel.columns.push_back(tokenEntry(input, span));
        if (span.contains(input.selection.tokens.begin)) panel.chosenColumn = std::ssize(panel.columns) - 1;
    }
    for (int64_t channel = 0; channel < kda.keyDim; ++channel) {
        Entry entry = headEntry(input, raw.layer, head);
        entry.name = input.words.say("channel {}", channel);
        entry.label = std::to_string(channel);
        entry.target.channel = channel;
        panel.rows.push_back(std::move(entry));
        for (int64_t begin = 0; begin < tokens; begin += step) {
            double sum = 0;
            const int64_t end = std::min(begin + step, tokens);
            for (int64_t t = begin; t < end; ++t)
                sum += std::log(static_cast<double>(
                    halfLife(kda.logDecay[static_cast<size_t>((t * kda.heads + head) * kda.keyDim + channel)])));
            panel.values.push_back(static_cast<float>(std::exp(sum / static_cast<double>(end - begin))));
        }
    }
    panel.scale = scaleOf(panel.values, ValueScale::Kind::kLog, 12);
    return panel;
}

// Share of a head's channels, over the window, whose half-life is longer than ViewOptions::remember.
Panel rememberPanel(const ViewInput& input, const WindowProbe& window, const RawLayer& raw) {
    const RawKda& kda = raw.kda;
    Panel panel;
    panel.kind = Panel::Kind::kBars;
    panel.title = input.words.say("Channels with a half-life above {} tokens", input.options.remember);
    panel.valueName = input.words.say("share of channels");
    panel.columns = {{"", "", {.layer = raw.layer}}};
    const int64_t tokens = window.end - window.begin;
    for (int64_t head = 0; head < kda.heads; ++head) {
        int64_t longer = 0;
        for (int64_t t = 0; t < tokens; ++t)
            for (int64_t channel = 0; channel < kda.keyDim; ++channel)
                longer += halfLife(kda.logDecay[static_cast<size_t>((t * kda.heads + head) * kda.keyDim + channel)]) >
                                  static_cast<float>(input.options.remember)
                              ? 1
                              : 0;
        panel.rows.push_back(headEntry(input, raw.layer, head));
        panel.values.push_back(
            static_cast<float>(static_cast<double>(longer) / static_cast<double>(tokens * kda.keyDim)));
    }
    panel.chosenRow = input.selection.head;
    panel.scale = {ValueScale::Kind::kLinear, 0, 1};
    return panel;
}

}  // namespace

Figure buildHalfLife(const ViewInput& input) {
    const std::string title =
        input.words.say("How long delta attention remembers, at {}", spanText(input, input.selection.tokens));
    const int64_t layer = layerWith(input, isKda);
    if (layer < 0)
        return emptyFigure(input, "half-life", title, input.words.say("This model has no delta attention layer."));
    const SpanRecords records = recordsIn(input.source, input.selection.tokens);
    if (records.tokens.empty()) return nothingCaptured(input, "half-life", title);
    Figure figure = startFigure(input, "half-life", title);
    figure.caption.push_back(input.words.say(
        "Tokens until half of what a channel holds has decayed, ln 2 / −ln α; geometric mean over the tokens."));
    captionTokens(figure, input, records);
    const auto window = input.source.window(input.selection.tokens.begin);
    const RawLayer* raw = rawLayer(window.get(), layer);
    const bool exact = raw != nullptr && !raw->kda.logDecay.empty() && shownHead(input) < raw->kda.heads;
    if (!exact) figure.caption.push_back(input.words.say("Compute a window with all values to see single channels."));
    const std::vector<double> shares = exact ? std::vector<double>{0.45, 0.55} : std::vector<double>{1.0};
    const auto rows = splitDown(bodyOf(figure), shares);
    constexpr double kHalves[] = {0.5, 0.5};
    const auto top = splitAcross(rows[0], kHalves);
    addPanel(figure, layerPanel(input, records, layer), top[0], Legend::kColours);
    addPanel(figure, spreadPanel(input, records, layer), top[1], Legend::kNone);
    if (exact) {
        constexpr double kShares[] = {0.65, 0.35};
        const auto below = splitAcross(rows[1], kShares);
        addPanel(figure, channelPanel(input, figure, *window, *raw), below[0], Legend::kColours);
        addPanel(figure, rememberPanel(input, *window, *raw), below[1], Legend::kNone);
    }
    return figure;
}

}  // namespace pal::inspect
