// SPDX-License-Identifier: Apache-2.0
// The composer as a user works with it: real files, the real tokenizer, no display.
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QInputDialog>
#include <QInputMethodEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QTemporaryDir>

#include "app/composition/attachments.h"
#include "app/composition/workplace.h"
#include "app/desktop/composer/attachment_dialog.h"
#include "app/desktop/composer/folder_dialog.h"
#include "app/desktop/composer/preview_pane.h"
#include "tests/gui/composer/composer_fixture.h"

using namespace pal;
using namespace pal::desktop;

namespace {

// What the terminal program would send: the same message, without the widget.
int64_t expectedTokens(const std::vector<AttachedFile>& files, const std::string& text,
                       const ComposerContext& context) {
    ComposeOptions options;
    options.media = context.media;
    options.document.helper = PAL_EXTRACT;
    ComposedMessages composed;
    composed[0] = composeMessage(files, text, options).value();
    ChatRequest request;
    request.thinking = context.settings.thinking;
    request.effort = context.settings.effort;
    request.messages.push_back(composed[0].message);
    return mapPrompt(request, composed, *context.tokenizer).value().counts().all();
}

void drop(QWidget& on, const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls.push_back(QUrl::fromLocalFile(file));
    data.setUrls(urls);
    const QPoint at = on.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&on, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&on, &dropped);
}

// The longest time that the UI thread did not come to its events.
class Probe : public QObject {
  public:
    Probe() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] { worst = std::max(worst, clock_.restart()); });
        clock_.start();
        timer_.start(1);
    }
    qint64 worst = 0;  // ms

  private:
    QTimer timer_;
    QElapsedTimer clock_;
};

}  // namespace

class ComposerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        theme_ = std::make_unique<Theme>(Scheme::kLight);
        composer_ = std::make_unique<Composer>(*theme_);
        tester_ = std::make_unique<QAbstractItemModelTester>(const_cast<AttachmentModel*>(&composer_->attachments()),
                                                             QAbstractItemModelTester::FailureReportingMode::QtTest);
        prepare(*composer_);
        composer_->resize(700, 400);
        composer_->show();
        input_ = part<InputEdit>(*composer_);
        input_->setFocus();
    }
    void cleanup() {
        tester_.reset();
        composer_.reset();
    }

    void workThatFindsNoMemoryIsAnswered() {
        Worker worker;
        QObject receiver;
        std::optional<Error> error;
        int answers = 0;
        worker.run(
            &receiver, "reading", [](const std::stop_token&) -> Result<int> { throw std::bad_alloc(); },
            [&](const Result<int>& made) { error = made.error(); });
        worker.run(
            &receiver, "reading", [](const std::stop_token&) -> Result<int> { return 2; },
            [&](const Result<int>& made) { answers += *made; });
        QTRY_COMPARE(answers, 2);
        QVERIFY(error);
        QCOMPARE(error->code, ErrorCode::kOutOfMemory);
    }

    void enterSendsAndShiftEnterBeginsALine() {
        QSignalSpy sent(composer_.get(), &Composer::sendRequested);
        QTest::keyClicks(input_, QStringLiteral("Who repaired"));
        QTest::keyClick(input_, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(input_, QStringLiteral("the clock?"));
        QCOMPARE(sent.count(), 0);
        QTest::keyClick(input_, Qt::Key_Return);
        QTRY_COMPARE(sent.count(), 1);
        QCOMPARE(sent[0][0].value<ComposedRequest>().text, QStringLiteral("Who repaired\nthe clock?"));
        QCOMPARE(input_->toPlainText(), QStringLiteral("Who repaired\nthe clock?"));
        composer_->clear();
        QTest::keyClick(input_, Qt::Key_Return);
        QVERIFY(!composer_->waiting());
        QCOMPARE(sent.count(), 1);
    }

    void enterOfAnInputMethodDoesNotSend() {
        QSignalSpy sent(composer_.get(), &Composer::sendRequested);
        QInputMethodEvent composing(QStringLiteral("にほんご"), {});
        QCoreApplication::sendEvent(input_, &composing);
        QTest::keyClick(input_, Qt::Key_Return);
        QTest::qWait(300);
        QCOMPARE(sent.count(), 0);
        QInputMethodEvent commit;
        commit.setCommitString(QStringLiteral("日本語"));
        QCoreApplication::sendEvent(input_, &commit);
        QTest::keyClick(input_, Qt::Key_Return);
        QTRY_COMPARE(sent.count(), 1);
        QCOMPARE(sent[0][0].value<ComposedRequest>().text, QStringLiteral("日本語"));
    }

    void theInputGrowsToALimitAndKeepsUndo() {
        QVERIFY(!input_->verticalScrollBar()->isVisible());
        const int one = input_->sizeHint().height();
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(input_, Qt::Key_Return, Qt::ShiftModifier);
            QTest::qWait(20);
            QCOMPARE(input_->verticalScrollBar()->value(), 0);  // all lines are seen
        }
        QVERIFY(input_->sizeHint().height() > 3 * one);
        const int some = input_->sizeHint().height();
        input_->insertPlainText(QString(100, u'\n'));
        QVERIFY(input_->sizeHint().height() < 3 * some);
        input_->selectAll();
        QTest::keyClicks(input_, QStringLiteral("x"));
        input_->undo();
        QCOMPARE(input_->toPlainText().size(), 105);
    }

    // Enter never does nothing without a word.
    void whatCannotBeSentIsSaid() {
        QSignalSpy sent(composer_.get(), &Composer::sendRequested);
        const auto* status = composer_->findChild<ElidedLabel*>();
        input_->setPlainText(QStringLiteral("A question"));
        for (const auto mode : {Composer::Mode::kNoModel, Composer::Mode::kAnswering}) {
            composer_->setMode(mode);
            QVERIFY(status->text().isEmpty());
            QTest::keyClick(input_, Qt::Key_Return);
            QVERIFY(!status->text().isEmpty());
        }
        QCOMPARE(sent.count(), 0);
        QCOMPARE(input_->toPlainText(), QStringLiteral("A question"));
    }

    // The caret of an empty line is where the hint begins; words stand where they begin to be read.
    void textStandsAtTheSideWhereItIsRead() {
        const auto caretIsRight = [&] { return input_->cursorRect().center().x() > input_->viewport()->width() / 2; };
        const QString arabic = QStringLiteral("ما هي قاعدة دلتا؟"), english = QStringLiteral("What is it?");
        QVERIFY(!caretIsRight());
        input_->setPlainText(arabic);
        QVERIFY(caretIsRight());
        input_->setPlainText(english);
        QVERIFY(!caretIsRight());
        input_->setLayoutDirection(Qt::RightToLeft);
        QVERIFY(!caretIsRight());
        input_->clear();
        QVERIFY(caretIsRight());
        input_->setPlainText(QStringLiteral("\n") + arabic);
        input_->moveCursor(QTextCursor::End);
        QTest::qWait(20);
        QVERIFY(input_->cursorRect().center().x() < input_->viewport()->width() - 20);  // behind the last word
        input_->moveCursor(QTextCursor::StartOfBlock);
        QVERIFY(caretIsRight());
    }

    void droppedFilesAreReadCountedAndSentInTheirOrder() {
        const QStringList files{testFile("media/images/colour.jpg"), testFile("documents/two_columns.pdf"),
                                testFile("media/clips/h264.mp4")};
        drop(*composer_, files);
        QTest::keyClicks(input_, QStringLiteral("What is this?"));
        QVERIFY(settle(*composer_));
        const auto& items = composer_->attachments().items();
        QCOMPARE(items.size(), 3U);
        QCOMPARE(items[0].facts.file.kind, AttachedKind::kImage);
        QCOMPARE(items[1].facts.file.kind, AttachedKind::kDocument);
        QCOMPARE(items[2].facts.file.kind, AttachedKind::kVideo);
        for (const AttachmentItem& item : items) {
            QVERIFY(item.counts && item.counts->all() > 0);
            QVERIFY(!item.facts.thumbnail.isNull());
        }
        std::vector<AttachedFile> same;
        for (const QString& file : files) same.push_back(recogniseFile(file.toStdString()).value());
        QCOMPARE(composer_->count()->counts.all(), expectedTokens(same, "What is this?", nanoContext()));
        QSignalSpy sent(composer_.get(), &Composer::sendRequested);
        QTest::keyClick(input_, Qt::Key_Return);
        QTRY_COMPARE(sent.count(), 1);
        const auto request = sent[0][0].value<ComposedRequest>();
        QCOMPARE(request.attachments.size(), 3U);
        QCOMPARE(request.attachments[1].name, std::string("two_columns.pdf"));
        QVERIFY(request.attachments[1].document && !request.attachments[1].content.empty());
    }

    // As when the window is opened with files: they are read before the model is there.
    void whatIsReadWhenTheModelComesIsReadWithIt() {
        composer_->setContext({});
        composer_->addFiles({testFile("documents/two_columns.pdf"), testFile("media/images/colour.jpg"),
                             testFile("media/clips/h264.mp4")});
        composer_->setContext(nanoContext());
        QVERIFY(settle(*composer_));
        for (const AttachmentItem& item : composer_->attachments().items())
            QVERIFY2(item.state == AttachmentItem::State::kReady, qPrintable(item.error));
    }

    void sendingWaitsForWhatIsRead() {
        QSignalSpy sent(composer_.get(), &Composer::sendRequested);
        composer_->addFiles({testFile("documents/two_columns.pdf")});
        QTest::keyClicks(input_, QStringLiteral("What?"));
        QTest::keyClick(input_, Qt::Key_Return);
        QVERIFY(composer_->waiting());
        QCOMPARE(sent.count(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(sent.count(), 1, 30'000);
        QCOMPARE(sent[0][0].value<ComposedRequest>().attachments.size(), 1U);
        QVERIFY(!composer_->waiting());
        composer_->clear();
        composer_->addFiles({testFile("documents/two_columns.pdf")});
        QTest::keyClicks(input_, QStringLiteral("What?"));
        QTest::keyClick(input_, Qt::Key_Return);
        QTest::keyClick(composer_.get(), Qt::Key_Escape);
        QVERIFY(settle(*composer_));
        QTest::qWait(300);
        QCOMPARE(sent.count(), 1);
    }

    void largeTextsImagesAndFilesArePastedAsAttachments() {
        QGuiApplication::clipboard()->setText(QStringLiteral("The clock was repaired by Anna.\n").repeated(280'000));
        Probe probe;  // 9 MB are pasted
        QTest::qWait(50);
        const qint64 before = probe.worst;
        input_->paste();
        QVERIFY(input_->toPlainText().isEmpty());
        QCOMPARE(composer_->attachments().rowCount(), 1);
        QVERIFY(settle(*composer_));
        qInfo("worst wait of the UI thread: %lld ms (%lld before)", probe.worst, before);
        QVERIFY2(probe.worst < 250, "the paste itself copies 9 MB through the clipboard");
        QVERIFY(composer_->count()->excess > 0);
        composer_->clear();
        QImage image(60, 45, QImage::Format_RGB32);
        image.fill(Qt::red);
        QGuiApplication::clipboard()->setImage(image);
        input_->paste();
        QTest::keyClicks(input_, QStringLiteral("short text"));
        QVERIFY(settle(*composer_));
        QCOMPARE(composer_->count()->counts.image, 6);
        QCOMPARE(composer_->attachments().items()[0].facts.file.name, std::string("Pasted picture 1.png"));
        QCOMPARE(input_->toPlainText(), QStringLiteral("short text"));
    }

    void whatCannotBeReadSaysSoAndIsNotSent() {
        QSignalSpy sent(composer_.get(), &Composer::sendRequested);
        composer_->addFiles({testFile("documents/truncated.pdf"), QStringLiteral("/no/such.pdf")});
        QTest::keyClicks(input_, QStringLiteral("What?"));
        QVERIFY(settle(*composer_));
        for (const AttachmentItem& item : composer_->attachments().items()) {
            QCOMPARE(item.state, AttachmentItem::State::kFailed);
            QVERIFY(!item.error.isEmpty());
        }
        QTest::keyClick(input_, Qt::Key_Return);
        QTest::qWait(200);
        QCOMPARE(sent.count(), 0);
        while (composer_->attachments().rowCount() > 0) composer_->remove(composer_->attachments().items()[0].id);
        QTest::keyClick(input_, Qt::Key_Return);
        QTRY_COMPARE(sent.count(), 1);
    }

    void aLockedDocumentAsksForItsPassword() {
        prepare(*composer_);
        QSignalSpy given(composer_.get(), &Composer::passwordsGiven);
        drop(*composer_, {testFile("documents/locked.pdf"), testFile("documents/locked_scan.pdf")});
        const auto states = [&](AttachmentItem::State state) {
            const auto& items = composer_->attachments().items();
            return std::count_if(items.begin(), items.end(), [&](const auto& item) { return item.state == state; });
        };
        QTRY_COMPARE_WITH_TIMEOUT(states(AttachmentItem::State::kFailed), 2, 30'000);
        auto* list = part<AttachmentList>(*composer_);
        const auto give = [&](const QString& password) {
            list->setCurrentIndex(list->model()->index(0, 0));
            QTest::keyClick(list, Qt::Key_Return);
            auto* dialog = part<QInputDialog>(*composer_);
            QVERIFY(dialog->isVisible());
            QCOMPARE(dialog->textEchoMode(), QLineEdit::Password);
            dialog->setTextValue(password);
            dialog->accept();
            QTest::qWait(1);
        };
        give(QStringLiteral("no such thing"));
        QTRY_COMPARE_WITH_TIMEOUT(states(AttachmentItem::State::kFailed), 2, 30'000);
        QVERIFY(composer_->attachments().items().front().locked);
        give(QStringLiteral("open sesame"));
        QTRY_COMPARE_WITH_TIMEOUT(states(AttachmentItem::State::kReady), 2, 30'000);
        QCOMPARE(given.count(), 2);
        QCOMPARE(given.back().front().toString(), QStringLiteral("open sesame\nno such thing"));
        // A later password, of another PDF, takes nothing from those that are open: read again, they still are.
        composer_->clear();
        drop(*composer_, {testFile("documents/locked.pdf")});
        QTRY_COMPARE_WITH_TIMEOUT(states(AttachmentItem::State::kReady), 1, 30'000);
        composer_->clear();
        drop(*composer_, {testFile("documents/locked.pdf"), testFile("documents/locked_scan.pdf")});
        QTRY_COMPARE_WITH_TIMEOUT(states(AttachmentItem::State::kReady), 2, 30'000);
        const auto files = composer_->attachments().files();
        QVERIFY(files.front().document->pages.front().text.size() > 10);
        // Its pages as pictures are seen with the password only.
        AttachedFile scan = files.back();
        scan.options.picturePages = PicturePages::kShow;
        for (const std::string password : {"", "no such thing\nopen sesame"}) {
            DocumentOptions reading;
            reading.helper = PAL_EXTRACT;
            reading.password = password;
            const Preview preview = makePreview({scan}, 0, nanoContext().media, {}, reading).value();
            const auto shown = std::find_if(preview.entries.begin(), preview.entries.end(),
                                            [](const PreviewEntry& entry) { return entry.medium.has_value(); });
            QVERIFY(shown != preview.entries.end());
            QCOMPARE(previewFrames(preview, *shown->medium, {}).has_value(), !password.empty());
        }
    }

    void ofAFolderTheTickedFilesAreAttached() {
        drop(*composer_, {testFile("documents/encodings")});
        auto* dialog = part<FolderDialog>(*composer_);
        const QStringList ticked = dialog->ticked();
        QVERIFY(!ticked.isEmpty());
        dialog->accept();
        QCOMPARE(composer_->attachments().rowCount(), static_cast<int>(ticked.size()));
        QVERIFY(settle(*composer_));
        QVERIFY(!composer_->attachments().anyIn(AttachmentItem::State::kFailed));
    }

    void scannedPagesAreNamedAndShownOnRequest() {
        composer_->addFiles({testFile("documents/scanned.pdf")});
        QVERIFY(settle(*composer_));
        const AttachmentItem& item = composer_->attachments().items()[0];
        QVERIFY(!item.warnings.isEmpty());
        QVERIFY2(item.warnings.join(u' ').contains(QStringLiteral("tokens")), qPrintable(item.warnings.join(u' ')));
        QCOMPARE(composer_->count()->counts.image, 0);
        composer_->open(item.id);
        auto* dialog = part<AttachmentDialog>(*composer_);
        part<QCheckBox>(*dialog)->click();
        QVERIFY(settle(*composer_));
        QVERIFY(composer_->count()->counts.image > 0);
        dialog->reject();
    }

    void tooMuchIsRefusedWithChoicesThatFit() {
        QSignalSpy sent(composer_.get(), &Composer::sendRequested);
        composer_->addFiles({testFile("documents/labels.pdf"), testFile("documents/two_columns.pdf"),
                             testFile("media/clips/h264.mp4")});
        QTest::keyClicks(input_, QStringLiteral("What is this?"));
        QVERIFY(settle(*composer_));
        prepare(*composer_, composer_->count()->tokens() - 10);
        QVERIFY(settle(*composer_));
        QCOMPARE(composer_->count()->excess, 11);
        const auto* bar = part<RefusalBar>(*composer_);
        QVERIFY(composer_->count()->excess > 0);
        QVERIFY(bar->isVisible());
        QVERIFY(bar->text().startsWith(QLocale().toString(static_cast<qlonglong>(composer_->count()->excess))));
        QTest::keyClick(input_, Qt::Key_Return);
        QTest::qWait(100);
        QCOMPARE(sent.count(), 0);
        QVERIFY(!composer_->count()->choices.empty());
        // Each choice is enough on its own.
        const size_t choices = composer_->count()->choices.size();
        for (size_t i = 0; i < choices; ++i) {
            const ComposerDraft before = composer_->draft();
            QVERIFY(settle(*composer_));
            const auto buttons = bar->findChildren<QPushButton*>();
            QPushButton* button = nullptr;
            size_t seen = 0;
            for (QPushButton* candidate : buttons)
                if (candidate->isVisible() && seen++ == i) button = candidate;
            if (button == nullptr) break;  // more choices than buttons
            button->click();
            QVERIFY(settle(*composer_));
            QCOMPARE(composer_->count()->excess, 0);
            QVERIFY(!bar->isVisible());
            composer_->setDraft(before);
            QVERIFY(settle(*composer_));
        }
    }

    void whatIsTypedOnACardIsTheQuestion() {
        prepare(*composer_);
        composer_->show();
        drop(*composer_, {testFile("documents/prices.csv")});
        QVERIFY(settle(*composer_));
        auto* list = part<AttachmentList>(*composer_);
        list->setFocus();
        QTest::keyClicks(list, QStringLiteral("W"));
        QVERIFY(part<InputEdit>(*composer_)->hasFocus());
        QTest::keyClicks(part<InputEdit>(*composer_), QStringLiteral("ho?"));
        QCOMPARE(part<InputEdit>(*composer_)->toPlainText(), QStringLiteral("Who?"));
        QCOMPARE(composer_->attachments().rowCount(), 1);
    }

    void cardsWorkByKeyboardAndRemovalCanBeUndone() {
        composer_->addFiles({testFile("documents/two_columns.pdf"), testFile("media/images/colour.jpg")});
        QVERIFY(settle(*composer_));
        auto* list = part<AttachmentList>(*composer_);
        list->setFocus();
        list->setCurrentIndex(list->model()->index(0, 0));
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(composer_->attachments().rowCount(), 1);
        QVERIFY(settle(*composer_));
        const int64_t without = composer_->count()->counts.all();
        for (QPushButton* button : composer_->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("&Undo")) button->click();
        QCOMPARE(composer_->attachments().rowCount(), 2);
        QCOMPARE(composer_->attachments().items()[0].facts.file.name, std::string("two_columns.pdf"));
        QVERIFY(settle(*composer_));
        QVERIFY(composer_->count()->counts.all() > without);
        list->setCurrentIndex(list->model()->index(0, 0));
        QTest::keyClick(list, Qt::Key_Return);
        QVERIFY(part<AttachmentDialog>(*composer_)->isVisible());
    }

    void aClipIsCutAndCostsLessAtOnce() {
        composer_->addFiles({testFile("media/clips/h264.mp4")});
        QVERIFY(settle(*composer_));
        const int64_t whole = composer_->count()->counts.video;
        const AttachmentId id = composer_->attachments().items()[0].id;
        composer_->open(id);
        auto* dialog = part<AttachmentDialog>(*composer_);
        auto* strip = part<FrameStrip>(*dialog);
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_Down);  // the end
        for (int i = 0; i < 60; ++i) QTest::keyClick(strip, Qt::Key_Left);
        QVERIFY(settle(*composer_));
        QVERIFY(composer_->count()->counts.video < whole);
        const AttachmentOptions options = composer_->attachments().items()[0].facts.file.options;
        QVERIFY(options.end && !options.start);
        QVERIFY(std::abs(*options.end - strip->end()) < 0.01);
        auto* entries = part<QListWidget>(*dialog);
        QTRY_VERIFY(entries->count() >= 1);
        QTRY_VERIFY(part<QScrollArea>(*dialog)->widget() != nullptr);
        dialog->reject();
    }

    void thePreviewIsWhatTheModelIsGiven() {
        composer_->addFiles({testFile("documents/labels.pdf"), testFile("documents/two_columns.pdf")});
        QVERIFY(settle(*composer_));
        const auto files = composer_->attachments().files();
        const Preview preview = makePreview(files, 0, nanoContext().media, {}).value();
        std::string shown;
        for (const PreviewEntry& entry : preview.entries) shown += entry.text.toStdString();
        QVERIFY(shown.starts_with("[file 1: labels.pdf"));
        QVERIFY(preview.message->message.content[0].text.starts_with(shown));
        QCOMPARE(static_cast<int>(preview.entries.size()), files[0].document->pageCount);
        const auto picture = recogniseFile(testFile("media/images/colour.jpg").toStdString()).value();
        const Preview image = makePreview({picture}, 0, nanoContext().media, {}).value();
        QCOMPARE(image.entries.size(), 1U);
        const auto frames = previewFrames(image, 0, {}).value();
        const ResizePlan& plan = image.message->media[0].resize;
        QCOMPARE(frames[0].image.size(), QSize(static_cast<int>(plan.width), static_cast<int>(plan.height)));
    }

    // The window goes on while a text of 50 MB is looked at: it is shown in parts, which together are the text.
    void aLongTextIsPreviewedInParts() {
        std::string text;
        for (int i = 0; text.size() < (50 << 20); ++i) text += "line " + std::to_string(i) + ": größer ist länger\n";
        Document document;
        document.pageCount = 1;
        document.pages.emplace_back().text = text;
        AttachedFile file{AttachedKind::kText, {}, {}, "long.txt"};
        file.document = std::make_shared<const Document>(std::move(document));
        PreviewPane pane(*theme_);
        pane.resize(600, 400);
        pane.show();
        const auto own = [] {  // seconds that this thread worked
            timespec time{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
            return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
        };
        const double before = own();
        pane.preview({file}, 0, std::nullopt);
        QTRY_VERIFY_WITH_TIMEOUT(pane.partCount() > 500, 60'000);
        QTest::qWait(100);
        QVERIFY2(own() - before < 0.3, qPrintable(QString::number(own() - before)));  // all at once: seconds
        const auto preview = makePreview({file}, 0, std::nullopt, {});
        QVERIFY(preview);
        QString all;
        for (const PreviewEntry& entry : preview->entries) {
            QVERIFY(entry.text.toUtf8().size() <= (64 << 10));
            all += entry.text;
        }
        QVERIFY(all.contains(QString::fromStdString(text)));
        const std::string one = std::string(1, 'x') + [] {
            std::string out;
            while (out.size() < (200 << 10)) out += "ä";
            return out;
        }();
        const auto cut = makePreview({AttachedFile{AttachedKind::kText, {}, one, "line.txt"}}, 0, std::nullopt, {});
        QVERIFY(cut);
        all.clear();
        for (const PreviewEntry& entry : cut->entries) all += entry.text;
        QVERIFY(all.contains(QString::fromStdString(one)));
    }

    void draftsComeBackWithTheirAttachments() {
        composer_->addFiles({testFile("documents/two_columns.pdf")});
        QTest::keyClicks(input_, QStringLiteral("half a question"));
        QVERIFY(settle(*composer_));
        const ComposerDraft draft = composer_->draft();
        composer_->clear();
        QCOMPARE(composer_->attachments().rowCount(), 0);
        composer_->setDraft(draft);
        QCOMPARE(input_->toPlainText(), QStringLiteral("half a question"));
        QVERIFY(!composer_->attachments().anyIn(AttachmentItem::State::kReading));
        QVERIFY(settle(*composer_));
    }

    void everythingThatTakesTheFocusHasAName() {
        composer_->addFiles({testFile("media/clips/h264.mp4")});
        QVERIFY(settle(*composer_));
        composer_->open(composer_->attachments().items()[0].id);
        for (const QWidget* widget : composer_->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
            if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            QVERIFY(face != nullptr);
            QVERIFY2(!face->text(QAccessible::Name).isEmpty(), widget->metaObject()->className());
        }
        part<AttachmentDialog>(*composer_)->reject();
    }

    // Twenty questions of all sorts: the meter is what the engine is given, to the token, in a session that grows.
    void theCountIsThatOfTheStoredPrompt() {
        const QTemporaryDir folder;
        WorkplaceOptions options;
        options.places = dataPlaces(folder.path().toStdString()).value();
        options.program = "test";
        const auto place = Workplace::open(options).value();
        QVERIFY(place->loadModel("resources/nano", {}).has_value());
        SessionSettings settings;
        settings.system = "Answer briefly. Réponds brièvement. 简短回答。";
        settings.maxTokens = 1;
        settings.sampling.temperature = 0;
        const SessionId session =
            place->library()
                .writeNow([&](ChatDatabase& db) { return db.sessions().add("s", settingsText(settings), 1); })
                .value();
        const std::vector<std::string> texts{"Who repaired the clock?", "安娜什么时候修理了时钟？",
                                             "🧑‍🚀 and 👩🏽‍💻: ok?",
                                             "for (int i = 0; i < 3; ++i) {\n\treturn i;\n}", "من أصلح الساعة؟"};
        const std::vector<std::vector<const char*>> files{
            {},
            {"documents/two_columns.pdf"},
            {"media/images/colour.jpg", "documents/readme.md"},
            {"media/clips/h264.mp4", "documents/cjk.pdf", "media/images/alpha.webp"}};
        ComposerContext context = nanoContext(place->engine().model().contextTokens);
        context.settings = settings;
        DocumentOptions reading;
        reading.helper = PAL_EXTRACT;
        MessageId head = 0;
        for (size_t i = 0; i < texts.size() * files.size(); ++i) {
            std::vector<AttachedFile> attached;
            AskRequest request{session, head, texts[i % texts.size()], {}};
            for (const char* file : files[i % files.size()]) {
                AttachmentOrder order{AttachedFile::file(AttachedKind::kDocument, testFile(file).toStdString()),
                                      {},
                                      context.media,
                                      reading};
                AttachedFile read = readAttachment(order, [](double) {}, {}).value().file;
                if (i % 3 == 1) read.options.pictureTokens = 4;
                if (i % 3 == 2) read.options.fps = 1;
                request.attachments.push_back(attach(place->library(), read, reading).value());
                attached.push_back(std::move(read));
            }
            context.earlierTokens = head == 0 ? 0 : place->runner().earlierTokens(session, head).value();
            const PromptCount count = countPrompt(attached, request.text, context, {}).value();
            PreparedTurn turn = place->runner().prepare(request).value();
            QCOMPARE(count.tokens(), turn.numbers.tokens);
            QCOMPARE(count.counts.image, turn.numbers.counts.image);
            QCOMPARE(count.counts.video, turn.numbers.counts.video);
            QCOMPARE(count.counts.markup, turn.numbers.counts.markup);
            if (i % 7 != 0) continue;  // a few are really asked
            QVERIFY(place->runner().askPrepared(std::move(turn)).has_value());
            const TurnReport report = runTurn(place->runner(), {}, {}).value();
            QCOMPARE(count.tokens(), report.prompt.reused + report.prompt.computed);
            head = report.reply;
        }
        QVERIFY(place->close().has_value());
    }

    void theMeterSaysEveryKind() {
        composer_->addFiles({testFile("media/clips/h264.mp4"), testFile("media/images/colour.jpg")});
        ComposerContext context = nanoContext();
        context.earlierTokens = 1000;
        composer_->setContext(context);
        QTest::keyClicks(input_, QStringLiteral("What?"));
        QVERIFY(settle(*composer_));
        const auto* meter = part<ContextMeter>(*composer_);
        const PromptCount& count = *composer_->count();
        QCOMPARE(count.tokens(), count.counts.all() + 1000);
        for (const int64_t tokens : {count.counts.text, count.counts.image, count.counts.video, count.counts.markup,
                                     int64_t{1000}, 8192 - count.tokens()})
            QVERIFY2(meter->breakdown().contains(QLocale().toString(static_cast<qlonglong>(tokens))),
                     qPrintable(meter->breakdown()));
        QVERIFY(meter->text().contains(QLocale().toString(static_cast<qlonglong>(count.tokens()))));
    }

  private:
    std::unique_ptr<Theme> theme_;
    std::unique_ptr<Composer> composer_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
    InputEdit* input_ = nullptr;
};

QTEST_MAIN(ComposerTest)
#include "composer_test.moc"
