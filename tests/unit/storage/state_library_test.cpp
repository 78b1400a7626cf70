// SPDX-License-Identifier: Apache-2.0
#include "storage/states/state_library.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <random>

#include "engine/base/byte_hash.h"
#include "storage/states/catalogue.h"
#include "storage/states/part_file.h"
#include "tests/support/contains.h"
#include "tests/support/sanitizer.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

const Hash128 kFamily{1, 2};

Hash128 name(uint64_t n) {
    return {splitmix64(n), splitmix64(n + 1000)};
}
StateId pages(uint64_t n, int64_t tokens) {
    return {kFamily, name(n), tokens, StatePart::kPages};
}
StateId checkpoint(uint64_t n, int64_t tokens) {
    return {kFamily, name(n), tokens, StatePart::kCheckpoint};
}
ByteBuffer bytes(size_t size, uint64_t salt) {
    ByteBuffer out(size);
    for (size_t i = 0; i < size; ++i) out.data()[i] = static_cast<std::byte>(splitmix64(salt * 31 + i));
    return out;
}
bool equal(const ByteBuffer& a, const ByteBuffer& b) {
    return std::ranges::equal(a.span(), b.span());
}

constexpr size_t kSize = 4000;
constexpr uint64_t kFileSize = kSize + 104;

class StateLibraryTest : public ::testing::Test {
  protected:
    StateLibraryTest() : path_(folder_ / "states") {}

    std::unique_ptr<StateLibrary> open(uint64_t budget = 1 << 30) {
        StateLibraryOptions options;
        options.folder = path_;
        options.budgetBytes = budget;
        options.spareBytes = 0;
        auto library = StateLibrary::open(options);
        EXPECT_TRUE(library.has_value()) << library.error().message;
        return library.has_value() ? std::move(*library) : nullptr;
    }
    static void put(StateLibrary& library, const StateId& id, std::optional<uint64_t> parent,
                    std::optional<uint64_t> replaces = std::nullopt) {
        StateWrite part;
        part.id = id;
        if (parent) part.pages = name(*parent);
        if (replaces) part.replaces = name(*replaces);
        part.bytes = bytes(kSize, id.prefix.high);
        library.write(std::move(part));
        library.flush();
    }
    static bool get(StateLibrary& library, const StateId& id) {
        ByteBuffer read;
        if (!library.read(id, read)) return false;
        EXPECT_TRUE(equal(read, bytes(kSize, id.prefix.high))) << "a wrong state";
        return true;
    }
    // Two branches over common pages: 1 <- 2 <- 3, checkpoint 10 on 2, checkpoint 11 on 3.
    static void putBranches(StateLibrary& library) {
        put(library, pages(1, 512), std::nullopt);
        put(library, pages(2, 1024), 1);
        put(library, checkpoint(10, 1100), 2);
        put(library, pages(3, 1536), 2);
        put(library, checkpoint(11, 1600), 3);
    }
    [[nodiscard]] std::vector<fs::path> files() const {
        std::vector<fs::path> out;
        for (const auto& entry : fs::recursive_directory_iterator(path_)) {
            if (entry.is_regular_file() && entry.file_size() > 0) out.push_back(entry.path());
        }
        std::sort(out.begin(), out.end());
        return out;
    }

    test::TempFolder folder_;
    fs::path path_;
};

TEST_F(StateLibraryTest, PartsComeBackInAnotherProgram) {
    putBranches(*open());
    auto library = open();
    EXPECT_EQ(library->takeProblem(), std::nullopt);
    EXPECT_EQ(library->checkpointPositions(kFamily, 5000), (std::vector<int64_t>{1600, 1100}));
    EXPECT_EQ(library->checkpointPositions(kFamily, 1599), (std::vector<int64_t>{1100}));
    EXPECT_TRUE(library->checkpointPositions({9, 9}, 5000).empty());
    for (const StateId& id :
         {pages(1, 512), pages(2, 1024), pages(3, 1536), checkpoint(10, 1100), checkpoint(11, 1600)})
        EXPECT_TRUE(get(*library, id));
    EXPECT_FALSE(get(*library, checkpoint(12, 1100)));
    EXPECT_EQ(library->bytesToRead(checkpoint(11, 1600)), 4 * kFileSize);
    EXPECT_EQ(library->usage().bytes, 5 * kFileSize);
    EXPECT_TRUE(library->verify().damaged.empty());
}

