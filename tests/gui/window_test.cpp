// SPDX-License-Identifier: Apache-2.0
// The whole path of a user on the real engine with the embedded model: first start, ask, stream, stop, again, edit, fork, close, kill, open
// again, ask again with nothing old computed.
#include <signal.h>

#include <QApplication>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTextStream>
#include <future>
#include <iostream>

#include "app/composition/chat_library.h"
#include "app/desktop/bridge/error_text.h"
#include "app/desktop/models/load_plan_view.h"
#include "app/desktop/models/model_dialog.h"
#include "app/desktop/sessions/session_files.h"
#include "tests/gui/window_fixture.h"

using namespace pal::desktop;
using namespace pal::desktop::test;
using pal::EndCause;
using pal::MessageId;

class WindowTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void pluralsAreRightWithoutATranslation() {
        const auto written = [](int tokens) {
            return QCoreApplication::translate("pal::desktop::TranscriptModel", "%Ln token(s) written", nullptr,
                                               tokens);
        };
        QCOMPARE(written(1), QStringLiteral("1 token written"));
        QCOMPARE(written(71), QStringLiteral("71 tokens written"));
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::English));
        QCOMPARE(written(12345), QStringLiteral("12,345 tokens written"));
        QLocale::setDefault(before);
    }

    void firstStartAnswersAndTomorrowGoesOn() {
        const QTemporaryDir folder;
        MessageId answer = 0;
        int64_t covered = 0;
        {
            Window window(folder.path());
            QVERIFY(window.start());
            QCOMPARE(window.chat().session(), 0);
            window.greedy(12);
            qsizetype frames = 0;
            std::string streamed;
            QObject::connect(&window.chat(), &Chat::grew, &window.main(), [&](const TurnNews& news) {
                ++frames;
                for (const auto& delta : news.deltas) streamed += delta.text;
            });
            const auto end = window.ask(QStringLiteral("Anna repaired the clock in May. Who repaired the clock?"));
            QVERIFY(end && !end->error);
            QVERIFY(frames > 0);
            QCOMPARE(window.chat().messages().size(), size_t{2});
            QCOMPARE(window.chat().messages()[1].text, end->report.message.content);
            QCOMPARE(streamed, end->report.message.reasoning + end->report.message.content);
            QCOMPARE(end->report.prompt.reused, 0);
            answer = window.chat().head();
            covered = end->report.done.position;
            QVERIFY(window.close());
            // The log says what happened, and nothing of what was said.
            QDirIterator logs(folder.path(), {QStringLiteral("palimpsest.log")}, QDir::Files,
                              QDirIterator::Subdirectories);
            QFile log(logs.next());
            QVERIFY(log.open(QIODevice::ReadOnly));
            const QByteArray lines = log.readAll();
            QVERIFY(lines.contains(" pal.turn ") && lines.contains(" pal.model loaded "));
            QVERIFY(!lines.contains("clock") && !lines.contains(QByteArray::fromStdString(streamed)));
        }
        Window window(folder.path());
        QVERIFY(window.start());
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().head(), answer, kPatienceMs);
        const auto end = window.ask(QStringLiteral("And when?"));
        QVERIFY(end && !end->error);
        // Nothing that was computed before is computed again.
        QVERIFY2(end->report.prompt.reused >= covered - 1, qPrintable(QString::number(end->report.prompt.reused)));
        QCOMPARE(end->report.prompt.reused + end->report.prompt.computed, end->report.numbers.tokens);
        QCOMPARE(window.chat().messages().size(), size_t{4});
        QVERIFY(window.close());
    }

    // As when a GPU is lost while it answers; the device itself is played by tests/unit/device_lost_test.
    void aLostDeviceOffersTheCpuAndAnswersThere() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        window.talkative();
        QSignalSpy started(&window.chat(), &Chat::started);
        window.chat().ask(QStringLiteral("Who repaired the clock?"), {});
        QTRY_COMPARE_WITH_TIMEOUT(started.count(), 1, kPatienceMs);
        const auto turn = started.first().first().value<TurnStart>();
        TurnEnd lost;
        lost.report.session = turn.session;
        lost.report.question = turn.question;
        lost.report.reply = turn.reply;
        lost.error = pal::Error{pal::ErrorCode::kDeviceLost, "finish on CUDA device 0: unspecified launch failure"};
        Q_EMIT window.program().bridge().turnEnded(lost);
        auto* notices = window.main().findChild<NoticeBar*>();
        QTRY_VERIFY(notices->text().contains(QStringLiteral("unspecified launch failure")));
        auto* button = notices->findChild<QPushButton*>(QStringLiteral("noticeAction"));
        QCOMPARE(button->text(), QStringLiteral("Go on with the CPU"));
        window.greedy(5);
        QSignalSpy loaded(&window.main(), &MainWindow::modelReady);
        const auto end = window.turn([&] { QTest::mouseClick(button, Qt::LeftButton); });
        QCOMPARE(loaded.count(), 1);
        QVERIFY(end && !end->error);
        QCOMPARE(end->report.question, turn.question);
        QVERIFY(end->report.reply != turn.reply);
        QCOMPARE(window.chat().messages().size(), size_t{2});
        QCOMPARE(window.chat().tree().siblings(end->report.reply).size(), size_t{2});
        QVERIFY(!notices->isVisible());
        QVERIFY(window.close());
    }

    void loadingTellsHowFarItIsAndCanBeStopped() {
        const QTemporaryDir folder;
        Window window(folder.path());
        pal::LoadProgress last;
        QString told;
        QObject::connect(&window.program().bridge(), &Bridge::modelLoading, &window.main(),
                         [&](const pal::LoadProgress& at) {
                             last = at;
                             told = window.main().findChild<QToolButton*>(QStringLiteral("modelButton"))->text();
                         });
        QVERIFY(window.start());
        QTRY_VERIFY(last.totalBytes > 0);
        QCOMPARE(last.doneBytes, last.totalBytes);
        QCOMPARE(last.shards, size_t{3});
        QCOMPARE(last.shard, last.shards);
        QCOMPARE(told, QStringLiteral("Loading the model: 100 %, file 3 of 3"));
        std::stop_source stop;
        stop.request_stop();
        std::optional<pal::ErrorCode> ended;
        window.program().bridge().engine(
            &window.main(),
            [token = stop.get_token()](EngineDesk& desk) {
                return desk.loadModel("resources/nano", pal::EngineOptions(), token);
            },
            [&](const pal::Result<LoadedModel>& model) {
                ended = model ? pal::ErrorCode::kInternal : model.error().code;
            });
        QTRY_COMPARE_WITH_TIMEOUT(ended, std::optional(pal::ErrorCode::kCancelled), kPatienceMs);
        // What was loaded before is gone; a question is refused in words.
        const QSignalSpy refused(&window.chat(), &Chat::refused);
        window.chat().ask(QStringLiteral("Who?"), {});
        QTRY_COMPARE_WITH_TIMEOUT(refused.size(), 1, kPatienceMs);
        QVERIFY(window.close());
    }

    // What each device needs and has is told before anything is loaded onto it.
    void theDialogPlansTheMemoryOfEachDevice() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        ModelDialog dialog(window.program().bridge(), {}, window.program().theme(), &window.main());
        dialog.show();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.planned(), kPatienceMs);
        const auto* plan = dialog.findChild<LoadPlanView*>();
        for (const char* part : {"Weights", "Experts", "Latents of the context", "State", "Workspace"})
            QVERIFY2(plan->accessibleName().contains(QLatin1String(part)), qPrintable(plan->accessibleName()));
        auto* device = dialog.findChild<QComboBox*>(QStringLiteral("device"));
        const auto says = [&](const QString& text) {
            const auto labels = dialog.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(text); });
        };
        QVERIFY(says(QStringLiteral("free: fits")));
        device->setCurrentIndex(1);
        const auto gpu = pal::gpuMemory();
        QTRY_VERIFY_WITH_TIMEOUT(says(gpu ? QStringLiteral(" needed of ") : errorText(gpu.error())), kPatienceMs);
        QVERIFY(plan->accessibleName().contains(QStringLiteral("GPU")));
        // Texts that need more lines take none from the plan.
        for (QLabel* label : dialog.findChildren<QLabel*>())
            if (label->wordWrap()) label->setText(QStringLiteral("many words ").repeated(30));
        QTest::qWait(50);
        QCOMPARE(plan->height(), plan->sizeHint().height());
        QVERIFY(window.close());
    }

    void theStopBesideTheModelEndsLoading() {
        bool stopped = false;
        for (int i = 0; i < 8 && !stopped; ++i) {  // a small model may be there before its stop is pressed
            const QTemporaryDir folder;
            Window window(folder.path());
            auto* stop = window.main().findChild<QToolButton*>(QStringLiteral("stopLoading"));
            QVERIFY(stop != nullptr && !stop->isVisible());
            bool seen = false;
            QObject::connect(&window.program().bridge(), &Bridge::opened, &window.main(),
                             [&] {  // the load was just asked for
                                 seen = stop->isVisible();
                                 stop->click();
                             });
            QVERIFY(window.program().start());
            QTRY_VERIFY_WITH_TIMEOUT(seen && !stop->isVisible(), kPatienceMs);
            const auto* model = window.main().findChild<QToolButton*>(QStringLiteral("modelButton"));
            stopped = model->text() == QStringLiteral("No model");
            if (stopped)
                QCOMPARE(window.main().findChild<NoticeBar*>()->text(),
                         QStringLiteral("Loading the model was stopped"));
            QVERIFY(window.close());
        }
        QVERIFY(stopped);
    }

    void whatIsTypedIsSeenAfterTheSchemeChanged() {
        const QTemporaryDir folder;
        Window window(folder.path());
        window.main().show();
        for (const Command command : {Command::kSchemeDark, Command::kSchemeLight, Command::kSchemeDark}) {
            window.main().actions().get(command)->trigger();
            QCOMPARE(window.input().palette().color(QPalette::Text), window.program().theme().colours().text);
        }
    }

    void aSmallerBudgetHoldsAtOnce() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        window.greedy(4);
        QVERIFY(window.ask(QStringLiteral("Anna repaired the clock in May. Who repaired the clock?")));
        const auto budget = [&](uint64_t bytes) {
            std::optional<pal::StateLibrary::Usage> out;
            window.program().bridge().engine(
                &window.main(),
                [bytes](EngineDesk& desk) -> pal::Result<pal::StateLibrary::Usage> {
                    desk.place()->states()->flush();
                    PAL_TRY(desk.place()->setStateBudget(bytes));
                    return desk.place()->states()->usage();
                },
                [&](const pal::Result<pal::StateLibrary::Usage>& usage) { out = usage.value(); });
            static_cast<void>(QTest::qWaitFor([&] { return out.has_value(); }, kPatienceMs));
            return *out;
        };
        QVERIFY(budget(1 << 30).bytes > 4096);
        QVERIFY(budget(4096).bytes <= 4096);
        QCOMPARE(budget(4096).budget, uint64_t{4096});
        QVERIFY(window.close());
    }

    void stopKeepsWhatWasSaidAndBranchesStay() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        window.talkative();
        const auto stopped = window.turn([&] {
            QObject::connect(&window.chat(), &Chat::grew, &window.main(), [&](const TurnNews& news) {
                if (news.tokens > 0) window.chat().stop();
            });
            window.chat().ask(QStringLiteral("Tell a long story about a clock."), {});
        });
        QVERIFY(stopped);
        QCOMPARE(stopped->report.done.cause, EndCause::kCancelled);
        QVERIFY(stopped->report.done.generated > 0);
        QCOMPARE(window.chat().messages().back().node.state, pal::MessageState::kStopped);
        QObject::disconnect(&window.chat(), &Chat::grew, &window.main(), nullptr);

        window.greedy(6);
        const MessageId first = window.chat().head();
        QVERIFY(window.turn([&] { window.chat().regenerate(first); }));
        const MessageId second = window.chat().head();
        QVERIFY(second != first);
        QCOMPARE(window.chat().tree().siblings(second).size(), size_t{2});
        window.chat().showSibling(second, -1);
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().head(), first, kPatienceMs);

        const MessageId question = window.chat().messages().front().node.id;
        QVERIFY(window.turn([&] { window.chat().edit(question, QStringLiteral("What time is it?")); }));
        QCOMPARE(window.chat().messages().front().text, std::string("What time is it?"));
        QCOMPARE(window.chat().tree().siblings(window.chat().messages().front().node.id).size(), size_t{2});

        // Where a session begins there is nothing before it to go back to: that is said.
        const MessageId last = window.chat().head();
        Q_EMIT window.transcript().deleteRequested(window.chat().messages().front().node.id);
        QVERIFY(window.main().findChild<NoticeBar*>()->text().contains(QStringLiteral("Ctrl+Shift+Backspace")));
        QCOMPARE(window.chat().head(), last);
        Q_EMIT window.transcript().deleteRequested(last);
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().messages().size(), size_t{1}, kPatienceMs);
        window.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().head(), last, kPatienceMs);

        const pal::SessionId before = window.chat().session();
        window.chat().fork(window.chat().head());
        QTRY_VERIFY_WITH_TIMEOUT(window.chat().session() != before, kPatienceMs);
        QCOMPARE(window.chat().messages().size(), size_t{2});
        QCOMPARE(window.chat().messages().front().text, std::string("What time is it?"));
        QVERIFY(window.close());
    }

    void filesOfTheStartAndHitsOfASearchAreShown() {
        const QTemporaryDir folder, other;
        const QString archive = folder.filePath(QStringLiteral("one.palimpsest"));
        const QString note = folder.filePath(QStringLiteral("note.txt"));
        QFile file(note);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("The clock stopped in March.") > 0);
        file.close();
        {
            Window window(folder.path());
            QVERIFY(window.start());
            window.greedy(2);
            QVERIFY(window.ask(QStringLiteral("Who repaired the clock?")));
            bool exported = false;
            window.program().bridge().errand(
                &window.main(),
                [session = window.chat().session(), path = std::filesystem::path(archive.toStdString())](
                    LibraryDesk& desk) { return exportSession(desk, session, path); },
                [&](const pal::Result<std::vector<std::string>>& done) { exported = done.has_value(); });
            QTRY_VERIFY_WITH_TIMEOUT(exported, kPatienceMs);
            QVERIFY(window.close());
        }
        {
            // The session of the last time is shown, and the file is attached in it.
            Window window(folder.path(), {note});
            QVERIFY(window.start());
            QCOMPARE(window.chat().messages().size(), size_t{2});
            const auto* composer = window.main().findChild<Composer*>(QStringLiteral("composer"));
            QTRY_COMPARE_WITH_TIMEOUT(composer->attachments().rowCount(), 1, kPatienceMs);
            auto* panel = window.main().findChild<SessionPanel*>(QStringLiteral("sessions"));
            const auto* transcript = window.main().findChild<TranscriptView*>(QStringLiteral("transcript"));
            QCOMPARE(transcript->currentRow(), -1);
            Q_EMIT panel->messageChosen(window.chat().session(), window.chat().messages().front().node.id);
            QTRY_COMPARE_WITH_TIMEOUT(transcript->currentRow(), 0, kPatienceMs);
            QVERIFY(window.close());
        }
        Window window(other.path(), {archive});
        QVERIFY(window.start());
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().messages().size(), size_t{2}, kPatienceMs);
        QVERIFY(window.close());
    }

    // Text, files, pasted text and pictures, in a session, in a new one, and in a question that is written again.
    void whatWasNotSentIsThereTomorrow() {
        const QTemporaryDir folder;
        const QString note = folder.filePath(QStringLiteral("Läufe 谁.txt"));
        QFile file(note);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("The clock stopped in March.") > 0);
        file.close();
        pal::SessionId session = 0;
        {
            Window window(folder.path());
            QVERIFY(window.start());
            window.greedy(4);
            QVERIFY(window.ask(QStringLiteral("Who repaired the clock?")));
            session = window.chat().session();
            QCOMPARE(window.input().toPlainText(), QString());
            writeWithThree(window, note);
            if (QTest::currentTestFailed()) return;
            window.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(window.input().toPlainText(), QStringLiteral("Who repaired the clock?"));
            QTest::keyClicks(&window.input(), QStringLiteral(" Again!"));
            window.main().actions().get(Command::kNewSession)->trigger();
            QTRY_COMPARE(window.input().toPlainText(), QString());
            QTest::keyClicks(&window.input(), QStringLiteral("of another"));
            QVERIFY(window.close());
        }
        Window window(folder.path());
        QVERIFY(window.start());
        QCOMPARE(window.chat().session(), 0);
        QCOMPARE(window.input().toPlainText(), QStringLiteral("of another"));
        window.chat().open(session);
        QTRY_COMPARE_WITH_TIMEOUT(window.input().toPlainText(), QStringLiteral("Who repaired the clock? Again!"),
                                  kPatienceMs);
        auto cancel = window.main().findChildren<QPushButton*>();
        cancel.removeIf([](const QPushButton* b) { return b->text() != QStringLiteral("Cancel") || !b->isVisible(); });
        QCOMPARE(cancel.size(), 1);
        cancel.front()->click();
        QCOMPARE(window.input().toPlainText(), QStringLiteral("half a thought"));
        QVERIFY(hasRead(window, 3));
        const std::vector<pal::AttachedFile> files = window.composer().attachments().files();
        QCOMPARE(files.size(), size_t{3});
        QCOMPARE(QString::fromStdString(files[0].name), QStringLiteral("Läufe 谁.txt"));
        QCOMPARE(QString::fromStdString(files[1].document->pages.front().text),
                 QStringLiteral("pasted ").repeated(2000));
        QVERIFY(files[2].kind == pal::AttachedKind::kImage);
        // Once sent, it is no draft any more.
        window.greedy(4);
        const auto end = window.turn([&] { window.type({}); });
        QVERIFY(end && !end->error);
        QCOMPARE(window.chat().messages()[2].text, std::string("half a thought"));
        QCOMPARE(window.chat().messages()[2].attachments.size(), size_t{3});
        QVERIFY(window.close());
        const QDir drafts(folder.filePath(QStringLiteral("drafts")));
        QCOMPARE(drafts.entryList(QDir::Files), QStringList{QStringLiteral("0.json")});
    }

    void whatIsRefusedGoesBackWhereItWasWritten() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        window.greedy(4);
        QVERIFY(window.ask(QStringLiteral("Who repaired the clock?")));
        const pal::SessionId session = window.chat().session();
        // The engine has lost its model and is busy until another session is shown.
        std::stop_source stop;
        stop.request_stop();
        std::promise<void> gate;
        const std::shared_future<void> opened = gate.get_future().share();
        window.program().bridge().engine(
            &window.main(),
            [token = stop.get_token(), opened](EngineDesk& desk) {
                opened.wait();
                return desk.loadModel("resources/nano", pal::EngineOptions(), token);
            },
            [](const pal::Result<LoadedModel>&) {});
        const QSignalSpy refused(&window.chat(), &Chat::refused);
        window.type(QStringLiteral("And when?"));
        QTRY_COMPARE_WITH_TIMEOUT(window.input().toPlainText(), QString(), kPatienceMs);  // taken over
        window.main().actions().get(Command::kNewSession)->trigger();
        gate.set_value();
        QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, kPatienceMs);
        QCOMPARE(window.chat().session(), 0);
        QCOMPARE(window.input().toPlainText(), QString());
        window.chat().open(session);
        QTRY_COMPARE_WITH_TIMEOUT(window.input().toPlainText(), QStringLiteral("And when?"), kPatienceMs);
        QVERIFY(window.close());
    }

    void aKilledProgramHasWhatWasWrittenASecondAgo() {
        const QTemporaryDir folder;
        QProcess writer;
        writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        writer.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--draft"), folder.path()});
        QVERIFY(writer.waitForStarted());
        QElapsedTimer clock;
        clock.start();
        while (!writer.canReadLine() && clock.elapsed() < kPatienceMs) writer.waitForReadyRead(1000);
        QVERIFY(writer.canReadLine());
        QTest::qWait(1000);
        ::kill(static_cast<pid_t>(writer.processId()), SIGKILL);
        QVERIFY(writer.waitForFinished());
        Window window(folder.path());
        QVERIFY(window.start());
        QCOMPARE(window.input().toPlainText(), QStringLiteral("a long question, not sent"));
        QVERIFY(window.close());
    }

    void aKilledProgramLosesNothingThatWasShownASecondAgo() {
        const QTemporaryDir folder;
        QProcess writer;
        writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        writer.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--write"), folder.path()});
        QVERIFY(writer.waitForStarted());
        QElapsedTimer clock;
        clock.start();
        while (!writer.canReadLine() && clock.elapsed() < kPatienceMs) writer.waitForReadyRead(1000);
        const QByteArray shown = writer.readLine().trimmed();  // of the answer, in hexadecimal
        QVERIFY(!shown.isEmpty());
        QTest::qWait(1500);
        ::kill(static_cast<pid_t>(writer.processId()), SIGKILL);
        QVERIFY(writer.waitForFinished());

        Window window(folder.path());  // opens where it was killed, and says what can be done
        QVERIFY(window.start());
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().messages().size(), size_t{2}, kPatienceMs);
        const pal::Message& reply = window.chat().messages().back();
        QCOMPARE(reply.node.state, pal::MessageState::kInterrupted);
        const QByteArray saved = QByteArray::fromStdString(reply.reasoning + reply.text);
        QVERIFY2(saved.startsWith(QByteArray::fromHex(shown)), saved.constData());

        // The offer is about this session, and there while it is shown.
        const MessageId broken = reply.node.id;
        const pal::SessionId session = window.chat().session();
        const auto* notices = window.main().findChild<NoticeBar*>();
        QTRY_VERIFY(notices->text().contains(QStringLiteral("was saved")));
        window.chat().startNew({});
        QTRY_VERIFY(!notices->text().contains(QStringLiteral("was saved")));
        window.chat().open(session);
        QTRY_VERIFY(notices->text().contains(QStringLiteral("was saved")));

        window.greedy(4);
        const auto end = window.turn([&] { window.chat().regenerate(broken); });
        QVERIFY(end && !end->error);
        QVERIFY(window.close());
    }

  private:
    static bool hasRead(Window& window, int count) {
        return QTest::qWaitFor(
            [&] {
                const AttachmentModel& cards = window.composer().attachments();
                return cards.rowCount() == count && !cards.anyIn(AttachmentItem::State::kReading);
            },
            kPatienceMs);
    }

    // A text, a file, a pasted text and a pasted picture.
    static void writeWithThree(Window& window, const QString& file) {
        QTest::keyClicks(&window.input(), QStringLiteral("half a thought"));
        window.drop({file});
        window.composer().addText(QStringLiteral("pasted ").repeated(2000), {});
        QImage picture(40, 30, QImage::Format_RGB32);
        picture.fill(Qt::red);
        window.composer().addImage(picture);
        QVERIFY(hasRead(window, 3));
    }
};

