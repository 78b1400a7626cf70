// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace pal::desktop {

// A thread of its own for work that would hold up the window. Jobs run one after the other, in the order given. Any thread may call.
class Worker {
  public:
    using Job = std::function<void(const std::stop_token&)>;

    Worker();
    // Stops the running job, drops those that wait, and waits for the thread.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // A stop drops the job while it waits and is told to it while it runs.
    std::stop_source run(Job job);

  private:
    struct Task {
        Job job;
        std::stop_source stop;
    };
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> waiting_;
    std::stop_source running_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace pal::desktop
