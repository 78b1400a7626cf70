// SPDX-License-Identifier: Apache-2.0
// How long the window's thread is ever kept from its event loop, while the window does its hardest work on the real engine: a timer of 1 ms
// in that thread, whose delays are measured. Prints JSON: per phase median, 99th percentile and worst delay in milliseconds, whether they keep
// to the bar (median 16 ms, worst 50 ms), and the most that the thread itself worked between two beats, which other programs do not change.
//   window_bench [PHASE ...]     start sessions transcript typing paste stream table prefill; all without one
//   BENCH_TOKENS=100000          of the long prompt
//   BENCH_SECONDS=480            that reading it may take; it is stopped then, and what was read is told
//   BENCH_FOLDER=DIR             keeps the program's data there; the next run of `prefill` goes on where the last one was stopped
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "storage/chats/clock.h"
#include "tests/gui/window_fixture.h"

using namespace pal::desktop;
using namespace pal::desktop::test;
namespace fs = std::filesystem;

namespace {

class Probe : public QObject {
  public:
    Probe() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] {
            beat();
            clock_.start();
        });
        clock_.start();
        timer_.start(1);
    }

    void begin() {
        delays_.clear();
        worstWork_ = 0;
        worked_ = threadMs();
        clock_.start();
        phase_.start();
    }
    // What was measured since begin().
    nlohmann::json end() {
        beat();  // what has not come yet
        std::sort(delays_.begin(), delays_.end());
        const auto at = [&](double share) { return delays_[size_t(share * double(delays_.size() - 1))]; };
        return {{"median_ms", at(0.5)},
                {"p99_ms", at(0.99)},
                {"worst_ms", at(1)},
                {"holds", at(0.5) < 16 && at(1) < 50},
                {"worst_work_ms", worstWork_},
                {"over_16_ms", std::count_if(delays_.begin(), delays_.end(), [](double ms) { return ms > 16; })},
                {"samples", delays_.size()},
                {"seconds", double(phase_.elapsed()) / 1000}};
    }

  private:
    static double threadMs() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
    }
    void beat() {
        delays_.push_back(std::max(0.0, double(clock_.nsecsElapsed()) / 1e6 - 1));
        const double now = threadMs();
        worstWork_ = std::max(worstWork_, now - std::exchange(worked_, now));
    }

    QTimer timer_;
    QElapsedTimer clock_, phase_;
    std::vector<double> delays_;
    double worked_ = 0, worstWork_ = 0;
};

// The embedded model with room for a longer context: it has no positions, so that the limit is one of its training alone.
QString roomyModel(const fs::path& folder, int64_t context) {
    const fs::path model = folder / "roomy";
    if (!fs::create_directories(model)) return QString::fromStdString(model.string());
    for (const auto& entry : fs::directory_iterator("resources/nano")) {
        if (entry.is_regular_file() && entry.path().filename() != "config.json")
            fs::create_symlink(fs::absolute(entry.path()), model / entry.path().filename());
    }
    nlohmann::json config = nlohmann::json::parse(std::ifstream("resources/nano/config.json"));
    for (nlohmann::json* part : {&config, &config["text_config"]})
        if (part->contains("max_position_embeddings")) (*part)["max_position_embeddings"] = context;
    if (config["text_config"].is_null()) config.erase("text_config");
    std::ofstream(model / "config.json") << config;
    return QString::fromStdString(model.string());
}

pal::Result<std::vector<pal::SessionId>> fill(pal::ChatDatabase& db, int sessions, int messages) {
    std::vector<pal::SessionId> out;
    for (int s = 0; s < sessions; ++s) {
        PAL_ASSIGN(const pal::SessionId session, db.sessions().add("session", "{}", pal::nowMs()));
        pal::NewMessage message;
        message.session = session;
        message.createdMs = pal::nowMs();
        message.tokens = 100;
        for (int i = 0; i < messages; ++i) {
            message.role = i % 2 == 0 ? pal::Role::kUser : pal::Role::kAssistant;
            message.text =
                "Message *" + std::to_string(i) +
                "*:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```cpp\nint x = " + std::to_string(i) +
                ";\n```\n\nand a paragraph of ordinary words that goes on for a while.";
            PAL_ASSIGN(message.parent, db.messages().add(message));
        }
        out.push_back(session);
    }
    return out;
}

class Bench {
  public:
    explicit Bench(const QStringList& phases) : phases_(phases) {}