TEST_F(StateLibraryTest, SharedPagesAreStoredOnce) {
    auto library = open();
    putBranches(*library);
    put(*library, pages(1, 512), std::nullopt);
    put(*library, pages(2, 1024), 1);
    put(*library, checkpoint(12, 1200), 2);
    EXPECT_EQ(library->usage().bytes, 6 * kFileSize);
}

TEST_F(StateLibraryTest, PagesOfOtherBitsTakeTheirPlaceAndWhatContinuedTheOldOnesGoes) {
    auto library = open();
    putBranches(*library);
    StateWrite other;
    other.id = pages(2, 1024);
    other.pages = name(1);
    other.bytes = bytes(kSize, 77);
    library->write(std::move(other));
    library->flush();
    ByteBuffer read;
    ASSERT_TRUE(library->read(pages(2, 1024), read));
    EXPECT_TRUE(equal(read, bytes(kSize, 77)));
    EXPECT_TRUE(get(*library, pages(1, 512)));
    for (const StateId& gone : {checkpoint(10, 1100), checkpoint(11, 1600), pages(3, 1536)})
        EXPECT_FALSE(library->contains(gone)) << gone.tokens;
    EXPECT_FALSE(library->takeProblem());
    EXPECT_EQ(library->usage().parts, 2);
    EXPECT_EQ(library->usage().bytes, 2 * kFileSize);
}

TEST_F(StateLibraryTest, TheBudgetHoldsAfterEveryWriteAndTheOldestEndGoesFirst) {
    constexpr uint64_t kBudget = 6 * kFileSize;
    auto library = open(kBudget);
    putBranches(*library);
    EXPECT_TRUE(get(*library, checkpoint(10, 1100))) << "used, so 11 is older now";
    for (uint64_t n = 20; n < 40; ++n) {
        put(*library, checkpoint(n, 100), std::nullopt);
        ASSERT_LE(library->usage().bytes, kBudget);
        uint64_t onDisk = 0;
        for (const auto& entry : fs::directory_iterator(path_ / "parts")) onDisk += entry.file_size();
        ASSERT_LE(onDisk, kBudget);
        if (n == 21) {
            EXPECT_FALSE(get(*library, checkpoint(11, 1600)));
            EXPECT_TRUE(library->contains(checkpoint(10, 1100)));
            EXPECT_TRUE(library->contains(pages(2, 1024))) << "10 needs it";
        }
    }
    EXPECT_FALSE(library->contains(checkpoint(10, 1100)));
    EXPECT_FALSE(library->contains(pages(1, 512))) << "nothing continues it any more";
    library.reset();
    EXPECT_LE(open(3 * kFileSize)->usage().bytes, 3 * kFileSize) << "a smaller budget is kept from the start";
}

TEST_F(StateLibraryTest, AStateOverTheBudgetIsRefusedWithBothNumbersAndNothingElseGoes) {
    auto library = open(4 * kFileSize);
    put(*library, pages(1, 512), std::nullopt);
    put(*library, checkpoint(10, 600), 1);
    StateWrite big;
    big.id = checkpoint(11, 700);
    big.bytes = bytes(5 * kSize, 1);
    library->write(std::move(big));
    library->flush();
    const auto problem = library->takeProblem();
    ASSERT_TRUE(problem.has_value());
    EXPECT_TRUE(test::contains(problem->message, std::to_string(5 * kSize + 104)));
    EXPECT_TRUE(test::contains(problem->message, std::to_string(4 * kFileSize)));
    EXPECT_TRUE(get(*library, checkpoint(10, 600))) << "the session's last state stays";
}

