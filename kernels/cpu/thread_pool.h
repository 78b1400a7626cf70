// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include "kernels/cpu/arena.h"

namespace pal::cpu {

// A fixed set of threads for data-parallel loops, each with its scratch memory. The caller's thread takes part. Calls are not
// concurrent (one thread at a time) and do not nest.
class ThreadPool {
  public:
    // threads >= 1 in all; 1 means that everything runs on the caller.
    explicit ThreadPool(int threads);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

    // Waits only for threads that have taken a task, so a core that is busy elsewhere costs its share of the work and no more.
    // Calls body(task, thread) for every task in [0, tasks), thread in [0, threads()), and returns when all are done. Which thread takes which
    // task is not fixed, so results must not depend on it; most of a thread's tasks follow each other, as do the bytes that they read in most
    // loops. The body may throw std::bad_alloc and nothing else: tasks that have not begun are then left out, and std::bad_alloc comes from here once
    // no thread is at work any more.
    template <typename Body>
    void parallelFor(int64_t tasks, Body&& body) {
        using Plain = std::remove_reference_t<Body>;
        run(
            tasks, [](void* context, int64_t task, int thread) { (*static_cast<Plain*>(context))(task, thread); },
            const_cast<std::remove_const_t<Plain>*>(&body));
    }

    // Scratch memory of a thread of the running loop; that of thread 0 is the caller's, also outside loops.
    [[nodiscard]] Arena& arena(int thread) { return arenas_[static_cast<size_t>(thread)]; }

  private:
    using Call = void (*)(void* context, int64_t task, int thread);

    void run(int64_t tasks, Call call, void* context);
    void work(int thread);
    void takeTasks(uint32_t generation, int thread) noexcept;

    // The tasks that a thread takes one after the other; a thread that has finished its own helps the next one. `next` is the number of the loop
    // above the number of the next task: a thread that comes late finds another number and takes nothing.
    struct alignas(64) Share {
        std::atomic<uint64_t> next{0};
        std::atomic<uint32_t> end{0};
    };

    // The loop of the current generation; written by the caller before it raises generation_. Who has taken a task of that generation has read
    // the right ones, since they stay until the last task is done.
    std::atomic<Call> call_{nullptr};
    std::atomic<void*> context_{nullptr};
    std::vector<Share> shares_;        // one per thread
    std::atomic<bool> failed_{false};  // a task of the current generation found no memory
    // On cache lines of their own: they are watched while others are written.
    alignas(64) std::atomic<uint32_t> generation_{0};
    alignas(64) std::atomic<uint32_t> left_{0};  // tasks of the current generation that are not done
    std::atomic<bool> stopping_{false};
    std::vector<Arena> arenas_;  // one per thread
    std::vector<std::thread> workers_;
};

}  // namespace pal::cpu
