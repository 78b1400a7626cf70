// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/task_thread.h"

#include <new>
#include <utility>

namespace pal::desktop {

TaskThread::TaskThread(Options options) : options_(std::move(options)), thread_([this] { run(); }) {}

bool TaskThread::post(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        if (closed_ || tasks_.size() >= options_.capacity) return false;
        tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
    return true;
}

void TaskThread::postLast(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        closed_ = true;
        tasks_.push_back(std::move(task));
    }
    changed_.notify_one();
}

void TaskThread::wake() {
    {
        const std::lock_guard lock(mutex_);
        woken_ = true;
    }
    changed_.notify_one();
}

void TaskThread::stop() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = stopping_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void TaskThread::run() {
    const auto due = [this] { return stopping_ || woken_ || !tasks_.empty(); };
    bool again = false;
    while (true) {
        std::function<void()> task;
        {
            std::unique_lock lock(mutex_);
            if (again) {
                changed_.wait_for(lock, options_.interval, due);
            } else {
                changed_.wait(lock, due);
            }
            woken_ = false;
            if (!tasks_.empty()) {
                task = std::move(tasks_.front());
                tasks_.pop_front();
            } else if (stopping_) {
                return;
            }
        }
        try {
            if (task) task();
            again = options_.tick && options_.tick();
        } catch (const std::bad_alloc&) {
            again = options_.tick != nullptr;
        }
    }
}

}  // namespace pal::desktop
