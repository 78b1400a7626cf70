// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/view_support.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/inspect/in_two.h"

namespace pal::inspect {
namespace {

constexpr double kLegendWidth = 84;
constexpr double kSmall = 0.9;  // of TextRole::kSmall

const std::string& labelOf(const Entry& entry) {
    return entry.label.empty() ? entry.name : entry.label;
}

double widest(const std::vector<Entry>& entries) {
    double out = 0;
    for (const Entry& entry : entries) out = std::max(out, textWidth(labelOf(entry)));
    return out;
}

// Every n-th entry so that labels of `size` pixels each do not touch.
std::vector<Tick> ticksOfEntries(const std::vector<Entry>& entries, double length, double size) {
    std::vector<Tick> out;
    if (entries.empty()) return out;
    const double each = length / static_cast<double>(entries.size());
    const auto step = static_cast<size_t>(std::max(1.0, std::ceil(size / each)));
    for (size_t i = 0; i < entries.size(); i += step)
        out.push_back({(static_cast<double>(i) + 0.5) / static_cast<double>(entries.size()), labelOf(entries[i])});
    return out;
}

// A text with an ellipsis where it is wider than `room`, in lengths of its size; empty where but a few characters would be left.
std::string cutText(const std::string& text, double room) {
    if (textWidth(text) <= room) return text;
    constexpr size_t kFewest = 5;
    for (size_t end = text.size(); end > kFewest;) {
        do --end;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
        if (end == 0) break;
        if (text[end - 1] == ' ') continue;
        std::string cut = text.substr(0, end) + "…";
        if (end >= kFewest && textWidth(cut) <= room) return cut;
    }
    return {};
}

// As many labels as fit without touching, from the first on. Of one that is left out its neighbours tell what it is, but for the last: that stands as far
// to the right as it must and may, or is cut.
std::vector<Tick> ticksOfNames(const std::vector<Entry>& entries, double length, double size) {
    std::vector<Tick> out;
    if (entries.empty()) return out;
    const double each = length / static_cast<double>(entries.size());
    constexpr double kApart = 0.8;
    double end = -length;
    for (size_t i = 0; i < entries.size(); ++i) {
        const double at = (static_cast<double>(i) + 0.5) * each;
        const double room = (2 * (at - end) / size - kApart) / kSmall;
        const bool last = i + 1 == entries.size();
        const double whole = (textWidth(labelOf(entries[i])) * kSmall + kApart) * size;
        if (last && at - end < whole / 2 && end + whole <= length + size) {
            out.push_back({(end + whole / 2) / length, labelOf(entries[i])});
            break;
        }
        const std::string label = last ? cutText(labelOf(entries[i]), room) : labelOf(entries[i]);
        if (label.empty() || textWidth(label) > room) continue;
        end = at + (textWidth(label) * kSmall + kApart) * size / 2;
        out.push_back({at / length, label});
    }
    return out;
}

// Such as 12,345, with any separator.
bool areNumbers(const std::vector<Entry>& entries) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isLetter = [](char c) { return c == ' ' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    return std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
        const std::string& label = labelOf(entry);
        return label.empty() ||
               (isDigit(label.front()) && isDigit(label.back()) && std::none_of(label.begin(), label.end(), isLetter));
    });
}

// Of names of parts as long as they are, up to a share of the panel; of a scale always the same.
double legendWidth(const Panel& panel, const Rect& outer, double size) {
    const bool parts = !panel.columnColours.empty();
    if (!parts && panel.rowColours.empty()) return kLegendWidth;
    double widest = 0;
    for (const Entry& entry : parts ? panel.columns : panel.rows) widest = std::max(widest, textWidth(entry.name));
    return std::max(kLegendWidth, std::min((widest * kSmall + 2.4) * size, outer.width * 0.35));
}

bool hasValueAxis(const Panel& panel) {
    return panel.kind == Panel::Kind::kBars || panel.kind == Panel::Kind::kLines || panel.kind == Panel::Kind::kRanges;
}

}  // namespace

