// SPDX-License-Identifier: Apache-2.0
// What KDA wrote: effective writes per head over tokens, write strengths, and the tokens that surprised the memory most.
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr int64_t kListed = 12;

const KdaProbe& kdaOf(const TokenProbe& probe, int64_t layer) {
    return probe.layers[static_cast<size_t>(layer)].kda;
}

TokenSpan shownSpan(const ViewInput& input) {
    if (input.options.range) return *input.options.range;
    if (input.selection.tokens.size() > 1) return input.selection.tokens;
    for (const TokenSpan& span : input.source.covered())
        if (span.contains(input.selection.tokens.begin)) return span;
    return input.selection.tokens;
}

struct Columns {
    std::vector<TokenSpan> spans;
    std::vector<std::vector<const TokenProbe*>> probes;  // of each
};

Columns columnsOf(const SpanRecords& records, int64_t most) {
    Columns out;
    const auto count = static_cast<int64_t>(records.tokens.size());
    const int64_t step = std::max<int64_t>(1, (count + most - 1) / most);
    for (int64_t first = 0; first < count; first += step) {
        const int64_t last = std::min(first + step, count) - 1;
        auto& probes = out.probes.emplace_back();
        for (int64_t i = first; i <= last; ++i) probes.push_back(records.tokens[static_cast<size_t>(i)].get());
        out.spans.push_back({probes.front()->position, probes.back()->position + 1});
    }
    return out;
}

Panel writePanel(const ViewInput& input, const Columns& columns, int64_t layer) {
    Panel panel;
    panel.title = input.words.say("Layer {}: effective write β‖v − Sᵀk‖ per head", layer);
    panel.valueName = input.words.say("effective write");
    const TokenEntries entries(input);
    for (const TokenSpan& span : columns.spans) {
        panel.columns.push_back(entries.of(span));
        if (span.contains(input.selection.tokens.begin)) panel.chosenColumn = std::ssize(panel.columns) - 1;
    }
    const int64_t heads = input.source.shape().layers[static_cast<size_t>(layer)].heads;
    for (int64_t head = 0; head < heads; ++head) {
        panel.rows.push_back(headEntry(input, layer, head));
        for (const auto& probes : columns.probes) {
            float most = kNone;
            for (const TokenProbe* probe : probes) {
                const std::vector<float>& write = kdaOf(*probe, layer).write;
                if (head >= std::ssize(write)) continue;
                const float value = write[static_cast<size_t>(head)];
                most = std::isnan(most) ? value : std::max(most, value);
            }
            panel.values.push_back(most);
        }
    }
    panel.chosenRow = input.selection.head;
    panel.scale = chosenScale(panel.values, input.options);
    return panel;
}

Panel betaPanel(const ViewInput& input, const Columns& columns, int64_t layer) {
    Panel panel;
    panel.kind = Panel::Kind::kLines;
    panel.title = input.words.say("Write strength β: mean and spread over heads");
    panel.valueName = "β";
    panel.columnTitle = input.words.say("token");
    panel.rows = {{input.words.say("layer {}", layer), "", {.layer = layer}}};
    panel.rowColours = {partColour(0)};
    const TokenEntries entries(input);
    for (size_t i = 0; i < columns.spans.size(); ++i) {
        panel.columns.push_back(entries.of(columns.spans[i]));
        std::vector<float> all;
        for (const TokenProbe* probe : columns.probes[i]) {
            const auto& beta = kdaOf(*probe, layer).beta;
            all.insert(all.end(), beta.begin(), beta.end());
        }
        panel.values.push_back(meanOf(all));
        panel.low.push_back(all.empty() ? kNone : *std::min_element(all.begin(), all.end()));
        panel.high.push_back(all.empty() ? kNone : *std::max_element(all.begin(), all.end()));
    }
    panel.scale = {ValueScale::Kind::kLinear, 0, 1};
    return panel;
}

float writeOf(const ViewInput& input, const TokenProbe& probe, int64_t layer) {
    const auto& writes = kdaOf(probe, layer).write;
    const int64_t head = input.selection.head;
    if (head >= 0 && head < std::ssize(writes)) return writes[static_cast<size_t>(head)];
    return writes.empty() ? kNone : *std::max_element(writes.begin(), writes.end());
}

