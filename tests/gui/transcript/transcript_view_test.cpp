// SPDX-License-Identifier: Apache-2.0
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <map>

#include "app/desktop/transcript/block_row.h"
#include "app/desktop/transcript/citations.h"
#include "app/desktop/transcript/transcript_view.h"
#include "tests/gui/transcript/random_markdown.h"
#include "tests/gui/transcript/sample_messages.h"

using namespace pal::desktop;
using Channel = TranscriptModel::Channel;
using Part = MessageItem::Part;

namespace {

struct Window {
    Theme theme{Scheme::kLight};
    TranscriptModel model;
    TranscriptView view{theme};

    explicit Window(std::vector<TranscriptMessage> messages, QSize size = {900, 700}) {
        view.setCitationPattern(citationPattern(2));
        view.setModel(&model);
        view.resize(size);
        view.show();
        model.replaceAll(std::move(messages));
        settle();
    }
    static void settle() { QTest::qWait(60); }

    // Middle of the first hot of a kind that is visible, in the viewport.
    QPoint hotPoint(Hot::Kind kind, int action = 0) {
        for (const auto& row : view.layout().visible()) {
            for (const Hot& hot : row.layout->hots()) {
                if (hot.kind != kind || hot.action != action) continue;
                const qreal left = std::floor((view.viewport()->width() - view.layout().width()) / 2);
                return (hot.rects.front().center() + QPointF(left, row.y)).toPoint();
            }
        }
        return {-1, -1};
    }
    void click(QPoint at) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at); }
};

// The row as it looks, all of it or a part.
QImage painted(const RowLayout& row, const Theme& theme, qreal width, QRect part = {}) {
    const QRect area = part.isEmpty() ? QRect(0, 0, int(width), int(std::ceil(row.height()))) : part;
    QImage out(area.size(), QImage::Format_RGB32);
    out.fill(theme.colours().surface);
    QPainter painter(&out);
    painter.translate(-area.topLeft());
    RowPaint state;
    if (!part.isEmpty()) state.clip = part;
    row.paint(painter, theme, state);
    return out;
}

std::string lines(int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += "Paragraph " + std::to_string(i) + " of a long answer.\n\n";
    return out;
}

}  // namespace

class TranscriptViewTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void opensAtTheEndAndOnlyLaysOutWhatIsSeen() {
        Window window(longTranscript(2000));
        QVERIFY(window.view.atEnd());
        QCOMPARE(window.view.layout().visible().back().item, 1999);
        QVERIFY(window.view.layout().visible().size() < 60);
        QVERIFY(window.view.verticalScrollBar()->maximum() > 100'000);
    }

    // What is read stays where it is while a reply grows below, and when estimates above turn out wrong.
    void readingIsNotDisturbedByStreaming() {
        auto messages = longTranscript(40);
        messages.push_back(userMessage(100, "And?"));
        messages.push_back(answer(101, ""));
        messages.back().state = MessageState::kStreaming;
        Window window(std::move(messages));
        QVERIFY(window.view.atEnd());
        for (int i = 0; i < 10; ++i) {
            window.model.appendText(101, Channel::kText, lines(5));
            Window::settle();
            QVERIFY(window.view.atEnd());
        }
        QTest::keyClick(&window.view, Qt::Key_PageUp);
        QVERIFY(!window.view.atEnd());
        const auto top = window.view.layout().visible().front();
        for (int i = 0; i < 10; ++i) {
            window.model.appendText(101, Channel::kText, lines(5));
            Window::settle();
            const auto now = window.view.layout().visible().front();
            QCOMPARE(now.item, top.item);
            QCOMPARE(now.key, top.key);
            QCOMPARE(now.y, top.y);
            QVERIFY(!window.view.atEnd());
        }
        QTest::keyClick(&window.view, Qt::Key_End);
        QVERIFY(window.view.atEnd());
    }

