// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/bridge.h"

#include <signal.h>
#include <sys/resource.h>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <map>
#include <new>
#include <thread>

#include "app/desktop/bridge/error_text.h"
#include "app/desktop/bridge/task_thread.h"
#include "app/desktop/bridge/turn_feed.h"

using namespace pal;
using namespace pal::desktop;

namespace {

OutputDelta delta(OutputDelta::Kind kind, const char* text) {
    OutputDelta out;
    out.kind = kind;
    out.text = text;
    return out;
}

WorkplaceOptions placeIn(const QTemporaryDir& folder) {
    WorkplaceOptions out;
    out.places = *dataPlaces(std::filesystem::path(folder.path().toStdString()));
    out.program = "bridge_test";
    return out;
}

// A desk that could be asked: its folder is open, the embedded model loaded.
Result<> makeReady(EngineDesk& desk, const QTemporaryDir& folder) {
    PAL_TRY(desk.open(placeIn(folder)));
    EngineOptions options;
    options.threads = 1;
    PAL_TRY(desk.loadModel("resources/nano", options));
    return {};
}

// No file of this process grows or changes any more.
class FullDisk {
  public:
    FullDisk() : signal_(signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit none{0, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, signal_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

  private:
    rlimit before_{};
    sighandler_t signal_;
};

// Of this process's threads, by number: their nice values.
std::map<int, int> priorities() {
    std::map<int, int> out;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        const int thread = std::stoi(entry.path().filename().string());
        out[thread] = getpriority(PRIO_PROCESS, static_cast<id_t>(thread));
    }
    return out;
}

}  // namespace

class BridgeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void tasksRunInOrderAndTheQueueHasAnEnd() {
        std::atomic<bool> go = false;
        std::vector<int> ran;
        TaskThread thread({3, {}, {}});
        while (!thread.post([&] {
            while (!go) std::this_thread::yield();
        })) {
        }
        QTest::qWait(50);  // the first one runs, three may wait
        for (int i = 0; i < 3; ++i) QVERIFY(thread.post([&ran, i] { ran.push_back(i); }));
        QVERIFY(!thread.post([] {}));
        thread.postLast([&ran] { ran.push_back(99); });
        QVERIFY(!thread.post([] {}));
        go = true;
        thread.stop();
        QCOMPARE(ran, std::vector<int>({0, 1, 2, 99}));
    }

    void ticksComeAfterAWakeupAndWhileTheyAreWanted() {
        std::atomic<int> ticks = 0;
        TaskThread thread({4, [&] { return ++ticks < 5; }, std::chrono::milliseconds(1)});
        thread.wake();
        QTRY_COMPARE(ticks.load(), 5);
        QTest::qWait(20);
        QCOMPARE(ticks.load(), 5);
        thread.wake();
        QTRY_COMPARE(ticks.load(), 6);
    }

    void aTickThatFindsNoMemoryIsTriedAgain() {
        std::atomic<int> ticks = 0;
        const auto tick = [&]() -> bool {
            if (++ticks == 1) throw std::bad_alloc();
            return false;
        };
        TaskThread thread({4, tick, std::chrono::milliseconds(1)});
        QVERIFY(thread.post([] {}));
        QTRY_COMPARE(ticks.load(), 2);
        QTest::qWait(20);
        QCOMPARE(ticks.load(), 2);
        QVERIFY(thread.post([] { throw std::bad_alloc(); }));
        QTRY_COMPARE(ticks.load(), 3);
    }

    void newsOfAFrameIsOnePiece() {
        int wakeups = 0;
        TurnFeed feed([&] { ++wakeups; });
        using Kind = OutputDelta::Kind;
        for (int i = 0; i < 1000; ++i) feed.push(std::vector{delta(Kind::kReasoning, "a")});
        feed.push({delta(Kind::kContent, "b"), delta(Kind::kContent, "c")});
        PrefillProgress at;
        for (int i = 0; i < 10; ++i) {
            at.computed = i;
            feed.push(at);
        }
        QCOMPARE(wakeups, 1);
        const TurnNews news = feed.take();
        QCOMPARE(news.tokens, 1001);
        QCOMPARE(news.deltas.size(), size_t{2});
        QCOMPARE(news.deltas[0].text, std::string(1000, 'a'));
        QCOMPARE(news.deltas[1].text, std::string("bc"));
        QCOMPARE(news.progress->computed, 9);
        QVERIFY(feed.take().deltas.empty());
        feed.push(at);
        QCOMPARE(wakeups, 2);
    }

