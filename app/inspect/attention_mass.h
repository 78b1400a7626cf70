// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "app/inspect/view_support.h"

namespace pal::inspect {

// Attention of a span of tokens by region, for the views that show where tokens looked. R regions and one more, behind the last.
struct RegionMass {
    std::vector<double> region;  // [R + 1] without the first token of the sequence
    double sink = 0;             // attention on that token
    int64_t tokens = 0;          // that it is the mean of
};
// Mean over the records with the same regions as the last of them, and over heads; of one head where `head` is 0 or more. With the sink it
// sums to 1; with kHide the rest is made to. Nothing (tokens 0) where no record has that layer's attention.
[[nodiscard]] RegionMass massOf(const SpanRecords& records, int64_t layer, int64_t head, ViewOptions::Sink sink);

// Attention on single positions: of a window's raw values on all of them, else on the most attended keys of the records. Mean over the span
// and heads.
struct KeyMass {
    struct Entry {
        int64_t key = 0;
        float mass = 0;
    };
    std::vector<Entry> keys;  // ascending, each once
    bool exact = false;       // what is not there has none
    int64_t tokens = 0;
};
[[nodiscard]] KeyMass keyMassOf(const ProbeSource& source, const SpanRecords& records, int64_t layer, int64_t head);

}  // namespace pal::inspect
