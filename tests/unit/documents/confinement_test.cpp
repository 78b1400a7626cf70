// SPDX-License-Identifier: Apache-2.0
// What pal-extract gives up before it reads: tried out in a child process.
#include "app/extract/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>

namespace pal::extract {
namespace {

// The exit code of a confined child that runs `work`; -1 when it did not exit.
template <typename Work>
int confined(const ConfinementLimits& limits, Work&& work) {
    const pid_t pid = fork();
    if (pid == 0) {
        if (!confine(limits).empty()) _exit(99);
        _exit(work());
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const ConfinementLimits kLimits{uint64_t{1} << 30, 60};

TEST(Confinement, NoNetwork) {
    EXPECT_EQ(confined(kLimits, [] { return socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EACCES ? 0 : 1; }), 0);
    EXPECT_EQ(confined(kLimits, [] { return socket(AF_UNIX, SOCK_DGRAM, 0) < 0 && errno == EACCES ? 0 : 1; }), 0);
    EXPECT_EQ(confined(kLimits,
                       [] {
                           int pair[2];
                           return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 && errno == EACCES ? 0 : 1;
                       }),
              0);
}

TEST(Confinement, NoFileIsWritten) {
    EXPECT_EQ(
        confined(kLimits,
                 [] { return open("/tmp/pal_confinement", O_WRONLY | O_CREAT, 0600) < 0 && errno == EACCES ? 0 : 1; }),
        0);
    EXPECT_EQ(confined(kLimits, [] { return open("/dev/null", O_RDWR) < 0 && errno == EACCES ? 0 : 1; }), 0);
    EXPECT_EQ(confined(kLimits, [] { return unlink("/tmp/pal_confinement") < 0 && errno == EACCES ? 0 : 1; }), 0);
    EXPECT_EQ(confined(kLimits, [] { return rename("/tmp/a", "/tmp/b") < 0 && errno == EACCES ? 0 : 1; }), 0);
    EXPECT_EQ(confined(kLimits, [] { return open("/dev/null", O_RDONLY | O_TRUNC) < 0 && errno == EACCES ? 0 : 1; }),
              0);
    EXPECT_EQ(
        confined(kLimits,
                 [] { return open("/tmp/pal_confinement", O_RDONLY | O_CREAT, 0600) < 0 && errno == EACCES ? 0 : 1; }),
        0);
    EXPECT_EQ(confined(kLimits, [] { return open("/dev/null", O_RDONLY) >= 0 ? 0 : 1; }), 0)
        << "fonts must be readable";
}

TEST(Confinement, NoOtherProgram) {
    EXPECT_EQ(confined(kLimits, [] { return fork() < 0 && errno == EACCES ? 0 : 1; }), 0);
    EXPECT_EQ(confined(kLimits,
                       [] {
                           execl("/bin/true", "true", nullptr);
                           return errno == EACCES ? 0 : 1;
                       }),
              0);
}

TEST(Confinement, NoOtherProcessIsTouched) {
    EXPECT_EQ(confined(kLimits, [] { return kill(getppid(), 0) < 0 && errno == EACCES ? 0 : 1; }), 0);
    EXPECT_EQ(confined(kLimits,
                       [] {
                           const char key = 'x';
                           return ioctl(STDIN_FILENO, TIOCSTI, &key) < 0 && errno == EACCES ? 0 : 1;
                       }),
              0);
    EXPECT_EQ(confined(kLimits,
                       [] {
                           const rlimit none{0, 0};
                           return prlimit(getppid(), RLIMIT_CORE, &none, nullptr) < 0 && errno == EACCES ? 0 : 1;
                       }),
              0);
}

TEST(Confinement, MemoryEnds) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizers need more address space than any limit";
#endif
    const ConfinementLimits small{32 << 20, 60};
    EXPECT_EQ(confined(small,
                       [] {
                           void* memory = ::operator new(64 << 20, std::nothrow);
                           return memory == nullptr ? 0 : 1;
                       }),
              0);
}

// The signal that ends a confined child that computes for ever; 0 when it exited.
int endOfBusyChild(void (*onTimeUp)(int)) {
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGXCPU, onTimeUp);
        if (!confine({uint64_t{1} << 30, 1}).empty()) _exit(99);
        volatile bool busy = true;
        while (busy) {
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(Confinement, TimeEndsWithASignalOfItsOwn) {
    EXPECT_EQ(endOfBusyChild(SIG_DFL), SIGXCPU);
}

TEST(Confinement, TimeEndsForAChildThatIgnoresTheSignal) {
    EXPECT_EQ(endOfBusyChild(SIG_IGN), SIGKILL);
}

}  // namespace
}  // namespace pal::extract