    void scrollingBackPassesEveryMessageOnce() {
        Window window(longTranscript(200));
        int last = 199;
        for (int i = 0; i < 3000 && window.view.verticalScrollBar()->value() > 0; ++i) {
            QTest::keyClick(&window.view, Qt::Key_PageUp);
            const int first = window.view.layout().visible().front().item;
            QVERIFY2(first <= last && last - first <= 12, qPrintable(QString::number(first)));
            last = first;
        }
        QCOMPARE(last, 0);
        QCOMPARE(window.view.layout().visible().front().y, 0.0);
    }

    void onlyTheOpenBlockIsLaidOutAgain() {
        Window window({answer(1, lines(8))});
        window.model.appendText(1, Channel::kText, "\n\nThe open one");
        Window::settle();
        std::vector<const RowLayout*> before;
        for (const auto& row : window.view.layout().visible()) {
            if (row.key.part == Part::kText) before.push_back(row.layout);
        }
        window.model.appendText(1, Channel::kText, " grows.");
        Window::settle();
        size_t same = 0;
        for (const auto& row : window.view.layout().visible()) {
            if (row.key.part == Part::kText && same < before.size() && before[same] == row.layout) ++same;
        }
        QVERIFY(same + 1 >= before.size());  // the new last one may lie where the old one lay
    }

    // A block that grows keeps the lines that do not change, and looks as it would if all of it had come at once.
    void whatGrowsLooksAsIfGivenAtOnce() {
        const Theme theme(Scheme::kLight);
        std::mt19937 random(11);
        std::string table = "| a | b |\n|---|---|\n";
        for (int i = 0; i < 60; ++i)
            table += "| " + randomMarkdown(random, 3, "\n|") + " | `" + std::to_string(i) + "` |\n";
        std::vector<std::string> texts{"Begin " + randomMarkdown(random, 3000, "\n"),
                                       "Begin " + randomMarkdown(random, 6000, "\n*_~`$["), table};
        std::string arabic = "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 ";
        for (int i = 0; i < 9; ++i) arabic += arabic;
        texts.push_back(arabic + std::string(5000, 'a') + arabic);
        for (const std::string& text : texts) {
            MarkdownDocument document(MarkdownDocument::Dialect::kMarkdown, citationPattern(2));
            BlockSetting setting;
            setting.theme = &theme;
            setting.width = 640;
            std::unique_ptr<RowLayout> row;
            size_t length = 0;  // of `row`'s block, in blocks
            for (size_t at = 0; at < text.size();) {
                const size_t some = 1 + random() % 1500;
                document.append(std::string_view(text).substr(at, some));
                at += some;
                if (document.blocks().empty()) continue;
                if (document.blocks().size() != length) row.reset();
                length = document.blocks().size();
                const Block& block = document.blocks().back();
                row = makeBlockRow(block, setting, std::move(row));
                const auto whole = makeBlockRow(block, setting);
                QCOMPARE(row->height(), whole->height());
                QCOMPARE(row->hots().size(), whole->hots().size());
                for (size_t i = 0; i < row->hots().size(); ++i) {
                    QCOMPARE(row->hots()[i].rects, whole->hots()[i].rects);
                    QCOMPARE(row->hots()[i].target, whole->hots()[i].target);
                }
                const auto last = static_cast<int>(blockText(block).size());
                for (int offset = 0; offset <= last; offset += 53) {
                    QCOMPARE(row->caret(offset), whole->caret(offset));
                    const QPointF point = whole->caret(offset).center();
                    QCOMPARE(row->offsetAt(point), whole->offsetAt(point));
                }
            }
            const Block& block = document.blocks().back();
            QCOMPARE(painted(*row, theme, setting.width), painted(*makeBlockRow(block, setting), theme, setting.width));
        }
    }

