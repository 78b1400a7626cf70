// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
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

    // Waits for the next entry; nothing once `stop` was requested, even when entries are left.
    [[nodiscard]] std::optional<T> pop(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [this] { return !entries_.empty(); }) || stop.stop_requested())
            return std::nullopt;
        T value = std::move(entries_.front());
        entries_.pop_front();
        return value;
    }

  private:
    const size_t capacity_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<T> entries_;
};

}  // namespace pal
