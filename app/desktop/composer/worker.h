// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#include "engine/base/guarded.h"

namespace pal::desktop {

// A thread of its own for work that would hold up the window. Jobs run one after the other, in the order given. Any thread may call.
class Worker {
  public:
    Worker();
    // Stops the running job, drops those that wait, and waits for the thread.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Calls work(stop), which returns a Result, here, and then(result) in the thread of `receiver`, which outlives this. Work that finds no
    // memory is answered with kOutOfMemory, beginning with `what`. A stop drops the work while it waits, is told to it while it runs, and
    // leaves it without an answer.
    template <typename Work, typename Then>
    std::stop_source run(QObject* receiver, const char* what, Work work, Then then) {
        return run([=, work = std::move(work), then = std::move(then)](const std::stop_token& stop) {
            using Outcome = std::invoke_result_t<const Work&, const std::stop_token&>;
            const auto made = std::make_shared<Outcome>(guarded(what, [&] { return work(stop); }));
            if (stop.stop_requested()) return;
            QMetaObject::invokeMethod(
                receiver, [then, made] { then(std::move(*made)); }, Qt::QueuedConnection);
        });
    }

  private:
    using Job = std::function<void(const std::stop_token&)>;
    struct Task {
        Job job;
        std::stop_source stop;
    };
    std::stop_source run(Job job);
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> waiting_;
    std::stop_source running_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace pal::desktop
