// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace pal {

// Results from a worker to one receiver. Thread-safe.
//
// Wakeup contract: the function may be called from any thread, must return at once, must not call back into the sender, and may
// stand for several events; at most one is outstanding. The receiver then drains until empty. drain() re-arms before it takes the
// entries, so an event pushed in between wakes again. After close() it is not called any more.
template <typename Event>
class EventChannel {
  public:
    // `capacity` bounds the entries waiting; `wakeup` may be empty (then the receiver uses wait()).
    EventChannel(size_t capacity, std::function<void()> wakeup) : capacity_(capacity), wakeup_(std::move(wakeup)) {}

    // Adds an event that must not be lost; false when the channel is full, then nothing is added. Once `stop` was requested it is never
    // full: the few events that a stopped sender still has go beyond the capacity. Never waits.
    [[nodiscard]] bool tryPush(const Event& event, const std::stop_token& stop) {
        return tryPushAll(std::span(&event, 1), stop) == 1;
    }

    // Likewise for several, oldest first: as many as have room, and the receiver is woken once. Returns how many.
    [[nodiscard]] size_t tryPushAll(std::span<const Event> events, const std::stop_token& stop) {
        bool wake = false;
        size_t pushed = 0;
        {
            const std::lock_guard lock(mutex_);
            if (closed_) return events.size();
            const size_t room = capacity_ - std::min(capacity_, entries_.size());
            const size_t most = stop.stop_requested() ? events.size() : std::min(room, events.size());
            try {
                for (; pushed < most; ++pushed) entries_.push_back(events[pushed]);
            } catch (...) {  // all or nothing: the sender still has them
                while (pushed-- > 0) entries_.pop_back();
                throw;
            }
            if (pushed == 0) return 0;
            wake = std::exchange(armed_, false);
        }
        signal(wake);
        return pushed;
    }

    // Whether an event would be taken now.
    [[nodiscard]] bool hasRoom() const {
        const std::lock_guard lock(mutex_);
        return closed_ || entries_.size() < capacity_;
    }

    // Adds an event of which only the newest matters: replaces the last entry when `same(last)` holds, never waits, and may
    // exceed the capacity by one.
    template <typename Same>
    void pushLatest(Event event, Same same) {
        bool wake = false;
        {
            const std::lock_guard lock(mutex_);
            if (closed_) return;
            if (!entries_.empty() && same(entries_.back())) {
                entries_.back() = std::move(event);
            } else {
                entries_.push_back(std::move(event));
            }
            wake = std::exchange(armed_, false);
        }
        signal(wake);
    }

    // Takes everything that waits, oldest first.
    [[nodiscard]] std::vector<Event> drain() {
        std::vector<Event> out;
        const std::lock_guard lock(mutex_);
        armed_ = true;
        out.assign(std::make_move_iterator(entries_.begin()), std::make_move_iterator(entries_.end()));
        entries_.clear();
        return out;
    }

    // Blocks until an event waits or `stop` was requested; for receivers without an event loop.
    void wait(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        pushed_.wait(lock, stop, [this] { return !entries_.empty(); });
    }

    // The receiver goes away: events are dropped, and the wakeup, which may be running on another thread, has returned
    // for the last time.
    void close() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            entries_.clear();
        }
        const std::lock_guard lock(wakeupMutex_);
        wakeup_ = {};
    }

  private:
    void signal(bool wake) {
        pushed_.notify_one();
        if (!wake) return;
        const std::lock_guard lock(wakeupMutex_);
        if (wakeup_) wakeup_();
    }

    const size_t capacity_;
    std::mutex wakeupMutex_;  // held while the wakeup runs
    std::function<void()> wakeup_;
    mutable std::mutex mutex_;
    std::condition_variable_any pushed_;
    std::deque<Event> entries_;
    bool armed_ = true;
    bool closed_ = false;
};

}  // namespace pal
