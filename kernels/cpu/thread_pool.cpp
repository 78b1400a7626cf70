// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/thread_pool.h"

#include <algorithm>
#include <new>

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

// No task has this number.
constexpr int64_t kClosed = UINT32_MAX;

// What a share's `next` holds.
uint64_t numbered(uint32_t generation, int64_t task) {
    return (uint64_t{generation} << 32) | static_cast<uint32_t>(task);
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
    if (tasks <= 1 || workers_.empty() || tasks >= kClosed) {
        for (int64_t task = 0; task < tasks; ++task) call(context, task, 0);
        return;
    }
    const uint32_t generation = generation_.load(std::memory_order_relaxed) + 1;
    call_.store(call, std::memory_order_relaxed);
    context_.store(context, std::memory_order_relaxed);
    left_.store(static_cast<uint32_t>(tasks), std::memory_order_relaxed);
    const auto count = static_cast<int64_t>(shares_.size());
    for (int64_t i = 0; i < count; ++i) {
        Share& share = shares_[static_cast<size_t>(i)];
        // Closed before the end moves: a late thread that sees the new end does not find the old number any more.
        share.next.store(numbered(generation, kClosed), std::memory_order_relaxed);
        share.end.store(static_cast<uint32_t>((i + 1) * tasks / count), std::memory_order_release);
        share.next.store(numbered(generation, i * tasks / count), std::memory_order_release);
    }
    generation_.store(generation, std::memory_order_seq_cst);  // before notify_all() looks for who waits
    generation_.notify_all();
    takeTasks(generation, 0);
    for (uint32_t left = left_.load(std::memory_order_acquire); left != 0;) left = waitForChange(left_, left);
    // Nobody writes it any more: who comes late takes no task.
    if (failed_.load(std::memory_order_relaxed)) {
        failed_.store(false, std::memory_order_relaxed);
        throw std::bad_alloc();
    }
}

void ThreadPool::work(int thread) {
    uint32_t seen = 0;
    for (;;) {
        seen = waitForChange(generation_, seen);
        if (stopping_.load(std::memory_order_relaxed)) return;
        takeTasks(seen, thread);
    }
}

// What a body throws stays here: the caller's frame, which the body refers to, has to outlive the last task, and a worker has nobody to throw to.
void ThreadPool::takeTasks(uint32_t generation, int thread) noexcept {
    const Call call = call_.load(std::memory_order_relaxed);
    void* const context = context_.load(std::memory_order_relaxed);
    uint32_t done = 0;
    const size_t count = shares_.size();
    for (size_t i = 0; i < count; ++i) {
        Share& share = shares_[(static_cast<size_t>(thread) + i) % count];
        uint64_t next = share.next.load(std::memory_order_acquire);
        while (next >> 32 == generation && static_cast<uint32_t>(next) < share.end.load(std::memory_order_acquire)) {
            if (!share.next.compare_exchange_weak(next, next + 1, std::memory_order_acquire)) continue;
            try {
                if (!failed_.load(std::memory_order_relaxed)) call(context, static_cast<uint32_t>(next), thread);
            } catch (const std::bad_alloc&) {
                failed_.store(true, std::memory_order_relaxed);
            }
            ++done;
            ++next;
        }
    }
    if (done > 0 && left_.fetch_sub(done, std::memory_order_acq_rel) == done) left_.notify_one();
}

}  // namespace pal::cpu
