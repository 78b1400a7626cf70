// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <stop_token>
#include <thread>

namespace pal::cli {

// Blocks SIGINT while other threads are started, so that later only the main thread and an Interrupt get it.
class QuietThreads {
  public:
    QuietThreads() {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGINT);
        pthread_sigmask(SIG_BLOCK, &set, &previous_);
    }
    QuietThreads(const QuietThreads&) = delete;
    QuietThreads& operator=(const QuietThreads&) = delete;
    ~QuietThreads() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

  private:
    sigset_t previous_{};
};

// While it lives, Ctrl-C asks for a stop instead of ending the program; a second Ctrl-C ends it at once. Make it on the main thread
// before the work starts other threads, one at a time.
class Interrupt {
  public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt();

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
    [[nodiscard]] bool requested() const { return source_.stop_requested(); }

  private:
    void listen(const std::stop_token& end);

    std::stop_source source_;
    sigset_t previous_{};  // signal mask to go back to
    int wake_ = -1;        // tells the listener to end
    int signals_ = -1;
    std::jthread listener_;
};

}  // namespace pal::cli
