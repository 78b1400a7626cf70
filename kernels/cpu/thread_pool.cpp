// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/thread_pool.h"

#include <algorithm>

namespace pal::cpu {
namespace {

// How often a waiting thread looks before it sleeps: long enough to bridge two ops of a decode step, short enough to leave the core to others.
constexpr int kSpins = 4000;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// Waits until `value` differs from `old`.
uint32_t waitForChange(const std::atomic<uint32_t>& value, uint32_t old) {
    for (int i = 0; i < kSpins; ++i) {
        const uint32_t now = value.load(std::memory_order_acquire);
        if (now != old) return now;
        pause();
    }
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int threads)
    : shares_(static_cast<size_t>(std::max(threads, 1))), arenas_(static_cast<size_t>(std::max(threads, 1))) {
    const int others = std::max(threads, 1) - 1;
    workers_.reserve(static_cast<size_t>(others));
    try {
        for (int i = 0; i < others; ++i) workers_.emplace_back([this, i] { work(i + 1); });
    } catch (...) {  // the system starts no more; those that run wait for work and have to end first
        stopping_.store(true, std::memory_order_relaxed);
        generation_.fetch_add(1, std::memory_order_release);
        generation_.notify_all();
        for (auto& worker : workers_) worker.join();
        throw;
    }
}

ThreadPool::~ThreadPool() {
    stopping_.store(true, std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    for (auto& worker : workers_) worker.join();
}

void ThreadPool::run(int64_t tasks, Call call, void* context) {
    if (tasks <= 1 || workers_.empty()) {
        for (int64_t task = 0; task < tasks; ++task) call(context, task, 0);
        return;
    }
    call_ = call;
    context_ = context;
    const auto count = static_cast<int64_t>(shares_.size());
    for (int64_t i = 0; i < count; ++i) {
        Share& share = shares_[static_cast<size_t>(i)];
        share.next.store(i * tasks / count, std::memory_order_relaxed);
        share.end = (i + 1) * tasks / count;
    }
    busy_.store(static_cast<uint32_t>(workers_.size()), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
    takeTasks(0);
    for (uint32_t left = busy_.load(std::memory_order_acquire); left != 0;) left = waitForChange(busy_, left);
}

void ThreadPool::work(int thread) {
    uint32_t seen = 0;
    for (;;) {
        seen = waitForChange(generation_, seen);
        if (stopping_.load(std::memory_order_relaxed)) return;
        takeTasks(thread);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
}

void ThreadPool::takeTasks(int thread) {
    const size_t count = shares_.size();
    for (size_t i = 0; i < count; ++i) {
        Share& share = shares_[(static_cast<size_t>(thread) + i) % count];
        for (;;) {
            const int64_t task = share.next.fetch_add(1, std::memory_order_relaxed);
            if (task >= share.end) break;
            call_(context_, task, thread);
        }
    }
}

}  // namespace pal::cpu
