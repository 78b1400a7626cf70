// SPDX-License-Identifier: Apache-2.0
// V1, the layer strip: where to begin. A column per layer, a row per scalar, each row with a scale of its own.
#include <cmath>
#include <limits>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

// Means over a span: of few tokens from their records, of many from bins.
std::vector<float> meansOver(const ViewInput& input, const SpanRecords& records) {
    constexpr int64_t kExact = 64;
    const auto layers = static_cast<int64_t>(input.source.shape().layers.size());
    std::vector<float> out;
    for (int i = 0; i < kScalars && isOfLayer(static_cast<Scalar>(i)); ++i) {
        const auto scalar = static_cast<Scalar>(i);
        for (int64_t layer = 0; layer < layers; ++layer) {
            if (records.span.size() > kExact) {
                const auto bins = input.source.bins(scalar, layer, records.span, 1);
                out.push_back(bins.empty() ? std::numeric_limits<float>::quiet_NaN() : bins.front().mean);
                continue;
            }
            std::vector<float> values;
            for (const auto& probe : records.tokens) {
                const float value = scalarOf(*probe, scalar, layer);
                if (!std::isnan(value)) values.push_back(value);
            }
            out.push_back(meanOf(values));
        }
    }
    return out;
}

}  // namespace

Figure buildLayers(const ViewInput& input) {
    const std::string title = input.words.say("Layers at {}", spanText(input, input.selection.tokens));
    const SpanRecords records = recordsIn(input.source, input.selection.tokens, 64);
    if (records.tokens.empty()) return nothingCaptured(input, "layers", title);
    Figure figure = startFigure(input, "layers", title);
    figure.caption.push_back(
        input.words.say("Per layer: mean over the tokens of what each row names. Every row has its own colours, "
                        "from its smallest to its largest value."));
    captionTokens(figure, input, records);
    Panel panel;
    panel.valueName = input.words.say("value");
    for (int64_t layer = 0; layer < std::ssize(input.source.shape().layers); ++layer) {
        panel.columns.push_back(layerEntry(input, layer));
        const LayerShape& shape = input.source.shape().layers[static_cast<size_t>(layer)];
        panel.columns.back().label += shape.kda ? " K" : shape.mla ? " M" : "";
    }
    panel.values = meansOver(input, records);
    const size_t columns = panel.columns.size();
    for (size_t row = 0; row * columns < panel.values.size(); ++row) {
        const auto scalar = static_cast<Scalar>(row);
        panel.rows.push_back({scalarTitle(scalar, input.words), {}, {}});
        const std::span<const float> values(panel.values.data() + row * columns, columns);
        ValueScale scale =
            scaleOf(values, isLogScalar(scalar) ? ValueScale::Kind::kLog : chosenScale(values, input.options).kind);
        panel.rowScales.push_back(scale);
    }
    for (const float value : panel.values) panel.texts.push_back(std::isnan(value) ? "" : numberText(value));
    panel.columnTitle = input.words.say("layer (K: delta attention, M: latent attention)");
    panel.chosenColumn = input.selection.layer;
    fit(panel, bodyOf(figure), figure, Legend::kNone);
    figure.panels.push_back(std::move(panel));
    return figure;
}

}  // namespace pal::inspect