TEST_F(StateLibraryTest, ALongInputOverTheBudgetKeepsItsLastCheckpoint) {
    auto library = open(5 * kFileSize);
    put(*library, pages(1, 512), std::nullopt);
    put(*library, checkpoint(101, 512), 1);
    for (uint64_t n = 2; n < 20; ++n) {
        put(*library, pages(n, static_cast<int64_t>(n) * 512), n - 1);
        put(*library, checkpoint(100 + n, static_cast<int64_t>(n) * 512), n, 100 + n - 1);
    }
    const auto left = library->checkpointPositions(kFamily, 100000);
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0] % 512, 0);
    EXPECT_TRUE(get(*library, checkpoint(100 + static_cast<uint64_t>(left[0]) / 512, left[0])));
    for (int64_t n = 1; n <= left[0] / 512; ++n) EXPECT_TRUE(get(*library, pages(static_cast<uint64_t>(n), n * 512)));
    EXPECT_TRUE(library->takeProblem().has_value());
}

TEST_F(StateLibraryTest, ACheckpointThatIsReplacedGoesOnceTheNextIsThere) {
    auto library = open();
    put(*library, checkpoint(10, 100), std::nullopt);
    put(*library, checkpoint(11, 200), std::nullopt, 10);
    EXPECT_EQ(library->checkpointPositions(kFamily, 1000), (std::vector<int64_t>{200}));
    EXPECT_EQ(files().size(), 2U) << "states.db and one part";
    put(*library, checkpoint(11, 200), std::nullopt);
    EXPECT_EQ(library->usage().bytes, kFileSize) << "written anew, not twice";
}

// While the disk is busy with a large part, one checkpoint waits twice: with other bytes, as one with logits has after one without.
TEST_F(StateLibraryTest, ACheckpointThatIsWrittenTwiceInARowIsTheLast) {
    const auto library = open();
    const auto write = [&](const StateId& id, size_t size, uint64_t salt) {
        StateWrite part;
        part.id = id;
        part.bytes = bytes(size, salt);
        library->write(std::move(part));
    };
    write(checkpoint(9, 500), 40 << 20, 1);
    for (uint64_t salt = 0; salt < 5; ++salt) write(checkpoint(10, 600), kSize + salt, salt);
    library->flush();
    EXPECT_EQ(library->takeProblem(), std::nullopt);
    ByteBuffer read;
    ASSERT_TRUE(library->read(checkpoint(10, 600), read));
    EXPECT_TRUE(equal(read, bytes(kSize + 4, 4)));
    EXPECT_EQ(library->usage().bytes, (40U << 20) + kPartTailBytes + kSize + 4 + kPartTailBytes);
    EXPECT_EQ(library->usage().parts, 2);
}

TEST_F(StateLibraryTest, WhatContinuesNothingThatIsThereIsNotStored) {
    auto library = open();
    put(*library, checkpoint(10, 600), 1);
    EXPECT_FALSE(library->contains(checkpoint(10, 600)));
}

TEST_F(StateLibraryTest, FilesArePrivateAndOneProgramOwnsTheFolder) {
    auto library = open();
    putBranches(*library);
    struct stat status {};
    for (const fs::path& file : files()) {
        ASSERT_EQ(stat(file.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0600U) << file;
    }
    for (const fs::path& folder : {path_, path_ / "parts"}) {
        ASSERT_EQ(stat(folder.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0700U) << folder;
    }
    StateLibraryOptions options;
    options.folder = path_;
    const auto second = StateLibrary::open(options);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::kBusy);
}

TEST_F(StateLibraryTest, ANewerProgramsFilesAreLeftAlone) {
    putBranches(*open());
    fs::remove(path_ / "states.sum");
    {
        auto database = sqlite::Database::open(path_ / "states.db").value();
        ASSERT_TRUE(database.execute("PRAGMA user_version=99").has_value());
    }
    const std::string before = test::readText(path_ / "states.db");
    StateLibraryOptions options;
    options.folder = path_;
    const auto library = StateLibrary::open(options);
    ASSERT_FALSE(library.has_value());
    EXPECT_EQ(library.error().code, ErrorCode::kUnsupported);
    EXPECT_TRUE(test::contains(library.error().message, "99"));
    EXPECT_TRUE(test::readText(path_ / "states.db") == before) << "not a byte of it is touched";
}

TEST_F(StateLibraryTest, ALostCatalogueIsMadeAgain) {
    putBranches(*open());
    fs::remove(path_ / "states.db");
    test::writeText(path_ / "parts" / "0123.part", "a write that was broken off");
    auto library = open();
    const auto problem = library->takeProblem();
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->code, ErrorCode::kCorrupt);
    EXPECT_TRUE(get(*library, checkpoint(11, 1600)));
    EXPECT_TRUE(get(*library, pages(3, 1536)));
    EXPECT_EQ(library->usage().bytes, 5 * kFileSize);
    EXPECT_FALSE(fs::exists(path_ / "parts" / "0123.part"));
}

