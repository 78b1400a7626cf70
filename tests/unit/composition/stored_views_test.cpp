// SPDX-License-Identifier: Apache-2.0
// Views over what is kept on disk: the same numbers as from memory, and of a long session few records.
#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "app/composition/stored_replies.h"
#include "app/inspect/view.h"
#include "storage/probes/probe_codec.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/inspect/uneven_source.h"

namespace pal {
namespace {

using inspect::Figure;
using inspect::MemorySource;
using inspect::Panel;
using inspect::Scalar;
using inspect::TokenSpan;
using inspect::test::Uneven;

class StoredViewsTest : public ::testing::Test {
  protected:
    StoredViewsTest() {
        ProbeLibraryOptions options;
        options.file = folder_ / "probes.db";
        options.series = &seriesOf;
        library_ = std::move(ProbeLibrary::open(options).value());
    }

    // A reply of these tokens; of `spikes` every KDA head wrote more than any other.
    void keep(int64_t message, TokenSpan tokens, const std::vector<int64_t>& spikes = {}) {
        for (int64_t begin = tokens.begin; begin < tokens.end; begin += 500) {
            ProbeBatch batch{1, message, "model", {}, {}};
            for (int64_t t = begin; t < std::min(begin + 500, tokens.end); ++t) {
                auto probe = Uneven::token(t, 7);
                if (std::count(spikes.begin(), spikes.end(), t) > 0)
                    for (LayerProbe& layer : probe->layers)
                        for (float& write : layer.kda.write) write = 1e9F;
                batch.tokens.push_back(std::move(probe));
            }
            library_->add(std::move(batch));
        }
        library_->finish(message);
        library_->flush();
    }
    std::unique_ptr<MemorySource> source(uint64_t recordBytes = 64ULL << 20) {
        MemorySource::Options options = Uneven::options();
        options.recordBytes = recordBytes;
        options.store = std::make_shared<const StoredReplies>(library_, library_->replies(1).value(), std::nullopt);
        auto out = std::make_unique<MemorySource>(std::move(options));
        std::vector<TokenId> ids(static_cast<size_t>(out->tokens()));
        std::iota(ids.begin(), ids.end(), 0);
        out->setIds(std::move(ids));
        out->setRegions({0, out->tokens()}, Uneven::regions(6));
        return out;
    }
    static Figure build(const char* view, const MemorySource& source, const TokenSpan& tokens, int64_t layer = -1) {
        return inspect::findView(view)->build(
            {source, {tokens, layer, -1}, {}, {}, nullptr, inspect::Selection{{25, 26}, -1, -1}});
    }

    test::TempFolder folder_;
    std::shared_ptr<ProbeLibrary> library_;
};

TEST_F(StoredViewsTest, ShowTheNumbersOfTheRecords) {
    keep(7, {24, 37});
    const auto stored = source();
    const auto direct = Uneven::source(24, 37);
    for (const auto& other : {stored.get(), direct.get()}) other->setWindow(Uneven::window(24, 37), Uneven::regions(6));
    // What is not computed again comes from the store.
    const auto fresh = source();
    const auto plain = Uneven::source(24, 37);
    for (const auto& [a, b] : {std::pair(stored.get(), direct.get()), {fresh.get(), plain.get()}}) {
        for (const inspect::View& view : inspect::views()) {
            const std::string name(view.name);
            const Figure got = build(name.c_str(), *a, {26, 31}, name == "reads" ? 3 : -1);
            const Figure want = build(name.c_str(), *b, {26, 31}, name == "reads" ? 3 : -1);
            EXPECT_EQ(got.message, want.message) << name;
            ASSERT_EQ(got.panels.size(), want.panels.size()) << name;
            for (size_t p = 0; p < got.panels.size(); ++p) {
                const Panel& x = got.panels[p];
                const Panel& y = want.panels[p];
                ASSERT_EQ(x.values.size(), y.values.size()) << name;
                // A record keeps sizes to 0.04 % and shares to half of 1/65535; a figure adds up to 13 of them.
                if (name == "compare" && p == 2) continue;  // the difference of the other two
                for (size_t i = 0; i < x.values.size(); ++i) {
                    if (std::isnan(x.values[i]) && std::isnan(y.values[i])) continue;
                    EXPECT_NEAR(x.values[i], y.values[i], 5e-4 * std::abs(y.values[i]) + 3e-4) << name << " " << p;
                }
            }
        }
    }
}

// Passes on, and remembers the spans that were read.
void expectNumbers(const std::vector<inspect::TokenNumber>& got, const MemorySource& records, Scalar scalar,
                   int64_t layer, const TokenSpan& span) {
    ASSERT_EQ(std::ssize(got), span.size());
    for (int64_t token = span.begin; token < span.end; ++token) {
        const inspect::TokenNumber& number = got[static_cast<size_t>(token - span.begin)];
        const auto probe = records.at(token);
        ASSERT_EQ(number.record == inspect::TokenNumber::Record::kLayers, probe != nullptr) << token;
        if (!probe) continue;
        const float want = inspect::scalarOf(*probe, scalar, layer);
        ASSERT_FALSE(std::isnan(want)) << token;
        EXPECT_EQ(number.value, want) << token;
        ASSERT_EQ(number.nextCount, probe->next.size()) << token;
        for (size_t i = 0; i < probe->next.size(); ++i) {
            EXPECT_EQ(number.next[i].token, probe->next[i].token) << token;
            EXPECT_EQ(number.next[i].logProbability, probe->next[i].logProbability) << token;
        }
    }
}

class WatchedStore final : public inspect::ProbeStore {
  public:
    explicit WatchedStore(std::unique_ptr<const inspect::ProbeStore> inner) : inner_(std::move(inner)) {}
    [[nodiscard]] const std::vector<TokenSpan>& covered() const override { return inner_->covered(); }
    [[nodiscard]] std::shared_ptr<const TokenProbe> read(int64_t token) const override { return inner_->read(token); }
    void visitLayer(const TokenSpan& span, int64_t layer,
                    const std::function<void(const TokenProbe&)>& visit) const override {
        {
            const std::lock_guard lock(mutex_);
            read_.push_back(span);
        }
        inner_->visitLayer(span, layer, visit);
    }
    [[nodiscard]] std::vector<inspect::SeriesBin> bins(inspect::Scalar scalar, int64_t layer, TokenSpan span,
                                                       int64_t width) const override {
        return inner_->bins(scalar, layer, span, width);
    }
    [[nodiscard]] std::vector<TokenSpan> takeRead() const {
        const std::lock_guard lock(mutex_);
        return std::exchange(read_, {});
    }

