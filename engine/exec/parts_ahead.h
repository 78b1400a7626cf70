// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/api/state_store.h"

namespace pal {

// Reads the parts of a state on threads of its own, a few ahead of who takes them in order: the disk has several requests at once and
// checksums are computed while the parts before are decoded. Taken by one thread.
class PartsAhead {
  public:
    // `store` outlives this.
    PartsAhead(StateStore& store, std::vector<StateId> parts);
    ~PartsAhead();  // waits for the parts that are being read
    PartsAhead(const PartsAhead&) = delete;
    PartsAhead& operator=(const PartsAhead&) = delete;

    // Waits for the next part; valid until the next call. Null after the last one, and from the first that is not there, was damaged or has no
    // memory; at once when the system gives no thread.
    [[nodiscard]] const ByteBuffer* next();

  private:
    static constexpr size_t kThreads = 4;
    // Buffers, each of a part's size: the disk works on when a part takes long to decode.
    static constexpr size_t kAhead = 2 * kThreads;
    void read(const std::stop_token& stop);
    bool readInto(ByteBuffer& bytes, const StateId& part);

    StateStore& store_;
    const std::vector<StateId> parts_;
    struct Slot {
        ByteBuffer bytes;
        bool read = false;
    };
    std::array<Slot, kAhead> slots_;  // of part i: i % kAhead
    std::mutex mutex_;
    std::condition_variable_any changed_;
    size_t begun_ = 0;      // parts that were begun to be read
    size_t free_ = kAhead;  // parts before this one have a slot
    size_t taken_ = 0;
    size_t end_;  // the first part that is not there
    std::array<std::jthread, kThreads> threads_;
};

}  // namespace pal
