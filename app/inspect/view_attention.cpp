// SPDX-License-Identifier: Apache-2.0
// Token to token: rows of a window's attention, as an image of any length or as lines for few tokens.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "app/inspect/attention_mass.h"
#include "app/inspect/view_builders.h"

namespace pal::inspect {
namespace {

constexpr int64_t kMostLinked = 48;  // tokens on either side of the lines

// Spans of equal width, at most `most`.
std::vector<TokenSpan> spansOf(const TokenSpan& all, int64_t most) {
    const int64_t step = std::max<int64_t>(1, (all.size() + most - 1) / most);
    std::vector<TokenSpan> out;
    for (int64_t begin = all.begin; begin < all.end; begin += step)
        out.push_back({begin, std::min(begin + step, all.end)});
    return out;
}

Entry keyEntry(const ViewInput& input, const TokenEntries& entries, const TokenSpan& span) {
    Entry out = entries.of(span);
    if (span.size() == 1)
        if (const std::string text = tokenText(input.source, span.begin, 12); !text.empty()) out.label = text;
    out.target = {.keyBegin = span.begin, .keyEnd = span.end};
    return out;
}

// Sums over the keys of a column, means over the tokens of a row, over heads and over layers; NaN where nothing is known.
std::vector<float> valuesOf(const ViewInput& input, const std::vector<TokenSpan>& queries,
                            const std::vector<TokenSpan>& keys, std::span<const int64_t> layers, bool& exact) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> out;
    out.reserve(queries.size() * keys.size());
    exact = true;
    const int64_t width = keys.front().size();
    const int64_t each = std::max<int64_t>(1, kMostRecords / std::ssize(queries));  // records of a row
    for (const TokenSpan& query : queries) {
        const size_t row = out.size();
        out.resize(row + keys.size(), kNone);
        const auto add = [&](int64_t key, double mass) {
            const bool sink = key == 0 && input.options.sink == ViewOptions::Sink::kHide;
            if (sink || key >= query.end) return;
            float& cell = out[row + static_cast<size_t>(key / width)];
            cell = (std::isnan(cell) ? 0 : cell) + static_cast<float>(mass);
        };
        const SpanRecords records = recordsIn(input.source, query, each);
        exact = eachKey(input.source, records, layers, input.selection.head, add) && exact;
    }
    return out;
}

// What a cell is where rows or columns hold several tokens.
std::string joinedText(const ViewInput& input, int64_t queries, int64_t keys) {
    if (queries > 1 && keys > 1)
        return input.words.say(" A cell is the mean over {} tokens of the sum over {}.", queries, keys);
    if (queries > 1) return input.words.say(" A row is the mean over {} tokens.", queries);
    return keys > 1 ? input.words.say(" A column is the sum over {} tokens.", keys) : std::string();
}

bool hasRows(const WindowProbe* window, int64_t layer) {
    const RawLayer* raw = rawLayer(window, layer);
    return raw != nullptr && !raw->mla.attention.empty();
}

// A window is drawn whole; without one the tokens that were looked at around the selection.
TokenSpan queriesOf(const ViewInput& input, std::span<const int64_t> layers) {
    if (input.options.range) return *input.options.range;
    const auto window = input.source.window(input.selection.tokens.begin);
    if (std::ranges::all_of(layers, [&](int64_t layer) { return hasRows(window.get(), layer); }))
        return {window->begin, window->end};
    for (const TokenSpan& span : input.source.covered()) {
        if (!span.contains(input.selection.tokens.begin)) continue;
        constexpr int64_t kAround = 128;
        return {std::max(span.begin, input.selection.tokens.begin - kAround),
                std::min(span.end, input.selection.tokens.end + kAround)};
    }
    return input.selection.tokens;
}

Panel links(const ViewInput& input, const std::vector<TokenSpan>& queries, const Panel& heat) {
    Panel out = heat;
    out.kind = Panel::Kind::kLinks;
    out.title = input.words.say("as lines");
    for (size_t i = 0; i < queries.size(); ++i) out.rows[i].label = tokenText(input.source, queries[i].begin, 12);
    out.chosenRow = out.chosenColumn = -1;
    return out;
}

// Of no layer in particular: those whose rows a window has whole, else all.
std::vector<int64_t> shownLayers(const ViewInput& input) {
    std::vector<int64_t> all = attentionLayers(input);
    const auto window = input.source.window(input.selection.tokens.begin);
    std::vector<int64_t> whole;
    std::ranges::copy_if(all, std::back_inserter(whole), [&](int64_t layer) { return hasRows(window.get(), layer); });
    return whole.empty() ? all : whole;
}

}  // namespace

Figure buildAttention(const ViewInput& input) {
    const std::vector<int64_t> layers = shownLayers(input);
    if (layers.empty())
        return emptyFigure(input, "attention", input.words.say("Attention from token to token"),
                           input.words.say("This model has no layer with attention."));
    const TokenSpan all = queriesOf(input, layers);
    const bool one = layers.size() == 1;
    const std::string title = one ? input.words.say("Attention from token to token, layer {}", layers.front())
                                  : input.words.say("Attention from token to token, mean over layers");
    const SpanRecords records = recordsIn(input.source, all);
    if (records.tokens.empty()) return nothingCaptured(input, "attention", title);
    Figure figure = startFigure(input, "attention", title);
    figure.caption = {"", ""};
    const Rect body = bodyOf(figure);
    figure.caption.clear();
    // Cells of two pixels: an image of all pixels would take longer than a frame.
    const int64_t most = std::max<int64_t>(8, static_cast<int64_t>(body.height - 60) / 2);
    const auto queries = spansOf(all, std::min(kMostRecords, most));
    const TokenSpan seen{0, all.end};
    const auto keys = spansOf(seen, std::max<int64_t>(48, mostColumns(figure) / 2));
    Panel heat;
    bool exact = false;
    heat.values = valuesOf(input, queries, keys, layers, exact);
    const TokenEntries entries(input);
    for (const TokenSpan& span : queries) {
        heat.rows.push_back(entries.of(span));
        heat.rows.back().target.layer = one ? layers.front() : -1;
        heat.rows.back().target.head = input.selection.head;
        if (span.contains(input.selection.tokens.begin)) heat.chosenRow = std::ssize(heat.rows) - 1;
    }
    for (const TokenSpan& span : keys) heat.columns.push_back(keyEntry(input, entries, span));
    heat.valueName = input.words.say("attention");
    heat.columnTitle = input.words.say("token that was looked at");
    keepMass(heat, input.options.mass);
    heat.scale = chosenScale(heat.values, input.options);
    figure.caption.push_back(
        (exact ? input.words.say("Rows look at columns; all of the attention of each row, {}.", headsText(input))
               : input.words.say("Rows look at columns; only the most attended tokens of each row were kept, mean over "
                                 "heads.")) +
        joinedText(input, queries.front().size(), keys.front().size()));
    captionTokens(figure, input, records);
    const bool few = std::ssize(queries) <= kMostLinked && std::ssize(keys) <= kMostLinked;
    const std::vector<double> shares = few ? std::vector<double>{0.62, 0.38} : std::vector<double>{1.0};
    const auto parts = splitAcross(bodyOf(figure), shares);
    if (few) {
        Panel lines = links(input, queries, heat);
        Rect place = parts[1];
        place.width *= 0.75;  // names of the keys stand at the right
        addPanel(figure, std::move(heat), parts[0], Legend::kColours);
        addPanel(figure, std::move(lines), place, Legend::kNone);
        return figure;
    }
    addPanel(figure, std::move(heat), parts[0], Legend::kColours);
    return figure;
}

}  // namespace pal::inspect