  private:
    std::unique_ptr<const inspect::ProbeStore> inner_;
    mutable std::mutex mutex_;
    mutable std::vector<TokenSpan> read_;
};

TEST_F(StoredViewsTest, AViewThatIsMovedReadsWhatIsNew) {
    keep(7, {20, 400});
    const auto store = std::make_shared<const WatchedStore>(
        std::make_unique<const StoredReplies>(library_, library_->replies(1).value(), std::nullopt));
    MemorySource::Options options = Uneven::options();
    options.store = store;
    MemorySource moved(std::move(options));
    const auto expectAsRead = [&](const TokenSpan& span, int64_t layer) {
        const auto got = moved.numbersAt(Scalar::kWrite, layer, span);
        expectNumbers(got, *source(), Scalar::kWrite, layer, span);
    };
    using Spans = std::vector<TokenSpan>;
    expectAsRead({0, 100}, 3);
    EXPECT_EQ(store->takeRead(), (Spans{{20, 100}}));
    expectAsRead({40, 140}, 3);  // forwards
    EXPECT_EQ(store->takeRead(), (Spans{{100, 140}}));
    expectAsRead({10, 120}, 3);  // back
    EXPECT_EQ(store->takeRead(), (Spans{{20, 40}}));
    expectAsRead({50, 60}, 3);  // within
    EXPECT_TRUE(store->takeRead().empty());
    expectAsRead({10, 120}, 4);  // another layer
    EXPECT_EQ(store->takeRead(), (Spans{{20, 120}}));
    expectNumbers(moved.numbersAt(Scalar::kBeta, 4, {10, 120}), *source(), Scalar::kBeta, 4, {10, 120});
    EXPECT_EQ(store->takeRead(), (Spans{{20, 120}}));  // another number
    // What was computed again takes the place of what is stored, here and after it was shown.
    auto again = std::make_shared<TokenProbe>(*moved.at(30));
    again->layers[4].kda.beta = {77};
    moved.add(again, inspect::Capture::kRecomputed);
    EXPECT_EQ(moved.numbersAt(Scalar::kBeta, 4, {10, 120})[20].value, 77);
}

// Long spans are read by two threads.
TEST_F(StoredViewsTest, NumbersOfALongSpanAreThoseOfItsRecords) {
    keep(7, {20, 1400});
    keep(8, {1450, 2100});
    for (const auto& [scalar, layer] : {std::pair(Scalar::kWrite, int64_t{3}), {Scalar::kNextEntropy, int64_t{-1}}}) {
        const TokenSpan span{3, 2003};
        expectNumbers(source()->numbersAt(scalar, layer, span), *source(), scalar, layer, span);
    }
}

TEST_F(StoredViewsTest, ALongSpanIsShownFromBinsAndFewRecords) {
    // Four replies with prompts between them, and three tokens that surprised the memory, off every even step.
    const std::vector<int64_t> spikes{1003, 7777, 15'999};
    const std::vector<TokenSpan> replies{{500, 4500}, {5000, 9000}, {9500, 13'500}, {14'000, 18'000}};
    for (size_t i = 0; i < replies.size(); ++i) keep(static_cast<int64_t>(i) + 1, replies[i], spikes);
    constexpr uint64_t kBytes = 3ULL << 20;
    const auto all = source(kBytes);
    EXPECT_EQ(all->covered(), replies);
    const TokenSpan whole{0, 18'000};

    const Figure layers = build("layers", *all, whole);
    double sum = 0;
    for (const TokenSpan& reply : replies)
        for (int64_t t = reply.begin; t < reply.end; ++t) {
            double squares = 0;
            for (int64_t head = 0; head < Uneven::kKdaHeads; ++head)
                squares += std::pow(static_cast<double>(Uneven::norm(t, 3, head)), 2);
            sum += std::sqrt(squares) / 16'000;
        }
    const auto row = static_cast<size_t>(inspect::Scalar::kStateNorm);
    EXPECT_NEAR(layers.panels[0].values[layers.panels[0].cell(row, 3)], sum, 5e-4 * sum);

    const Figure writes = build("writes", *all, whole, 3);
    std::vector<int64_t> listed;
    for (size_t i = 0; i < 3; ++i) listed.push_back(writes.panels.at(2).rows[i].target.begin);
    std::sort(listed.begin(), listed.end());
    EXPECT_EQ(listed, spikes);
    // Then the last tokens, whose writes grow with their place; in a record those of eight neighbours are the same.
    EXPECT_GE(writes.panels[2].rows[3].target.begin, 17'990);

    const Figure state = build("state", *all, whole, 3);
    const Panel& norm = state.panels.at(0);
    for (size_t i = 0; i < norm.columns.size(); ++i) {
        const int64_t at = norm.columns[i].target.begin;
        const bool looked = std::any_of(replies.begin(), replies.end(), [&](const TokenSpan& reply) {
            return reply.begin < norm.columns[i].target.end && reply.end > at;
        });
        EXPECT_EQ(std::isnan(norm.values[i]), !looked) << at;
    }
    for (const inspect::View& view : inspect::views()) build(std::string(view.name).c_str(), *all, whole);
    EXPECT_LE(all->bytes(), kBytes);
}

// What is seen now stands beside what is kept, in one series.
TEST_F(StoredViewsTest, NewTokensJoinTheStoredOnes) {
    keep(7, {0, 3000});
    const auto both = source();
    for (int64_t t = 3000; t < 3100; ++t) both->add(Uneven::token(t, 7), inspect::Capture::kLive);
    both->add(Uneven::token(2999, 7), inspect::Capture::kRecomputed);  // counts once
    int64_t count = 0;
    float high = 0;
    for (const inspect::SeriesBin& bin : both->bins(inspect::Scalar::kWrite, 3, {0, 3100}, 100)) {
        count += bin.count;
        if (bin.count > 0) high = std::max(high, bin.high);
    }
    EXPECT_EQ(count, 3100);
    EXPECT_FLOAT_EQ(high, Uneven::write(3099, 3, 4));
    EXPECT_EQ(both->captureOf(2999), inspect::Capture::kRecomputed);
    EXPECT_EQ(both->captureOf(2998), inspect::Capture::kLive);
}

TEST_F(StoredViewsTest, AReplyThatIsStillWrittenIsReadToo) {
    keep(7, {100, 120});
    MemorySource::Options options = Uneven::options();
    options.recordBytes = 1;  // nothing stays but the newest
    options.store =
        std::make_shared<const StoredReplies>(library_, std::vector<StoredReply>{}, StoredReplies::Growing{7, 100});
    MemorySource growing(std::move(options));
    for (int64_t t = 100; t < 120; ++t) growing.add(Uneven::token(t, 7), inspect::Capture::kLive);
    ASSERT_NE(growing.at(105), nullptr);
    EXPECT_EQ(growing.at(105)->position, 105);
    EXPECT_EQ(growing.at(120), nullptr);
}

// Its text was saved a second before its last records: the message is closed where they go on.
TEST_F(StoredViewsTest, RecordsBehindTheSavedTextAreLeftOut) {
    keep(7, {24, 137});
    std::vector<TokenId> ids;
    for (int64_t t = 0; t < 130; ++t) ids.push_back(Uneven::token(t, 7)->token);
    StoredReply reply = library_->replies(1)->front();
    ASSERT_EQ(reply.end, 137);
    ASSERT_TRUE(cutToText(*library_, ids, reply).has_value());
    EXPECT_EQ(reply.begin, 24);
    EXPECT_EQ(reply.end, 130);
    for (size_t i = 125; i < 130; ++i) ids[i] += 1;
    reply = library_->replies(1)->front();
    ASSERT_TRUE(cutToText(*library_, ids, reply).has_value());
    EXPECT_EQ(reply.end, 125);
    ids.resize(200, 0);
    reply = library_->replies(1)->front();
    ASSERT_TRUE(cutToText(*library_, ids, reply).has_value());
    EXPECT_EQ(reply.end, 137);
}

TEST_F(StoredViewsTest, NothingIsReadOnceTheLibraryIsClosed) {
    keep(7, {24, 37});
    const auto stored = source();
    library_.reset();
    EXPECT_EQ(stored->at(30), nullptr);
    for (const inspect::View& view : inspect::views()) build(std::string(view.name).c_str(), *stored, {26, 31});
}

}  // namespace
}  // namespace pal
