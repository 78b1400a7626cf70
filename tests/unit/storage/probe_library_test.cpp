// SPDX-License-Identifier: Apache-2.0
#include "storage/probes/probe_library.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <thread>
#include <utility>

#include "storage/probes/probe_codec.h"
#include "tests/support/contains.h"
#include "tests/support/random_probe.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

using test::ProbeModel;
using test::randomProbe;

const ProbeModel kModel{"kmk"};

// Two series: one of the token, one of layer 0.
std::vector<SeriesValue> twoSeries(const TokenProbe& probe) {
    return {{{0, -1}, static_cast<float>(probe.position)},
            {{1, 0}, probe.layers.empty() ? NAN : probe.layers[0].kda.beta[0]}};
}

class ProbeLibraryTest : public ::testing::Test {
  protected:
    std::unique_ptr<ProbeLibrary> open(uint64_t budget = 1ULL << 30) {
        ProbeLibraryOptions options;
        options.file = folder_ / "probes.db";
        options.budgetBytes = budget;
        options.series = twoSeries;
        auto library = ProbeLibrary::open(options);
        EXPECT_TRUE(library.has_value()) << library.error().message;
        return library.has_value() ? std::move(*library) : nullptr;
    }
    static ProbeBatch batch(int64_t session, int64_t message, int64_t begin, int64_t end) {
        ProbeBatch out{session, message, "a model", {10, 20, message}, {}};
        for (int64_t i = begin; i < end; ++i)
            out.tokens.push_back(
                std::make_shared<const TokenProbe>(randomProbe(kModel, i, static_cast<uint32_t>(message))));
        return out;
    }
    static uint64_t bytesOf(ProbeLibrary& library) {
        uint64_t sum = 0;
        const auto replies = library.replies(1);
        for (const StoredReply& reply : *replies) sum += reply.bytes;
        return sum;
    }
    static void expectRecord(const TokenProbe& got, int64_t message, int64_t position) {
        EXPECT_EQ(encodeProbe(got),
                  encodeProbe(
                      decodeProbe(encodeProbe(randomProbe(kModel, position, static_cast<uint32_t>(message)))).value()))
            << position;
    }

    test::TempFolder folder_;
};

TEST_F(ProbeLibraryTest, KeepsRepliesBeyondItsLife) {
    {
        const auto library = open();
        library->add(batch(1, 7, 100, 110));
        library->add(batch(1, 7, 110, 140));
        library->add(batch(2, 9, 5, 6));
        library->finish(7);
    }
    const auto library = open();
    const auto replies = library->replies(1);
    ASSERT_TRUE(replies.has_value());
    ASSERT_EQ(replies->size(), 1U);
    EXPECT_EQ((*replies)[0].message, 7);
    EXPECT_EQ((*replies)[0].model, "a model");
    EXPECT_EQ((*replies)[0].regionEnds, (std::vector<int64_t>{10, 20, 7}));
    EXPECT_EQ((*replies)[0].begin, 100);
    EXPECT_EQ((*replies)[0].end, 140);
    const auto read = library->read(7, 105, 125);
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->size(), 20U);
    for (int64_t i = 0; i < 20; ++i) expectRecord((*read)[static_cast<size_t>(i)], 7, 105 + i);
    EXPECT_EQ(library->read(9, 0, 100)->size(), 1U);
    EXPECT_TRUE(library->read(8, 0, 1000)->empty());
    EXPECT_FALSE(library->takeProblem().has_value());
}