SpanRecords recordsIn(const ProbeSource& source, const TokenSpan& span, int64_t most) {
    SpanRecords out{span, {}, false};
    const std::vector<TokenSpan> all = source.covered();
    const auto inside = [&](const TokenSpan& covered) {
        return TokenSpan{std::max(covered.begin, span.begin), std::min(covered.end, span.end)};
    };
    int64_t known = 0;
    for (const TokenSpan& covered : all) known += std::max<int64_t>(0, inside(covered).size());
    int64_t step = 1;
    while (step * most < known) step *= 2;
    out.sampled = step > 1;
    // Counted from the first token that was looked at, so that a span that is moved or made twice as long reads tokens that are there already.
    std::vector<int64_t> wanted;
    int64_t before = 0;
    for (const TokenSpan& covered : all) {
        const TokenSpan part = inside(covered);
        const int64_t first = before + part.begin - covered.begin;
        for (int64_t token = part.begin + (step - first % step) % step; token < part.end; token += step)
            wanted.push_back(token);
        before += covered.size();
    }
    out.tokens.resize(wanted.size());
    const auto read = [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const auto at = static_cast<size_t>(i);
            out.tokens[at] = source.at(wanted[at]);
        }
    };
    constexpr int64_t kForTwo = 64;  // records from which on a second thread is worth it
    if (std::ssize(wanted) < kForTwo) {
        read(0, std::ssize(wanted));
    } else {
        inTwo(std::ssize(wanted), read);
    }
    std::erase_if(out.tokens, [](const auto& probe) { return !probe || probe->layers.empty(); });
    return out;
}

std::string headsText(const ViewInput& input) {
    return input.selection.head < 0 ? input.words.say("mean over heads")
                                    : input.words.say("head {}", input.selection.head);
}

Figure startFigure(const ViewInput& input, std::string_view view, std::string title) {
    Figure figure;
    figure.view = view;
    figure.title = std::move(title);
    figure.width = input.options.width;
    figure.height = input.options.height;
    figure.textSize = input.options.textSize;
    figure.decimal = input.options.decimal;
    return figure;
}

Figure emptyFigure(const ViewInput& input, std::string_view view, std::string title, std::string message) {
    Figure figure = startFigure(input, view, std::move(title));
    figure.message = std::move(message);
    return figure;
}

Figure nothingCaptured(const ViewInput& input, std::string_view view, std::string title) {
    return emptyFigure(input, view, std::move(title),
                       input.words.say("Nothing was captured of {}. Compute this span again to see it.",
                                       spanText(input, input.selection.tokens)));
}

namespace {

void captionRead(Figure& figure, const ViewInput& input, const TokenSpan& span, std::span<const int64_t> read,
                 bool sampled) {
    const auto count = static_cast<int64_t>(read.size());
    std::string line = count == 1 && span.size() == 1 ? input.words.say("Over {}", spanText(input, span))
                                                      : input.words.say("Over {}: {} of {} tokens read",
                                                                        spanText(input, span), count, span.size());
    if (sampled) line += input.words.say(", evenly spaced");
    bool live = false, again = false;
    for (const int64_t token : read) (input.source.captureOf(token) == Capture::kLive ? live : again) = true;
    if (live && again) {
        line += input.words.say("; captured live, in part computed again");
    } else if (again) {
        line += input.words.say("; computed again");
    } else {
        line += input.words.say("; captured live");
    }
    const auto window = read.empty() ? nullptr : input.source.window(read.back());
    if (again && window && window->maxLogitDifference >= 0)
        line += input.words.say(", logits differ from the saved ones by at most {}",
                                numberText(window->maxLogitDifference, input.options.decimal));
    figure.caption.push_back(input.words.say("{}.", line));
}

}  // namespace

void captionTokens(Figure& figure, const ViewInput& input, const SpanRecords& records) {
    std::vector<int64_t> read;
    for (const auto& probe : records.tokens) read.push_back(probe->position);
    captionRead(figure, input, records.span, read, records.sampled);
}

void captionTokens(Figure& figure, const ViewInput& input, const TokenSpan& span, std::span<const int64_t> read) {
    captionRead(figure, input, span, read, false);
}

std::string tokenText(const ProbeSource& source, int64_t token, size_t most) {
    return shownText(source.text(token), most);
}

std::string shownText(std::string_view text, size_t most) {
    std::string out;
    size_t characters = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && characters++ == most) return out + "…";
        if (c == '\n') {
            out += "⏎";
        } else if (static_cast<unsigned char>(c) >= 0x20) {
            out += c;
        }
    }
    if (out.find_first_not_of(' ') != std::string::npos) return out;
    std::string visible;
    for (size_t i = 0; i < out.size(); ++i) visible += "␣";
    return visible;
}

