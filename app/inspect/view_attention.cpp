// SPDX-License-Identifier: Apache-2.0
// Token to token: rows of a window's attention, as an image of any length or as lines for few tokens.
#include <algorithm>
#include <cmath>
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

// Sums over the keys of a column, means over the tokens of a row and over heads; NaN where nothing is known.
std::vector<float> valuesOf(const ViewInput& input, const std::vector<TokenSpan>& queries,
                            const std::vector<TokenSpan>& keys, int64_t layer, bool& exact) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> out;
    out.reserve(queries.size() * keys.size());
    exact = true;
    const int64_t width = keys.front().size();
    const int64_t each = std::max<int64_t>(1, kMostRecords / std::ssize(queries));  // records of a row
    for (const TokenSpan& query : queries) {
        const KeyMass mass = keyMassOf(input.source, recordsIn(input.source, query, each), layer, input.selection.head);
        exact = exact && mass.exact;
        const size_t row = out.size();
        out.resize(row + keys.size(), kNone);
        for (const KeyMass::Entry& entry : mass.keys) {
            const bool sink = entry.key == 0 && input.options.sink == ViewOptions::Sink::kHide;
            if (sink || entry.key >= query.end) continue;
            float& cell = out[row + static_cast<size_t>(entry.key / width)];
            cell = (std::isnan(cell) ? 0 : cell) + entry.mass;
        }
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

// A window is drawn whole; without one the tokens that were looked at around the selection.
TokenSpan queriesOf(const ViewInput& input, int64_t layer) {
    if (input.options.range) return *input.options.range;
    const auto window = input.source.window(input.selection.tokens.begin);
    const RawLayer* raw = rawLayer(window.get(), layer);
    if (raw != nullptr && !raw->mla.attention.empty()) return {window->begin, window->end};
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

}  // namespace

Figure buildAttention(const ViewInput& input) {
    const int64_t layer = layerWith(input, isMla);
    if (layer < 0)
        return emptyFigure(input, "attention", input.words.say("Attention from token to token"),
                           input.words.say("This model has no layer with attention."));
    const TokenSpan all = queriesOf(input, layer);
    const std::string title = input.words.say("Attention from token to token, layer {}", layer);
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
    heat.values = valuesOf(input, queries, keys, layer, exact);
    const TokenEntries entries(input);
    for (const TokenSpan& span : queries) {
        heat.rows.push_back(entries.of(span));
        heat.rows.back().target.layer = layer;
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
