// SPDX-License-Identifier: Apache-2.0
#include "vision/documents/helper_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "engine/base/descriptor.h"
#include "engine/base/system_message.h"

namespace pal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kLastWords = 4096;

struct Pipe {
    Descriptor read, write;
};

Result<Pipe> makePipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail(ErrorCode::kIo, "no pipe: {}", systemMessage(errno));
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// The child; killed and reaped when it goes out of scope still running.
class Child {
  public:
    explicit Child(pid_t pid) : pid_(pid) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        wait();
    }
    int wait() {
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return status;
    }

  private:
    pid_t pid_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

Result<pid_t> spawn(const HelperRun& run, int output, int errors) {
    std::vector<std::string> arguments{run.program.string()};
    arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
    std::vector<std::string> environment = run.environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);

    posix_spawn_file_actions_t files{};
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, run.input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    // An own session: Ctrl-C in a terminal reaches only this program, and the helper has no terminal. Signals as a fresh program expects.
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    sigset_t none{};
    sigset_t all{};
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    pid_t pid = -1;
    const int error = posix_spawn(&pid, run.program.c_str(), &files, &attributes, pointers(arguments).data(),
                                  pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) {
        return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "{} does not start: {}",
                    run.program.string(), systemMessage(error));
    }
    return pid;
}

// What is there now; nothing at the end.
Result<std::string_view> readNow(const Descriptor& pipe, std::array<char, 65'536>& buffer) {
    PAL_ASSIGN(const size_t count, readSome(pipe, std::as_writable_bytes(std::span(buffer)), "the helper program"));
    return std::string_view(buffer.data(), count);
}

double seconds(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
}

// Reads both pipes until they end.
Result<> drain(const HelperRun& run, const Descriptor& output, const Descriptor& errors, const Descriptor& wake,
               std::string& lastWords) {
    const Clock::time_point start = Clock::now();
    Clock::time_point heard = start;
    std::array<char, 65'536> buffer{};
    std::array<pollfd, 3> waits{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}, {wake.get(), POLLIN, 0}}};
    while (waits[0].fd >= 0 || waits[1].fd >= 0) {
        const Clock::time_point due = std::min(heard + run.silence, start + run.total);
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now()).count();
        const int ready = poll(waits.data(), waits.size(), static_cast<int>(std::clamp<int64_t>(left, 0, 1'000'000)));
        if (ready < 0 && errno != EINTR)
            return fail(ErrorCode::kIo, "waiting for the helper program: {}", systemMessage(errno));
        if (run.stop.stop_requested()) return fail(ErrorCode::kCancelled, "stopped");
        const Clock::time_point now = Clock::now();
        if (now >= start + run.total) return fail(ErrorCode::kInternal, "not done after {:.3g} s", seconds(run.total));
        const bool quiet = ready <= 0 || waits[0].revents == 0;
        if (quiet && now >= heard + run.silence) {
            return fail(ErrorCode::kInternal, "no progress for {:.3g} s", seconds(run.silence));
        }
        if (ready <= 0) continue;
        if (waits[0].revents != 0) {
            PAL_ASSIGN(const std::string_view bytes, readNow(output, buffer));
            heard = now;
            if (bytes.empty()) waits[0].fd = -1;
            PAL_TRY(run.output(bytes));
        }
        if (waits[1].revents != 0) {
            PAL_ASSIGN(const std::string_view bytes, readNow(errors, buffer));
            if (bytes.empty()) waits[1].fd = -1;
            lastWords.append(bytes);
            if (lastWords.size() > kLastWords) lastWords.erase(0, lastWords.size() - kLastWords);
        }
    }
    return {};
}

// Both pipes have ended; a program that goes on all the same must not be waited for.
Result<> awaitEnd(pid_t pid) {
    constexpr int kGraceMilliseconds = 5000;
    const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    if (process.get() < 0) return fail(ErrorCode::kIo, "no process descriptor: {}", systemMessage(errno));
    pollfd wait{process.get(), POLLIN, 0};
    int ready = 0;
    do ready = poll(&wait, 1, kGraceMilliseconds);
    while (ready < 0 && errno == EINTR);
    if (ready == 0) return fail(ErrorCode::kInternal, "closed its output and went on");
    return {};
}

}  // namespace

Result<HelperEnd> runHelper(const HelperRun& run) {
    PAL_ASSIGN(Pipe output, makePipe());
    PAL_ASSIGN(Pipe errors, makePipe());
    const Descriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (wake.get() < 0) return fail(ErrorCode::kIo, "no event descriptor: {}", systemMessage(errno));
    const std::stop_callback onStop(run.stop, [&wake] { eventfd_write(wake.get(), 1); });

    PAL_ASSIGN(const pid_t pid, spawn(run, output.write.get(), errors.write.get()));
    Child child(pid);
    output.write = {};
    errors.write = {};

    HelperEnd end;
    PAL_TRY(drain(run, output.read, errors.read, wake, end.lastWords));
    PAL_TRY(awaitEnd(pid));
    const int status = child.wait();
    end.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return end;
}

}  // namespace pal