// A program that is killed while it opens the folder may leave states.sum there: nothing may have changed by then.
TEST_F(StateLibraryTest, ACatalogueThatWasOnlyOpenedIsWhatItWas) {
    putBranches(*open());
    const std::string before = test::readText(path_ / "states.db");
    { ASSERT_TRUE(Catalogue::open(path_ / "states.db", "").has_value()); }
    EXPECT_TRUE(test::readText(path_ / "states.db") == before);
    auto library = open();
    EXPECT_FALSE(library->takeProblem().has_value());
    EXPECT_EQ(library->usage().parts, 5);
}

TEST_F(StateLibraryTest, KilledWhileItOpensOrClosesNothingIsSaidToBeDamaged) {
    putBranches(*open());
    std::mt19937_64 random(5);
    for (int round = 0; round < 60; ++round) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        while (child == 0) open();
        usleep(static_cast<useconds_t>(random() % 40000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        auto library = open();
        const auto problem = library->takeProblem();
        ASSERT_FALSE(problem.has_value()) << "round " << round << ": " << problem->message;
        ASSERT_EQ(library->usage().parts, 5) << "round " << round;
    }
}

// A state that finds no memory is computed again this time, and kept for the next.
TEST_F(StateLibraryTest, APartThatFindsNoMemoryStays) {
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs the addresses itself";
    putBranches(*open());
    constexpr uint64_t kPayload = uint64_t{1} << 36;  // of which the disk holds nothing but the end
    constexpr size_t kPayloadAt = 80;                 // in the tail
    const fs::path file = path_ / "parts" / partFileName(pages(3, 1536));
    std::string tail = test::readText(file).substr(kSize);
    std::memcpy(tail.data() + kPayloadAt, &kPayload, sizeof kPayload);
    fs::resize_file(file, kPayload);
    std::ofstream(file, std::ios::binary | std::ios::app) << tail;

    const auto library = open();
    rlimit all{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &all), 0);
    rlimit few = all;
    few.rlim_cur = uint64_t{1} << 35;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &few), 0);
    const bool found = get(*library, pages(3, 1536));
    ASSERT_EQ(setrlimit(RLIMIT_AS, &all), 0);
    EXPECT_FALSE(found);
    const auto problem = library->takeProblem();
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->code, ErrorCode::kOutOfMemory) << problem->message;
    EXPECT_TRUE(fs::exists(file));
    EXPECT_GT(library->bytesToRead(checkpoint(11, 1600)), 0U);
    EXPECT_TRUE(get(*library, checkpoint(10, 1100)));
}

