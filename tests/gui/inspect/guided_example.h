// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QImage>
#include <QPainter>

#include "app/composition/attachments.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/text_pdf.h"

namespace pal::desktop::test {

// What the views are shown on: a document with one fact that is asked for, two keys of which one is written again, a drawing and a clip.
// Everything is made here and asked of the embedded model.
class GuidedExample {
  public:
    explicit GuidedExample(Window& window, const QString& folder) : window_(window), folder_(folder) {}

    static constexpr int kNeedlePage = 4;

    // Six pages; the fact is on the fourth.
    std::optional<TurnEnd> document() {
        std::vector<std::string> pages;
        const char* const kNames[] = {"Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir"};
        for (int page = 1; page <= 6; ++page) {
            std::string text = "Report of the " + std::string(kNames[page - 1]) + " committee.\n";
            for (int line = 0; line < 8; ++line)
                text +=
                    "The committee met in room " + std::to_string(page * 10 + line) + " and talked about the garden.\n";
            if (page == kNeedlePage) text += "The height of the lighthouse is 47 meters.\n";
            for (int line = 0; line < 8; ++line)
                text += "The members of the " + std::string(kNames[page - 1]) + " committee walked home late.\n";
            pages.push_back(text);
        }
        const QString path = folder_ + QStringLiteral("/report.pdf");
        QFile file(path);
        const std::string pdf = pal::test::makeTextPdf(pages);
        if (!file.open(QIODevice::WriteOnly) || file.write(pdf.data(), static_cast<qint64>(pdf.size())) < 0) return {};
        file.close();
        return ask(QStringLiteral("What is the height of the lighthouse?"), path);
    }

    std::optional<TurnEnd> keys() {
        return ask(QStringLiteral("The code of Anna is 417. The code of Peter is 902. The code of Anna is 655. "
                                  "What is the code of Peter?"),
                   {});
    }

    std::optional<TurnEnd> picture() {
        QImage image(224, 224, QImage::Format_RGB32);
        image.fill(QColor(245, 245, 240));
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(230, 50, 45));
        painter.drawEllipse(20, 20, 70, 70);
        painter.setBrush(QColor(40, 80, 220));
        painter.drawRect(140, 140, 60, 60);
        painter.end();
        const QString path = folder_ + QStringLiteral("/shapes.png");
        image.save(path);
        return ask(QStringLiteral("Where is the red circle?"), path);
    }

    // The one that comes with the program.
    std::optional<TurnEnd> clip() {
        return ask(QStringLiteral("Which way does the circle move?"), QStringLiteral(PAL_SAMPLES "/motion.mp4"));
    }

    // A new session for each; waits until the views have it.
    std::optional<TurnEnd> ask(const QString& question, const QString& path) {
        window_.chat().startNew({});
        SessionSettings settings;
        settings.maxTokens = 24;
        settings.sampling.temperature = 0;
        settings.thinking = Thinking::kOff;
        window_.chat().setSettings(settings);
        std::vector<NewAttachment> files;
        if (!path.isEmpty()) {
            bool done = false;
            window_.program().bridge().errand(
                &window_.main(),
                [path](LibraryDesk& desk) -> Result<NewAttachment> {
                    PAL_ASSIGN(const AttachedFile file, recogniseFile(path.toStdString()));
                    DocumentOptions reading;
                    reading.helper = PAL_EXTRACT;
                    return pal::attach(desk.library, file, reading);
                },
                [&](const Result<NewAttachment>& kept) {
                    if (kept) {
                        files.push_back(*kept);
                    } else {
                        qWarning("%s", kept.error().message.c_str());
                    }
                    done = true;
                });
            if (!QTest::qWaitFor([&] { return done; }, kPatienceMs) || files.empty()) return {};
        }
        const auto end = window_.turn([&] { window_.chat().ask(question, files); });
        static_cast<void>(QTest::qWaitFor(
            [&] {
                InspectDock& dock = window_.main().inspect();
                if (!dock.isVisible() || !end) return true;
                // Until then the views have the session before.
                return dock.feed().spanOf(end->report.question) && !dock.model().source().covered().empty();
            },
            kPatienceMs));
        return end;
    }

  private:
    Window& window_;
    const QString folder_;
};

}  // namespace pal::desktop::test
