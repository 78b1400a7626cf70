// SPDX-License-Identifier: Apache-2.0
// The whole path with a document, a picture and a clip, by mouse and keyboard alone: first start, drop, ask, stream, stop, answer again, fork,
// close, killed, opened again, and asked again with nothing old computed.
#include <signal.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QProcess>
#include <cmath>
#include <iostream>

#include "app/desktop/composer/source_dialog.h"
#include "storage/chats/clock.h"
#include "tests/gui/window_fixture.h"

using namespace pal::desktop;
using namespace pal::desktop::test;
using pal::EndCause;
using pal::MessageId;

namespace {

QString sample(const char* name) {
    return QDir::current().absoluteFilePath(QStringLiteral("resources/desktop/samples/") + QString::fromLatin1(name));
}

// What the last answer says of itself below its text, from what is stored.
const TranscriptMessage& lastShown(Window& window) {
    const TranscriptModel& model = *window.transcript().model();
    return model.message(model.rowCount() - 1);
}

}  // namespace

class PathTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everythingFromDropToTomorrow_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("question");
        QTest::addColumn<QString>("answer");
        QTest::newRow("document") << sample("lighthouse.pdf") << QStringLiteral("Who repaired the lamp?")
                                  << QStringLiteral("Anna Marsh");
        QTest::newRow("picture") << sample("shapes.png") << QStringLiteral("What color is the circle?")
                                 << QStringLiteral("Red");
        QTest::newRow("clip") << sample("motion.mp4") << QStringLiteral("Which way does the circle move?")
                              << QStringLiteral("Right");
    }

    void everythingFromDropToTomorrow() {
        QFETCH(const QString, file);
        QFETCH(const QString, question);
        QFETCH(const QString, answer);
        const QTemporaryDir folder;
        int64_t covered = 0;
        MessageId head = 0;
        {
            Window window(folder.path());
            QVERIFY(window.start());
            QVERIFY(window.main().findChild<QWidget*>(QStringLiteral("welcome"))->isVisible());
            dropAskStream(window, file, question, answer);
            stopAndBranch(window);
            if (QTest::currentTestFailed()) return;
            head = window.chat().head();
            covered = position_;
            QVERIFY(window.close());
        }
        // Tomorrow: the session of the last time is shown, nothing of it is computed again, and what is new is.
        Window window(folder.path());
        QVERIFY(window.start());
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().head(), head, kPatienceMs);
        goOn(window, covered);
        QVERIFY(window.close());
    }

    // The same when the program is killed after the answer, without a chance to close.
    void killedAfterTheAnswer_data() { everythingFromDropToTomorrow_data(); }

    void killedAfterTheAnswer() {
        QFETCH(const QString, file);
        QFETCH(const QString, question);
        QFETCH(const QString, answer);
        const QTemporaryDir folder;
        QProcess other;
        other.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        other.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--answer"), folder.path(), file, question});
        QVERIFY(other.waitForStarted());
        QElapsedTimer clock;
        clock.start();
        while (!other.canReadLine() && clock.elapsed() < kPatienceMs) other.waitForReadyRead(1000);
        const int64_t covered = other.readLine().trimmed().toLongLong();
        QVERIFY(covered > 0);
        QTest::qWait(2000);  // what was shown two seconds ago is safe
        ::kill(static_cast<pid_t>(other.processId()), SIGKILL);
        QVERIFY(other.waitForFinished());

        Window window(folder.path());
        QVERIFY(window.start());
        auto* sessions = window.main().findChild<QAbstractItemView*>(QStringLiteral("sessionTree"));
        QTRY_COMPARE_WITH_TIMEOUT(sessions->model()->rowCount(), 1, kPatienceMs);
        QTest::mouseClick(sessions->viewport(), Qt::LeftButton, {},
                          sessions->visualRect(sessions->model()->index(0, 0)).center());
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().messages().size(), size_t{2}, kPatienceMs);
        QVERIFY(window.chat().messages().back().text.find(answer.toStdString()) != std::string::npos);
        goOn(window, covered);
        QVERIFY(window.close());
    }

    void theLineOfAnAttachmentOpensWhatTheModelWasGiven() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        window.greedy(4);
        window.drop({sample("lighthouse.pdf")});
        QVERIFY(window.turn([&] { window.type(QStringLiteral("Who repaired the lamp?")); }));
        const MessageId question = window.chat().messages().front().node.id;
        const MessageId reply = window.chat().head();
        const auto opened = [&](const QString& target, MessageId of) -> const SourceDialog* {
            Q_EMIT window.transcript().citationActivated(target, of);
            const SourceDialog* dialog = nullptr;
            static_cast<void>(QTest::qWaitFor(
                [&] {
                    dialog = window.main().findChild<SourceDialog*>();
                    return dialog != nullptr && dialog->preview().partCount() > 0;
                },
                kPatienceMs));
            return dialog;
        };
        const SourceDialog* whole = opened(QStringLiteral("0:0"), question);
        QVERIFY(whole != nullptr);
        QCOMPARE(whole->preview().partCount(), 3);
        QCOMPARE(whole->preview().currentPart(), 0);
        delete whole;
        const SourceDialog* page = opened(QStringLiteral("0:2"), reply);
        QVERIFY(page != nullptr);
        QCOMPARE(page->preview().currentPart(), 1);
        delete page;
        QVERIFY(window.close());
    }

    // A mark in the text of an answer, pressed with the mouse, opens the page that it names.
    void aCitationInAnAnswerOpensItsPage() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        window.greedy(4);
        window.drop({sample("lighthouse.pdf")});
        QVERIFY(window.turn([&] { window.type(QStringLiteral("Who repaired the lamp?")); }));
        // The embedded model seldom cites: an answer that does, beside its own.
        pal::NewMessage cited;
        cited.session = window.chat().session();
        cited.parent = window.chat().messages().front().node.id;
        cited.role = pal::Role::kAssistant;
        cited.text = "Its keeper did, says [file 1, page 2] of the report.";
        cited.createdMs = pal::nowMs();
        window.program().bridge().lists(
            &window.main(),
            [cited](LibraryDesk& desk) {
                return desk.library.writeNow([cited](pal::ChatDatabase& db) { return db.messages().add(cited); });
            },
            [&](const pal::Result<MessageId>& id) { window.chat().openAt(cited.session, id.value()); });
        QTRY_VERIFY_WITH_TIMEOUT(lastShown(window).text == cited.text, kPatienceMs);
        TranscriptView& view = window.transcript();
        QPointF mark;
        const auto isPainted = [&] {
            for (const auto& row : view.layout().visible()) {
                for (const Hot& hot : row.layout->hots()) {
                    if (row.key.part != MessageItem::Part::kText || hot.kind != Hot::Kind::kCitation) continue;
                    const qreal left = std::floor((view.viewport()->width() - view.layout().width()) / 2);
                    mark = hot.rects.front().center() + QPointF(left, row.y);
                    return view.viewport()->rect().contains(mark.toPoint());
                }
            }
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isPainted(), kPatienceMs);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, mark.toPoint());
        const SourceDialog* shown = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            (shown = window.main().findChild<SourceDialog*>()) != nullptr && shown->preview().partCount() > 0,
            kPatienceMs);
        QCOMPARE(shown->preview().currentPart(), 1);
        delete shown;
        QVERIFY(window.close());
    }

  private:
    void dropAskStream(Window& window, const QString& file, const QString& question, const QString& answer) {
        window.drop({file});
        QTRY_COMPARE_WITH_TIMEOUT(window.composer().attachments().rowCount(), 1, kPatienceMs);
        window.greedy(64);
        qsizetype pieces = 0;
        std::string streamed;
        const auto growing = connect(&window.chat(), &Chat::grew, &window.main(), [&](const TurnNews& news) {
            pieces += std::ssize(news.deltas);
            for (const auto& delta : news.deltas) streamed += delta.text;
        });
        const auto end = window.turn([&] { window.type(question); });
        disconnect(growing);
        QVERIFY(end && !end->error);
        QVERIFY(pieces > 0);
        QCOMPARE(streamed, end->report.message.reasoning + end->report.message.content);
        QVERIFY2(QString::fromStdString(end->report.message.content).contains(answer),
                 end->report.message.content.c_str());
        QCOMPARE(QString::fromStdString(lastShown(window).text), QString::fromStdString(end->report.message.content));
        QCOMPARE(lastShown(window).timing.reusedTokens, std::optional<int64_t>(0));
        position_ = end->report.done.position;
    }

    void stopAndBranch(Window& window) {
        // Stopped by Escape while it is written; so warm that it would go on for long.
        window.talkative();
        const auto growing = connect(&window.chat(), &Chat::grew, &window.main(), [&](const TurnNews& news) {
            if (news.tokens > 0) QTest::keyClick(&window.input(), Qt::Key_Escape);
        });
        const auto stopped = window.turn([&] { window.type(QStringLiteral("Tell a long story.")); });
        disconnect(growing);
        QVERIFY(stopped && stopped->report.done.cause == EndCause::kCancelled);
        QCOMPARE(window.chat().messages().back().node.state, pal::MessageState::kStopped);
        QCOMPARE(lastShown(window).state, MessageState::kStopped);

        window.greedy(6);
        const MessageId first = window.chat().head();
        QVERIFY(window.turn([&] { window.press(Qt::Key_R, Qt::ControlModifier); }));
        QVERIFY(window.chat().head() != first);
        QCOMPARE(lastShown(window).siblings, 2);
        window.press(Qt::Key_Left, Qt::AltModifier);
        QTRY_COMPARE_WITH_TIMEOUT(window.chat().head(), first, kPatienceMs);
        window.press(Qt::Key_Right, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(window.chat().head() != first, kPatienceMs);

        const pal::SessionId before = window.chat().session();
        window.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(window.chat().session() != before, kPatienceMs);
        QCOMPARE(window.chat().messages().size(), size_t{4});
        const auto end = window.turn([&] { window.type(QStringLiteral("Are you sure?")); });
        QVERIFY(end && !end->error);
        position_ = end->report.done.position;
    }

    // What is shown below the answer says how much was computed: what is new, and of what was there at most the last token, whose state is
    // not stored but needed.
    void goOn(Window& window, int64_t covered) {
        window.greedy(8);
        const auto end = window.turn([&] { window.type(QStringLiteral("What is the phone number?")); });
        QVERIFY(end && !end->error);
        const MessageTiming& shown = lastShown(window).timing;
        QVERIFY(shown.reusedTokens && shown.computedTokens);
        QVERIFY2(*shown.reusedTokens >= covered - 1,
                 qPrintable(QStringLiteral("%1 reused of %2").arg(*shown.reusedTokens).arg(covered)));
        QCOMPARE(*shown.reusedTokens + *shown.computedTokens, end->report.numbers.tokens);
        const QString line = TranscriptModel::timingLine(shown);
        QVERIFY2(line.contains(QLocale().toString(qlonglong(*shown.reusedTokens))), qPrintable(line));
    }

    int64_t position_ = 0;  // tokens that the state covered after the last answer
};

// As a second program: drops a file, asks, tells what its state covers then, and waits to be killed.
int answerAndWait(const QStringList& arguments) {
    Window window(arguments[2]);
    if (!window.start()) return 1;
    window.greedy(64);
    window.drop({arguments[3]});
    const auto end = window.turn([&] { window.type(arguments[4]); });
    if (!end || end->error) return 1;
    std::cout << end->report.done.position << std::endl;
    return QApplication::exec();
}

int main(int argc, char** argv) {
    return runWindowTest<PathTest>(argc, argv, [](const QStringList& arguments) -> std::optional<int> {
        if (arguments.size() != 5 || arguments[1] != QStringLiteral("--answer")) return std::nullopt;
        return answerAndWait(arguments);
    });
}

#include "path_test.moc"
