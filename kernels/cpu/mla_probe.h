// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "kernels/api/mla_args.h"
#include "kernels/cpu/mla_absorbed.h"
#include "kernels/cpu/thread_pool.h"

namespace pal::cpu {

// What an absorbed attention leaves for its probe. Lane = query * h + head.
struct AbsorbedScores {
    KeptScores kept;
    const float* top;    // [lanes] largest score
    const float* share;  // [lanes] 1 / sum of e^(score - top)
    int64_t lanes;
    int64_t perChunk;  // pages of a chunk of the sequence; chunks are summed apart, in parallel
    int64_t chunks;
};

// Where the second pass sums. "lanes" are those of all panels.
struct ProbeSums {
    float* slots;    // [regions + chunks][lanes] attention
    float* entropy;  // [chunks][lanes]
    float* mean;     // [T][rows] sum over heads; what lies behind the rows that a query sees means nothing
    int64_t rows;    // of whole pages
    // Of the lanes, as in AbsorbedScores; share is 0 beyond the last one.
    float* top;
    float* share;
    float* logShare;
};

struct RowRange {
    int64_t begin;
    int64_t end;
};

[[nodiscard]] inline RowRange rowsOfChunk(const MlaAttentionArgs& args, const AbsorbedScores& from, int64_t chunk) {
    const int64_t rows = from.perChunk * kLatentPageTokens;
    return {chunk * rows, std::min(args.past + args.q.dim(0), (chunk + 1) * rows)};
}

// The region of a row, and where it ends.
[[nodiscard]] inline int64_t regionOf(const MlaProbeViews& probe, int64_t row) {
    return std::upper_bound(probe.regionEnds.begin(), probe.regionEnds.end(), row) - probe.regionEnds.begin();
}
[[nodiscard]] inline int64_t regionEnd(const MlaProbeViews& probe, int64_t region) {
    const auto index = static_cast<size_t>(region);
    return index < probe.regionEnds.size() ? probe.regionEnds[index] : std::numeric_limits<int64_t>::max();
}

// Fills args.probe, which has all T queries: sumChunk() of every chunk, in any order and on any threads, then finish(). Its memory is the scope's.
// A single query is finished by the thread that sums the last chunk, while others may do other work.
class AbsorbedProbe {
  public:
    AbsorbedProbe(const MlaAttentionArgs& args, const AbsorbedScores& from, ArenaScope& scope);
    void sumChunk(int64_t chunk, Arena& arena);
    void finish(ThreadPool& pool) const;

  private:
    void finishQuery(int64_t t, Arena& arena) const;

    const MlaAttentionArgs& args_;
    const AbsorbedScores from_;
    const int64_t allLanes_;
    ProbeSums sums_;
    std::atomic<int64_t> chunksLeft_;
};

// Floats that the kept scores of `tokens` queries of `heads` heads over `rows` rows may need at most, with any instruction set.
[[nodiscard]] int64_t absorbedScoreFloats(int64_t tokens, int64_t heads, int64_t rows);

}  // namespace pal::cpu