    int run() {
        const int64_t tokens = std::max(1000, qEnvironmentVariableIntValue("BENCH_TOKENS"));
        const int64_t wanted = qEnvironmentVariableIsSet("BENCH_TOKENS") ? tokens : 100'000;
        const QString place = qEnvironmentVariable("BENCH_FOLDER", folder_.path());
        window_ = std::make_unique<Window>(place, QStringList(), roomyModel(place.toStdString(), 2 * wanted));
        window_->main().resize(3440, 1440);
        probe_.begin();
        if (!window_->start()) return 1;
        tell("start");
        stopped_ = {window_->chat().session(), window_->chat().head()};
        sessions();
        transcript();
        paste();
        stream();
        table();
        prefill(wanted);
        std::cout << report_.dump(2) << std::endl;
        return window_->close() ? 0 : 1;
    }

  private:
    bool wanted(const char* phase) const { return phases_.isEmpty() || phases_.contains(QLatin1String(phase)); }
    void tell(const char* phase) { report_[phase] = probe_.end(); }

    std::vector<pal::SessionId> filled(int sessions, int messages) {
        std::vector<pal::SessionId> out;
        window_->program().bridge().lists(
            &window_->main(),
            [=](LibraryDesk& desk) {
                return desk.library.writeNow([=](pal::ChatDatabase& db) { return fill(db, sessions, messages); });
            },
            [&](pal::Result<std::vector<pal::SessionId>> ids) { out = ids.value_or(std::vector<pal::SessionId>()); });
        static_cast<void>(QTest::qWaitFor([&] { return !out.empty(); }, kPatienceMs));
        QTest::qWait(500);
        return out;
    }

    void sessions() {
        if (!wanted("sessions")) return;
        const auto all = filled(10, 200);
        probe_.begin();
        for (const pal::SessionId session : all) {
            window_->chat().open(session);
            QTest::qWait(200);
        }
        tell("sessions");
    }

    void transcript() {
        if (!wanted("transcript") && !wanted("typing")) return;
        const auto session = filled(1, 2000).front();
        probe_.begin();
        window_->chat().open(session);
        QTest::qWait(1500);
        tell("open");
        QScrollBar* bar = window_->transcript().verticalScrollBar();
        probe_.begin();
        for (int step = 0; step < 150; ++step) {  // from the end through all of it, then page by page
            bar->setValue(step < 50 ? bar->maximum() * (50 - step) / 50 : bar->value() + bar->pageStep());
            QTest::qWait(16);
        }
        tell("transcript");
        probe_.begin();
        for (int i = 0; i < 100; ++i) QTest::keyClick(&window_->input(), Qt::Key_A, Qt::NoModifier, 10);
        tell("typing");
        window_->input().clear();
    }

    void paste() {
        if (!wanted("paste")) return;
        window_->chat().startNew({});
        QTest::qWait(300);
        QString text;
        while (text.size() < (8 << 20))
            text += QStringLiteral("A line of the text that somebody has copied from somewhere.\n");
        QGuiApplication::clipboard()->setText(text);
        probe_.begin();
        window_->press(Qt::Key_V, Qt::ControlModifier);
        static_cast<void>(QTest::qWaitFor([&] { return window_->composer().count().has_value(); }, kPatienceMs));
        tell("paste");
        report_["paste"]["attachments"] = window_->composer().attachments().rowCount();
        window_->composer().clear();
    }

    static TranscriptMessage startReply(TranscriptModel& model) {
        TranscriptMessage reply;
        reply.id = 1 << 30;
        reply.state = MessageState::kStreaming;
        model.appendMessage(reply);
        return reply;
    }

    // Faster than any model writes, through the model that the window feeds.
    void stream() {
        if (!wanted("stream")) return;
        window_->chat().startNew({});
        QTest::qWait(300);
        window_->chat().open(filled(1, 2).front());
        QTest::qWait(500);
        TranscriptModel& model = *window_->transcript().model();
        TranscriptMessage reply = startReply(model);
        const std::string piece =
            "A paragraph of **an answer** that has `code`, $x^2$ and words.\n\n- a point\n- another\n\n```cpp\nint a = "
            "1;\n```\n\n";
        probe_.begin();
        size_t bytes = 0;
        while (bytes < (1 << 20)) {
            std::string some;
            while (some.size() < 4096) some += piece;
            bytes += some.size();
            model.appendText(reply.id, TranscriptModel::Channel::kText, some);
            QTest::qWait(16);
        }
        model.finish(reply.id, MessageState::kDone, {});
        QTest::qWait(500);
        tell("stream");
        // One block that never ends: a list without a blank line.
        reply.id += 1;
        model.appendMessage(reply);
        probe_.begin();
        for (bytes = 0; bytes < (1 << 20);) {
            std::string some;
            while (some.size() < 4096) some += "words of a paragraph that has no end ";
            bytes += some.size();
            model.appendText(reply.id, TranscriptModel::Channel::kText, some);
            QTest::qWait(16);
        }
        model.finish(reply.id, MessageState::kDone, {});
        QTest::qWait(500);
        tell("stream_one_paragraph");
    }