    // What is painted does not depend on how much of it is asked for.
    void aPartOfARowIsPaintedAsInTheWhole() {
        const Theme theme(Scheme::kLight);
        BlockSetting setting;
        setting.theme = &theme;
        setting.width = 640;
        MarkdownDocument document(MarkdownDocument::Dialect::kMarkdown);
        std::mt19937 random(5);
        document.append("Begin " + randomMarkdown(random, 3000, "\n"));
        const auto row = makeBlockRow(document.blocks().front(), setting);
        const QImage whole = painted(*row, theme, setting.width);
        for (const int top : {0, 700, 2000}) {
            const QRect part(0, top, int(setting.width), 500);
            QCOMPARE(painted(*row, theme, setting.width, part), whole.copy(part));
        }
    }

    // What has been laid out of a long paragraph is not laid out again: what another word costs does not grow with its length.
    void aLongParagraphGrowsCheaply() {
        const Theme theme(Scheme::kLight);
        BlockSetting setting;
        setting.theme = &theme;
        setting.width = 640;
        Block block;
        for (int i = 0; i < 10'000; ++i) block.content.text += QStringLiteral("word%1 ").arg(i);
        const auto milliseconds = [](const auto& work) {
            double best = 1e9;
            for (int i = 0; i < 5; ++i) {
                timespec begin{}, end{};
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
                work();
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
                best =
                    std::min(best, double(end.tv_sec - begin.tv_sec) * 1e3 + double(end.tv_nsec - begin.tv_nsec) / 1e6);
            }
            return best;
        };
        const double whole = milliseconds([&] { static_cast<void>(makeBlockRow(block, setting)); });
        auto row = makeBlockRow(block, setting);
        const double more = milliseconds([&] {
            block.content.text += QStringLiteral("and more ");
            row = makeBlockRow(block, setting, std::move(row));
        });
        QVERIFY2(more * 4 < whole, qPrintable(QStringLiteral("%1 of %2 ms").arg(more).arg(whole)));
    }

    void linksAndCitationsTellWhatTheyAre() {
        Window window({answer(
            5, "See [the page](https://example.org/x) and [file 2, page 7], not [this](javascript:alert(1)).")});
        const QSignalSpy link(&window.view, &TranscriptView::linkActivated);
        const QSignalSpy cited(&window.view, &TranscriptView::citationActivated);
        const QPoint at = window.hotPoint(Hot::Kind::kLink);
        window.click(at);
        QCOMPARE(link.count(), 1);
        QCOMPARE(link[0][0].toUrl(), QUrl(QStringLiteral("https://example.org/x")));
        window.click(window.hotPoint(Hot::Kind::kCitation));
        QCOMPARE(cited.count(), 1);
        const auto mark = citationOf(cited[0][0].toString());
        QVERIFY(mark && mark->attachment == 1 && mark->page == 7);
        QVERIFY(!citationOf(QStringLiteral("https://example.org:80")));
        QCOMPARE(cited[0][1].toLongLong(), 5);
        int links = 0;
        for (const auto& row : window.view.layout().visible()) {
            for (const Hot& hot : row.layout->hots()) links += hot.kind == Hot::Kind::kLink ? 1 : 0;
        }
        QCOMPARE(links, 1);  // a script is no link
    }

    void codeIsCopiedWhole() {
        std::string code;
        for (int i = 0; i < 250; ++i) code += "line " + std::to_string(i) + "\n";
        Window window({answer(1, "```\n" + code + "```\n")}, {900, 5000});
        window.click(window.hotPoint(Hot::Kind::kCopyCode));
        QCOMPARE(QApplication::clipboard()->text(), QString::fromStdString(code).chopped(1));
    }

    void selectionReachesAcrossMessages() {
        Window window(
            {userMessage(1, "The question"), answer(2, "First **bold** words.\n\n- one\n- two\n\nThe $x^2$ end.")});
        QTest::keyClick(&window.view, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&window.view, Qt::Key_C, Qt::ControlModifier);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QCOMPARE(data->text(),
                 QStringLiteral("You:\nThe question\n\nKimi K3:\nFirst bold words.\n• one\n• two\n\nThe $x^2$ end."));
        QCOMPARE(
            QString::fromUtf8(data->data(QStringLiteral("text/markdown"))),
            QStringLiteral(
                "**You**\n\nThe question\n\n**Kimi K3**\n\nFirst **bold** words.\n- one\n- two\n\nThe $x^2$ end."));
    }

    // A long table looks and copies as one, though only what is seen of it is laid out.
    void aLongTableIsOne() {
        std::string text = "| name | count |\n|---|--:|\n";
        for (int i = 0; i < 200; ++i) text += "| row " + std::to_string(i) + " | " + std::to_string(i) + " |\n";
        Window window({answer(1, text)}, {900, 1500});
        window.view.verticalScrollBar()->setValue(0);
        Window::settle();
        const auto& visible = window.view.layout().visible();
        std::vector<const RowLayout*> parts;
        for (size_t i = 0; i < visible.size(); ++i) {
            if (visible[i].key.part != Part::kText) continue;
            if (!parts.empty()) QCOMPARE(visible[i].y, visible[i - 1].y + parts.back()->height());
            parts.push_back(visible[i].layout);
        }
        QVERIFY2(parts.size() >= 2 && parts.size() <= 4, qPrintable(QString::number(parts.size())));
        // The second column is as far from the side: at its right edge, behind a number.
        const int head = int(QStringLiteral("name\tcount").size()), later = int(QStringLiteral("row 32\t32").size());
        QCOMPARE(parts[1]->caret(later).right(), parts[0]->caret(head).right());
        QTest::keyClick(&window.view, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&window.view, Qt::Key_C, Qt::ControlModifier);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        const QStringList plain = data->text().trimmed().split(u'\n');
        QCOMPARE(plain.size(), 201);
        QCOMPARE(plain[150], QStringLiteral("row 149\t149"));
        const QString markdown = QString::fromUtf8(data->data(QStringLiteral("text/markdown")));
        QCOMPARE(markdown.trimmed().count(u'\n'), 201);
        QCOMPARE(markdown.count(QStringLiteral("---")), 1);
        QCOMPARE(markdown.count(QStringLiteral("count")), 1);
    }

    // Opening it and each new row cost what is seen, not what there is.
    void aTableOfManyKilobytesIsQuick() {
        std::string text = "| word | count | remark |\n|---|--:|---|\n";
        for (int i = 0; text.size() < (60 << 10); ++i)
            text += "| word " + std::to_string(i) + " | " + std::to_string(i * 7) + " | seen on a page |\n";
        Window window({answer(1, "")}, {1200, 1400});
        window.model.appendText(1, Channel::kText, text);
        Window::settle();
        size_t laidOut = 0;
        for (const auto& row : window.view.layout().visible()) laidOut += row.key.part == Part::kText ? 1 : 0;
        QVERIFY2(laidOut >= 2 && laidOut <= 5, qPrintable(QString::number(laidOut)));
        QVERIFY(window.view.atEnd());
        std::map<MessageItem::Key, const RowLayout*> before;
        for (const auto& row : window.view.layout().visible()) before[row.key] = row.layout;
        window.model.appendText(1, Channel::kText, "| word | 1 | a row more |\n");
        Window::settle();
        size_t same = 0, again = 0;
        for (const auto& row : window.view.layout().visible()) {
            if (row.key.part != Part::kText || !before.contains(row.key)) continue;
            (before[row.key] == row.layout ? same : again) += 1;
        }
        QVERIFY(same >= 1 && again <= 1);  // only the last part
    }

    void selectionByMouseAndKeys() {
        Window window({answer(1, "alpha beta gamma\n\ndelta")});
        const auto& rows = window.view.layout().visible();
        const auto row =
            std::find_if(rows.begin(), rows.end(), [](const auto& r) { return r.key.part == Part::kText; });
        const qreal left = std::floor((window.view.viewport()->width() - window.view.layout().width()) / 2);
        const auto pointOf = [&](int offset) {
            return (row->layout->caret(offset).center() + QPointF(left, row->y)).toPoint();
        };
        const QPoint beta = pointOf(8), start = pointOf(0), end = pointOf(5);
        QTest::mouseDClick(window.view.viewport(), Qt::LeftButton, {}, beta);
        QCOMPARE(window.view.selectedText(CopyFormat::kPlain), QStringLiteral("beta"));
        QTest::qWait(QApplication::doubleClickInterval() + 50);
        QTest::mousePress(window.view.viewport(), Qt::LeftButton, {}, start);
        QTest::mouseMove(window.view.viewport(), end);
        QMouseEvent drag(QEvent::MouseMove, end, window.view.viewport()->mapToGlobal(end), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(window.view.viewport(), &drag);
        QTest::mouseRelease(window.view.viewport(), Qt::LeftButton, {}, end);
        QCOMPARE(window.view.selectedText(CopyFormat::kPlain), QStringLiteral("alpha"));
        QTest::keyClick(&window.view, Qt::Key_Right, Qt::ShiftModifier | Qt::ControlModifier);
        QTest::keyClick(&window.view, Qt::Key_Right, Qt::ShiftModifier | Qt::ControlModifier);
        QCOMPARE(window.view.selectedText(CopyFormat::kPlain), QStringLiteral("alpha beta"));
        QTest::keyClick(&window.view, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&window.view, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(window.view.selectedText(CopyFormat::kPlain), QStringLiteral("alpha beta gamma\n\nd"));
    }

    // What is copied as Markdown reads as the same blocks again.
    void copiedMarkdownIsWhatItWas() {
        MarkdownDocument first(MarkdownDocument::Dialect::kMarkdown);
        first.append(sampleMarkdown());
        QString copied;
        for (const Block& block : first.blocks()) {
            const auto length = int(blockText(block).size());
            copied += writeBlock(block, 0, length, CopyFormat::kMarkdown) + QStringLiteral("\n\n");
        }
        MarkdownDocument second(MarkdownDocument::Dialect::kMarkdown);
        second.append(copied.toStdString());
        QCOMPARE(second.blocks().size(), first.blocks().size());
        for (size_t i = 0; i < first.blocks().size(); ++i) {
            QCOMPARE(second.blocks()[i].kind, first.blocks()[i].kind);
            QCOMPARE(second.blocks()[i].content, first.blocks()[i].content);
            QCOMPARE(second.blocks()[i].cells, first.blocks()[i].cells);
            QCOMPARE(second.blocks()[i].marker, first.blocks()[i].marker);
            QCOMPARE(second.blocks()[i].containers.size(), first.blocks()[i].containers.size());
        }
    }

    void everyActionByKeyAndByMouse() {
        auto reply = answer(2, "An answer.");
        reply.sibling = 2;
        reply.siblings = 3;
        Window window({userMessage(1, "A question."), reply});
        const QSignalSpy edit(&window.view, &TranscriptView::editRequested);
        const QSignalSpy again(&window.view, &TranscriptView::regenerateRequested);
        const QSignalSpy fork(&window.view, &TranscriptView::forkRequested);
        const QSignalSpy remove(&window.view, &TranscriptView::deleteRequested);
        const QSignalSpy sibling(&window.view, &TranscriptView::siblingRequested);
        window.view.setFocus(Qt::TabFocusReason);
        window.view.setCurrentRow(1);
        QTest::keyClick(&window.view, Qt::Key_R, Qt::ControlModifier);
        QTest::keyClick(&window.view, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(&window.view, Qt::Key_Delete);
        QTest::keyClick(&window.view, Qt::Key_Left, Qt::AltModifier);
        QTest::keyClick(&window.view, Qt::Key_Right, Qt::AltModifier);
        QTest::keyClick(&window.view, Qt::Key_F2);  // answers are not edited
        QTest::keyClick(&window.view, Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(window.view.currentRow(), 0);
        QTest::keyClick(&window.view, Qt::Key_F2);
        QCOMPARE(again.count(), 1);
        QCOMPARE(again[0][0].toLongLong(), 2);
        QCOMPARE(fork.count(), 1);
        QCOMPARE(remove.count(), 1);
        QCOMPARE(sibling.count(), 2);
        QCOMPARE(sibling[0][1].toInt(), -1);
        QCOMPARE(sibling[1][1].toInt(), 1);
        QCOMPARE(edit.count(), 1);
        QCOMPARE(edit[0][0].toLongLong(), 1);
        window.click(window.hotPoint(Hot::Kind::kAction, int(MessageAction::kRegenerate)));
        window.click(window.hotPoint(Hot::Kind::kAction, int(MessageAction::kNextSibling)));
        window.click(window.hotPoint(Hot::Kind::kAction, int(MessageAction::kEdit)));
        QCOMPARE(again.count(), 2);
        QCOMPARE(sibling.count(), 3);
        QCOMPARE(edit.count(), 2);
        window.click(window.hotPoint(Hot::Kind::kAction, int(MessageAction::kCopy)));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("A question."));
    }

    // The window renames the session with the key that edits a message.
    void keysOfTheMessageGoBeforeThoseOfTheWindow() {
        Theme theme(Scheme::kLight);
        QWidget window;
        QVBoxLayout column(&window);
        TranscriptView view(theme);
        TranscriptModel model;
        column.addWidget(&view);
        view.setModel(&model);
        model.replaceAll({userMessage(1, "A question."), answer(2, "An answer.")});
        QAction rename(&window);
        rename.setShortcut(Qt::Key_F2);
        window.addAction(&rename);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        view.setFocus(Qt::TabFocusReason);
        const QSignalSpy edit(&view, &TranscriptView::editRequested);
        const QSignalSpy renamed(&rename, &QAction::triggered);
        view.setCurrentRow(0);
        QTest::keyClick(&view, Qt::Key_F2);
        QCOMPARE(edit.count(), 1);
        QCOMPARE(renamed.count(), 0);
        view.setCurrentRow(1);  // an answer cannot be edited
        QTest::keyClick(&view, Qt::Key_F2);
        QCOMPARE(edit.count(), 1);
        QCOMPARE(renamed.count(), 1);
    }

    void tabPassesThroughAndOut() {
        Theme theme(Scheme::kLight);
        QWidget window;
        QVBoxLayout column(&window);
        QLineEdit before, after;
        TranscriptView view(theme);
        TranscriptModel model;
        for (QWidget* widget : std::initializer_list<QWidget*>{&before, &view, &after}) column.addWidget(widget);
        view.setModel(&model);
        model.replaceAll({answer(1, "A [link](https://a.b).")});
        window.resize(600, 500);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        before.setFocus();
        const QSignalSpy link(&view, &TranscriptView::linkActivated);
        QTest::keyClick(&before, Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &view);
        QTest::keyClick(&view, Qt::Key_Tab);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(link.count(), 1);
        int presses = 0;
        while (QApplication::focusWidget() == &view && presses < 20) {
            QTest::keyClick(&view, Qt::Key_Tab);
            ++presses;
        }
        QCOMPARE(QApplication::focusWidget(), &after);
    }

    void thinkingIsFolded() {
        auto reply = answer(1, "An answer.");
        reply.thinking = "First, a thought.";
        reply.timing.thinkingSeconds = 12;
        Window window({reply});
        const auto has = [&](Part part) {
            const auto& rows = window.view.layout().visible();
            return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.key.part == part; });
        };
        QVERIFY(has(Part::kThinkingFold) && !has(Part::kThinking));
        window.click(window.hotPoint(Hot::Kind::kFold));
        QVERIFY(has(Part::kThinking));
        window.click(window.hotPoint(Hot::Kind::kFold));
        QVERIFY(!has(Part::kThinking));
    }

    void whatIsSearchedIsShown() {
        auto messages = longTranscript(300);
        messages[20].text += " The needle.";
        messages[151].text += "\n\n| a | needle |\n|---|---|\n| 1 | NEEDLE |\n";
        Window window(std::move(messages));
        const QSignalSpy found(&window.view, &TranscriptView::foundChanged);
        window.view.find(QStringLiteral("needle"));
        QTRY_VERIFY(found.count() > 0 && !found.last()[2].toBool());
        QCOMPARE(window.view.foundCount(), 3);
        const auto seen = [&](int item) {
            const auto& rows = window.view.layout().visible();
            return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.item == item; });
        };
        QVERIFY(seen(20));
        QTest::keyClick(&window.view, Qt::Key_F3);
        QVERIFY(seen(151));
        QTest::keyClick(&window.view, Qt::Key_F3);
        QTest::keyClick(&window.view, Qt::Key_F3);
        QCOMPARE(window.view.foundCurrent(), 0);
        QTest::keyClick(&window.view, Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(window.view.foundCurrent(), 2);
        window.view.find({});
        QCOMPARE(window.view.foundCount(), 0);
    }

    void messagesAreHeard() {
        auto reply = answer(2, "Line **one**.\n\n- item\n");
        reply.sibling = 1;
        reply.siblings = 2;
        Window window({userMessage(1, "A question."), reply});
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&window.view);
        QVERIFY(list != nullptr);
        QCOMPARE(list->role(), QAccessible::List);
        QVERIFY(!list->text(QAccessible::Name).isEmpty());
        QCOMPARE(list->childCount(), 2);
        QAccessibleInterface* second = list->child(1);
        QCOMPARE(second->text(QAccessible::Name), QStringLiteral("Kimi K3: Line one.\n• item"));
        QVERIFY(second->text(QAccessible::Description).contains(QStringLiteral("version 1 of 2")));
        QVERIFY(second->textInterface() != nullptr);
        int begin = 0, end = 0;
        QCOMPARE(second->textInterface()->textAtOffset(12, QAccessible::LineBoundary, &begin, &end),
                 QStringLiteral("• item"));
        QCOMPARE(list->indexOfChild(second), 1);
        QVERIFY(second->rect().isValid());
        window.model.removeFrom(2);
        QCOMPARE(list->childCount(), 1);
        QVERIFY(!second->isValid());
    }