TEST_F(ProbeLibraryTest, BinsOfAReplyWhileItGrowsAndAfter) {
    constexpr int64_t kBegin = 1000;
    constexpr int64_t kEnd = 7000;
    const auto expectBins = [&](ProbeLibrary& library, int64_t width) {
        const auto bins = library.bins(7, {0, -1}, 0, kEnd, width);
        ASSERT_TRUE(bins.has_value());
        ASSERT_FALSE(bins->empty());
        int64_t count = 0;
        for (const ProbeBin& bin : *bins) {
            const int64_t first = std::max(bin.begin, kBegin);
            const int64_t last = std::min(bin.end, kEnd) - 1;
            EXPECT_EQ(bin.low, static_cast<float>(first));
            EXPECT_EQ(bin.high, static_cast<float>(last));
            EXPECT_NEAR(bin.mean, static_cast<float>(first + last) / 2, 0.01);
            EXPECT_EQ(bin.count, last - first + 1);
            EXPECT_EQ(bin.end - bin.begin, width);
            EXPECT_EQ(bin.begin % width, 0);
            count += bin.count;
        }
        EXPECT_EQ(count, kEnd - kBegin);
    };
    {
        const auto library = open();
        for (int64_t i = kBegin; i < kEnd; i += 500) library->add(batch(1, 7, i, i + 500));
        library->flush();
        for (const int64_t width : {16, 128, 256, 2048, 8192}) expectBins(*library, width);
    }
    const auto library = open();
    for (const int64_t width : {16, 128, 256, 2048, 8192}) expectBins(*library, width);
    const auto beta = library->bins(7, {1, 0}, 2000, 2016, 16);
    ASSERT_TRUE(beta.has_value());
    ASSERT_EQ(beta->size(), 1U);
    double mean = 0;
    for (int64_t i = 2000; i < 2016; ++i) mean += randomProbe(kModel, i, 7).layers[0].kda.beta[0] / 16.0;
    EXPECT_NEAR(beta->front().mean, mean, 1e-6);
    EXPECT_TRUE(library->bins(7, {5, 0}, 0, kEnd, 16)->empty());
}

// Tokens [begin, end) in bins of 16, each with all of its tokens.
void expectWholeBins(ProbeLibrary& library, int64_t message, int64_t begin, int64_t end) {
    const auto bins = library.bins(message, {0, -1}, 0, end, 16);
    ASSERT_TRUE(bins.has_value());
    ASSERT_EQ(std::ssize(*bins), (end + 15) / 16 - begin / 16);
    for (const ProbeBin& bin : *bins) {
        EXPECT_EQ(bin.low, static_cast<float>(std::max(bin.begin, begin)));
        EXPECT_EQ(bin.count, std::min(bin.end, end) - std::max(bin.begin, begin));
    }
}

TEST_F(ProbeLibraryTest, BinsOfAReplyThatWasKilledAreBuiltFromItsRecords) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto library = open();
        for (int64_t i = 0; i < 3000; i += 100) library->add(batch(1, 7, i, i + 100));
        library->add(batch(1, 9, 0, 50));
        library->finish(9);
        library->flush();
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    uint64_t bytes = 0;
    for (int start = 0; start < 2; ++start) {
        const auto library = open();
        expectWholeBins(*library, 7, 0, 3000);
        expectWholeBins(*library, 9, 0, 50);
        library->flush();
        if (start == 1) {
            EXPECT_EQ(bytesOf(*library), bytes) << "once";
        }
        bytes = bytesOf(*library);
    }
}

// The tokens of a batch that could not be written are lost, and no others.
TEST_F(ProbeLibraryTest, BinsSurviveABatchThatFailed) {
    const auto library = open();
    auto database = sqlite::Database::open(folder_ / "probes.db").value();
    library->add(batch(1, 7, 0, 1600));
    library->flush();
    ASSERT_TRUE(database
                    .execute("CREATE TRIGGER refuse BEFORE UPDATE ON reply WHEN NEW.message = 7 "
                             "BEGIN SELECT raise(ABORT, 'refused'); END")
                    .has_value());
    library->add(batch(1, 7, 1600, 1616));
    library->flush();
    EXPECT_TRUE(library->takeProblem().has_value());
    ASSERT_TRUE(database.execute("DROP TRIGGER refuse").has_value());
    library->add(batch(1, 7, 1616, 1700));
    library->finish(7);
    int64_t tokens = 0;
    const auto bins = library->bins(7, {0, -1}, 0, 1700, 16);
    ASSERT_TRUE(bins.has_value());
    for (const ProbeBin& bin : *bins) tokens += bin.count;
    EXPECT_EQ(tokens, 1700 - 16);
}