std::string spanText(const ViewInput& input, const TokenSpan& span) {
    return TokenEntries(input).of(span).name;
}

Entry layerEntry(const ViewInput& input, int64_t layer) {
    const LayerShape& shape = input.source.shape().layers[static_cast<size_t>(layer)];
    const char* kind = shape.kda ? "KDA" : shape.mla ? "MLA" : "-";
    Entry out{input.words.say("layer {} ({})", layer, kind), std::to_string(layer), {}};
    out.target.layer = layer;
    return out;
}

Entry headEntry(const ViewInput& input, int64_t layer, int64_t head) {
    Entry out{input.words.say("layer {}, head {}", layer, head), std::to_string(head), {}};
    out.target.layer = layer;
    out.target.head = head;
    return out;
}

Entry tokenEntry(const ViewInput& input, const TokenSpan& span) {
    return TokenEntries(input).of(span);
}

TokenEntries::TokenEntries(const ViewInput& input)
    : input_(input),
      named_(input.words.say("token {} “{}”", "\1", "\2")),
      plain_(input.words.say("token {}", "\1")),
      several_(input.words.say("tokens {}–{}", "\1", "\2")) {}

Entry TokenEntries::of(const TokenSpan& span) const {
    if (span.size() == 1) return of(span.begin, input_.source.text(span.begin));
    std::string label = input_.words.number(span.begin);
    std::string name = several_.with(label, input_.words.number(span.end - 1));
    return {std::move(name), std::move(label), {.begin = span.begin, .end = span.end}};
}

Entry TokenEntries::of(int64_t token, std::string_view text) const {
    std::string label = input_.words.number(token);
    std::string shown = shownText(text);
    shown.erase(0, shown.find_first_not_of(' '));
    std::string name = shown.empty() ? plain_.with(label) : named_.with(label, shown);
    return {std::move(name), std::move(label), {.begin = token, .end = token + 1}};
}

Rect bodyOf(Figure& figure) {
    std::vector<std::string> caption;
    for (const std::string& line : figure.caption)
        for (std::string& piece : wrappedText(line, (figure.width - 1.6 * figure.textSize) / (0.9 * figure.textSize)))
            caption.push_back(std::move(piece));
    figure.caption = std::move(caption);
    const double margin = figure.textSize * 0.8;
    const double top = margin + figure.textSize * 1.6;
    const double bottom = margin + figure.textSize * 1.3 * static_cast<double>(figure.caption.size());
    return {margin, top, figure.width - 2 * margin, std::max(20.0, figure.height - top - bottom)};
}

std::vector<Rect> splitDown(const Rect& rect, std::span<const double> shares) {
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::vector<Rect> out;
    double y = rect.y;
    for (const double share : shares) {
        out.push_back({rect.x, y, rect.width, rect.height * share / all});
        y = out.back().bottom();
    }
    return out;
}

std::vector<Rect> splitAcross(const Rect& rect, std::span<const double> shares) {
    constexpr double kApart = 10;  // the heading of a legend ends where a part ends
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    const double width = std::max(0.0, rect.width - kApart * static_cast<double>(shares.size() - 1));
    std::vector<Rect> out;
    double x = rect.x;
    for (const double share : shares) {
        out.push_back({x, rect.y, width * share / all, rect.height});
        x = out.back().right() + kApart;
    }
    return out;
}

int64_t mostColumns(const Figure& figure) {
    return std::max<int64_t>(8, static_cast<int64_t>(figure.width - kLegendWidth - figure.textSize * 10));
}

