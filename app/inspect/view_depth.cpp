// SPDX-License-Identifier: Apache-2.0
// From which depth each part of the model drew: the weights of attention over depth, a stacked bar per part.
#include <algorithm>
#include <cmath>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

// Mean weights of one mix over the records, its number of sources first to last.
template <typename Of>
std::vector<double> meanMix(const SpanRecords& records, Of of, double& worst) {
    std::vector<double> sum;
    int64_t count = 0;
    for (const auto& probe : records.tokens) {
        const std::vector<float>& weights = of(*probe);
        if (weights.empty()) continue;
        if (sum.size() < weights.size()) sum.resize(weights.size(), 0.0);
        double all = 0;
        for (size_t i = 0; i < weights.size(); ++i) {
            sum[i] += weights[i];
            all += weights[i];
        }
        worst = std::max(worst, std::abs(all - 1));
        ++count;
    }
    for (double& value : sum) value /= static_cast<double>(std::max<int64_t>(1, count));
    return sum;
}

struct DepthRow {
    Entry entry;
    std::vector<double> weights;  // oldest first, the running stream last
};

std::vector<DepthRow> rowsOf(const ViewInput& input, const SpanRecords& records, double& worst) {
    std::vector<DepthRow> out;
    const auto add = [&](Entry entry, auto of) {
        std::vector<double> weights = meanMix(records, of, worst);
        if (!weights.empty()) out.push_back({std::move(entry), std::move(weights)});
    };
    for (int64_t layer = 0; layer < std::ssize(input.source.shape().layers); ++layer) {
        Entry entry{input.words.say("layer {}, attention", layer), input.words.say("{} att", layer), {.layer = layer}};
        add(entry,
            [layer](const TokenProbe& p) -> const auto& { return p.layers[static_cast<size_t>(layer)].mixAttention; });
        entry.name = input.words.say("layer {}, feed-forward", layer);
        entry.label = input.words.say("{} ffn", layer);
        add(entry, [layer](const TokenProbe& p) -> const auto& { return p.layers[static_cast<size_t>(layer)].mixMlp; });
    }
    add({input.words.say("before the output"), input.words.say("out"), {}},
        [](const TokenProbe& p) -> const auto& { return p.mixOutput; });
    return out;
}

}  // namespace

Figure buildDepth(const ViewInput& input) {
    const std::string title =
        input.words.say("From which depth layers drew, {}", spanText(input, input.selection.tokens));
    const SpanRecords records = recordsIn(input.source, input.selection.tokens);
    if (records.tokens.empty()) return nothingCaptured(input, "depth", title);
    double worst = 0;
    const std::vector<DepthRow> rows = rowsOf(input, records, worst);
    if (rows.empty())
        return emptyFigure(input, "depth", title,
                           input.words.say("This model adds its layers up and chooses no depth."));
    Figure figure = startFigure(input, "depth", title);
    figure.caption.push_back(input.words.say(
        "Softmax weights over the snapshots of the residual stream and its running sum, mean over tokens. Checked: "
        "each row sums to 1 within {}.",
        numberText(worst, input.options.decimal)));
    captionTokens(figure, input, records);
    size_t sources = 0;
    for (const DepthRow& row : rows) sources = std::max(sources, row.weights.size());
    Panel panel;
    panel.kind = Panel::Kind::kBars;
    panel.valueName = input.words.say("weight");
    for (size_t i = 0; i < sources; ++i) {
        const bool running = i + 1 == sources;
        panel.columns.push_back({running ? input.words.say("running sum") : input.words.say("snapshot {}", i),
                                 "",
                                 {.source = static_cast<int64_t>(i)}});
        panel.columnColours.push_back(running ? Colour{0x888888} : partColour(static_cast<int64_t>(i) % 7));
    }
    for (const DepthRow& row : rows) {
        if (row.entry.target.layer >= 0 && row.entry.target.layer == input.selection.layer && panel.chosenRow < 0)
            panel.chosenRow = std::ssize(panel.rows);
        panel.rows.push_back(row.entry);
        // The running sum is the last of each row, however many snapshots there were so far.
        for (size_t i = 0; i + 1 < sources; ++i)
            panel.values.push_back(i + 1 < row.weights.size() ? static_cast<float>(row.weights[i]) : 0.0F);
        panel.values.push_back(static_cast<float>(row.weights.back()));
    }
    panel.scale = {ValueScale::Kind::kLinear, 0, 1};
    panel.columnTitle = input.words.say("weight");
    const Rect body = bodyOf(figure);
    addPanel(figure, std::move(panel), body, Legend::kColours);
    return figure;
}

}  // namespace pal::inspect
