// SPDX-License-Identifier: Apache-2.0
// What a KDA layer recalled: the signed weights of earlier tokens that the recurrence implies, checked against the layer's own read.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/inspect/implied_reads.h"
#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

constexpr size_t kListed = 14;

struct LayerReads {
    std::vector<ImpliedReads> heads;
    int64_t first = 0;  // token that weight[0] is of
    double worst = 0;   // self-check
};

LayerReads readsOf(const WindowProbe& window, const RawLayer& raw, int64_t token) {
    LayerReads out;
    out.first = window.begin;
    for (int64_t head = 0; head < raw.kda.heads; ++head) {
        out.heads.push_back(impliedReads(raw.kda, token - window.begin, head));
        out.worst = std::max(out.worst, static_cast<double>(out.heads.back().selfCheck));
    }
    return out;
}

// A row per head; where a column holds several tokens, the weight that is farthest from zero.
Panel weightPanel(const ViewInput& input, const Figure& figure, const RawLayer& raw, const LayerReads& reads) {
    Panel panel;
    panel.title = input.words.say("Weight of each earlier token, per head");
    panel.valueName = input.words.say("weight");
    panel.columnTitle = input.words.say("token that was written");
    const auto count = static_cast<int64_t>(reads.heads.front().weight.size());
    const int64_t step = std::max<int64_t>(1, (count + mostColumns(figure) - 1) / mostColumns(figure));
    for (int64_t begin = 0; begin < count; begin += step) {
        const TokenSpan span{reads.first + begin, reads.first + std::min(begin + step, count)};
        Entry entry = tokenEntry(input, span);
        entry.target = {.keyBegin = span.begin, .keyEnd = span.end};
        panel.columns.push_back(std::move(entry));
    }
    for (size_t head = 0; head < reads.heads.size(); ++head) {
        panel.rows.push_back(headEntry(input, raw.layer, static_cast<int64_t>(head)));
        const std::vector<float>& weight = reads.heads[head].weight;
        for (int64_t begin = 0; begin < count; begin += step) {
            float most = 0;
            for (int64_t i = begin; i < std::min(begin + step, count); ++i)
                if (std::abs(weight[static_cast<size_t>(i)]) > std::abs(most)) most = weight[static_cast<size_t>(i)];
            panel.values.push_back(most);
        }
    }
    panel.chosenRow = input.selection.head;
    panel.scale = scaleOf(panel.values, ValueScale::Kind::kDiverging);
    return panel;
}

// What moved the read of one head most, and what came from before the window.
Panel sharePanel(const ViewInput& input, const RawLayer& raw, const LayerReads& reads, int64_t head) {
    const ImpliedReads& own = reads.heads[static_cast<size_t>(head)];
    Panel panel;
    panel.kind = Panel::Kind::kBars;
    panel.title = input.words.say("Head {}: length of each part over that of the read", head);
    panel.valueName = input.words.say("share of the read");
    panel.columns = {{"", "", {.layer = raw.layer, .head = head}}};
    panel.rows.push_back({input.words.say("older than the window"), input.words.say("older"), {}});
    panel.values.push_back(own.olderShare);
    panel.texts.emplace_back();
    std::vector<size_t> order(own.share.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return own.share[a] > own.share[b]; });
    for (size_t i = 0; i < std::min(kListed, order.size()); ++i) {
        const int64_t token = reads.first + static_cast<int64_t>(order[i]);
        Entry entry = tokenEntry(input, {token, token + 1});
        entry.target = {.keyBegin = token, .keyEnd = token + 1};
        const std::string text = tokenText(input.source, token, 12);
        if (!text.empty()) entry.label = input.words.say("“{}” {}", text, token);
        panel.rows.push_back(std::move(entry));
        panel.values.push_back(own.share[order[i]]);
        panel.texts.push_back(fmt::format("{}{}", own.weight[order[i]] < 0 ? "" : "+",
                                          numberText(own.weight[order[i]], input.options.decimal)));
    }
    panel.scale = scaleOf(panel.values, ValueScale::Kind::kLinear);
    panel.scale.high *= 1.3;  // room for the weights behind the bars
    return panel;
}

}  // namespace

Figure buildReads(const ViewInput& input) {
    const int64_t layer = layerWith(input, isKda);
    const int64_t token = input.selection.tokens.end - 1;
    const std::string title =
        input.words.say("What layer {} recalled at {}", layer, spanText(input, {token, token + 1}));
    if (layer < 0)
        return emptyFigure(input, "reads", title, input.words.say("This model has no delta attention layer."));
    const auto window = input.source.window(token);
    const RawLayer* raw = rawLayer(window.get(), layer);
    if (raw == nullptr || raw->kda.read.empty())
        return emptyFigure(input, "reads", title,
                           input.words.say("Compute a window with all values of layer {} around this token to see its "
                                           "reads.",
                                           layer));
    const LayerReads reads = readsOf(*window, *raw, token);
    const int64_t head = std::clamp<int64_t>(input.selection.head, 0, raw->kda.heads - 1);
    Figure figure = startFigure(input, "reads", title);
    figure.caption.push_back(input.words.say(
        "Signed weights implied by the recurrence, which has no softmax; exact over the window, nothing is left out. "
        "Checked: with what is older they sum to the layer's own read within {}.",
        numberText(reads.worst, input.options.decimal)));
    figure.caption.push_back(
        input.words.say("Window: {}; computed again.", spanText(input, {window->begin, window->end})));
    constexpr double kAcross[] = {0.62, 0.38};
    const auto parts = splitAcross(bodyOf(figure), kAcross);
    addPanel(figure, weightPanel(input, figure, *raw, reads), parts[0], Legend::kColours);
    addPanel(figure, sharePanel(input, *raw, reads, head), parts[1], Legend::kNone);
    return figure;
}

}  // namespace pal::inspect
