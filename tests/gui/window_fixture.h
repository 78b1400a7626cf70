// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWindow>
#include <functional>
#include <memory>

#include "app/desktop/frame/program.h"

namespace pal::desktop::test {

// How long the embedded model may take on a slow machine that does other things, too.
constexpr int kPatienceMs = 120'000;

// The program with a data folder of its own, as a user starts it.
class Window {
  public:
    explicit Window(const QString& folder, const QStringList& files = {}, const QString& model = {})
        : program_(std::make_unique<Program>(ProgramOptions{folder, model, files})) {}

    // Shown, sessions read and model loaded.
    [[nodiscard]] bool start() {
        QSignalSpy ready(&main(), &MainWindow::ready);
        QSignalSpy model(&main(), &MainWindow::modelReady);
        if (!program_->start()) return false;
        return QTest::qWaitFor([&] { return ready.count() == 1 && model.count() == 1; }, kPatienceMs);
    }

    // Closes like the user and waits until everything is written.
    [[nodiscard]] bool close() {
        QSignalSpy finished(&main(), &MainWindow::finished);
        main().close();
        return QTest::qWaitFor([&] { return finished.count() == 1; }, kPatienceMs);
    }

    [[nodiscard]] MainWindow& main() { return program_->window(); }
    [[nodiscard]] Chat& chat() { return main().chat(); }
    [[nodiscard]] Program& program() { return *program_; }
    [[nodiscard]] Composer& composer() { return *main().findChild<Composer*>(QStringLiteral("composer")); }
    [[nodiscard]] QPlainTextEdit& input() { return *composer().findChild<InputEdit*>(); }
    [[nodiscard]] TranscriptView& transcript() {
        return *main().findChild<TranscriptView*>(QStringLiteral("transcript"));
    }

    // Files dropped on the middle of the window, as the window system tells it.
    void drop(const QStringList& files) {
        QMimeData dropped;
        QList<QUrl> urls;
        for (const QString& file : files) urls << QUrl::fromLocalFile(file);
        dropped.setUrls(urls);
        const QPoint at = main().rect().center();
        QDragEnterEvent enter(at, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(main().windowHandle(), &enter);
        QDropEvent event(at, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(main().windowHandle(), &event);
    }
    // Writes a question and presses Enter.
    void type(const QString& question) {
        QTest::keyClicks(&input(), question);
        QTest::keyClick(&input(), Qt::Key_Return);
    }
    // A shortcut, with the focus where a question is written.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
        input().setFocus();
        QTest::keyClick(&input(), key, modifiers);
    }

    // An answer does not come to an end by itself, however fast the machine is: the prompt has the token that would end it, so that one
    // too counts as repeated.
    void talkative() {
        SessionSettings settings = settingsFrom(chat().summary().settings);
        settings.maxTokens = 100'000;
        settings.sampling.temperature = 0;
        settings.sampling.repetitionPenalty = 10;
        chat().setSettings(settings);
    }
    // Answers must be short and the same every time.
    void greedy(int64_t maxTokens) {
        SessionSettings settings = settingsFrom(chat().summary().settings);
        settings.maxTokens = maxTokens;
        settings.sampling.temperature = 0;
        settings.sampling.repetitionPenalty = 1;
        chat().setSettings(settings);
    }

    // Asks and waits for the end of the answer; its numbers.
    std::optional<TurnEnd> ask(const QString& question) {
        return turn([&] { chat().ask(question, {}); });
    }

    template <typename Start>
    std::optional<TurnEnd> turn(Start start) {
        std::optional<TurnEnd> out;
        const auto connection =
            QObject::connect(&chat(), &Chat::ended, &main(), [&](const TurnEnd& end) { out = end; });
        QSignalSpy shown(&chat(), &Chat::shown);
        start();
        static_cast<void>(QTest::qWaitFor([&] { return out.has_value(); }, kPatienceMs));
        QObject::disconnect(connection);
        // The stored messages are read once more after the end.
        const qsizetype before = shown.count();
        static_cast<void>(QTest::qWaitFor([&] { return shown.count() > before; }, kPatienceMs));
        return out;
    }

  private:
    std::unique_ptr<Program> program_;
};

// main() of a test of the window. `other`: what a second process of it does instead, told by its arguments.
template <typename Test>
int runWindowTest(int argc, char** argv, const std::function<std::optional<int>(const QStringList&)>& other = {}) {
    QApplication application(argc, argv);
    std::vector<std::unique_ptr<QTranslator>> translators;
    prepareApplication(translators);
    if (other) {
        if (const auto code = other(QCoreApplication::arguments())) return *code;
    }
    Test test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace pal::desktop::test
