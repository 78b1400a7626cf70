// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>
#include <stop_token>
#include <utility>

namespace pal {

// Commands for a worker thread: any thread pushes, one thread pops, in order. Thread-safe.
template <typename T>
class BoundedQueue {
  public:
    // Holds at most `capacity` (>= 1) entries.
    explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

    // Adds without waiting; false when the queue is full (the caller reports kBusy).
    [[nodiscard]] bool tryPush(T value) {
        {
            const std::lock_guard lock(mutex_);
            if (entries_.size() >= capacity_) return false;
            entries_.push_back(std::move(value));
        }
        changed_.notify_one();
        return true;
    }

    // Waits for entries and takes them all, oldest first; none once `stop` was requested, even when some are left.
    [[nodiscard]] std::list<T> popAll(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return !entries_.empty(); }) || stop.stop_requested()) return {};
        return std::exchange(entries_, {});
    }

    // The same without waiting.
    [[nodiscard]] std::list<T> tryPopAll() {
        const std::lock_guard lock(mutex_);
        return std::exchange(entries_, {});
    }

  private:
    const size_t capacity_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::list<T> entries_;
};

}  // namespace pal
