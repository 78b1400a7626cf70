// SPDX-License-Identifier: Apache-2.0
// Programs that are killed, and disks that fail, while states are computed, written, replaced and dropped. Whatever happened: the library opens,
// everything in it is sound, and what an engine computes from it is what it computes without.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <random>

#include "engine/base/byte_hash.h"
#include "tests/storage/engine_session.h"
#include "tests/storage/fault_vfs.h"
#include "tests/support/temp_folder.h"

namespace pal::test {
namespace {

namespace fs = std::filesystem;

const char* const kModel = "tests/golden/tiny-k3/checkpoint";
constexpr uint64_t kBudget = 16 << 20;  // a few of the parts below, so that most writes drop others
constexpr int64_t kDocuments = 4;

EngineOptions options() {
    EngineOptions out;
    out.threads = 1;
    out.chunkTokens = 64;
    return out;
}

Prompt document(int64_t number) {
    return {someTokens(500 + 350 * number, static_cast<uint64_t>(number)), {}, {}};
}

// Reads documents and answers about them, in any order, for ever.
[[noreturn]] void workUntilKilled(const fs::path& folder, uint64_t seed) {
    EngineWithStates engine(kModel, openLibrary(folder, kBudget), options());
    std::mt19937_64 random(seed);
    while (true) {
        const auto session = engine.open();
        Prompt prompt = document(static_cast<int64_t>(random() % kDocuments));
        for (int turn = 0; turn < 3; ++turn) {
            const Turn done = EngineWithStates::ask(*session, prompt, 1 + static_cast<int64_t>(random() % 40));
            prompt.ids.insert(prompt.ids.end(), done.tokens.begin(), done.tokens.end());
            prompt.boundaries = {std::ssize(prompt.ids)};
            for (const TokenId id : someTokens(20, random() % 5)) prompt.ids.push_back(id);
        }
    }
}

uint64_t bytesIn(const fs::path& folder) {
    uint64_t sum = 0;
    for (const auto& entry : fs::directory_iterator(folder)) sum += entry.file_size();
    return sum;
}

// Until the process has used so much of the processor: on a busy machine it comes as far as on a quiet one, which takes longer. False when it ended
// before, or does nothing any more.
bool waitUntilWorked(pid_t process, int64_t microseconds) {
    using Clock = std::chrono::steady_clock;
    clockid_t clock{};
    if (clock_getcpuclockid(process, &clock) != 0) return false;
    const auto patience = Clock::now() + std::chrono::minutes(5);
    while (Clock::now() < patience) {
        siginfo_t ended{};
        if (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
            return false;
        timespec used{};
        if (clock_gettime(clock, &used) == 0 && used.tv_sec * 1000000 + used.tv_nsec / 1000 >= microseconds)
            return true;
        usleep(500);
    }
    return false;
}

void killAtRandomMoments(int rounds) {
    std::vector<uint64_t> want;
    {
        EngineWithStates engine(kModel, nullptr, options());
        for (int64_t d = 0; d < kDocuments; ++d)
            want.push_back(EngineWithStates::ask(*engine.open(), document(d), 0).ready.logitsXxh3);
    }
    TempFolder folder;
    const fs::path states = folder / "states";
    std::mt19937_64 random(11);
    int64_t reused = 0;
    for (int round = 0; round < rounds; ++round) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) workUntilKilled(states, static_cast<uint64_t>(round));
        const bool worked = waitUntilWorked(child, 30000 + static_cast<int64_t>(random() % 900000));
        usleep(static_cast<useconds_t>(random() % 5000));  // also while it waits for the disk
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(worked && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
            << "round " << round << ": the program ended by itself or stood still, status " << status;

        const auto library = openLibrary(states, kBudget);
        ASSERT_NE(library, nullptr);
        const auto problem = library->takeProblem();
        EXPECT_FALSE(problem.has_value()) << problem->message;
        const auto found = library->verify();
        EXPECT_TRUE(found.damaged.empty()) << "round " << round << ": " << found.damaged.front();
        EXPECT_LE(library->usage().bytes, kBudget);
        EXPECT_EQ(bytesIn(states / "parts"), library->usage().bytes) << "round " << round;
        EngineWithStates engine(kModel, library, options());
        const int64_t d = round % kDocuments;
        const Turn turn = EngineWithStates::ask(*engine.open(), document(d), 0);
        ASSERT_EQ(turn.ready.logitsXxh3, want[static_cast<size_t>(d)]) << "round " << round;
        reused += turn.ready.reused;
    }
    EXPECT_GT(reused, 0) << "nothing was ever stored";
}

TEST(Crash, AProgramThatEndsByItselfIsNotWaitedFor) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(3);
    EXPECT_FALSE(waitUntilWorked(child, int64_t{3600} * 1000000));
    EXPECT_EQ(waitpid(child, nullptr, 0), child) << "it is left to whoever asks how it ended";
}

TEST(Crash, TwentyKilledProgramsLeaveALibraryThatIsSound) {
    killAtRandomMoments(20);
}

TEST(Crash, SlowTwoHundredKilledProgramsLeaveALibraryThatIsSound) {
    killAtRandomMoments(200);
}

const Hash128 kFamily{1, 2};

// Writes of a small program; what could be stored must be read back as it was.
void useLibrary(StateLibrary& library, uint64_t salt) {
    std::optional<Hash128> before;
    for (uint64_t n = 1; n <= 12; ++n) {
        StateWrite part;
        const bool pages = n % 3 != 0;
        part.id = {kFamily,
                   {splitmix64(salt * 100 + n), n},
                   static_cast<int64_t>(n) * 512,
                   pages ? StatePart::kPages : StatePart::kCheckpoint};
        part.pages = before;
        part.bytes = ByteBuffer(1000);
        std::fill_n(part.bytes.data(), 1000, static_cast<std::byte>(splitmix64(salt * 100 + n)));
        if (pages) before = part.id.prefix;
        library.write(std::move(part));
        if (n % 4 == 0) library.flush();
    }
    library.flush();
}

void expectNothingWrong(StateLibrary& library) {
    for (uint64_t salt = 0; salt < 4; ++salt) {
        for (uint64_t n = 1; n <= 12; ++n) {
            const StateId id{kFamily,
                             {splitmix64(salt * 100 + n), n},
                             static_cast<int64_t>(n) * 512,
                             n % 3 != 0 ? StatePart::kPages : StatePart::kCheckpoint};
            ByteBuffer bytes;
            if (!library.read(id, bytes)) continue;
            ASSERT_EQ(bytes.size(), 1000U);
            for (const std::byte byte : bytes.span())
                ASSERT_EQ(byte, static_cast<std::byte>(splitmix64(salt * 100 + n)));
        }
    }
}

class FaultTest : public ::testing::Test {
  protected:
    StateLibraryOptions withFaults() {
        StateLibraryOptions out;
        out.folder = folder_ / "states";
        out.budgetBytes = 20000;  // of about 18 parts, so that writes drop others
        out.spareBytes = 0;
        out.vfs = vfs_.name();
        return out;
    }

