// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/desktop/frame/program.h"

namespace pal::desktop::test {

// How long the embedded model may take on a slow machine that does other things, too.
constexpr int kPatienceMs = 120'000;

// The program with a data folder of its own, as a user starts it.
class Window {
  public:
    explicit Window(const QString& folder, const QStringList& files = {})
        : program_(std::make_unique<Program>(ProgramOptions{folder, {}, files})) {}

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

    // Answers must be short and the same every time.
    void beBrief(int64_t maxTokens) {
        SessionSettings settings = settingsFrom(chat().summary().settings);
        settings.maxTokens = maxTokens;
        settings.sampling.temperature = 0;
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

}  // namespace pal::desktop::test
