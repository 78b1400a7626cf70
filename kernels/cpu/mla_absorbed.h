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

// Panels [beginPanel, endPanel) of lanes against pages [beginPage, endPage).
struct AbsorbedTask {
    const float* queries;  // packed, of all panels
    int64_t beginPanel;
    int64_t endPanel;
    int64_t beginPage;
    int64_t endPage;
    AbsorbedPartial partial;
    float* kept;     // null, or where the scores stay: [pages][panels][64][panel]
    int64_t panels;  // of all lanes
};

}  // namespace pal::cpu