    void ofWhatNobodyHasLookedAtTheNewestIsKept() {
        Latest<int> latest;
        QVERIFY(latest.put(1));
        QVERIFY(!latest.put(2));
        QCOMPARE(latest.take(), std::optional(2));
        QVERIFY(!latest.take());
        QVERIFY(latest.put(3));
    }

    // A window that wants a core gets it though the model uses all of them.
    void theModelStandsBehindTheWindow() {
        const QTemporaryDir folder;
        const int window = getpriority(PRIO_PROCESS, 0);  // of this thread
        if (window >= 19) QSKIP("nothing stands behind this");
        Bridge bridge;
        QSignalSpy opened(&bridge, &Bridge::opened);
        bridge.open(placeIn(folder));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30'000);  // the database has its threads
        const auto before = priorities();
        std::optional<Result<LoadedModel>> model;
        EngineOptions options;
        options.threads = 3;
        bridge.engine(
            this, [=](EngineDesk& desk) { return desk.loadModel("resources/nano", options); },
            [&](Result<LoadedModel> loaded) { model.emplace(std::move(loaded)); });
        QTRY_VERIFY_WITH_TIMEOUT(model, 60'000);
        QVERIFY2(*model, model->has_value() ? "" : model->error().message.c_str());
        QCOMPARE(getpriority(PRIO_PROCESS, 0), window);
        int behind = 0;
        for (const auto& [thread, priority] : priorities()) {
            if (before.count(thread) == 0) QVERIFY2(priority > window, qPrintable(QString::number(priority)));
            if (priority > window) ++behind;
        }
        QVERIFY2(behind >= options.threads, qPrintable(QString::number(behind)));
    }

    // A turn whose words find no memory ends so; the next one is answered.
    void anAnswerThatFindsNoMemoryEndsAndTheNextOneComes() {
        const QTemporaryDir folder;
        bool greedy = true;
        std::vector<TurnEnd> ends;
        EngineReports reports;
        reports.turn.reply = [&](const std::vector<OutputDelta>&) {
            if (std::exchange(greedy, false)) throw std::bad_alloc();
        };
        reports.ended = [&](const TurnEnd& end) { ends.push_back(end); };
        EngineDesk desk(std::move(reports), [] {});
        QVERIFY(makeReady(desk, folder));
        AskJob job;
        job.text = "Write a long story.";
        job.settings.maxTokens = 8;
        for (size_t turn = 1; turn <= 2; ++turn) {
            QVERIFY(desk.ask(job));
            const auto over = [&] {
                static_cast<void>(desk.tick());
                return ends.size() == turn;
            };
            QTRY_VERIFY_WITH_TIMEOUT(over(), 60'000);
        }
        QVERIFY(ends[0].error);
        QCOMPARE(ends[0].error->code, ErrorCode::kOutOfMemory);
        QVERIFY(!ends[1].error);
        QVERIFY(!ends[1].report.outputIds.empty());
        QVERIFY(desk.close());
    }

    // A tick that finds no memory is told once and tried again, until there is some.
    void aTurnIsTriedAgainUntilThereIsMemory() {
        const QTemporaryDir folder;
        int told = 0, asked = 0;
        std::optional<TurnEnd> end;
        EngineReports reports;
        reports.turn.problem = [&](const Error& error) { told += error.code == ErrorCode::kOutOfMemory ? 1 : 100; };
        reports.ended = [&](const TurnEnd& at) {
            if (++asked <= 2) throw std::bad_alloc();
            end = at;
        };
        EngineDesk desk(std::move(reports), [] {});
        QVERIFY(makeReady(desk, folder));
        AskJob job;
        job.text = "Hello.";
        job.settings.maxTokens = 2;
        QVERIFY(desk.ask(job));
        const auto over = [&] {
            static_cast<void>(desk.tick());
            return end.has_value();
        };
        QTRY_VERIFY_WITH_TIMEOUT(over(), 60'000);
        QVERIFY(!end->error);
        QCOMPARE(told, 1);
        QVERIFY(desk.close());
    }

    // The end of a turn that the disk has no room for was told; the desk then closes, and a tick after that finds no turn.
    void closesWhereTheEndOfATurnCannotBeStored() {
        const QTemporaryDir folder;
        std::vector<Error> problems;
        EngineReports reports;
        reports.turn.problem = [&](const Error& error) { problems.push_back(error); };
        EngineDesk desk(std::move(reports), [] {});
        QVERIFY(makeReady(desk, folder));
        AskJob job;
        job.text = "Write a long story.";
        QVERIFY(desk.ask(job));
        {
            const FullDisk full;
            static_cast<void>(desk.close());
        }
        QVERIFY(!problems.empty());
        QVERIFY(!desk.tick());
    }

    void opensChangesAndTells() {
        const QTemporaryDir folder;
        Bridge bridge;
        QSignalSpy opened(&bridge, &Bridge::opened);
        QSignalSpy changed(&bridge, &Bridge::libraryChanged);
        bridge.open(placeIn(folder));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30'000);
        SessionId session = 0;
        bridge.lists(
            this,
            [](LibraryDesk& desk) {
                return desk.library.writeNow(
                    [](ChatDatabase& database) { return database.sessions().add("clock", "{}", 1); });
            },
            [&](const Result<SessionId>& id) { session = id.value_or(-1); });
        QTRY_VERIFY(session > 0);
        QTRY_VERIFY(changed.count() > 0);
        QSignalSpy closed(&bridge, &Bridge::closed);
        bridge.close();
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, 30'000);
        QVERIFY(!closed.front().front().value<std::optional<Error>>());
    }

    void answersOfWhoIsGoneAreDropped() {
        const QTemporaryDir folder;
        Bridge bridge;
        bridge.open(placeIn(folder));
        int answers = 0;
        auto receiver = std::make_unique<QObject>();
        const auto work = [](LibraryDesk&) -> Result<int> { return 1; };
        bridge.lists(receiver.get(), work, [&](const Result<int>&) { answers += 100; });
        receiver.reset();
        bridge.lists(this, work, [&](const Result<int>&) { ++answers; });
        QTRY_COMPARE(answers, 1);
    }

    void workThatFindsNoMemoryIsAnError() {
        const QTemporaryDir folder;
        Bridge bridge;
        bridge.open(placeIn(folder));
        std::optional<Error> error;
        const auto fill = [&](const auto& result) {
            if (!result) error = result.error();
        };
        const auto greedy = [](auto&) -> Result<int> { throw std::bad_alloc(); };
        bridge.engine(this, greedy, fill);
        QTRY_VERIFY(error);
        QCOMPARE(error->code, ErrorCode::kOutOfMemory);
        int answers = 0;
        bridge.engine(
            this, [](EngineDesk&) -> Result<int> { return 1; }, [&](const Result<int>& one) { answers += *one; });
        QTRY_COMPARE(answers, 1);
    }

    void aModelThatIsNotThereIsAnError() {
        const QTemporaryDir folder;
        Bridge bridge;
        bridge.open(placeIn(folder));
        std::optional<Error> error;
        const auto fill = [&](const auto& result) {
            if (!result) error = result.error();
        };
        bridge.engine(
            this, [](EngineDesk& desk) { return desk.loadModel("/no/such/model", {}); }, fill);
        QTRY_VERIFY(error);
        QCOMPARE(error->code, ErrorCode::kNotFound);
        QVERIFY(errorText(*error).contains(QStringLiteral("/no/such/model")));
        error.reset();
        bridge.engine(
            this, [](EngineDesk& desk) { return desk.ask({}); }, fill);
        QTRY_VERIFY(error);
        QCOMPARE(error->code, ErrorCode::kBusy);
    }

    void aFolderThatIsTakenIsSaid() {
        const QTemporaryDir folder;
        Bridge first, second;
        QSignalSpy opened(&first, &Bridge::opened);
        first.open(placeIn(folder));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30'000);
        QSignalSpy failed(&second, &Bridge::openFailed);
        second.open(placeIn(folder));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 30'000);
        QCOMPARE(failed.front().front().value<Error>().code, ErrorCode::kBusy);
    }
};

QTEST_MAIN(BridgeTest)
#include "bridge_test.moc"
