// SPDX-License-Identifier: Apache-2.0
#include "app/extract/confinement.h"

#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <memory>

namespace pal::extract {
namespace {

// The sanitizers reserve terabytes of address space, so that no limit on it makes sense.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitAddressSpace = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kLimitAddressSpace = false;
#else
constexpr bool kLimitAddressSpace = true;
#endif
#else
constexpr bool kLimitAddressSpace = true;
#endif

// Never needed by a reader of documents. Calls that could replace these later (io_uring, openat2) are here too.
constexpr std::array kRefused{
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendmmsg),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(recvmmsg),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(tkill),
    SCMP_SYS(kexec_load),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(creat),
    SCMP_SYS(truncate),
    SCMP_SYS(ftruncate),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(lchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(utimensat),
    SCMP_SYS(setxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(memfd_create),
    // signals to others, their memory and their share of the machine
    SCMP_SYS(kill),
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(process_madvise),
    SCMP_SYS(process_mrelease),
    SCMP_SYS(migrate_pages),
    SCMP_SYS(move_pages),
    SCMP_SYS(setpriority),
    SCMP_SYS(ioprio_set),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(sched_setattr),
    SCMP_SYS(sched_setparam),
    SCMP_SYS(sched_setscheduler),
    // shared memory and queues, also those whose number is known
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(shmctl),
    SCMP_SYS(msgget),
    SCMP_SYS(msgctl),
    SCMP_SYS(msgsnd),
    SCMP_SYS(msgrcv),
    SCMP_SYS(semget),
    SCMP_SYS(semctl),
    SCMP_SYS(semop),
    SCMP_SYS(semtimedop),
    SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),
    // locks that others wait for, times and attributes of files
    SCMP_SYS(flock),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(futimesat),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr),
};

// Calls that came after those above were looked through (Linux 6.4; the same number on all machines): the C library falls back to older ones.
constexpr int kFirstNewer = 451;
constexpr int kLastNewer = 511;

// Of a call that is needed otherwise, what its argument must not be.
struct RefusedArgument {
    int call;
    unsigned argument;
    scmp_datum_t value;
};
constexpr std::array kRefusedArguments{
    // Typing into a terminal.
    RefusedArgument{SCMP_SYS(ioctl), 1, TIOCSTI},
    RefusedArgument{SCMP_SYS(ioctl), 1, TIOCLINUX},
    // Who gets which signal of a pipe or file; locks and leases of files, which others wait for.
    RefusedArgument{SCMP_SYS(fcntl), 1, F_SETOWN},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_SETOWN_EX},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_SETSIG},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_NOTIFY},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_SETLK},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_SETLKW},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_OFD_SETLK},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_OFD_SETLKW},
    RefusedArgument{SCMP_SYS(fcntl), 1, F_SETLEASE},
    // To outlive the parent.
    RefusedArgument{SCMP_SYS(prctl), 0, PR_SET_PDEATHSIG},
};

// SCMP_CMP() without its C compound literal, which clang refuses in C++.
constexpr scmp_arg_cmp argument(unsigned index, scmp_compare compare, scmp_datum_t first, scmp_datum_t second = 0) {
    return {index, compare, first, second};
}

bool addRules(scmp_filter_ctx filter) {
    const uint32_t refuse = SCMP_ACT_ERRNO(EACCES);
    for (const int call : kRefused) {
        // -EDOM: not a system call of this machine.
        if (const int error = seccomp_rule_add(filter, refuse, call, 0); error != 0 && error != -EDOM) return false;
    }
    // The C library falls back to calls whose arguments a filter can see.
    bool good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
    good = good && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0) == 0;
    // Only threads may be cloned, only reading opens may be made.
    good = good &&
           seccomp_rule_add(filter, refuse, SCMP_SYS(clone), 1, argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)) == 0;
    // To read is neither to write, nor to make, nor to empty a file.
    struct Bits {
        scmp_datum_t mask, value;
    };
    for (const Bits bits :
         {Bits{O_ACCMODE, O_WRONLY}, Bits{O_ACCMODE, O_RDWR}, Bits{O_CREAT, O_CREAT}, Bits{O_TRUNC, O_TRUNC}}) {
        good = good && seccomp_rule_add(filter, refuse, SCMP_SYS(openat), 1,
                                        argument(2, SCMP_CMP_MASKED_EQ, bits.mask, bits.value)) == 0;
        const int error =
            seccomp_rule_add(filter, refuse, SCMP_SYS(open), 1, argument(1, SCMP_CMP_MASKED_EQ, bits.mask, bits.value));
        good = good && (error == 0 || error == -EDOM);
    }
    for (const RefusedArgument& refused : kRefusedArguments) {
        good = good && seccomp_rule_add(filter, refuse, refused.call, 1,
                                        argument(refused.argument, SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, refused.value)) == 0;
    }
    for (int call = kFirstNewer; call <= kLastNewer; ++call)
        good = good && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0) == 0;
    // The limits of other processes, and signals to their threads; abort() sends one to a thread of this.
    good = good && seccomp_rule_add(filter, refuse, SCMP_SYS(prlimit64), 1, argument(0, SCMP_CMP_NE, 0)) == 0;
    const auto self = static_cast<scmp_datum_t>(getpid());
    good = good && seccomp_rule_add(filter, refuse, SCMP_SYS(tgkill), 1, argument(0, SCMP_CMP_NE, self)) == 0;
    return good;
}

bool refuseSystemCalls() {
    const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
    return filter != nullptr && addRules(filter.get()) && seccomp_load(filter.get()) == 0;
}

bool limit(int resource, uint64_t value) {
    const rlimit both{value, value};
    return setrlimit(static_cast<__rlimit_resource>(resource), &both) == 0;
}

// The soft limit speaks first, by SIGXCPU, which the caller can tell from other ends.
bool limitTime(uint64_t seconds) {
    const rlimit time{seconds, seconds + 1};
    return setrlimit(RLIMIT_CPU, &time) == 0;
}

// Address space in use now: the program, its libraries and the mapped document.
uint64_t mappedBytes() {
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// A person may have sent the output to a file; programs take it through a pipe, which no limit on files touches.
bool writesToFile() {
    struct stat status {};
    return fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::vector<std::string> confine(const ConfinementLimits& limits) {
    std::vector<std::string> problems;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    bool limited = limit(RLIMIT_CORE, 0) && limitTime(limits.cpuSeconds);
    if (!writesToFile()) limited = limit(RLIMIT_FSIZE, 0) && limited;
    if (kLimitAddressSpace) limited = limit(RLIMIT_AS, mappedBytes() + limits.memoryBytes) && limited;
    if (!limited) problems.emplace_back("the system did not accept the limits of memory and time");
    if (!refuseSystemCalls()) problems.emplace_back("the system did not accept the filter of system calls");
    return problems;
}

}  // namespace pal::extract
