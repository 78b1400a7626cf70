// SPDX-License-Identifier: Apache-2.0
// Which experts ran: load per layer and expert over a span, the experts of one token, entropy and Gini index of the load.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

bool hasExperts(const LayerShape& layer) {
    return layer.chosen > 0;
}

const RoutingProbe& routingOf(const TokenProbe& probe, int64_t layer) {
    return probe.layers[static_cast<size_t>(layer)].routing;
}

// Share of the tokens that each expert ran for.
std::vector<double> loadOf(const SpanRecords& records, int64_t layer, int64_t experts) {
    std::vector<double> out(static_cast<size_t>(experts), 0.0);
    for (const auto& probe : records.tokens)
        for (const int32_t expert : routingOf(*probe, layer).expert)
            if (expert >= 0 && expert < experts) out[static_cast<size_t>(expert)] += 1;
    for (double& share : out) share /= static_cast<double>(records.tokens.size());
    return out;
}

// 0: all experts run alike, towards 1: few do all. G = sum_i (2i - n - 1) x_i / (n sum x), x ascending, i from 1.
double gini(std::vector<double> load) {
    std::sort(load.begin(), load.end());
    const double sum = std::accumulate(load.begin(), load.end(), 0.0);
    const auto n = static_cast<double>(load.size());
    double weighted = 0;
    for (size_t i = 0; i < load.size(); ++i) weighted += (2 * (static_cast<double>(i) + 1) - n - 1) * load[i];
    return sum > 0 ? weighted / (n * sum) : 0;
}

// A column per expert, or the mean of neighbours where there are more than pixels.
void addLoad(Panel& panel, std::vector<double> load, size_t joined, ViewOptions::Order order) {
    if (order == ViewOptions::Order::kByLoad) std::sort(load.begin(), load.end(), std::greater<>());
    for (size_t first = 0; first < load.size(); first += joined) {
        const size_t end = std::min(first + joined, load.size());
        const double sum = std::accumulate(load.begin() + static_cast<ptrdiff_t>(first),
                                           load.begin() + static_cast<ptrdiff_t>(end), 0.0);
        panel.values.push_back(static_cast<float>(sum / static_cast<double>(end - first)));
    }
}

void expertColumns(Panel& panel, const ViewInput& input, int64_t experts, size_t joined) {
    const bool sorted = input.options.order == ViewOptions::Order::kByLoad;
    for (int64_t first = 0; first < experts; first += static_cast<int64_t>(joined)) {
        const int64_t last = std::min(first + static_cast<int64_t>(joined), experts) - 1;
        Entry entry;
        entry.label = std::to_string(sorted ? first + 1 : first);
        if (sorted) {
            entry.name = input.words.say("the expert at place {} of its layer", first + 1);
        } else {
            entry.name =
                first == last ? input.words.say("expert {}", first) : input.words.say("experts {}–{}", first, last);
            entry.target.expert = first;
        }
        panel.columns.push_back(std::move(entry));
    }
}

struct LoadPanels {
    Panel load, gini;
};

LoadPanels loadPanels(const ViewInput& input, const Figure& figure, const SpanRecords& records) {
    const int64_t experts = input.source.shape().experts;
    const auto most = std::max<int64_t>(8, mostColumns(figure) * 7 / 10);
    const auto joined = static_cast<size_t>(std::max<int64_t>(1, (experts + most - 1) / most));
    LoadPanels out;
    Panel& load = out.load;
    load.title = input.words.say("Load: share of tokens that an expert ran for");
    load.valueName = input.words.say("share of tokens");
    load.columnTitle = input.options.order == ViewOptions::Order::kByLoad ? input.words.say("experts, busiest first")
                                                                          : input.words.say("expert");
    expertColumns(load, input, experts, joined);
    Panel& unequal = out.gini;
    unequal.kind = Panel::Kind::kBars;
    unequal.title = input.words.say("Gini index");
    unequal.valueName = input.words.say("Gini index of the load");
    unequal.columns = {{}};
    unequal.columnTitle = " ";
    for (const int64_t layer : layersWith(input.source.shape(), hasExperts)) {
        if (layer == input.selection.layer) load.chosenRow = std::ssize(load.rows);
        load.rows.push_back(layerEntry(input, layer));
        const std::vector<double> shares = loadOf(records, layer, experts);
        unequal.values.push_back(static_cast<float>(gini(shares)));
        addLoad(load, shares, joined, input.options.order);
    }
    unequal.rows = load.rows;
    unequal.scale = {ValueScale::Kind::kLinear, 0, 1};
    load.scale = chosenScale(load.values, input.options);
    return out;
}

