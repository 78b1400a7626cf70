// SPDX-License-Identifier: Apache-2.0
// Whatever happens to the program or the disk: a library opens again, is sound, and has every message and every streamed text that was
// reported as written.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "tests/support/fault_disk.h"
#include "tests/unit/storage/chat_fixture.h"

namespace pal::test {
namespace {

constexpr int kReplyPieces = 4;

std::string questionText(int64_t turn) {
    return "question " + std::to_string(turn) + std::string(static_cast<size_t>(turn % 7) * 300, 'q');
}
std::string replyText(int64_t turn, int64_t pieces) {
    std::string out;
    for (int64_t i = 0; i < pieces; ++i) out += "piece " + std::to_string(turn) + "." + std::to_string(i) + " ";
    return out;
}

// A conversation as the program has it: a question, a reply that grows, its end; now and then a session goes into the bin. Calls `written` after
// each step that is on the disk. Errors: those of the database.
template <typename Written>
Result<> converse(ChatDatabase& database, int64_t turns, Written written) {
    PAL_ASSIGN(const SessionId session,
               database.write([](ChatDatabase& db) { return db.sessions().add("s", "{}", 1); }));
    MessageId last = 0;
    for (int64_t turn = 0; turn < turns; ++turn) {
        PAL_ASSIGN(last, database.write([&](ChatDatabase& db) {
            return db.messages().add(says(session, last, Role::kUser, questionText(turn)));
        }));
        written(turn, 0);
        NewMessage reply = says(session, last, Role::kAssistant, "", 0);
        reply.state = MessageState::kStreaming;
        PAL_ASSIGN(last, database.write([&](ChatDatabase& db) { return db.messages().add(reply); }));
        for (int64_t piece = 1; piece <= kReplyPieces; ++piece) {
            const MessageState state = piece == kReplyPieces ? MessageState::kComplete : MessageState::kStreaming;
            const ReplyText text{
                state, replyText(turn, piece), "", "{}", {"v", std::vector<int32_t>(static_cast<size_t>(piece), 1)},
                piece};
            PAL_TRY(database.write([&](ChatDatabase& db) { return db.messages().setReply(last, text); }));
            written(turn, piece);
        }
    }
    return {};
}

struct Reached {
    int64_t turn = -1;
    int64_t piece = 0;
};

// The library is sound and holds at least what was reported.
void expectKept(ChatDatabase& database, const Reached& reached) {
    const auto problems = need(database.problems());
    EXPECT_TRUE(problems.empty()) << problems.at(0);
    if (reached.turn < 0) return;
    const auto sessions = need(database.sessions().list());
    ASSERT_EQ(sessions.size(), 1U);
    const auto path = need(database.messages().path(sessions[0].head));
    const auto at = static_cast<size_t>(reached.turn) * 2;
    ASSERT_GT(path.size(), at);
    for (size_t turn = 0; turn <= static_cast<size_t>(reached.turn); ++turn) {
        EXPECT_EQ(path[turn * 2].text, questionText(static_cast<int64_t>(turn)));
        const bool whole = turn < static_cast<size_t>(reached.turn);
        const std::string text = replyText(static_cast<int64_t>(turn), whole ? kReplyPieces : reached.piece);
        if (text.empty()) continue;
        ASSERT_GT(path.size(), turn * 2 + 1);
        EXPECT_TRUE(path[turn * 2 + 1].text.starts_with(text)) << path[turn * 2 + 1].text;
        EXPECT_NE(path[turn * 2 + 1].node.state, MessageState::kStreaming);
    }
}

using ChatCrashTest = ChatTest;

TEST_F(ChatCrashTest, NothingReportedIsLostWhenTheProgramIsKilled) {
    std::minstd_rand random(3);
    int64_t turns = 0;
    for (int round = 0; round < 200; ++round) {
        for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file().string() + ending);
        std::array<int, 2> pipe{};
        ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
        const pid_t child = fork();
        if (child == 0) {
            auto database = open();
            if (database) {
                static_cast<void>(converse(*database, 1'000, [&](int64_t turn, int64_t piece) {
                    const Reached reached{turn, piece};
                    static_cast<void>(::write(pipe[1], &reached, sizeof reached) == sizeof reached);
                }));
            }
            _exit(0);
        }
        ::close(pipe[1]);
        // After so many reports, however busy the machine is; every fourth time while the file is made.
        Reached reached, last;
        for (auto left = round % 4 == 0 ? 0 : random() % 64; left > 0; --left) {
            ASSERT_EQ(::read(pipe[0], &reached, sizeof reached), ssize_t{sizeof reached}) << "the writer failed";
            last = reached;
        }
        usleep(static_cast<useconds_t>(random() % 10'000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        while (::read(pipe[0], &reached, sizeof reached) == sizeof reached) last = reached;
        ::close(pipe[0]);
        turns += last.turn + 1;
        auto database = need(open());
        expectKept(database, last);
    }
    EXPECT_GT(turns, 200) << "the kills must meet work";
}

class FaultTest : public testing::Test {
  protected:
    Result<ChatDatabase> open() {
        return ChatDatabase::open(folder_ / "chats.db", {ChatAccess::kOwner, folder_ / "b", disk_.name()});
    }
    // Runs until the fault and says what was reported before it.
    Reached runUntilFault(int64_t turns) {
        Reached reached;
        auto database = open();
        if (!database) return reached;
        const auto done = converse(*database, turns, [&](int64_t turn, int64_t piece) { reached = {turn, piece}; });
        if (!done) {
            EXPECT_FALSE(done.error().message.empty());
        }
        return reached;
    }

