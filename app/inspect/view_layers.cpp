// SPDX-License-Identifier: Apache-2.0
// The layer strip: where to begin. A column per layer, a row per scalar, each row with a scale of its own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/inspect/in_two.h"
#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

constexpr int64_t kBins = 64;           // that a long span is read as
constexpr int64_t kMostSeries = 1'536;  // that are read of it, some 50 us each; every reply has its own

// Mean over bins that cover a span; what they count of its neighbours at either end is at most one bin.
float meanOfBins(const std::vector<SeriesBin>& bins) {
    double sum = 0;
    int64_t count = 0;
    for (const SeriesBin& bin : bins) {
        if (bin.count == 0) continue;
        sum += static_cast<double>(bin.mean) * static_cast<double>(bin.count);
        count += bin.count;
    }
    return count == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(sum / static_cast<double>(count));
}

// Whether all numbers of all layers can be read from the bins of all replies at once: many layers over many replies would take seconds.
bool isReadFromBins(const ViewInput& input, const SpanRecords& records) {
    const auto replies = std::ranges::count_if(input.source.covered(), [&](const TokenSpan& span) {
        return span.begin < records.span.end && span.end > records.span.begin;
    });
    int64_t numbers = 0;
    while (numbers < kScalars && isOfLayer(static_cast<Scalar>(numbers))) ++numbers;
    return records.sampled && numbers * std::ssize(input.source.shape().layers) * replies <= kMostSeries;
}

// Means over a span, from bins or from its records: [scalars, layers].
std::vector<float> meansOver(const ViewInput& input, const SpanRecords& records, bool fromBins) {
    const auto layers = static_cast<int64_t>(input.source.shape().layers.size());
    int64_t scalars = 0;
    while (scalars < kScalars && isOfLayer(static_cast<Scalar>(scalars))) ++scalars;
    std::vector<float> out(static_cast<size_t>(scalars * layers));
    const auto add = [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const auto scalar = static_cast<Scalar>(i / layers);
            const int64_t layer = i % layers;
            if (fromBins) {
                out[static_cast<size_t>(i)] = meanOfBins(input.source.bins(scalar, layer, records.span, kBins));
                continue;
            }
            std::vector<float> values;
            for (const auto& probe : records.tokens) {
                const float value = scalarOf(*probe, scalar, layer);
                if (!std::isnan(value)) values.push_back(value);
            }
            out[static_cast<size_t>(i)] = meanOf(values);
        }
    };
    if (fromBins) {
        inTwo(std::ssize(out), add);  // a file is read thousands of times
    } else {
        add(0, std::ssize(out));
    }
    return out;
}

}  // namespace

Figure buildLayers(const ViewInput& input) {
    const std::string title = input.words.say("Layers at {}", spanText(input, input.selection.tokens));
    const SpanRecords records = recordsIn(input.source, input.selection.tokens);
    if (records.tokens.empty()) return nothingCaptured(input, "layers", title);
    Figure figure = startFigure(input, "layers", title);
    figure.caption.push_back(
        input.words.say("Per layer: mean over the tokens of what each row names. Every row has its own colours, "
                        "from its smallest to its largest value."));
    captionTokens(figure, input, records);
    const bool fromBins = isReadFromBins(input, records);
    if (fromBins) figure.caption.push_back(input.words.say("The means are over all of these tokens, from bins."));
    Panel panel;
    panel.valueName = input.words.say("value");
    for (int64_t layer = 0; layer < std::ssize(input.source.shape().layers); ++layer) {
        panel.columns.push_back(layerEntry(input, layer));
        const LayerShape& shape = input.source.shape().layers[static_cast<size_t>(layer)];
        panel.columns.back().label += shape.kda ? " K" : shape.mla ? " M" : "";
    }
    panel.values = meansOver(input, records, fromBins);
    const size_t columns = panel.columns.size();
    for (size_t row = 0; row * columns < panel.values.size(); ++row) {
        const auto scalar = static_cast<Scalar>(row);
        panel.rows.push_back({scalarTitle(scalar, input.words), {}, {}});
        const std::span<const float> values(panel.values.data() + row * columns, columns);
        ValueScale scale =
            scaleOf(values, isLogScalar(scalar) ? ValueScale::Kind::kLog : chosenScale(values, input.options).kind);
        panel.rowScales.push_back(scale);
    }
    for (const float value : panel.values)
        panel.texts.push_back(std::isnan(value) ? "" : numberText(value, input.options.decimal));
    panel.columnTitle = input.words.say("layer (K: delta attention, M: latent attention)");
    panel.chosenColumn = input.selection.layer;
    const Rect body = bodyOf(figure);
    addPanel(figure, std::move(panel), body, Legend::kNone);
    return figure;
}

}  // namespace pal::inspect
