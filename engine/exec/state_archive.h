// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/api/engine.h"
#include "engine/api/state_store.h"
#include "engine/base/result.h"
#include "engine/exec/parts_ahead.h"
#include "engine/state/host_blocks.h"
#include "engine/state/prefix_hash.h"
#include "engine/state/sequence_state.h"

namespace pal {

// Which stored states a model on a backend may continue. A family is: weights and config (modelFingerprint), a version of what the kernels
// compute, the backend's kind and its number types. Step size and instruction set change roundings too but are not part of it: a state of
// other steps is as good. The tokenizer is not part of it: token ids are, and media are named by the pixels that the tower sees, so
// whatever prepares text and pictures otherwise names another prefix.
struct StateFamilies {
    Hash128 own;
    std::vector<Hash128> convertible;  // the same model on other backends or in other number types
};
[[nodiscard]] StateFamilies stateFamilies(const std::string& modelFingerprint, const BackendInfo& backend,
                                          DType latent);

// What one timeline has in a StateStore and what it still has to put there. Engine thread; borrows the store and the backend. What the
// backend could not deliver (a lost device) is not stored, and is a problem as one of the store.
//
// The path is the sequence of token identities that the timeline has read. Latent pages are stored in groups as they fill, a checkpoint
// with the rows after the last full group. A group and a checkpoint are named by the path up to their end.
class StateArchive {
  public:
    // `blocks`, when given, is the memory that is handed to the store.
    StateArchive(StateStore& store, StateFamilies families, Backend& backend, const StateLayout& layout,
                 HostBlocks* blocks = nullptr);

    struct Found {
        SequenceState state;
        std::vector<float> logits;  // empty where they were not computed
    };
    // The state of the longest stored prefix of a prompt of these identities, when it is of at least `atLeast` tokens. A prompt's last position
    // is only taken with logits. What the store lost or cannot read is passed over. Errors: kOutOfMemory.
    Result<std::optional<Found>> find(std::span<const uint64_t> prompt, int64_t atLeast);
    // What find() would try first.
    [[nodiscard]] Engine::StoredPrefix longest(std::span<const uint64_t> prompt);

    // The timeline goes on from its first `position` tokens, which it has read before.
    void goBack(int64_t position);
    // Stores the groups that are full now. When one could not be stored, those behind it wait until it is: it is tried again alone, so that a
    // disk that stays full doubles the work at most, and all others follow once it has room.
    void savePages(const SequenceState& state, std::span<const uint64_t> path);

    enum class Keep : uint8_t {
        kLasting,    // a place to come back to
        kUntilNext,  // only for the case that the program ends here: the next checkpoint replaces it
    };
    void saveCheckpoint(const SequenceState& state, std::span<const uint64_t> path, std::span<const float> logits,
                        Keep keep);
    // A checkpoint here costs no more than the pages since the last one: writing doubles at most, and so does what a crash costs.
    [[nodiscard]] bool checkpointDue(int64_t position) const;

    // Tokens of a group: a power of two of pages of at most 8 pages and about 8 MB. 0 when the model has no latents.
    [[nodiscard]] int64_t groupTokens() const { return groupTokens_; }
    [[nodiscard]] std::optional<Error> takeProblem();

  private:
    struct Candidate {
        StateId id;
        bool own = true;
    };
    std::vector<Candidate> candidates(std::span<const uint64_t> prompt, int64_t atLeast);
    Result<std::optional<Found>> load(const Candidate& candidate, std::span<const uint64_t> prompt, int64_t& lostFrom);
    bool loadGroups(PartsAhead& pages, int64_t groups, SequenceState& state, int64_t& lostFrom);
    [[nodiscard]] std::vector<StateId> pagesOf(const Hash128& family, const std::vector<Hash128>& groups) const;
    [[nodiscard]] bool has(StatePart part, const Hash128& prefix, int64_t tokens) const;
    bool saveGroup(const SequenceState& state, std::span<const uint64_t> path);
    bool arrived();
    bool groupsAreThere(const SequenceState& state, std::span<const uint64_t> path);
    std::vector<Hash128> groupNames(std::span<const uint64_t> path, int64_t tokens);

    StateStore& store_;
    StateFamilies families_;
    Backend& backend_;
    StateLayout layout_;
    HostBlocks* blocks_;
    int64_t groupTokens_;
    int64_t interval_;                // tokens between checkpoints of Keep::kUntilNext
    PrefixHasher hasher_;             // of the path
    ByteBuffer buffer_;               // while reading
    std::vector<Hash128> groups_;     // groups of the path that were handed over
    bool groupLost_ = false;          // the one behind them could not be stored
    std::optional<int64_t> triedAt_;  // the position at which a lost group was tried again
    struct Saved {
        int64_t position = 0;
        Hash128 prefix;
        Keep keep = Keep::kLasting;
        bool logits = false;
    };
    std::optional<Saved> last_;  // the path's latest stored checkpoint
    std::optional<Error> deviceProblem_;
};

}  // namespace pal
