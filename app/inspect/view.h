// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/inspect/figure.h"
#include "app/inspect/probe_source.h"
#include "app/inspect/words.h"

namespace pal::inspect {

// What is looked at; the same for all views of a window. Layers count from 0, as tensor names do.
struct Selection {
    TokenSpan tokens;
    int64_t layer = -1;  // -1: the view chooses the first that has what it shows
    int64_t head = -1;   // -1: all heads, as their mean unless the view says otherwise
    friend bool operator==(const Selection&, const Selection&) = default;
};

struct ViewOptions {
    enum class Values { kLinear, kLog };
    // The first token takes what heads do not need elsewhere. kHide: the rest is made to sum to 1.
    enum class Sink { kShow, kHide };
    enum class Order { kByNumber, kByLoad };

    double width = 760, height = 520;  // of the figure, device-independent pixels
    double textSize = 12;
    char decimal = '.';  // of numbers in texts
    Values values = Values::kLinear;
    Sink sink = Sink::kShow;
    double mass = 1;                 // the largest cells are shown until they cover this share of each row, 0..1
    std::optional<TokenSpan> range;  // tokens along an axis; else what the view takes by itself
    Scalar colourBy = Scalar::kNextEntropy;  // of the coloured transcript
    int64_t remember = 1000;                 // tokens; half-life view: share of channels that keep half for longer
    Order order = Order::kByNumber;          // of experts
    std::string compared = "layers";         // the view that is compared
};

struct ViewInput {
    const ProbeSource& source;
    Selection selection;
    ViewOptions options;
    Words words;
    // Of the comparison: another token or span, of another branch where there is one.
    const ProbeSource* otherSource = nullptr;
    std::optional<Selection> other;
    std::stop_token stop = {};  // the figure is not wanted any more
};

// A view: a pure function of data, selection and size. What it cannot show it says in Figure::message.
struct View {
    std::string_view name;                   // "context", as --view takes it
    const char* title;                       // English, for Words
    std::array<const char*, 3> explanation;  // three sentences: what is drawn, how it comes about, how to read it
    Figure (*build)(const ViewInput& input);
};

// All views in the order in which they are offered.
[[nodiscard]] std::span<const View> views();
// Null when there is none of that name.
[[nodiscard]] const View* findView(std::string_view name);

// The tokens before `token` that its records know of and whose text or picture a person can open: the region with the most mass, the sink
// left out, over all MLA layers. Nothing without a record.
struct LookedAt {
    Region region;
    double mass = 0;  // mean over layers and heads
};
[[nodiscard]] std::optional<LookedAt> mostLookedAt(const ProbeSource& source, const TokenSpan& tokens);

}  // namespace pal::inspect