    void directionFollowsEachParagraph() {
        Window window({answer(1, "مرحبا بالعالم\n\n```\ncode\n```\n\n- عنصر\n\nplain")});
        std::vector<qreal> carets;
        for (const auto& row : window.view.layout().visible()) {
            if (row.key.part == Part::kText) carets.push_back(row.layout->caret(0).x());
        }
        QCOMPARE(carets.size(), size_t{4});
        const qreal middle = window.view.layout().width() / 2;
        QVERIFY(carets[0] > middle);
        QVERIFY(carets[1] < middle);
        QVERIFY(carets[2] > middle);
        QVERIFY(carets[3] < middle);
    }

    void survivesChangesOfEverything() {
        Window window(longTranscript(60));
        window.view.verticalScrollBar()->setValue(window.view.verticalScrollBar()->maximum() / 2);
        const auto top = window.view.layout().visible().front();
        window.theme.setScheme(Scheme::kDark);
        QCOMPARE(window.view.layout().visible().front().item, top.item);
        window.theme.setZoom(2);
        QCOMPARE(window.view.layout().visible().front().item, top.item);
        for (const int width : {300, 80, 3440, 900}) {
            window.view.resize(width, 500);
            Window::settle();
            QVERIFY(!window.view.layout().visible().empty());
        }
        window.model.removeFrom(10);
        window.model.replaceAll({});
        QTest::keyClick(&window.view, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&window.view, Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(&window.view, Qt::Key_Down, Qt::ShiftModifier);
        window.click({100, 100});
        window.view.setModel(nullptr);
        window.view.grab();
        window.click({100, 100});
    }
};

QTEST_MAIN(TranscriptViewTest)
#include "transcript_view_test.moc"