    void table() {
        if (!wanted("table")) return;
        window_->chat().open(filled(1, 2).front());
        QTest::qWait(500);
        TranscriptModel& model = *window_->transcript().model();
        const TranscriptMessage reply = startReply(model);
        model.appendText(reply.id, TranscriptModel::Channel::kText, "| word | count | remark |\n|---|--:|---|\n");
        probe_.begin();
        size_t bytes = 0;
        for (int i = 0; bytes < (64 << 10) - 100;) {
            std::string some;
            for (; some.size() < 256; ++i)
                some += "| word" + std::to_string(i * 7919 % 1000) + " | " + std::to_string(i) + " | some words |\n";
            bytes += some.size();
            model.appendText(reply.id, TranscriptModel::Channel::kText, some);
            QTest::qWait(16);
        }
        model.finish(reply.id, MessageState::kDone, {});
        QScrollBar* bar = window_->transcript().verticalScrollBar();
        for (int step = 0; step < 100; ++step) {
            bar->setValue(bar->maximum() * (100 - step) / 100);
            QTest::qWait(16);
        }
        tell("table");
    }

    void askLong(int64_t tokens) {
        window_->chat().startNew({});
        window_->greedy(8);
        // As a file: a text of this length is not typed.
        const std::string path = folder_.filePath(QStringLiteral("long.txt")).toStdString();
        std::string text;
        for (int64_t i = 0; std::ssize(text) < tokens * 3; ++i)
            text += "Anna repaired the clock number " + std::to_string(i) + " in the tower.\n";
        std::ofstream(path) << text;
        window_->drop({QString::fromStdString(path)});
        window_->type(QStringLiteral("Who repaired the clock?"));
    }

    // The answer to a long prompt that an earlier run began to read.
    void askAgain() {
        const auto [session, reply] = stopped_;
        QSignalSpy shown(&window_->chat(), &Chat::shown);
        window_->chat().open(session);
        static_cast<void>(QTest::qWaitFor([&] { return shown.count() > 0; }, kPatienceMs));
        window_->chat().regenerate(reply);
    }

    void prefill(int64_t tokens) {
        if (!wanted("prefill")) return;
        std::optional<TurnEnd> ended;
        QObject::connect(&window_->chat(), &Chat::ended, &window_->main(), [&](const TurnEnd& end) { ended = end; });
        probe_.begin();
        if (stopped_.first != 0) {
            askAgain();
        } else {
            askLong(tokens);
        }
        const int seconds = qEnvironmentVariableIntValue("BENCH_SECONDS");
        static_cast<void>(QTest::qWaitFor([&] { return ended.has_value(); }, (seconds > 0 ? seconds : 480) * 1000));
        tell("prefill");
        nlohmann::json& report = report_["prefill"];
        report["whole"] = ended.has_value();
        const auto& running = window_->chat().running();
        if (ended) {
            report["prompt_tokens"] = ended->report.numbers.tokens;
            report["stored_tokens"] = ended->report.prompt.reused;
            report["read_tokens"] = ended->report.prompt.computed;
            report["read_seconds"] = ended->report.readSeconds;
        } else if (running && running->reading) {
            report["prompt_tokens"] = running->reading->total;
            report["stored_tokens"] = running->reading->reused;
            report["read_tokens"] = running->reading->computed;
        }
        if (ended) return;
        probe_.begin();
        QElapsedTimer stopping;
        stopping.start();
        window_->press(Qt::Key_Escape, Qt::NoModifier);
        static_cast<void>(QTest::qWaitFor([&] { return ended.has_value(); }, kPatienceMs));
        report["stop_seconds"] = double(stopping.elapsed()) / 1000;
    }

    const QStringList phases_;
    const QTemporaryDir folder_;
    Probe probe_;
    std::unique_ptr<Window> window_;
    std::pair<pal::SessionId, pal::MessageId> stopped_;  // what was open when the last run ended
    nlohmann::json report_;
};

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    std::vector<std::unique_ptr<QTranslator>> translators;
    prepareApplication(translators);
    return Bench(QCoreApplication::arguments().mid(1)).run();
}
