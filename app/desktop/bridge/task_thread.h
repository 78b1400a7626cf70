// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace pal::desktop {

// A thread that runs tasks in the order they were handed over. Thread-safe, except for stop(). A task that throws std::bad_alloc is over, a
// tick that does is tried again; both should rather tell whoever waits for them.
class TaskThread {
  public:
    struct Options {
        size_t capacity = 256;  // tasks that may wait
        // On the thread after each wake() and between tasks; true: again after `interval`. May be empty.
        std::function<bool()> tick = {};
        std::chrono::milliseconds interval{500};
    };
    explicit TaskThread(Options options);
    ~TaskThread() { stop(); }
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    // Never waits. False when too many tasks wait or the thread was stopped; then the task is not taken.
    [[nodiscard]] bool post(std::function<void()> task);
    // The same beyond the capacity; nothing is taken after it.
    void postLast(std::function<void()> task);
    // Never waits; calls before the next tick count as one.
    void wake();
    // Runs what was handed over and ends the thread. Not from the thread itself.
    void stop();

  private:
    void run();

    const Options options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    bool woken_ = false;
    bool closed_ = false;  // to new tasks
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace pal::desktop
