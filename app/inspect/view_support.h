// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/inspect/canvas.h"
#include "app/inspect/view.h"

// What several views need: records of a span, names of things, room on the figure.

namespace pal::inspect {

inline constexpr int64_t kMostRecords =
    512;  // that one figure reads; longer spans are sampled evenly, which the caption says

struct SpanRecords {
    TokenSpan span;                                         // that was asked for
    std::vector<std::shared_ptr<const TokenProbe>> tokens;  // in order; only those with values of layers
    bool sampled = false;
};
[[nodiscard]] SpanRecords recordsIn(const ProbeSource& source, const TokenSpan& span, int64_t most = kMostRecords);

// The selected layer if `has` says yes to it, else the first one with yes, else -1.
template <typename Has>
[[nodiscard]] int64_t layerWith(const ViewInput& input, Has has) {
    const auto& layers = input.source.shape().layers;
    const int64_t wanted = input.selection.layer;
    if (wanted >= 0 && wanted < std::ssize(layers) && has(layers[static_cast<size_t>(wanted)])) return wanted;
    for (size_t i = 0; i < layers.size(); ++i)
        if (has(layers[i])) return static_cast<int64_t>(i);
    return -1;
}
template <typename Has>
[[nodiscard]] std::vector<int64_t> layersWith(const ProbeShape& shape, Has has) {
    std::vector<int64_t> out;
    for (size_t i = 0; i < shape.layers.size(); ++i)
        if (has(shape.layers[i])) out.push_back(static_cast<int64_t>(i));
    return out;
}
[[nodiscard]] inline bool isKda(const LayerShape& layer) {
    return layer.kda;
}
[[nodiscard]] inline bool isMla(const LayerShape& layer) {
    return layer.mla;
}

// The head that a view of one head shows.
[[nodiscard]] inline int64_t shownHead(const ViewInput& input) {
    return std::max<int64_t>(0, input.selection.head);
}
// "mean over heads", or the one that is chosen.
[[nodiscard]] std::string headsText(const ViewInput& input);

// A figure without panels. The caption begins with what was measured.
[[nodiscard]] Figure startFigure(const ViewInput& input, std::string_view view, std::string title);
// Why a view has nothing to show.
[[nodiscard]] Figure emptyFigure(const ViewInput& input, std::string_view view, std::string title, std::string message);
// No record in the selection: says what to do.
[[nodiscard]] Figure nothingCaptured(const ViewInput& input, std::string_view view, std::string title);
// Over which tokens, live or computed again, how many were read.
void captionTokens(Figure& figure, const ViewInput& input, const SpanRecords& records);
// The same of tokens of which no records are held: `read` of `span`, in order.
void captionTokens(Figure& figure, const ViewInput& input, const TokenSpan& span, std::span<const int64_t> read);

// "token 12 “clock”", "tokens 12–40".
[[nodiscard]] std::string spanText(const ViewInput& input, const TokenSpan& span);
// A token's text for a line: line ends as ⏎, nothing but spaces as ␣, cut to `most` characters.
[[nodiscard]] std::string tokenText(const ProbeSource& source, int64_t token, size_t most = 24);
[[nodiscard]] std::string shownText(std::string_view text, size_t most = 24);
[[nodiscard]] Entry layerEntry(const ViewInput& input, int64_t layer);
[[nodiscard]] Entry headEntry(const ViewInput& input, int64_t layer, int64_t head);
[[nodiscard]] Entry tokenEntry(const ViewInput& input, const TokenSpan& span);
// tokenEntry() of many tokens.
class TokenEntries {
  public:
    explicit TokenEntries(const ViewInput& input);
    [[nodiscard]] Entry of(const TokenSpan& span) const;
    // `text`: what the source gives for it.
    [[nodiscard]] Entry of(int64_t token, std::string_view text) const;

  private:
    const ViewInput& input_;
    const Phrase named_, plain_, several_;
};

// Breaks the caption into lines that fit, and gives what is left for panels between it and the title.
[[nodiscard]] Rect bodyOf(Figure& figure);
// Parts of a rectangle from the top down, or from left to right a little apart, by shares of its length.
[[nodiscard]] std::vector<Rect> splitDown(const Rect& rect, std::span<const double> shares);
[[nodiscard]] std::vector<Rect> splitAcross(const Rect& rect, std::span<const double> shares);
// Cells that fit side by side: no more than pixels.
[[nodiscard]] int64_t mostColumns(const Figure& figure);

enum class Legend { kNone, kColours };
// Gives a panel its place: room for the names of rows, ticks, titles and the legend, and as many labels as fit.
void fit(Panel& panel, const Rect& outer, const Figure& figure, Legend legend);

// Both: gives it its place and adds it.
void addPanel(Figure& figure, Panel panel, const Rect& outer, Legend legend);

// Heat of a number of every head: a row per layer, a column per head, no value where a layer has fewer.
struct LayerHeads {
    std::vector<int64_t> layers;
    int64_t chosen = -1;
    std::function<float(int64_t layer, int64_t head)> value;
};
[[nodiscard]] Panel layerHeadPanel(const ViewInput& input, const LayerHeads& shown);

// The scale of an option: of kLog only where there is something above 0.
[[nodiscard]] ValueScale chosenScale(std::span<const float> values, const ViewOptions& options);
// Of lines of numbers from 0 on: to a little above the largest, so that a line is whole there, too.
[[nodiscard]] ValueScale lineScale(std::span<const float> values);

// Cells of each row are dropped (NaN) from the smallest on while the others cover `share` of the row's sum. 1 keeps all above 0.
void keepMass(Panel& panel, double share);

}  // namespace pal::inspect