// A stretch with the largest write in it, or one token with its own.
struct Candidate {
    float most = 0;
    TokenSpan span;
    std::shared_ptr<const TokenProbe> probe = {};
    friend bool operator<(const Candidate& a, const Candidate& b) {
        return a.most != b.most ? a.most < b.most : a.span.begin > b.span.begin;
    }
};

// The tokens of a span with the largest writes, the largest first. Bins of the largest head's write lead to them, the most promising one first,
// so that of a long span few records are read and none is missed.
std::vector<std::shared_ptr<const TokenProbe>> largestWrites(const ViewInput& input, const TokenSpan& span,
                                                             int64_t layer) {
    constexpr int64_t kRead = 32;  // tokens that are read one by one
    constexpr int64_t kSplit = 32;
    const auto inside = [](const TokenSpan& part, const TokenSpan& of) {
        return TokenSpan{std::max(part.begin, of.begin), std::min(part.end, of.end)};
    };
    int64_t left =
        256;  // stretches that are looked into; of one head, which bins do not know, more than that could be promising
    std::vector<std::shared_ptr<const TokenProbe>> out;
    std::priority_queue<Candidate> waiting;
    waiting.push({std::numeric_limits<float>::infinity(), span});
    while (!waiting.empty() && std::ssize(out) < kListed) {
        const Candidate best = waiting.top();
        waiting.pop();
        if (best.probe) {
            out.push_back(best.probe);
            continue;
        }
        if (left-- <= 0) continue;
        std::vector<SeriesBin> bins;
        if (best.span.size() > kRead) bins = input.source.bins(Scalar::kWrite, layer, best.span, kSplit);
        for (const SeriesBin& bin : bins)
            if (bin.count > 0 && bins.size() > 1) waiting.push({bin.high, inside(bin.tokens, best.span)});
        if (bins.size() > 1) continue;
        for (int64_t token = best.span.begin; token < best.span.end; ++token) {
            auto probe = input.source.at(token);
            if (!probe || probe->layers.empty()) continue;
            const float write = writeOf(input, *probe, layer);
            if (!std::isnan(write)) waiting.push({write, {token, token + 1}, std::move(probe)});
        }
    }
    return out;
}

Panel listPanel(const ViewInput& input, const TokenSpan& span, int64_t layer) {
    Panel panel;
    panel.kind = Panel::Kind::kBars;
    panel.title = input.words.say("Most surprising tokens");
    panel.valueName = input.words.say("effective write");
    panel.columns = {{"", "", {.layer = layer}}};
    for (const auto& probe : largestWrites(input, span, layer)) {
        const int64_t token = probe->position;
        Entry entry = tokenEntry(input, {token, token + 1});
        const std::string text = tokenText(input.source, token, 12);
        if (!text.empty()) entry.label = input.words.say("“{}” {}", text, token);
        panel.rows.push_back(std::move(entry));
        panel.values.push_back(writeOf(input, *probe, layer));
    }
    panel.scale = scaleOf(panel.values, ValueScale::Kind::kLinear);
    return panel;
}

}  // namespace

Figure buildWrites(const ViewInput& input) {
    const int64_t layer = layerWith(input, isKda);
    const TokenSpan span = shownSpan(input);
    const std::string title = input.words.say("What delta attention wrote, {}", spanText(input, span));
    if (layer < 0)
        return emptyFigure(input, "writes", title, input.words.say("This model has no delta attention layer."));
    const SpanRecords records = recordsIn(input.source, span);
    if (records.tokens.empty()) return nothingCaptured(input, "writes", title);
    Figure figure = startFigure(input, "writes", title);
    figure.caption.push_back(
        input.words.say("How far a token's value was from what its key recalled, times β: what was new to the memory. "
                        "Where a column holds several tokens, the largest."));
    captionTokens(figure, input, records);
    const Columns columns = columnsOf(records, mostColumns(figure));
    constexpr double kAcross[] = {0.7, 0.3};
    constexpr double kDown[] = {0.6, 0.4};
    const auto sides = splitAcross(bodyOf(figure), kAcross);
    const auto left = splitDown(sides[0], kDown);
    addPanel(figure, writePanel(input, columns, layer), left[0], Legend::kColours);
    addPanel(figure, betaPanel(input, columns, layer), left[1], Legend::kNone);
    addPanel(figure, listPanel(input, span, layer), sides[1], Legend::kNone);
    return figure;
}

}  // namespace pal::inspect
