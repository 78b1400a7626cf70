// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/inspect/view_support.h"

namespace pal::inspect {

// The layers that a view of single positions is of: the one that is chosen, if it has attention, else all with attention.
[[nodiscard]] std::vector<int64_t> attentionLayers(const ViewInput& input);

// What a view of attention begins with.
struct AttentionView {
    int64_t layer = -1;
    SpanRecords records;
    std::optional<Figure> nothing;  // why there is nothing to see
};
[[nodiscard]] AttentionView attentionView(const ViewInput& input, std::string_view view, const std::string& title);

// Attention of a span of tokens by region, for the views that show where tokens looked. R regions and one more, behind the last.
struct RegionMass {
    std::vector<double> region;  // [R + 1] without the first token of the sequence
    double sink = 0;             // attention on that token
    int64_t tokens = 0;          // that it is the mean of
};
// Mean over the records with the same regions as the last of them, and over heads; of one head where `head` is 0 or more. With the sink it
// sums to 1; with kHide the rest is made to. Nothing (tokens 0) where no record has that layer's attention.
[[nodiscard]] RegionMass massOf(const SpanRecords& records, int64_t layer, int64_t head, ViewOptions::Sink sink);

// Attention on single positions, mean over the span and over the layers, at least one: of the raw values of a window that holds the span on all of them, of
// one head where `head` is 0 or more; else on the most attended keys of the records, of which only the mean over heads is known. A key that is not known
// of a layer counts as 0 there. Where a window has the raw values of some of the layers only they are not taken: one head's values and means over
// heads make no mean.
//
// Gives what each adds to a key, keys in any order and more than once; whether what is not there has none.
using KeyVisitor = std::function<void(int64_t key, double mass)>;
bool eachKey(const ProbeSource& source, const SpanRecords& records, std::span<const int64_t> layers, int64_t head,
             const KeyVisitor& visit);

// The same in one list.
struct KeyMass {
    struct Entry {
        int64_t key = 0;
        float mass = 0;
    };
    std::vector<Entry> keys;  // ascending, each once
    bool exact = false;       // what is not there has none
};
[[nodiscard]] KeyMass keyMassOf(const ProbeSource& source, const SpanRecords& records, std::span<const int64_t> layers,
                                int64_t head);

}  // namespace pal::inspect
