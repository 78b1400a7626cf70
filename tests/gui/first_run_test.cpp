// SPDX-License-Identifier: Apache-2.0
// The first minute: samples that come with the program, each opened and asked about with one press, answered by the embedded model.
#include <QApplication>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>

#include "app/desktop/welcome/sample_card.h"
#include "app/desktop/welcome/welcome_pane.h"
#include "tests/gui/window_fixture.h"

using namespace pal::desktop;
using namespace pal::desktop::test;

namespace {

WelcomePane& welcome(Window& window) {
    return *window.main().findChild<WelcomePane*>(QStringLiteral("welcome"));
}

}  // namespace

class FirstRunTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void onePressAsksAboutAllThree() {
        const QTemporaryDir folder;
        Window window(folder.path());
        auto* all = window.main().findChild<QPushButton*>(QStringLiteral("tryAll"));
        QVERIFY(!all->isEnabled());  // no model yet
        QVERIFY(window.start());
        QVERIFY(welcome(window).isVisible() && all->isEnabled());
        const auto* heading = welcome(window).findChild<QLabel*>(QStringLiteral("heading"));
        QCOMPARE(heading->fontInfo().pixelSize(), QFontInfo(window.program().theme().heading(2)).pixelSize());
        window.input().setPlainText(QStringLiteral("half a thought"));
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(all, Qt::LeftButton);
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto& shown = window.chat().messages();
                return shown.size() == 6 && !window.chat().isBusy() && !shown.back().text.empty();
            },
            3 * kPatienceMs));
        qInfo("three samples read and answered in %.1f s", double(clock.elapsed()) / 1000);
        const auto& messages = window.chat().messages();
        const char* answers[] = {"38 meters", "top right", "Right"};
        for (size_t i = 0; i < 3; ++i) {
            QCOMPARE(messages[2 * i].attachments.size(), size_t{1});
            QVERIFY2(messages[2 * i + 1].text.find(answers[i]) != std::string::npos, messages[2 * i + 1].text.c_str());
        }
        QVERIFY(!welcome(window).isVisible());
        QTRY_COMPARE(window.input().toPlainText(), QStringLiteral("half a thought"));
        QVERIFY(window.close());
    }

    void aNarrowWindowShowsCardsBelowEachOther() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        WelcomePane& pane = welcome(window);
        const auto cards = pane.findChildren<SampleCard*>();
        window.main().resize(1200, 780);
        QTRY_VERIFY(cards[1]->x() > cards[0]->x() && cards[1]->y() == cards[0]->y());
        window.main().resize(640, 400);
        QTRY_VERIFY(cards[1]->y() > cards[0]->y() && cards[1]->x() == cards[0]->x());
        QCOMPARE(pane.horizontalScrollBar()->maximum(), 0);
        QVERIFY(window.close());
    }

    void aCardAsksAboutItsSampleAlone() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        const auto cards = window.main().findChildren<SampleCard*>();
        QCOMPARE(cards.size(), 3);
        cards[1]->setFocus(Qt::TabFocusReason);
        const auto end = window.turn([&] { QTest::keyClick(cards[1], Qt::Key_Space); });
        QVERIFY(end && !end->error);
        QCOMPARE(window.chat().messages().size(), size_t{2});
        QCOMPARE(window.chat().messages().front().attachments.front().name, std::string("shapes.png"));
        QVERIFY(window.close());
    }

    void itIsDarkInTheDark() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        for (const Command scheme : {Command::kSchemeDark, Command::kSchemeLight, Command::kSchemeDark}) {
            window.main().actions().get(scheme)->trigger();
            QTest::qWait(50);
            QCOMPARE(welcome(window).grab().toImage().pixelColor(3, 3), window.program().theme().colours().surface);
        }
        QVERIFY(window.close());
    }

    // Going elsewhere ends the tour; nothing more is asked by itself.
    void anotherSessionEndsTheTour() {
        const QTemporaryDir folder;
        Window window(folder.path());
        QVERIFY(window.start());
        QTest::mouseClick(window.main().findChild<QPushButton*>(QStringLiteral("tryAll")), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return window.chat().isRunningHere(); }, kPatienceMs));
        window.main().actions().get(Command::kNewSession)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!window.chat().isBusy(), kPatienceMs);
        QTest::qWait(1000);
        QVERIFY(!window.chat().isBusy());
        QCOMPARE(window.chat().session(), 0);
        QVERIFY(window.close());
    }
};

int main(int argc, char** argv) {
    return runWindowTest<FirstRunTest>(argc, argv);
}

#include "first_run_test.moc"
