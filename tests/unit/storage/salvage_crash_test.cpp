// SPDX-License-Identifier: Apache-2.0
// Wherever the power goes away while a damaged library is salvaged, all of it can still be salvaged.
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/chats/salvage.h"
#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/storage/chat_fixture.h"

namespace {

// The folder's names as the worst disk keeps them: what is removed is gone at once, a new name stays only once its folder was synced.
struct Power {
    long left = -1;                     // changes of names and syncs until it goes away; below 0 it stays
    std::vector<std::string> unsynced;  // names given since the last sync

    void use() {
        if (left < 0 || left-- > 0) return;
        for (const std::string& name : unsynced) syscall(SYS_unlink, name.c_str());
        _exit(1);
    }
};
Power power;

int toResult(long result) {
    return static_cast<int>(result);
}

}  // namespace

// In place of the C library's, for all of this program.
extern "C" {
int link(const char* from, const char* to) noexcept {
    power.use();
    power.unsynced.emplace_back(to);
    return toResult(syscall(SYS_link, from, to));
}
int rename(const char* from, const char* to) noexcept {
    power.use();
    return toResult(syscall(SYS_rename, from, to));
}
int unlink(const char* path) noexcept {
    power.use();
    return toResult(syscall(SYS_unlink, path));
}
int remove(const char* path) noexcept {
    power.use();
    const long result = syscall(SYS_unlink, path);
    return result != 0 && errno == EISDIR ? toResult(syscall(SYS_rmdir, path)) : toResult(result);
}
int fsync(int file) {
    power.use();
    power.unsynced.clear();
    return toResult(syscall(SYS_fsync, file));
}
}

namespace pal::test {
namespace {

namespace fs = std::filesystem;

constexpr size_t kPageBytes = 4096;
constexpr int kMessages = 40;
constexpr const char* kEndings[] = {"", "-wal", ".schema"};

std::string textOf(int number) {
    return std::string(2'000, static_cast<char>('a' + number % 26)) + std::to_string(number);
}

class SalvageCrashTest : public ChatTest {
  protected:
    // A library as a program that was killed leaves it, with a damaged first page: the session's name is in the log alone.
    void makeDamaged(const fs::path& folder) {
        fs::create_directories(folder);
        auto database = need(open());
        const SessionId session = newSession(database, "before");
        MessageId last = 0;
        for (int i = 0; i < kMessages; ++i) last = add(database, says(session, last, Role::kUser, textOf(i)));
        need(database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)"));
        need(database.write([&](ChatDatabase& db) { return db.sessions().rename(session, "talked"); }));
        for (const char* ending : kEndings)
            fs::copy_file(file().string() + ending, (folder / "chats.db").string() + ending);
        EXPECT_FALSE(contains(readText(folder / "chats.db-wal"), "SQLite format 3")) << "the first page is there alone";
        std::string bytes = readText(folder / "chats.db");
        std::fill_n(bytes.begin(), kPageBytes, '\xff');
        writeText(folder / "chats.db", bytes);
    }
    static bool isWhole(const fs::path& library) {
        auto database = ChatDatabase::open(library, {ChatAccess::kOwner, library.parent_path() / "backups", ""});
        if (!database) return false;
        EXPECT_TRUE(need(database->problems()).empty());
        const auto sessions = need(database->sessions().list());
        if (sessions.empty() || sessions[0].name != "talked") return false;
        const auto path = need(database->messages().path(sessions[0].head));
        for (size_t i = 0; i < path.size(); ++i) EXPECT_EQ(path[i].text, textOf(static_cast<int>(i)));
        return path.size() == static_cast<size_t>(kMessages);
    }
    // Whether salvage makes it whole.
    static bool isSalvaged(const fs::path& library) { return salvageChats(library).has_value() && isWhole(library); }
    // The damaged file's second name, if it has one.
    static std::optional<fs::path> secondName(const fs::path& folder) {
        constexpr std::string_view kBegin = "chats.db.damaged.";
        for (const auto& entry : fs::directory_iterator(folder)) {
            const std::string name = entry.path().filename();
            if (name.starts_with(kBegin) && name.find_first_not_of("0123456789", kBegin.size()) == std::string::npos)
                return entry.path();
        }
        return std::nullopt;
    }
};

// Either in its place, or under the name that the damaged file got: whole, with its log and the copy of its schema.
TEST_F(SalvageCrashTest, WhereverThePowerGoesAwayAllOfItCanBeSalvaged) {
    const fs::path damaged = folder_ / "damaged";
    makeDamaged(damaged);
    bool finished = false;
    int rounds = 0, inPlace = 0, aside = 0;
    for (; !finished; ++rounds) {
        const fs::path folder = folder_ / std::to_string(rounds);
        const fs::path library = folder / "chats.db";
        fs::create_directories(folder);
        for (const char* ending : kEndings)
            fs::copy_file((damaged / "chats.db").string() + ending, library.string() + ending);
        const pid_t child = fork();
        if (child == 0) {
            power = {rounds, {}};
            _exit(salvageChats(library).has_value() ? 0 : 2);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 2) << "round " << rounds;
        finished = WEXITSTATUS(status) == 0;
        if (isWhole(library)) continue;
        ASSERT_FALSE(finished);
        const auto second = secondName(folder);
        if (isSalvaged(library)) {
            ++inPlace;
        } else {
            ASSERT_TRUE(second && isSalvaged(*second)) << "round " << rounds;
            ++aside;
        }
    }
    EXPECT_GT(inPlace, 5);
    EXPECT_GT(aside, 0) << "rounds in which the log was gone and the new file not there";
}

}  // namespace
}  // namespace pal::test