// The experts of one token, best first, with their weights.
Panel chipsPanel(const ViewInput& input, const TokenProbe& probe) {
    Panel panel;
    panel.title = input.words.say("Experts of {}, best first", spanText(input, {probe.position, probe.position + 1}));
    panel.valueName = input.words.say("weight");
    std::vector<std::string> details;
    int64_t chosen = 0;
    for (const LayerShape& shape : input.source.shape().layers) chosen = std::max(chosen, shape.chosen);
    for (int64_t i = 0; i < chosen; ++i)
        panel.columns.push_back({input.words.say("choice {}", i + 1), std::to_string(i + 1), {}});
    for (const int64_t layer : layersWith(input.source.shape(), hasExperts)) {
        const RoutingProbe& routing = routingOf(probe, layer);
        Entry entry = layerEntry(input, layer);
        entry.name += input.words.say(", entropy {}", numberText(routing.entropy, input.options.decimal));
        entry.target.begin = probe.position;
        entry.target.end = probe.position + 1;
        if (layer == input.selection.layer) panel.chosenRow = std::ssize(panel.rows);
        panel.rows.push_back(std::move(entry));
        for (size_t i = 0; i < static_cast<size_t>(chosen); ++i) {
            const bool there = i < routing.expert.size();
            panel.values.push_back(there ? routing.weight[i] : kNone);
            panel.texts.push_back(there ? std::to_string(routing.expert[i]) : "");
            details.push_back(there ? input.words.say("expert {}", routing.expert[i]) : "");
        }
    }
    panel.details = [details = std::move(details)](size_t cell) { return details[cell]; };
    panel.scale = chosenScale(panel.values, input.options);
    return panel;
}

Panel entropyPanel(const ViewInput& input, const SpanRecords& records) {
    Panel panel;
    panel.kind = Panel::Kind::kBars;
    panel.title = input.words.say("Entropy of the weights");
    panel.valueName = input.words.say("entropy of routing (nats)");
    panel.columns = {{}};
    for (const int64_t layer : layersWith(input.source.shape(), hasExperts)) {
        panel.rows.push_back(layerEntry(input, layer));
        std::vector<float> values;
        for (const auto& probe : records.tokens) values.push_back(routingOf(*probe, layer).entropy);
        panel.values.push_back(meanOf(values));
    }
    panel.scale = scaleOf(panel.values, ValueScale::Kind::kLinear);
    return panel;
}

}  // namespace

Figure buildRouting(const ViewInput& input) {
    const std::string title = input.words.say("Which experts ran, {}", spanText(input, input.selection.tokens));
    const SpanRecords records = recordsIn(input.source, input.selection.tokens);
    if (records.tokens.empty()) return nothingCaptured(input, "routing", title);
    if (layerWith(input, hasExperts) < 0)
        return emptyFigure(input, "routing", title, input.words.say("This model has no experts."));
    Figure figure = startFigure(input, "routing", title);
    figure.caption.push_back(
        input.words.say("Experts as the router chose them, with the weights that scale their outputs; the shared "
                        "experts, which always run, are left out."));
    captionTokens(figure, input, records);
    constexpr double kHalves[] = {0.55, 0.45};
    constexpr double kAcross[] = {0.75, 0.25};
    const auto rows = splitDown(bodyOf(figure), kHalves);
    const auto top = splitAcross(rows[0], kAcross);
    const auto below = splitAcross(rows[1], kAcross);
    LoadPanels load = loadPanels(input, figure, records);
    addPanel(figure, std::move(load.load), top[0], Legend::kColours);
    addPanel(figure, std::move(load.gini), top[1], Legend::kNone);
    addPanel(figure, chipsPanel(input, *records.tokens.front()), below[0], Legend::kColours);
    addPanel(figure, entropyPanel(input, records), below[1], Legend::kNone);
    return figure;
}

}  // namespace pal::inspect