// Parts of the form before this one began with what they are. They are no damage: they go, and whoever needs them computes them again.
TEST_F(StateLibraryTest, PartsOfAnOlderProgramGoAndAreToldOnce) {
    putBranches(*open());
    for (const StateId& id : {pages(3, 1536), checkpoint(11, 1600)}) {
        const fs::path file = path_ / "parts" / partFileName(id);
        std::string text = test::readText(file);
        std::string head = text.substr(kSize);
        head[7] = '1';  // PALPART1
        head[8] = 1;    // version
        test::writeText(file, head + text.substr(0, kSize));
    }
    {
        auto database = sqlite::Database::open(path_ / "states.db").value();
        ASSERT_TRUE(database.execute("PRAGMA user_version=1").has_value());
    }
    const std::string catalogue = test::readText(path_ / "states.db");
    const XXH128_hash_t sum = XXH3_128bits(catalogue.data(), catalogue.size());
    test::writeText(path_ / "states.sum", fmt::format("{:016x}{:016x}\n", sum.high64, sum.low64));

    for (int start = 0; start < 2; ++start) {
        auto library = open();
        EXPECT_FALSE(get(*library, checkpoint(11, 1600)));
        EXPECT_TRUE(get(*library, checkpoint(10, 1100)));
        EXPECT_EQ(library->usage().bytes, 3 * kFileSize);
        EXPECT_TRUE(library->verify().damaged.empty());
        const auto problem = library->takeProblem();
        ASSERT_EQ(problem.has_value(), start == 0);
        if (problem) {
            EXPECT_TRUE(test::contains(problem->message, "2 stored states of an older program")) << problem->message;
        }
    }
}

// Wherever one bit changes: either the library says so, or the bit meant nothing; and what is read is what was written.
TEST_F(StateLibraryTest, AFlippedBitAnywhereIsDetectedAndNeverReadAsAState) {
    putBranches(*open());
    const fs::path original = folder_ / "original";
    fs::rename(path_, original);
    std::mt19937_64 random(7);
    std::vector<fs::path> names;
    for (const auto& entry : fs::recursive_directory_iterator(original)) {
        if (entry.is_regular_file() && entry.file_size() > 0) names.push_back(fs::relative(entry.path(), original));
    }
    std::sort(names.begin(), names.end());
    ASSERT_EQ(names.size(), 7U) << "states.db, states.sum and five parts";
    for (int round = 0; round < 280; ++round) {
        fs::remove_all(path_);
        fs::copy(original, path_, fs::copy_options::recursive);
        const fs::path victim = path_ / names[static_cast<size_t>(round) % names.size()];
        const uint64_t at = random() % fs::file_size(victim);
        std::string text = test::readText(victim);
        text[at] = static_cast<char>(text[at] ^ (1 << (random() % 8)));
        test::writeText(victim, text);

        auto library = open();
        ASSERT_NE(library, nullptr);
        int missing = 0;
        for (const StateId& id :
             {pages(1, 512), pages(2, 1024), pages(3, 1536), checkpoint(10, 1100), checkpoint(11, 1600)})
            missing += get(*library, id) ? 0 : 1;
        const auto problem = library->takeProblem();
        ASSERT_TRUE(problem.has_value()) << victim << " byte " << at;
        EXPECT_EQ(problem->code, ErrorCode::kCorrupt) << problem->message;
        EXPECT_EQ(missing > 0, victim.parent_path() != path_) << "only parts lose something";
        EXPECT_TRUE(library->verify().damaged.empty()) << "what was damaged is gone";
    }
}

