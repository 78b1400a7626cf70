// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>

namespace pal::cuda {

// The page-locked blocks that a backend gave out, which the link reaches without a stage. Blocks may end on any thread.
class LockedRanges {
  public:
    void add(const void* data, size_t bytes) {
        const std::lock_guard lock(mutex_);
        ranges_[static_cast<const std::byte*>(data)] = bytes;
    }
    void remove(const void* data) {
        const std::lock_guard lock(mutex_);
        ranges_.erase(static_cast<const std::byte*>(data));
    }
    [[nodiscard]] bool hold(const void* data, size_t bytes) const {
        const std::lock_guard lock(mutex_);
        const auto* const first = static_cast<const std::byte*>(data);
        const auto after = ranges_.upper_bound(first);
        if (after == ranges_.begin()) return false;
        const auto& [begin, size] = *std::prev(after);
        return first + bytes <= begin + size;
    }

  private:
    mutable std::mutex mutex_;
    std::map<const std::byte*, size_t, std::less<>> ranges_;
};

}  // namespace pal::cuda