    TempFolder folder_;
    FaultVfs vfs_;
};

TEST_F(FaultTest, AnyOperationOfTheDatabaseMayFail) {
    int64_t operations = 0;
    {
        auto library = StateLibrary::open(withFaults());
        ASSERT_TRUE(library.has_value());
        vfs_.heal();
        useLibrary(**library, 0);
        operations = vfs_.operations();
    }
    ASSERT_GT(operations, 10);
    for (const auto fault : {FaultVfs::Fault::kShortWrite, FaultVfs::Fault::kIoError, FaultVfs::Fault::kFull}) {
        for (int64_t at = 0; at < operations; ++at) {
            {
                auto library = StateLibrary::open(withFaults());
                ASSERT_TRUE(library.has_value()) << library.error().message;
                vfs_.failAfter(at, fault);
                useLibrary(**library, 1 + static_cast<uint64_t>(at) % 3);
                expectNothingWrong(**library);
                vfs_.heal();
                useLibrary(**library, 0);
            }
            auto again = StateLibrary::open(withFaults());
            ASSERT_TRUE(again.has_value()) << again.error().message;
            const auto found = (*again)->verify();
            ASSERT_TRUE(found.damaged.empty()) << "operation " << at << ": " << found.damaged.front();
            ASSERT_LE((*again)->usage().bytes, 20000U);
            expectNothingWrong(**again);
        }
    }
}

TEST_F(FaultTest, AFaultIsToldAndTheNextWriteAfterItWorks) {
    auto library = StateLibrary::open(withFaults()).value();
    vfs_.failAfter(0, FaultVfs::Fault::kFull);
    useLibrary(*library, 1);
    const auto problem = library->takeProblem();
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->code, ErrorCode::kIo);
    vfs_.heal();
    useLibrary(*library, 2);
    EXPECT_GT(library->usage().checkpoints, 0);
    EXPECT_FALSE(library->checkpointPositions(kFamily, 1 << 20).empty());
}

// The power goes, with and without a disk that only says that it had written. The catalogue is then behind its files, or damaged.
TEST_F(FaultTest, AfterAPowerCutNothingIsWrong) {
    for (const auto syncs : {FaultVfs::Syncs::kKept, FaultVfs::Syncs::kLost}) {
        for (int64_t at = 0; at < 60; at += 3) {
            {
                vfs_.watchSyncs(syncs);
                auto library = StateLibrary::open(withFaults());
                ASSERT_TRUE(library.has_value()) << library.error().message;
                vfs_.failAfter(at, FaultVfs::Fault::kIoError);  // nothing more reaches the disk
                useLibrary(**library, 1 + static_cast<uint64_t>(at) % 3);
            }
            vfs_.heal();
            vfs_.powerCut();
            // Usually the program did not come to its end; a sum that is there all the same must not hide what the catalogue lost.
            if (at % 2 == 0) fs::remove(folder_ / "states" / "states.sum");
            auto again = StateLibrary::open(withFaults());
            ASSERT_TRUE(again.has_value()) << again.error().message;
            ASSERT_TRUE((*again)->verify().damaged.empty());
            expectNothingWrong(**again);
        }
    }
}

// What a library that was closed leaves is on the disk.
TEST_F(FaultTest, AfterACleanEndAPowerCutCostsNothing) {
    vfs_.watchSyncs(FaultVfs::Syncs::kKept);
    StateLibrary::Usage before;
    {
        auto library = StateLibrary::open(withFaults()).value();
        useLibrary(*library, 1);
        before = library->usage();
    }
    vfs_.powerCut();
    auto again = StateLibrary::open(withFaults()).value();
    const auto problem = again->takeProblem();
    EXPECT_FALSE(problem.has_value()) << "the catalogue was made again: " << problem->message;
    EXPECT_GT(before.parts, 0);
    EXPECT_EQ(again->usage().parts, before.parts);
    EXPECT_EQ(again->usage().bytes, before.bytes);
    EXPECT_TRUE(again->verify().damaged.empty());
}

}  // namespace
}  // namespace pal::test
