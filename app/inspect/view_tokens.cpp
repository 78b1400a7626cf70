// SPDX-License-Identifier: Apache-2.0
// The coloured transcript: text tinted by a scalar, with the model's alternatives.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "app/inspect/view_builders.h"
#include "app/inspect/view_support.h"

namespace pal::inspect {
namespace {

// What the model found likely at a place, from the record of the token before it.
std::string alternatives(const TokenNumber& before, const std::function<std::string(TokenId)>& names, char decimal) {
    std::string out;
    for (size_t i = 0; i < before.nextCount; ++i) {
        const TokenAlternative& next = before.next[i];
        const std::string text = names(next.token);
        const double percent = 100 * std::exp(std::min(0.0, static_cast<double>(next.logProbability)));
        out += fmt::format("{}“{}” {} %", i == 0 ? "" : ", ", text.empty() ? std::to_string(next.token) : text,
                           tenthsText(percent, decimal));
    }
    return out;
}

// Places cells like words on lines.
class Flow {
  public:
    Flow(const Rect& area, double size) : area_(area), size_(size), x_(area.x), y_(area.y) {}

    // Nothing when the area is full.
    std::optional<Rect> place(const std::string& text) {
        constexpr double kLine = 1.9;
        const double width = std::min((textWidth(text) + 0.5) * size_, area_.width);
        if (x_ + width > area_.right() && x_ > area_.x) {
            x_ = area_.x;
            y_ += kLine * size_;
        }
        if (y_ + kLine * size_ > area_.bottom()) return std::nullopt;
        const Rect out{x_, y_, width, (kLine - 0.3) * size_};
        x_ += width + 1;
        return out;
    }

  private:
    const Rect area_;
    const double size_;
    double x_, y_;
};

// False when there is no more room.
bool addToken(Panel& panel, Flow& flow, const ViewInput& input, const TokenEntries& entries, int64_t token) {
    const std::string whole = input.source.text(token);
    std::string text = shownText(whole, 40);
    if (text.empty()) text = input.words.say("#{}", token);
    const auto place = flow.place(text);
    if (!place) return false;
    panel.places.push_back(*place);
    panel.columns.push_back(entries.of(token, whole));
    panel.texts.push_back(std::move(text));
    if (input.selection.tokens.contains(token) && panel.chosenColumn < 0)
        panel.chosenColumn = static_cast<int64_t>(panel.columns.size()) - 1;
    return true;
}

// The values of tokens that are placed; the tokens that were read.
std::vector<int64_t> addValues(Panel& panel, const ViewInput& input, const TokenSpan& tokens, int64_t layer) {
    std::vector<int64_t> out;
    const int64_t first = std::max<int64_t>(0, tokens.begin - 1);
    const auto numbers = std::make_shared<const std::vector<TokenNumber>>(
        input.source.numbersAt(input.options.colourBy, layer, {first, tokens.end}));
    const auto before = static_cast<size_t>(tokens.begin - first);  // of the first cell's number
    for (int64_t token = tokens.begin; token < tokens.end; ++token) {
        const auto cell = static_cast<size_t>(token - tokens.begin);
        const TokenNumber& number = (*numbers)[cell + before];
        panel.values.push_back(number.value);
        panel.columns[cell].target.layer = layer;
        if (number.record == TokenNumber::Record::kLayers) out.push_back(token);
    }
    panel.details = [numbers, before, names = input.source.names(), heading = input.words.say("likely here:"),
                     decimal = input.options.decimal](size_t cell) {
        if (cell + before == 0 || (*numbers)[cell + before - 1].nextCount == 0) return std::string();
        return heading + " " + alternatives((*numbers)[cell + before - 1], names, decimal);
    };
    return out;
}

// The layer that a scalar is of: the selected one where it has it.
int64_t layerOf(const ViewInput& input, Scalar scalar) {
    if (!isOfLayer(scalar)) return -1;
    return layerWith(input, [scalar](const LayerShape& shape) {
        switch (scalar) {
            case Scalar::kAttentionEntropy:
            case Scalar::kSink:
                return shape.mla;
            case Scalar::kRoutingEntropy:
                return shape.chosen > 0;
            case Scalar::kGate:
                return shape.kda || shape.mla;
            default:
                return shape.kda;
        }
    });
}

}  // namespace

Figure buildTokens(const ViewInput& input) {
    const Scalar scalar = input.options.colourBy;
    const int64_t layer = layerOf(input, scalar);
    std::string title = input.words.say("Text by {}", scalarTitle(scalar, input.words));
    if (layer >= 0) title += input.words.say(", layer {}", layer);
    if (input.source.covered().empty()) return nothingCaptured(input, "tokens", title);
    Figure figure = startFigure(input, "tokens", title);
    figure.caption.push_back(input.words.say("Each token by its own value; plain ones were not captured."));
    figure.caption.emplace_back();  // the place of the next line
    const Rect body = bodyOf(figure);
    figure.caption.pop_back();
    Panel panel;
    panel.kind = Panel::Kind::kTokens;
    panel.valueName = scalarTitle(scalar, input.words);
    panel.rows = {{}};
    fit(panel, body, figure, Legend::kColours);
    // A few lines before the selection.
    const auto before = static_cast<int64_t>(4 * panel.area.width / (3 * figure.textSize));
    const int64_t first =
        input.options.range ? input.options.range->begin : std::max<int64_t>(0, input.selection.tokens.begin - before);
    Flow flow(panel.area, figure.textSize);
    int64_t token = first;
    const TokenEntries entries(input);
    while (token < input.source.tokens() && addToken(panel, flow, input, entries, token)) ++token;
    const std::vector<int64_t> read = addValues(panel, input, {first, token}, layer);
    panel.scale =
        isLogScalar(scalar) ? scaleOf(panel.values, ValueScale::Kind::kLog) : chosenScale(panel.values, input.options);
    captionTokens(figure, input, {first, token}, read);
    figure.panels.push_back(std::move(panel));
    return figure;
}

}  // namespace pal::inspect