// As a second program: asks, prints what the answer is after some tokens, and goes on until it is killed.
int writeUntilKilled(const QString& folder) {
    Window window(folder);
    if (!window.start()) return 1;
    window.talkative();
    bool told = false;
    QObject::connect(&window.chat(), &Chat::grew, &window.main(), [&](const TurnNews&) {
        const RunningTurn& turn = *window.chat().running();
        if (told || turn.tokens < 20) return;
        told = true;
        const std::string text = turn.reasoning + turn.content;
        std::cout << QByteArray::fromStdString(text).toHex().constData() << std::endl;
    });
    window.chat().ask(QStringLiteral("Tell a long story about a clock that nobody can repair."), {});
    return QApplication::exec();
}

// As a second program: types a question, does not send it, and waits until it is killed.
int typeUntilKilled(const QString& folder) {
    Window window(folder);
    if (!window.start()) return 1;
    QTest::keyClicks(&window.input(), QStringLiteral("a long question, not sent"));
    std::cout << "typed" << std::endl;
    return QApplication::exec();
}

int main(int argc, char** argv) {
    return runWindowTest<WindowTest>(argc, argv, [](const QStringList& arguments) -> std::optional<int> {
        if (arguments.size() == 3 && arguments[1] == QStringLiteral("--draft")) return typeUntilKilled(arguments[2]);
        if (arguments.size() != 3 || arguments[1] != QStringLiteral("--write")) return std::nullopt;
        return writeUntilKilled(arguments[2]);
    });
}

#include "window_test.moc"
