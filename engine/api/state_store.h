// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/byte_buffer.h"
#include "engine/base/result.h"

namespace pal {

// 128 bits of XXH3. A name for contents, no protection against someone who forges them.
struct Hash128 {
    uint64_t high = 0;
    uint64_t low = 0;
    friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

// A sequence is stored in parts: groups of full latent pages, each continuing the one before, and checkpoints (recurrent states, the
// rows after the last full group, maybe logits), which continue a group too. Sequences that begin alike share parts.
enum class StatePart : uint8_t { kPages, kCheckpoint };

struct StateId {
    Hash128 family;      // what made the numbers: model, backend, number types
    Hash128 prefix;      // tokens and media from the sequence's beginning to `tokens`
    int64_t tokens = 0;  // where the part ends
    StatePart part = StatePart::kPages;
};

struct StateWrite {
    StateId id;
    std::optional<Hash128> pages;     // prefix of the page group that this part continues
    std::optional<Hash128> replaces;  // prefix of a checkpoint that is dropped once this one is safe
    ByteBuffer bytes;
};

// Keeps states beyond the life of the engine. What it holds may be lost at any time, which costs computing and nothing else; what it
// returns is bit for bit what was written. Thread-safe.
class StateStore {
  public:
    virtual ~StateStore() = default;

    // Where the family has checkpoints, at most `upTo` tokens from the beginning; longest first, each once.
    [[nodiscard]] virtual std::vector<int64_t> checkpointPositions(const Hash128& family, int64_t upTo) = 0;
    // Reads a part into `bytes`; false when it is not there or was damaged, and then it is dropped.
    [[nodiscard]] virtual bool read(const StateId& id, ByteBuffer& bytes) = 0;
    // The part is there or is waiting to be written; one that continues another one keeps that.
    [[nodiscard]] virtual bool contains(const StateId& id) = 0;
    // Bytes of a checkpoint with all page groups before it; 0 when it is not there.
    [[nodiscard]] virtual uint64_t bytesToRead(const StateId& checkpoint) = 0;
    // Hands a part over to be written by another thread; waits while too much is waiting. A part that is there already stays, a
    // checkpoint is written anew.
    virtual void write(StateWrite part) = 0;
    // Waits until everything handed over is on the disk or was given up.
    virtual void flush() = 0;
    // What went wrong since the last call (disk full, damaged file, budget too small), once per kind.
    [[nodiscard]] virtual std::optional<Error> takeProblem() = 0;
};

}  // namespace pal
