// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/worker.h"

namespace pal::desktop {

Worker::Worker() : thread_([this] { work(); }) {}

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
        running_.request_stop();
        waiting_.clear();
    }
    changed_.notify_one();
    thread_.join();
}

std::stop_source Worker::run(Job job) {
    const std::stop_source stop;
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back({std::move(job), stop});
    }
    changed_.notify_one();
    return stop;
}

void Worker::work() {
    while (true) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
            if (ending_) return;
            task = std::move(waiting_.front());
            waiting_.pop_front();
            running_ = task.stop;
        }
        if (!task.stop.stop_requested()) task.job(task.stop.get_token());
    }
}

}  // namespace pal::desktop
