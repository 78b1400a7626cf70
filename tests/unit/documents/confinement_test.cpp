// SPDX-License-Identifier: Apache-2.0
// What pal-extract gives up before it reads: tried out in a child process.
#include "app/extract/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "tests/support/sanitizer.h"

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

// 0 when the call fails with EACCES.
int refused(long result) {
    return result < 0 && errno == EACCES ? 0 : 1;
}

TEST(Confinement, NoThreadOfAnotherProcessGetsASignal) {
    EXPECT_EQ(confined(kLimits, [] { return refused(tgkill(getppid(), getppid(), 0)); }), 0);
    EXPECT_EQ(confined(kLimits, [] { return refused(syscall(SYS_tgkill, -1, getppid(), 0)); }), 0);
    EXPECT_EQ(confined(kLimits, [] { return tgkill(getpid(), gettid(), 0); }), 0) << "abort() needs it";
    // A pipe may send them, too.
    const auto pipeSends = [](int command, int value) {
        return confined(kLimits, [=] {
            int ends[2];
            return pipe(ends) == 0 ? refused(fcntl(ends[0], command, value)) : 2;
        });
    };
    EXPECT_EQ(pipeSends(F_SETOWN, getpid()), 0);
    EXPECT_EQ(pipeSends(F_SETSIG, SIGKILL), 0);
    EXPECT_EQ(confined(kLimits,
                       [] {
                           const f_owner_ex owner{F_OWNER_PID, getppid()};
                           return refused(fcntl(STDIN_FILENO, F_SETOWN_EX, &owner));
                       }),
              0);
}

TEST(Confinement, AnAbortIsStillAnAbort) {
    const pid_t pid = fork();
    if (pid == 0) {
        if (!confine(kLimits).empty()) _exit(99);
        abort();
    }
    int status = 0;
    waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), SIGABRT);
}

// The test's own objects, which a child could reach by their numbers.
TEST(Confinement, NothingSharedIsReachedByItsNumber) {
    const int memory = shmget(IPC_PRIVATE, 4096, 0600);
    const int queue = msgget(IPC_PRIVATE, 0600);
    const int semaphores = semget(IPC_PRIVATE, 1, 0600);
    ASSERT_TRUE(memory >= 0 && queue >= 0 && semaphores >= 0);
    EXPECT_EQ(confined(kLimits, [=] { return refused(reinterpret_cast<long>(shmat(memory, nullptr, 0))); }), 0);
    EXPECT_EQ(confined(kLimits, [=] { return refused(shmctl(memory, IPC_RMID, nullptr)); }), 0);
    EXPECT_EQ(confined(kLimits, [=] { return refused(msgctl(queue, IPC_RMID, nullptr)); }), 0);
    EXPECT_EQ(confined(kLimits,
                       [=] {
                           const msgbuf message{1, {'x'}};
                           return refused(msgsnd(queue, &message, 1, IPC_NOWAIT));
                       }),
              0);
    EXPECT_EQ(confined(kLimits, [=] { return refused(msgrcv(queue, nullptr, 0, 0, IPC_NOWAIT)); }), 0);
    EXPECT_EQ(confined(kLimits, [=] { return refused(semctl(semaphores, 0, IPC_RMID)); }), 0);
    EXPECT_EQ(confined(kLimits,
                       [=] {
                           sembuf raise{0, 1, IPC_NOWAIT};
                           return refused(semop(semaphores, &raise, 1));
                       }),
              0);
    EXPECT_EQ(shmctl(memory, IPC_RMID, nullptr), 0);
    EXPECT_EQ(msgctl(queue, IPC_RMID, nullptr), 0);
    EXPECT_EQ(semctl(semaphores, 0, IPC_RMID), 0);
}

TEST(Confinement, OthersKeepTheirShareOfTheMachine) {
    EXPECT_EQ(confined(kLimits, [] { return refused(setpriority(PRIO_PROCESS, static_cast<id_t>(getppid()), 19)); }),
              0);
    EXPECT_EQ(confined(kLimits,
                       [] {
                           cpu_set_t all{};
                           sched_getaffinity(0, sizeof(all), &all);
                           return refused(sched_setaffinity(getppid(), sizeof(all), &all));
                       }),
              0);
    EXPECT_EQ(confined(kLimits,
                       [] {
                           const sched_param none{};
                           return refused(sched_setscheduler(getppid(), SCHED_BATCH, &none));
                       }),
              0);
    EXPECT_EQ(confined(kLimits, [] { return refused(syscall(SYS_ioprio_set, 1, getppid(), 0)); }), 0);
}

TEST(Confinement, NoFileIsLocked) {
    const auto lock = [](auto take) {
        return confined(kLimits, [=] {
            const int file = open("/proc/self/exe", O_RDONLY);
            return file < 0 ? 2 : refused(take(file));
        });
    };
    EXPECT_EQ(lock([](int file) { return flock(file, LOCK_SH | LOCK_NB); }), 0);
    EXPECT_EQ(lock([](int file) {
                  const struct flock all {
                      F_RDLCK, SEEK_SET, 0, 0, 0
                  };
                  return fcntl(file, F_SETLK, &all);
              }),
              0);
    EXPECT_EQ(lock([](int file) { return fcntl(file, F_SETLEASE, F_RDLCK); }), 0);
}

TEST(Confinement, ItEndsWithItsParentForGood) {
    EXPECT_EQ(confined(kLimits, [] { return refused(prctl(PR_SET_PDEATHSIG, 0)); }), 0);
}

// fchmodat2, setxattrat, removexattrat: whatever kernel this runs on.
TEST(Confinement, CallsThatAreNewerThanTheListAreNotThere) {
    for (const long call : {452L, 463L, 466L}) {
        EXPECT_EQ(confined(kLimits, [=] { return syscall(call, -1, "", 0, 0, 0, 0) < 0 && errno == ENOSYS ? 0 : 1; }),
                  0)
            << call;
    }
}

TEST(Confinement, MemoryEnds) {
    if (test::kSanitized) GTEST_SKIP() << "the sanitizers need more address space than any limit";
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