    TempFolder folder_;
    FaultDisk disk_;
};

TEST_F(FaultTest, NothingReportedIsLostWhenThePowerGoesAway) {
    const Reached all = runUntilFault(12);
    ASSERT_EQ(all.turn, 11);
    const int64_t operations = disk_.operations();
    ASSERT_GT(operations, 200);
    for (int64_t at = 1; at < operations; at += 3) {
        disk_.files().clear();
        disk_.failAt(at, FaultDisk::Fault::kPowerCut);
        const Reached reached = runUntilFault(12);
        disk_.powerOn(static_cast<uint64_t>(at));
        auto database = need(open());
        expectKept(database, reached);
    }
}

TEST_F(FaultTest, ADiskThatOnlyPretendsToSyncLosesTheEndAndNotTheRest) {
    disk_.setSync(FaultDisk::Sync::kPretended);
    static_cast<void>(runUntilFault(12));
    const int64_t operations = disk_.operations();
    int64_t opened = 0;
    for (int64_t at = 40; at < operations; at += 7) {
        disk_.files().clear();
        disk_.failAt(at, FaultDisk::Fault::kPowerCut);
        static_cast<void>(runUntilFault(12));
        disk_.powerOn(static_cast<uint64_t>(at));
        auto database = open();
        // The beginning of the very first file may be lost with everything in it; it is never wrong.
        if (!database) continue;
        ++opened;
        const auto problems = need(database->problems());
        EXPECT_TRUE(problems.empty()) << problems.at(0);
    }
    EXPECT_GT(opened, 10);
}

TEST_F(FaultTest, AFullOrBrokenDiskIsAnErrorAndNothingElse) {
    static_cast<void>(runUntilFault(6));
    const int64_t operations = disk_.operations();
    for (const auto fault : {FaultDisk::Fault::kFull, FaultDisk::Fault::kWriteError, FaultDisk::Fault::kShortWrite}) {
        for (int64_t at = 1; at < operations; at += 4) {
            disk_.files().clear();
            disk_.failAt(at, fault);
            const Reached reached = runUntilFault(6);
            disk_.heal();
            auto database = need(open());
            expectKept(database, reached);
            need(database.write([](ChatDatabase& db) { return db.sessions().add("goes on", "{}", 2); }));
        }
    }
}

TEST_F(FaultTest, OnlyWhatWasCommittedIsToldAsChanged) {
    auto database = need(open());
    const auto addSession = [&] {
        return database.write([](ChatDatabase& db) { return db.sessions().add("s", "{}", 1); });
    };
    int64_t failed = 0;
    for (int64_t at = 1;; ++at) {
        static_cast<void>(database.takeChanges());
        const SessionId kept = need(addSession());
        disk_.failAt(at, FaultDisk::Fault::kFull);
        const auto second = addSession();
        disk_.heal();
        EXPECT_THROW(static_cast<void>(database.write([](ChatDatabase& db) -> Result<> {
                         PAL_TRY(db.sessions().add("s", "{}", 1));
                         throw std::bad_alloc();
                     })),
                     std::bad_alloc);
        std::set<SessionId> committed{kept};
        if (second) committed.insert(*second);
        ASSERT_EQ(database.takeChanges().sessions, committed) << "operation " << at;
        if (second) break;
        ++failed;
    }
    EXPECT_GT(failed, 0);
}

}  // namespace
}  // namespace pal::test