TEST_F(ProbeLibraryTest, WhatWaitsForTheDiskIsThere) {
    const auto library = open();
    library->add(batch(1, 7, 100, 110));
    library->flush();
    auto database = sqlite::Database::open(folder_ / "probes.db").value();
    ASSERT_TRUE(database.execute("BEGIN IMMEDIATE").has_value());  // nobody else writes
    library->add(batch(1, 7, 110, 120));
    library->add(batch(1, 7, 120, 130));
    library->add(batch(1, 8, 200, 210));
    const auto replies = library->replies(1);
    ASSERT_EQ(replies->size(), 2U);
    EXPECT_EQ((*replies)[0].begin, 100);
    EXPECT_EQ((*replies)[0].end, 130);
    EXPECT_EQ((*replies)[1].message, 8);
    const auto read = library->read(7, 105, 125);
    ASSERT_EQ(read->size(), 20U);
    for (int64_t i = 0; i < 20; ++i) expectRecord((*read)[static_cast<size_t>(i)], 7, 105 + i);
    EXPECT_EQ(library->read(8, 0, 1000)->size(), 10U);
    ASSERT_TRUE(database.execute("COMMIT").has_value());
    expectWholeBins(*library, 7, 100, 130);  // waits
    EXPECT_FALSE(library->takeProblem().has_value());
}

// Tokens come one by one; a commit for each would write pages for every one.
TEST_F(ProbeLibraryTest, TokensOfASecondAreWrittenTogether) {
    using Clock = std::chrono::steady_clock;
    const auto library = open();
    auto database = sqlite::Database::open(folder_ / "probes.db").value();
    const auto version = [&] { return database.integer("PRAGMA data_version").value(); };
    const auto records = [&] { return database.integer("SELECT count(*) FROM record").value(); };
    int64_t last = version();
    int64_t commits = 0;
    const auto start = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    int64_t added = 0;
    while (commits < 2 && elapsed() < 30) {
        library->add(batch(1, 7, added, added + 1));
        ++added;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const int64_t now = version();
        commits += std::exchange(last, now) != now ? 1 : 0;
    }
    EXPECT_EQ(commits, 2);  // nothing waits for ever
    EXPECT_GT(elapsed(), 1.9);
    EXPECT_GT(added, 10);
    library->flush();  // does not wait for more tokens
    EXPECT_EQ(records(), added);
    EXPECT_FALSE(library->takeProblem().has_value());
}

// What cannot be written must not take what came in the same second along.
TEST_F(ProbeLibraryTest, ABatchThatCannotBeWrittenCostsNoOther) {
    const auto library = open();
    auto database = sqlite::Database::open(folder_ / "probes.db").value();
    ASSERT_TRUE(database
                    .execute("CREATE TRIGGER refuse BEFORE UPDATE ON reply WHEN NEW.message = 7 "
                             "BEGIN SELECT raise(ABORT, 'refused'); END; BEGIN IMMEDIATE")
                    .has_value());  // nobody else writes: what is added now waits and is taken together
    library->add(batch(1, 6, 0, 10));
    for (int64_t i = 0; i < 30; i += 10) {
        library->add(batch(1, 8, i, i + 10));
        library->add(batch(1, 7, i, i + 10));
    }
    library->add(batch(1, 9, 0, 10));
    ASSERT_TRUE(database.execute("COMMIT").has_value());
    library->flush();
    const auto kept = [&](int64_t message) {
        return database.integer("SELECT count(*) FROM record WHERE message = ?", message).value();
    };
    EXPECT_EQ(kept(6), 10);
    EXPECT_EQ(kept(8), 30);
    EXPECT_EQ(kept(9), 10);
    EXPECT_EQ(kept(7), 0);
    EXPECT_TRUE(library->takeProblem().has_value());
    EXPECT_FALSE(library->takeProblem().has_value()) << "told once";
    library->finish(8);
    library->flush();
    EXPECT_EQ(library->bins(8, {0, -1}, 0, 30, 16)->size(), 2U);
    EXPECT_EQ(bytesOf(*library), static_cast<uint64_t>(database.integer("SELECT sum(bytes) FROM reply").value()));
}