void fit(Panel& panel, const Rect& outer, const Figure& figure, Legend legend) {
    // What is chosen may be a head or a layer that this panel does not have.
    if (panel.chosenRow >= std::ssize(panel.rows)) panel.chosenRow = -1;
    if (panel.chosenColumn >= std::ssize(panel.columns)) panel.chosenColumn = -1;
    const double size = figure.textSize;
    const bool values = hasValueAxis(panel);
    const bool rowNames =
        panel.kind != Panel::Kind::kLines && panel.kind != Panel::Kind::kRanges && panel.kind != Panel::Kind::kTokens;
    const double names = rowNames ? std::max(panel.namesWidth, widest(panel.rows)) * size * kSmall : 0;
    const double left = std::min(std::max(names, values && !rowNames ? size * 3.5 : 0.0) + 8, outer.width * 0.4);
    panel.outer = outer;
    const double right = legend == Legend::kColours ? legendWidth(panel, outer, size) + size : size;
    const bool longHeading =
        legend == Legend::kColours && textWidth(panel.valueName) * kSmall * size > right - 2 * size;
    const double top = panel.title.empty() && !longHeading ? size * 0.4 : size * 1.8;
    const bool below = panel.kind != Panel::Kind::kTokens && panel.kind != Panel::Kind::kLinks;
    const double bottom = (below ? size * 1.5 : 0) + (panel.columnTitle.empty() ? 0 : size * 1.3);
    panel.area = {outer.x + left, outer.y + top, std::max(10.0, outer.width - left - right),
                  std::max(10.0, outer.height - top - bottom)};
    if (rowNames) panel.rowTicks = ticksOfEntries(panel.rows, panel.area.height, size * 1.1);
    if (below && panel.kind != Panel::Kind::kBars)
        panel.columnTicks = areNumbers(panel.columns) ? ticksOfEntries(panel.columns, panel.area.width,
                                                                       (widest(panel.columns) * kSmall + 1) * size)
                                                      : ticksOfNames(panel.columns, panel.area.width, size);
    if (values) {
        const bool across = panel.kind == Panel::Kind::kBars;
        const double length = across ? panel.area.width / (size * 5) : panel.area.height / (size * 2);
        panel.valueTicks = ticksOf(panel.scale, std::clamp(static_cast<int>(length), 1, 8), figure.decimal);
    }
    if (legend == Legend::kColours)
        panel.legend = Rect{panel.area.right() + size, panel.area.y + size * 0.6, right - 2 * size,
                            std::max(10.0, std::min(panel.area.height - size * 0.6, 160.0))};
}

void addPanel(Figure& figure, Panel panel, const Rect& outer, Legend legend) {
    fit(panel, outer, figure, legend);
    figure.panels.push_back(std::move(panel));
}

Panel layerHeadPanel(const ViewInput& input, const LayerHeads& shown) {
    Panel panel;
    panel.columnTitle = input.words.say("head");
    const std::vector<LayerShape>& layers = input.source.shape().layers;
    int64_t heads = 0;
    for (const int64_t layer : shown.layers) heads = std::max(heads, layers[static_cast<size_t>(layer)].heads);
    for (int64_t head = 0; head < heads; ++head)
        panel.columns.push_back({input.words.say("head {}", head), std::to_string(head), {.head = head}});
    for (const int64_t layer : shown.layers) {
        if (layer == shown.chosen) panel.chosenRow = std::ssize(panel.rows);
        panel.rows.push_back(layerEntry(input, layer));
        for (int64_t head = 0; head < heads; ++head) panel.values.push_back(shown.value(layer, head));
    }
    panel.chosenColumn = input.selection.head;
    return panel;
}

ValueScale chosenScale(std::span<const float> values, const ViewOptions& options) {
    return scaleOf(values,
                   options.values == ViewOptions::Values::kLog ? ValueScale::Kind::kLog : ValueScale::Kind::kLinear);
}

ValueScale lineScale(std::span<const float> values) {
    ValueScale out = scaleOf(values, ValueScale::Kind::kLinear);
    out.high *= 1.04;
    return out;
}

void keepMass(Panel& panel, double share) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    const size_t columns = panel.columns.size();
    for (size_t row = 0; row < panel.rows.size(); ++row) {
        const std::span<float> values(panel.values.data() + row * columns, columns);
        if (share >= 1) {
            for (float& value : values)
                if (!(value > 0)) value = kNone;
            continue;
        }
        std::vector<float> sorted;
        for (const float value : values)
            if (value > 0) sorted.push_back(value);
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        const double all = std::accumulate(sorted.begin(), sorted.end(), 0.0);
        double sum = 0;
        float least = 0;
        for (const float value : sorted) {
            if (sum >= share * all) break;
            sum += value;
            least = value;
        }
        for (float& value : values)
            if (!(value > 0) || value < least || sorted.empty()) value = kNone;
    }
}

}  // namespace pal::inspect
