// SPDX-License-Identifier: Apache-2.0
// What the views say about the embedded model at work, on the real engine: the answer's attention is on the page with the fact, on the picture
// and on the clip; what is read again writes less to the memory than the first time; a window that is computed again is what was captured.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/desktop/inspect/inspect_dock.h"
#include "app/inspect/story.h"
#include "storage/sqlite/database.h"
#include "tests/gui/inspect/guided_example.h"

using namespace pal::desktop;
using namespace pal::desktop::test;
using pal::inspect::Figure;
using pal::inspect::TokenSpan;

class GuidedExampleTest : public QObject {
    Q_OBJECT

  private:
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<GuidedExample> example_;

    InspectDock& dock() { return window_->main().inspect(); }
    InspectModel& model() { return dock().model(); }

    // The answer's tokens without what ends it.
    TokenSpan reply(const TurnEnd& end) {
        const auto span = dock().feed().spanOf(end.report.reply);
        return span.value_or(TokenSpan{});
    }

    Figure figure(const char* view) {
        pal::inspect::ViewOptions options = model().options();
        options.width = 1200;
        options.height = 700;
        return pal::inspect::findView(view)->build({model().source(), model().selection(), options, {}, nullptr, {}});
    }

  private Q_SLOTS:
    void initTestCase() {
        folder_ = std::make_unique<QTemporaryDir>();
        window_ = std::make_unique<Window>(folder_->path());
        QVERIFY(window_->start());
        window_->main().actions().get(Command::kInspect)->setChecked(true);
        example_ = std::make_unique<GuidedExample>(*window_, folder_->path());
    }

    void theAnswerLookedAtThePageWithTheFact() {
        const auto end = example_->document();
        QVERIFY(end);
        QVERIFY2(!end->error, end->error ? end->error->message.c_str() : "");
        QVERIFY2(end->report.message.content.find("47") != std::string::npos, end->report.message.content.c_str());
        const TokenSpan span = reply(*end);
        QVERIFY(span.size() > 0);
        model().selectTokens(span);
        const auto looked = pal::inspect::mostLookedAt(model().source(), span);
        QVERIFY(looked.has_value());
        QVERIFY2(looked->region.page == GuidedExample::kNeedlePage, looked->region.name.c_str());
        // The map says the same: of all pages the fourth has the most in the row of all layers.
        const Figure map = figure("context");
        const auto& heat = map.panels.at(0);
        const size_t row = heat.rows.size() - 1;
        double best = -1;
        std::string name;
        for (size_t c = 0; c < heat.columns.size(); ++c) {
            if (heat.columns[c].name.find("page") == std::string::npos) continue;
            if (heat.values[heat.cell(row, c)] <= best) continue;
            best = heat.values[heat.cell(row, c)];
            name = heat.columns[c].name;
        }
        QVERIFY2(name.find("page 4") != std::string::npos, name.c_str());
        // And the story names that page first.
        const auto story = pal::inspect::tellStory({model().source(), model().selection(), {}, {}, nullptr, {}});
        QVERIFY(!story.empty());
        QVERIFY2(story.front().text.find("page 4") != std::string::npos, story.front().text.c_str());
    }

    void aWindowComputedAgainIsWhatWasCaptured() {
        const TokenSpan span = model().selection().tokens;
        std::vector<std::shared_ptr<const pal::TokenProbe>> live;
        for (int64_t token = span.begin; token < span.end; ++token) live.push_back(model().source().at(token));
        QSignalSpy ended(&dock().feed(), &InspectFeed::lookEnded);
        dock().feed().look(span, {0, 3});
        QVERIFY(QTest::qWaitFor([&] { return ended.count() == 1; }, kPatienceMs));
        int64_t compared = 0;
        for (const auto& before : live) {
            if (!before || before->layers.empty()) continue;
            const auto again = model().source().at(before->position);
            QVERIFY(again != before);
            QCOMPARE(model().source().captureOf(before->position), pal::inspect::Capture::kRecomputed);
            for (size_t layer = 0; layer < before->layers.size(); ++layer) {
                const auto near = [](const std::vector<float>& a, const std::vector<float>& b) {
                    if (a.size() != b.size()) return false;
                    for (size_t i = 0; i < a.size(); ++i)
                        if (std::abs(a[i] - b[i]) > 2e-3F * (1 + std::abs(b[i]))) return false;
                    return true;
                };
                QVERIFY(near(again->layers[layer].kda.write, before->layers[layer].kda.write));
                QVERIFY(near(again->layers[layer].mla.sink, before->layers[layer].mla.sink));
                QCOMPARE(again->layers[layer].routing.expert, before->layers[layer].routing.expert);
            }
            ++compared;
        }
        QVERIFY(compared > 0);
        // Reads of layer 0 sum to what the layer read.
        auto selection = model().selection();
        selection.layer = 0;
        selection.head = 1;
        model().select(selection);
        const Figure reads = figure("reads");
        QVERIFY2(reads.message.empty(), reads.message.c_str());
        QCOMPARE(model().source().window(span.begin)->begin, span.begin);
    }

