// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/checkpoints.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace pal {
namespace {

uint64_t cost(const Checkpoint& checkpoint) {
    return checkpoint.state.cloneBytes() + checkpoint.logits.size() * sizeof(float);
}

}  // namespace

const Checkpoint* CheckpointStore::latest(int64_t position, int64_t promptTokens) const {
    auto at = checkpoints_.upper_bound(position);
    while (at != checkpoints_.begin()) {
        --at;
        if (at->first < promptTokens || !at->second.logits.empty()) return &at->second;
    }
    return nullptr;
}

void CheckpointStore::add(Checkpoint checkpoint) {
    const int64_t position = checkpoint.state.position();
    if (const auto before = checkpoints_.find(position); before != checkpoints_.end()) drop(before);
    const uint64_t added = cost(checkpoint);
    checkpoints_.emplace(position, std::move(checkpoint));
    bytes_ += added;
    while (bytes_ > budget_) dropLeast();
}

bool CheckpointStore::dropLeast() {
    if (checkpoints_.empty()) return false;
    // Without a checkpoint, work restarts at the one before it: the distance between them is what it saves.
    auto victim = checkpoints_.begin();
    int64_t least = victim->first;
    for (auto next = std::next(victim); next != checkpoints_.end(); ++next) {
        const int64_t saved = next->first - std::prev(next)->first;
        if (std::next(next) != checkpoints_.end() && saved < least) {
            least = saved;
            victim = next;
        }
    }
    drop(victim);
    return true;
}

void CheckpointStore::dropAfter(int64_t position) {
    for (auto at = checkpoints_.upper_bound(position); at != checkpoints_.end();) at = drop(at);
}

CheckpointStore::Map::iterator CheckpointStore::drop(Map::iterator at) {
    bytes_ -= cost(at->second);
    return checkpoints_.erase(at);
}

std::vector<int64_t> checkpointPositions(int64_t begin, int64_t end, const std::vector<int64_t>& boundaries,
                                         int64_t chunkTokens) {
    std::set<int64_t> ends(boundaries.begin(), boundaries.end());
    ends.insert(end);
    std::set<int64_t> out;
    int64_t start = 0;
    for (const int64_t messageEnd : ends) {
        if (messageEnd <= 0 || messageEnd > end) continue;
        out.insert(messageEnd);
        const int64_t border = messageEnd / chunkTokens * chunkTokens;
        for (int64_t back = chunkTokens; border - back > start; back *= 2) out.insert(border - back);
        start = messageEnd;
    }
    return {out.upper_bound(begin), out.end()};
}

}  // namespace pal