// Large parts are read and written in pieces of whole blocks, past the system's cache where the file system can; few end with a block.
TEST_F(StateLibraryTest, LargePartsComeBackAndDamageInThemIsDetected) {
    constexpr size_t kPiece = 2 << 20;
    const StateId id = checkpoint(1, 100);
    const fs::path file = path_ / "parts" / partFileName(id);
    const auto damages = {+[](std::string&) {},
                          +[](std::string& bytes) { bytes.pop_back(); },
                          +[](std::string& bytes) { bytes += 'x'; },
                          +[](std::string& bytes) { bytes.back() = static_cast<char>(bytes.back() ^ 1); },
                          +[](std::string& bytes) { bytes[0] ^= 1; },
                          +[](std::string& bytes) { bytes[bytes.size() / 2] ^= 1; },
                          +[](std::string& bytes) { bytes[bytes.size() - kPartTailBytes - 1] ^= 1; }};
    for (const size_t size : {kPiece / 2 - 1, kPiece / 2, kPiece, kPiece + 1, kPiece + 4096, 4 * kPiece + 12345}) {
        for (const auto& damage : damages) {
            auto library = open();
            StateWrite part{id, std::nullopt, std::nullopt, bytes(size, size)};
            library->write(std::move(part));
            library->flush();
            const std::string whole = test::readText(file);
            ASSERT_EQ(whole.size(), kPartTailBytes + size);
            std::string damaged = whole;
            damage(damaged);
            if (damaged != whole) test::writeText(file, damaged);
            ByteBuffer read;
            ASSERT_EQ(library->read(id, read), damaged == whole) << size;
            if (damaged == whole) {
                EXPECT_TRUE(equal(read, bytes(size, size))) << size;
            } else {
                EXPECT_EQ(library->takeProblem().value().code, ErrorCode::kCorrupt);
            }
        }
    }
}

TEST_F(StateLibraryTest, VerifyNamesWhatIsDamaged) {
    putBranches(*open());
    const fs::path victim = files().at(0);
    std::string text = test::readText(victim);
    text.back() = static_cast<char>(text.back() ^ 1);
    test::writeText(victim, text);
    auto library = open();
    const auto found = library->verify();
    ASSERT_EQ(found.damaged.size(), 1U);
    EXPECT_TRUE(test::contains(found.damaged[0], victim.filename().string()));
    EXPECT_TRUE(test::contains(found.damaged[0], "checksum"));
}

TEST_F(StateLibraryTest, AFolderThatVanishesIsReportedAndTheProgramGoesOn) {
    auto library = open();
    put(*library, pages(1, 512), std::nullopt);
    fs::rename(path_ / "parts", folder_ / "away");
    put(*library, checkpoint(10, 600), 1);
    EXPECT_FALSE(get(*library, pages(1, 512)));
    const auto problem = library->takeProblem();
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->code, ErrorCode::kIo);
    put(*library, checkpoint(11, 700), 1);
    EXPECT_EQ(library->takeProblem(), std::nullopt) << "said once";
    put(*library, pages(1, 512), std::nullopt);  // computed once more
    EXPECT_EQ(library->verify().damaged.size(), 1U);
    fs::rename(folder_ / "away", path_ / "parts");
    put(*library, checkpoint(12, 800), 1);
    EXPECT_TRUE(get(*library, checkpoint(12, 800))) << "it is back";
    EXPECT_TRUE(get(*library, pages(1, 512))) << "and was not given up";
}

// A file size limit acts like a full disk: writes fail in the middle of a file.
TEST_F(StateLibraryTest, AFullDiskIsReportedAndWhatIsThereStays) {
    { put(*open(), pages(1, 512), std::nullopt); }
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        auto library = open();
        const rlimit limit{2000, 2000};
        setrlimit(RLIMIT_FSIZE, &limit);
        put(*library, checkpoint(10, 600), 1);
        const auto problem = library->takeProblem();
        const bool told = problem && problem->code == ErrorCode::kIo && !library->contains(checkpoint(10, 600));
        _exit(told && get(*library, pages(1, 512)) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    auto library = open();
    EXPECT_TRUE(get(*library, pages(1, 512)));
    EXPECT_EQ(library->usage().parts, 1);
    for (const fs::path& file : files()) EXPECT_NE(file.extension(), ".part");
}

TEST_F(StateLibraryTest, EverythingArrivesThroughAQueueOfTwoParts) {
    StateLibraryOptions options;
    options.folder = path_;
    options.waitingBytes = 2 * kSize;
    auto library = StateLibrary::open(options).value();
    for (uint64_t n = 0; n < 50; ++n) {
        StateWrite part;
        part.id = checkpoint(n, 100);
        part.bytes = bytes(kSize, name(n).high);
        library->write(std::move(part));
    }
    library->flush();
    EXPECT_EQ(library->usage().parts, 50);
}

}  // namespace
}  // namespace pal