    void theAnswerLookedAtThePicture() {
        const auto end = example_->picture();
        QVERIFY(end && !end->error);
        const TokenSpan span = reply(*end);
        const auto looked = pal::inspect::mostLookedAt(model().source(), span);
        QVERIFY(looked.has_value());
        QCOMPARE(looked->region.kind, pal::inspect::Region::Kind::kPicture);
        QVERIFY(looked->region.rows > 1 && looked->region.columns > 1);
        QCOMPARE(looked->region.rows * looked->region.columns <= looked->region.end - looked->region.begin, true);
        model().selectTokens(span);
        const Figure overlay = figure("overlay");
        QVERIFY2(overlay.message.empty(), overlay.message.c_str());
    }

    void theAnswerLookedAtTheClip() {
        const auto end = example_->clip();
        QVERIFY(end && !end->error);
        const TokenSpan span = reply(*end);
        QVERIFY(span.size() > 0);
        const auto looked = pal::inspect::mostLookedAt(model().source(), span);
        QVERIFY(looked.has_value());
        QCOMPARE(looked->region.kind, pal::inspect::Region::Kind::kFrames);
        model().select({span, -1, -1});
        const Figure overlay = figure("overlay");
        QVERIFY2(overlay.message.empty(), overlay.message.c_str());
        // A cell per token of the frames, and a point per time of the clip that says what their regions have.
        QCOMPARE(overlay.panels.size(), size_t{2});
        const auto& time = overlay.panels[1];
        QVERIFY(time.columns.size() > 1);
        const auto regions = model().source().regions(span.begin);
        size_t frames = 0;
        for (const auto& region : *regions) frames += region.kind == pal::inspect::Region::Kind::kFrames ? 1 : 0;
        QCOMPARE(time.columns.size(), frames);
        double sum = 0;
        for (const float value : time.values) sum += value;
        QVERIFY2(sum > 0.01 && sum < 1, qPrintable(QString::number(sum)));
    }

    // What is not looked at costs nothing, and is there when someone looks again.
    void aHiddenDockReadsNothing() {
        window_->main().actions().get(Command::kInspect)->setChecked(false);
        const auto before = model().sharedSource();
        const int64_t tokens = before->tokens();
        QSignalSpy loaded(&dock().feed(), &InspectFeed::loaded);
        const auto end = example_->keys();
        QVERIFY(end && !end->error);
        QTest::qWait(200);
        QCOMPARE(loaded.count(), 0);
        QCOMPARE(model().sharedSource(), before);
        QCOMPARE(before->tokens(), tokens);
        window_->main().actions().get(Command::kInspect)->setChecked(true);
        QVERIFY(QTest::qWaitFor([&] { return loaded.count() == 1; }, kPatienceMs));
        const TokenSpan span = reply(*end);
        QVERIFY(span.size() > 0);
        QVERIFY(model().source().at(span.begin) != nullptr);
        QCOMPARE(model().source().captureOf(span.begin), pal::inspect::Capture::kLive);
    }

