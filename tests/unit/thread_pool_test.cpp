// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

#include "kernels/cpu/arena.h"
#include "tests/support/sanitizer.h"

namespace pal::cpu {
namespace {

// With more threads than cores most come late: when their loop is over and the next ones are under way.
TEST(ThreadPool, EveryTaskOfEveryLoopRunsOnce) {
    constexpr int64_t kLoops = 20000;
    ThreadPool pool(8);
    for (int64_t loop = 0; loop < kLoops; ++loop) {
        const int64_t tasks = loop % 37;
        std::vector<std::atomic<int>> runs(static_cast<size_t>(tasks));
        std::vector<int64_t> results(static_cast<size_t>(tasks));
        pool.parallelFor(tasks, [&](int64_t task, int thread) {
            ASSERT_LT(thread, pool.threads());
            ASSERT_LT(task, tasks);
            ++runs[static_cast<size_t>(task)];
            results[static_cast<size_t>(task)] = loop + task;
        });
        for (int64_t task = 0; task < tasks; ++task) {
            ASSERT_EQ(runs[static_cast<size_t>(task)], 1) << "task " << task << " of loop " << loop;
            ASSERT_EQ(results[static_cast<size_t>(task)], loop + task);
        }
    }
}

// The scope ends while the system gives no memory, as it does where a task found none.
TEST(ArenaScope, EndsWithoutMemory) {
    if (test::kSanitized) GTEST_SKIP() << "the sanitizer's own memory is more than the limit";
    constexpr size_t kBytes = size_t{1} << 26;
    Arena arena;
    rlimit all{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &all), 0);
    {
        ArenaScope scope(arena);
        scope.array<std::byte>(kBytes)[0] = {};
        scope.array<std::byte>(kBytes)[0] = {};
        rlimit none = all;
        none.rlim_cur = 1;
        ASSERT_EQ(setrlimit(RLIMIT_AS, &none), 0);
    }
    ASSERT_EQ(setrlimit(RLIMIT_AS, &all), 0);
    ArenaScope scope(arena);
    scope.array<std::byte>(2 * kBytes)[2 * kBytes - 1] = {};
}

TEST(ThreadPool, ThreadsHaveScratchMemoryOfTheirOwn) {
    ThreadPool pool(4);
    std::vector<std::atomic<int>> inside(4);
    for (int loop = 0; loop < 2000; ++loop) {
        pool.parallelFor(16, [&](int64_t, int thread) {
            EXPECT_EQ(inside[static_cast<size_t>(thread)].fetch_add(1), 0) << "two tasks at once as thread " << thread;
            inside[static_cast<size_t>(thread)].fetch_sub(1);
        });
    }
}

// Whoever takes the task that finds no memory, the caller or a worker, nobody works on the caller's frame after it was left, and the pool goes on.
TEST(ThreadPool, ATaskThatFindsNoMemoryEndsTheLoopWhenNobodyIsAtWork) {
    ThreadPool pool(4);
    for (int loop = 0; loop < 100; ++loop) {
        std::atomic<int> begun = 0;
        std::atomic<int> inside = 0;
        std::atomic<bool> thrown = false;
        const auto body = [&](int64_t task, int) {
            ++begun;
            if (task == 3) {
                thrown = true;
                throw std::bad_alloc();
            }
            ++inside;
            if (task == 7)  // is at work while the other one fails, unless it is left out
                while (!thrown) std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::microseconds(50));
            --inside;
        };
        EXPECT_THROW(pool.parallelFor(8, body), std::bad_alloc);
        EXPECT_EQ(inside, 0) << "a task is at work";
        EXPECT_LE(begun, 8);
        std::atomic<int> runs = 0;
        pool.parallelFor(8, [&](int64_t, int) { ++runs; });
        ASSERT_EQ(runs, 8) << "the loop after it";
    }
}

TEST(ThreadPool, WithoutOtherThreadsTheFailureIsTheSame) {
    ThreadPool pool(1);
    const auto body = [](int64_t task, int) {
        if (task == 3) throw std::bad_alloc();
    };
    EXPECT_THROW(pool.parallelFor(8, body), std::bad_alloc);
}

}  // namespace
}  // namespace pal::cpu
