// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// How the parts of an absorbed attention are described between the parallel loops and the kernels of an instruction set.

namespace pal::cpu {

// What a chunk of the sequence leaves for a group of lanes: per lane the largest score, the sum of e^(score - top) and the cached rows weighted
// by it. The chunks of a lane are merged in order.
struct AbsorbedPartial {
    float* top;     // [panels][panel]
    float* sum;     // [panels][panel]
    float* latent;  // [panels][rank panels][lanes of the panel][panel]
};

// What stays of an absorbed attention for its probe, where it lies in memory; only as far as a panel's queries see.
struct KeptScores {
    float* values;  // [pages][panels][64][panel] e^(score - base), 0 for rows that a lane does not see
    // [pages][panels][3][panel]: per page the largest score of its chunk so far (base), the sum of the page's values, and their sum weighted by
    // (score - base).
    float* pages;
};

enum PageSum : int64_t { kPageBase, kPageTotal, kPageWeighted, kPageSums };

// Panels [beginPanel, endPanel) of lanes against pages [beginPage, endPage).
struct AbsorbedTask {
    const float* queries;  // packed, of all panels
    int64_t beginPanel;
    int64_t endPanel;
    int64_t beginPage;
    int64_t endPage;
    AbsorbedPartial partial;
    const KeptScores* kept;  // null, or where the scores stay
    int64_t lanes;           // of all panels: the last panel may have more
    int64_t panels;
};

}  // namespace pal::cpu
