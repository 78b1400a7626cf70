// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <functional>
#include <mutex>
#include <vector>

namespace pal::desktop {

// What other threads want to be done in the UI thread, in order, with one wakeup for all that waits. Lives in the UI thread and outlives
// the threads that post. Bounded by its senders: each posts the answer to one request, and requests are bounded.
class Mailbox : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    // Any thread; returns at once.
    void post(std::function<void()> letter);

  private:
    void deliver();

    std::mutex mutex_;
    std::vector<std::function<void()>> letters_;
};

}  // namespace pal::desktop
