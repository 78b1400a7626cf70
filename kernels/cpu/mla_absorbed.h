// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/api/mla_args.h"

// How the parts of an absorbed attention are described between the parallel loops and the kernels of an instruction set.

namespace pal::cpu {

// What a chunk of the sequence leaves for a group of lanes: per lane the largest score, the sum of e^(score - top) and the cached rows weighted
// by it. The chunks of a lane are merged in order.
struct AbsorbedPartial {
    float* top;     // [panels][panel]
    float* sum;     // [panels][panel]
    float* latent;  // [panels][rank panels][lanes of the panel][panel]
};

// What stays of an absorbed attention for its probe; only as far as a panel's queries see. Of a panel, the groups of kKeptLanes lanes that hold any.
// The rows of a page are in the order of mla-inl.h's keptSlot().
#ifdef HWY_COMPILE_ONLY_SCALAR
inline constexpr int64_t kKeptLanes = 1;
#else
inline constexpr int64_t kKeptLanes = 4;  // no vector is narrower
#endif

enum PageSum : int64_t { kPageBase, kPageTotal, kPageWeighted, kPageSums };

struct KeptScores {
    float* values;  // [pages][panels][groups][64][kKeptLanes] e^(score - base), 0 for rows that a lane does not see
    // [pages][panels][3][panel]: per page the largest score of its chunk so far (base), the sum of the page's values, and their sum weighted by
    // (score - base).
    float* sums;
    int64_t panels;
    int64_t groups;
    int64_t panel;

    [[nodiscard]] float* valuesAt(int64_t page, int64_t p) const {
        return values + (page * panels + p) * groups * kLatentPageTokens * kKeptLanes;
    }
    [[nodiscard]] float* sumsAt(int64_t page, int64_t p) const {
        return sums + (page * panels + p) * kPageSums * panel;
    }
};

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
};

}  // namespace pal::cpu
