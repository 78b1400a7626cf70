// SPDX-License-Identifier: Apache-2.0
// What the views say about the embedded model at work, on the real engine: the answer's attention is on the page with the fact, on the picture
// and on the clip; a key that is written again writes more than one that is repeated; a window that is computed again is what was captured.
#include <cmath>

#include "app/desktop/inspect/inspect_dock.h"
#include "app/inspect/story.h"
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
        const auto window = model().source().window();
        QCOMPARE(window->begin, span.begin);
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
