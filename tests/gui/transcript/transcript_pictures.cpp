// SPDX-License-Identifier: Apache-2.0
// transcript_pictures FOLDER: a picture of the transcript in each of its main states, without a display.
#include <QApplication>
#include <QDir>
#include <QTest>
#include <cstdio>

#include "app/desktop/transcript/citations.h"
#include "app/desktop/transcript/transcript_view.h"
#include "tests/gui/transcript/sample_messages.h"

using namespace pal::desktop;

namespace {

struct Picture {
    const char* name;
    std::vector<TranscriptMessage> messages;
    Scheme scheme = Scheme::kLight;
    double scale = 1;
    QSize size{980, 900};
    enum class Place { kTop, kEnd } place = Place::kTop;
    int openThinking = -1;
    const char* find = "";
};

bool draw(const Picture& picture, const QDir& folder) {
    Theme theme(picture.scheme);
    TranscriptModel model;
    TranscriptView view(theme);
    view.setCitationPattern(citationPattern(2));
    view.setModel(&model);
    view.resize(picture.size);
    view.show();
    model.replaceAll(picture.messages);
    if (picture.openThinking >= 0) view.toggleThinking(picture.openThinking);
    if (picture.place == Picture::Place::kTop) view.setCurrentRow(picture.messages.empty() ? -1 : 0);
    if (*picture.find != '\0') view.find(QString::fromUtf8(picture.find));
    QTest::qWait(120);
    QImage image(picture.size * picture.scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(picture.scale);
    view.render(&image);
    return image.save(folder.filePath(QString::fromUtf8(picture.name) + QStringLiteral(".png")));
}

std::vector<Picture> pictures() {
    auto asked = userMessage(1, "Who repaired the clock, when, and what did it cost?\nPlease with the page.");
    asked.attachments = {QStringLiteral("report.pdf, 12 pages, 8,410 tokens"),
                         QStringLiteral("clock.png, 1024 × 768, 1,036 tokens")};
    auto thought = answer(2, sampleMarkdown());
    thought.thinking = "The user wants *who*, *when* and *how much*.\n\n1. Page 3 names her.\n2. Page 4 has the bill.";
    thought.timing.thinkingSeconds = 12;
    thought.siblings = 3;
    thought.sibling = 2;
    auto tool = answer(4, "The archive agrees with the report.");
    tool.tools = {{QStringLiteral("search"), QStringLiteral("{\"query\": \"clock 1921\", \"limit\": 3}"),
                   QStringLiteral("{\"hits\": 1}")},
                  {QStringLiteral("fetch"), QStringLiteral("{\"id\": 12}"), {}}};
    tool.notices = {{Notice::Kind::kWarning, QStringLiteral("Page 7 could not be read and was left out.")},
                    {Notice::Kind::kError, QStringLiteral("The answer ended early: the disk is full.")}};
    tool.state = MessageState::kFailed;
    auto streaming = answer(4, "The clock was repaired in **March 1921** by *Ada Win");
    streaming.state = MessageState::kStreaming;
    streaming.timing = {};
    const auto code = answer(4, sampleCode());
    const auto end = Picture::Place::kEnd;
    const auto top = Picture::Place::kTop;
    return {
        {"answer", {asked, thought}, Scheme::kLight, 1, {980, 1500}, top},
        {"answer-dark", {asked, thought}, Scheme::kDark, 1, {980, 1500}, top},
        {"thinking", {asked, thought}, Scheme::kLight, 1, {980, 700}, top, 1},
        {"code", {asked, code}, Scheme::kLight, 1, {980, 900}, end},
        {"code-dark", {asked, code}, Scheme::kDark, 1, {980, 900}, end},
        {"tools", {asked, tool}, Scheme::kLight, 1, {980, 700}, end},
        {"streaming", {asked, streaming}, Scheme::kDark, 1, {980, 500}, end},
        {"found", {asked, thought}, Scheme::kLight, 1, {980, 700}, top, -1, "the"},
        {"chinese", {userMessage(1, "报告里怎么说？"), answer(2, sampleChinese())}, Scheme::kLight, 1, {980, 700}, top},
        {"arabic",
         {userMessage(1, "ماذا يقول التقرير؟"), answer(2, sampleArabic())},
         Scheme::kLight,
         1,
         {980, 900},
         top},
        {"scale-200", {asked, thought}, Scheme::kLight, 2, {700, 700}, top},
        {"narrow", {asked, thought}, Scheme::kDark, 1, {420, 900}, top},
    };
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc != 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fputs("usage: transcript_pictures FOLDER\n", stderr);
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    for (const Picture& picture : pictures()) {
        if (draw(picture, folder)) continue;
        std::fprintf(stderr, "%s could not be written\n", picture.name);
        return 1;
    }
    return 0;
}
