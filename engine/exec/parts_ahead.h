// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/api/state_store.h"

namespace pal {

// Reads the parts of a state in order, on a thread of its own and a few ahead of who takes them: disk and checksums work on the next ones
// while those before are decoded. Taken by one thread.
class PartsAhead {
  public:
    // `store` outlives this.
    PartsAhead(StateStore& store, std::vector<StateId> parts);
    ~PartsAhead();  // waits for the part that is being read
    PartsAhead(const PartsAhead&) = delete;
    PartsAhead& operator=(const PartsAhead&) = delete;

    // Waits for the next part; valid until the next call. Null after the last one, and from the first that is not there or was damaged.
    [[nodiscard]] const ByteBuffer* next();

  private:
    static constexpr size_t kAhead = 3;  // buffers, each of a part's size
    void read(const std::stop_token& stop);

    StateStore& store_;
    const std::vector<StateId> parts_;
    std::array<ByteBuffer, kAhead> buffers_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    size_t read_ = 0;       // parts that lie, or lay, in the buffers
    size_t free_ = kAhead;  // parts before this one may be read
    size_t taken_ = 0;
    bool ended_ = false;
    std::jthread thread_;
};

}  // namespace pal
