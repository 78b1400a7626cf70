// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace pal::cli {

Interrupt::Interrupt() {
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_BLOCK, &interrupt, &previous_);
    signals_ = signalfd(-1, &interrupt, SFD_CLOEXEC);
    wake_ = eventfd(0, EFD_CLOEXEC);
    listener_ = std::jthread([this](const std::stop_token& end) { listen(end); });
}

Interrupt::~Interrupt() {
    listener_.request_stop();
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(wake_, &one, sizeof(one));
    listener_.join();
    close(signals_);
    close(wake_);
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

void Interrupt::listen(const std::stop_token& end) {
    while (!end.stop_requested()) {
        std::array<pollfd, 2> waiting{pollfd{signals_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
        if (poll(waiting.data(), waiting.size(), -1) < 0 || (waiting[0].revents & POLLIN) == 0) continue;
        signalfd_siginfo info{};
        if (read(signals_, &info, sizeof(info)) != sizeof(info)) continue;
        if (!source_.stop_requested()) {
            source_.request_stop();
            continue;
        }
        // Asked twice: end as if nobody had listened.
        signal(SIGINT, SIG_DFL);
        pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
        raise(SIGINT);
    }
}

}  // namespace pal::cli