TEST_F(ProbeLibraryTest, ASmallerBudgetHoldsSoon) {
    const auto library = open();
    for (const int64_t message : {5, 3, 8}) library->add(batch(1, message, 0, 50));
    library->flush();
    const uint64_t one = bytesOf(*library) / 3;
    library->setBudget(2 * one + one / 2);
    library->flush();
    EXPECT_EQ(library->replies(1)->size(), 2U);
    EXPECT_TRUE(library->read(5, 0, 50)->empty()) << "the oldest";
    library->setBudget(0);
    library->flush();
    EXPECT_TRUE(library->replies(1)->empty());
}

TEST_F(ProbeLibraryTest, TheOldestReplyGoesFirst) {
    const auto one = static_cast<uint64_t>(encodeProbe(randomProbe(kModel, 1, 1)).size()) * 50;
    {
        const auto library = open(3 * one + one / 2);
        for (const int64_t message : {5, 3, 8}) library->add(batch(1, message, 0, 50));
        library->add(batch(1, 5, 50, 51));  // used again
        library->flush();
        EXPECT_EQ(library->replies(1)->size(), 3U);
        library->add(batch(1, 9, 0, 50));
        library->flush();
        std::vector<int64_t> left;
        const auto replies = library->replies(1);
        for (const StoredReply& reply : *replies) left.push_back(reply.message);
        EXPECT_EQ(left, (std::vector<int64_t>{5, 8, 9}));
        EXPECT_LE(bytesOf(*library), 3 * one + one / 2);
        EXPECT_FALSE(library->takeProblem().has_value());
        library->add(batch(1, 20, 0, 400));  // alone more than the budget
        library->flush();
        const auto problem = library->takeProblem();
        ASSERT_TRUE(problem.has_value());
        EXPECT_TRUE(test::contains(problem->message, std::to_string(3 * one + one / 2)));
        EXPECT_LE(bytesOf(*library), 3 * one + one / 2);
    }
    EXPECT_LE(bytesOf(*open(one)), one) << "a smaller budget holds from the start";
}

TEST_F(ProbeLibraryTest, ForgetsSessionsThatAreGone) {
    const auto library = open();
    library->add(batch(1, 7, 0, 10));
    library->add(batch(2, 9, 0, 10));
    library->keepOnly({2, 5});
    library->flush();
    EXPECT_TRUE(library->replies(1)->empty());
    EXPECT_TRUE(library->read(7, 0, 100)->empty());
    EXPECT_EQ(library->replies(2)->size(), 1U);
}

TEST_F(ProbeLibraryTest, ADamagedRecordCostsItselfAlone) {
    open()->add(batch(1, 7, 0, 10));
    const auto record = encodeProbe(randomProbe(kModel, 4, 7));
    std::string file = test::readText(folder_ / "probes.db");
    const std::string needle(reinterpret_cast<const char*>(record.data()), 200);
    const size_t at = file.find(needle);
    ASSERT_NE(at, std::string::npos);
    file[at + 100] = static_cast<char>(file[at + 100] ^ 1);
    test::writeText(folder_ / "probes.db", file);
    const auto library = open();
    const auto read = library->read(7, 0, 10);
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->size(), 9U);
    for (const TokenProbe& probe : *read) EXPECT_NE(probe.position, 4);
    ASSERT_TRUE(library->takeProblem().has_value());
}

TEST_F(ProbeLibraryTest, AFileThatIsNoDatabaseIsMadeAnew) {
    test::writeText(folder_ / "probes.db", std::string(5000, 'x'));
    const auto library = open();
    ASSERT_NE(library, nullptr);
    EXPECT_TRUE(library->takeProblem().has_value());
    library->add(batch(1, 7, 0, 3));
    library->flush();
    EXPECT_EQ(library->read(7, 0, 10)->size(), 3U);
}

