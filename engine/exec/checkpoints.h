// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/state/sequence_state.h"

namespace pal {

// A state to come back to.
struct Checkpoint {
    SequenceState state;
    std::vector<float> logits;  // after its last token; empty where they were not computed
};

// The checkpoints along one timeline, in memory, under a budget. Engine thread.
class CheckpointStore {
  public:
    explicit CheckpointStore(uint64_t budgetBytes) : budget_(budgetBytes) {}

    // The last checkpoint at or before `position` that lets a prompt of `promptTokens` tokens end with logits: one at its very end must
    // have them. Null when there is none.
    [[nodiscard]] const Checkpoint* latest(int64_t position, int64_t promptTokens) const;

    // Adds or replaces; then drops checkpoints until the budget holds: first those that save the least work, the newest never before
    // older ones. A checkpoint over the whole budget is not kept.
    void add(Checkpoint checkpoint);
    // Drops the one that saves the least work, by the rule of add(), so that its memory is free for more urgent things. False when there is none.
    bool dropLeast();
    // Forgets what lies beyond `position`: the timeline parts from it there.
    void dropAfter(int64_t position);

    [[nodiscard]] bool enabled() const { return budget_ > 0; }
    [[nodiscard]] size_t count() const { return checkpoints_.size(); }
    // What all of them cost together, without the full latent pages, which belong to the timeline.
    [[nodiscard]] uint64_t bytes() const { return bytes_; }

  private:
    using Map = std::map<int64_t, Checkpoint>;
    Map::iterator drop(Map::iterator at);

    uint64_t budget_;
    uint64_t bytes_ = 0;
    Map checkpoints_;  // by position
};

// Positions in (begin, end] where a prompt of which [0, begin) is done should leave checkpoints: its end, the message ends, and inside
// long messages distances of 1, 2, 4, ... chunks from the message's last chunk border, so that going back by d tokens
// recomputes about d. Ascending.
[[nodiscard]] std::vector<int64_t> checkpointPositions(int64_t begin, int64_t end,
                                                       const std::vector<int64_t>& boundaries, int64_t chunkTokens);

}  // namespace pal