    void twoAnswersAreComparedAcrossBranches() {
        const pal::MessageId first = window_->chat().head();
        const auto again = window_->turn([&] { window_->chat().regenerate(first); });
        QVERIFY(again && !again->error);
        QVERIFY(QTest::qWaitFor([&] { return model().branches().size() == 1; }, kPatienceMs));
        QCOMPARE(model().branches().front().head, first);
        model().selectTokens(reply(*again));
        dock().feed().loadOther(first);
        QVERIFY(QTest::qWaitFor([&] { return model().otherSource() != nullptr; }, kPatienceMs));
        pal::inspect::ViewOptions options = model().options();
        options.compared = "gates";
        const Figure both = pal::inspect::findView("compare")->build(
            {model().source(), model().selection(), options, {}, model().otherSource().get(), model().other()});
        QVERIFY2(both.message.empty(), both.message.c_str());
        QCOMPARE(both.panels.size(), size_t{3});
        // Each half is what the view shows of its own branch; layers without a gate have no number.
        const auto same = [](const pal::inspect::Panel& a, const pal::inspect::Panel& b) {
            return std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                              [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
        };
        const auto own = [&](const pal::inspect::MemorySource& source, const pal::inspect::Selection& selection) {
            return pal::inspect::findView("gates")->build({source, selection, options, {}, nullptr, {}}).panels.at(0);
        };
        QVERIFY(same(both.panels[0], own(model().source(), model().selection())));
        QVERIFY(same(both.panels[1], own(*model().otherSource(), *model().other())));
        // Left before it is there, the other branch does not come any more.
        dock().feed().loadOther(first);
        dock().feed().loadOther(0);
        QVERIFY(!model().otherSource());
        QTest::qWait(200);
        QVERIFY(!model().otherSource() && !model().other());
    }

    // The delta rule at work: three sentences about two keys, the third with the first one's key and another value. It writes less than the first
    // in every delta layer, because most of what its keys recall is there already.
    void whatIsReadAgainWritesLess() {
        const auto end = example_->keys();
        QVERIFY(end && !end->error);
        const auto question = dock().feed().spanOf(end->report.question);
        QVERIFY(question.has_value());
        QSignalSpy ended(&dock().feed(), &InspectFeed::lookEnded);
        dock().feed().look(*question, {});
        QVERIFY(QTest::qWaitFor([&] { return ended.count() == 1; }, kPatienceMs));
        std::vector<int64_t> sentences;  // where "The" stands
        for (int64_t token = question->begin; token < question->end; ++token)
            if (model().source().text(token).find("The") != std::string::npos) sentences.push_back(token);
        QCOMPARE(sentences.size(), size_t{3});
        const int64_t length = sentences[1] - sentences[0];
        QCOMPARE(sentences[2] - sentences[1], length);
        const auto written = [&](size_t sentence, size_t layer) {
            double sum = 0;
            for (int64_t i = 0; i < length; ++i)
                for (const float write : model().source().at(sentences[sentence] + i)->layers[layer].kda.write)
                    sum += write;
            return sum;
        };
        const auto& layers = model().source().shape().layers;
        int compared = 0;
        for (size_t layer = 0; layer < layers.size(); ++layer) {
            if (!layers[layer].kda) continue;
            const double first = written(0, layer), third = written(2, layer);
            QVERIFY2(first > 0 && third < 0.95 * first,
                     qPrintable(QStringLiteral("layer %1: %2, then %3").arg(layer).arg(first).arg(third)));
            ++compared;
        }
        QVERIFY(compared > 3);
        // The view says the same: its list of surprising tokens begins with one of the first sentence.
        model().select({*question, 1, -1});
        const Figure writes = figure("writes");
        QVERIFY2(writes.message.empty(), writes.message.c_str());
        QVERIFY(writes.panels.at(2).rows.front().target.begin < sentences[1]);
    }

    // Looking is always on: an answer that nobody watches has its records when the views open.
    void anAnswerThatNobodyWatchesIsLookedAt() {
        QAction* shown = window_->main().actions().get(Command::kInspect);
        shown->setChecked(false);
        const auto end = example_->keys();
        shown->setChecked(true);
        QVERIFY(end && !end->error);
        QTRY_VERIFY_WITH_TIMEOUT(dock().feed().spanOf(end->report.reply).has_value(), kPatienceMs);
        const TokenSpan span = reply(*end);
        const auto covered = model().source().covered();
        QVERIFY(std::any_of(covered.begin(), covered.end(),
                            [&](const TokenSpan& part) { return part.begin < span.end && span.begin < part.end; }));
    }

    // Another model has other layers and heads: its records are none of this one's.
    void recordsOfAnotherModelAreNotShown() {
        const auto file = std::filesystem::path(folder_->path().toStdString());
        std::filesystem::path probes;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(file))
            if (entry.path().filename() == "probes.db") probes = entry.path();
        QVERIFY(!probes.empty());
        const pal::SessionId session = window_->chat().session();
        QVERIFY(!model().source().covered().empty());
        {
            auto database = pal::sqlite::Database::open(probes);
            QVERIFY(database.has_value());
            QVERIFY(database->execute("UPDATE reply SET model = 'another'").has_value());
        }
        QSignalSpy loaded(&dock().feed(), &InspectFeed::loaded);
        window_->chat().startNew({});
        window_->chat().open(session);
        QVERIFY(
            QTest::qWaitFor([&] { return loaded.count() >= 1 && window_->chat().session() == session; }, kPatienceMs));
        const TokenSpan question = dock().feed().messages().begin()->second;
        for (const TokenSpan& span : model().source().covered())  // what was computed again is this model's
            QCOMPARE(model().source().captureOf(span.begin), pal::inspect::Capture::kRecomputed);
        QVERIFY(question.size() > 0);
    }

    void clickingAWordSelectsItsTokens() {
        const auto end = example_->keys();
        QVERIFY(end && !end->error);
        const pal::MessageId question = end->report.question;
        dock().selectWord(question, QStringLiteral("Anna"), 1);
        std::string text;
        const TokenSpan span = model().selection().tokens;
        for (int64_t token = span.begin; token < span.end; ++token) text += model().source().text(token);
        QVERIFY2(text.find("Anna") != std::string::npos && text.size() < 8, text.c_str());
        // The second one: something stands before it in the message.
        std::string before;
        for (int64_t token = dock().feed().spanOf(question)->begin; token < span.begin; ++token)
            before += model().source().text(token);
        QVERIFY2(before.find("Anna") != std::string::npos, before.c_str());
    }

    void cleanupTestCase() { QVERIFY(window_->close()); }
};

QTEST_MAIN(GuidedExampleTest)
#include "guided_example_test.moc"