TEST_F(ProbeLibraryTest, AFileOfAnOlderProgramIsMadeAnew) {
    open()->add(batch(1, 7, 0, 3));
    {
        auto database = sqlite::Database::open(folder_ / "probes.db");
        ASSERT_TRUE(database->execute("DROP TABLE record; PRAGMA user_version=1").has_value());
    }
    const auto library = open();
    ASSERT_NE(library, nullptr);
    const auto problem = library->takeProblem();
    ASSERT_TRUE(problem.has_value());
    EXPECT_TRUE(test::contains(problem->message, "older program"));
    EXPECT_TRUE(library->replies(1)->empty());
}

// What was counted while a task ran that was rolled back is not so: else less and less would be kept.
TEST_F(ProbeLibraryTest, ABatchThatCannotBeWrittenCountsNothing) {
    const auto one = static_cast<uint64_t>(encodeProbe(randomProbe(kModel, 1, 1)).size()) * 50;
    const auto library = open(2 * one);
    {
        auto database = sqlite::Database::open(folder_ / "probes.db");
        ASSERT_TRUE(database
                        ->execute("CREATE TRIGGER refuse BEFORE UPDATE ON reply WHEN NEW.message = 5 "
                                  "BEGIN SELECT raise(ABORT, 'refused'); END")
                        .has_value());
    }
    for (int i = 0; i < 5; ++i) {
        library->add(batch(1, 5, 0, 50));
        library->flush();
        EXPECT_TRUE(library->takeProblem().has_value());
    }
    for (const int64_t message : {7, 8}) library->add(batch(1, message, 0, 45));
    library->flush();
    EXPECT_EQ(library->replies(1)->size(), 2U) << "both fit into the budget";
}

TEST_F(ProbeLibraryTest, AFileOfANewerProgramStays) {
    open()->add(batch(1, 7, 0, 3));
    {
        auto database = sqlite::Database::open(folder_ / "probes.db");
        ASSERT_TRUE(database->execute("PRAGMA user_version=3").has_value());
    }
    ProbeLibraryOptions options;
    options.file = folder_ / "probes.db";
    const auto refused = ProbeLibrary::open(options);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
    EXPECT_TRUE(test::contains(refused.error().message, "probes.db"));
}

TEST_F(ProbeLibraryTest, WhatDoesNotFitIntoItsQueueIsToldOnce) {
    ProbeLibraryOptions options;
    options.file = folder_ / "probes.db";
    options.waitingBytes = 1;
    const auto library = std::move(ProbeLibrary::open(options).value());
    library->add(batch(1, 7, 0, 3));
    library->add(batch(1, 7, 3, 6));
    library->flush();
    EXPECT_TRUE(library->takeProblem().has_value());
    EXPECT_FALSE(library->takeProblem().has_value());
}

// What a view opens with comes from bins, not from records.
TEST_F(ProbeLibraryTest, ManyTokensOpenFromBins) {
    constexpr int64_t kTokens = 100'000;
    {
        const auto library = open(1ULL << 40);
        for (int64_t i = 0; i < kTokens; i += 10'000) {
            ProbeBatch some{1, 7, "a model", {}, {}};
            for (int64_t t = i; t < i + 10'000; ++t) {
                TokenProbe probe;
                probe.position = t;
                some.tokens.push_back(std::make_shared<const TokenProbe>(std::move(probe)));
            }
            library->add(std::move(some));
            library->flush();
        }
        library->finish(7);
    }
    const auto library = open(1ULL << 40);
    const auto replies = library->replies(1);
    ASSERT_EQ(replies->size(), 1U);
    const auto all = library->bins(7, {0, -1}, 0, kTokens, 64);
    ASSERT_TRUE(all.has_value());
    EXPECT_EQ(std::ssize(*all), (kTokens + 63) / 64);
    int64_t count = 0;
    for (const ProbeBin& bin : *all) count += bin.count;
    EXPECT_EQ(count, kTokens);
}

}  // namespace
}  // namespace pal
