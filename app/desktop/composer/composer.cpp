// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/composer.h"

#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QUuid>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "app/desktop/bridge/plain_words.h"
#include "app/desktop/composer/attachment_dialog.h"
#include "app/desktop/composer/folder_dialog.h"
#include "app/desktop/composer/typed_key.h"
#include "app/desktop/style/icons.h"

namespace pal::desktop {
namespace {

constexpr int kCountDelay = 120;  // ms after the last change

std::filesystem::path pathOf(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

// What the patches of a picture follow from.
bool seesAlike(const std::optional<MediaConfig>& a, const std::optional<MediaConfig>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    const auto numbers = [](const MediaConfig& c) {
        const VideoConfig video = c.video.value_or(VideoConfig{});
        return std::tuple(c.patchSize, c.mergeSize, c.patchLimit, c.sideLimit, c.video.has_value(), video.sampleFps,
                          video.framesPerChunk, video.patchLimitPerFrame);
    };
    return numbers(*a) == numbers(*b);
}

}  // namespace

ComposerDraft joined(ComposerDraft first, ComposerDraft second) {
    if (!first.text.isEmpty() && !second.text.isEmpty()) first.text += u'\n';
    first.text += second.text;
    std::move(second.attachments.begin(), second.attachments.end(), std::back_inserter(first.attachments));
    return first;
}

Composer::Composer(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    build();
    connectParts();
    dress();
    showButtons();
}

void Composer::build() {
    setAcceptDrops(true);
    refusal_ = new RefusalBar(theme_, this);
    list_ = new AttachmentList(model_, theme_, this);
    input_ = new InputEdit(this);
    input_->setAcceptDrops(false);  // the whole composer takes drops
    input_->viewport()->setAcceptDrops(false);
    attach_ = new QToolButton(this);
    attach_->setIcon(icon(QStringLiteral("attach"), theme_));
    attach_->setToolTip(tr("Attach files (Ctrl+O)"));
    attach_->setAccessibleName(tr("Attach files"));
    attach_->setAutoRaise(true);
    status_ = new ElidedLabel(this);
    status_->setAccessibleName(tr("State of the message"));
    undo_ = new QPushButton(tr("&Undo"), this);
    undo_->setFlat(true);
    undo_->hide();
    meter_ = new ContextMeter(theme_, this);
    send_ = new QToolButton(this);
    send_->setAutoRaise(true);
    auto* row = new QHBoxLayout;
    row->addWidget(attach_);
    row->addWidget(status_, 1);
    row->addWidget(undo_);
    row->addWidget(meter_);
    row->addWidget(send_);
    auto* column = new QVBoxLayout(this);
    for (QWidget* part : {static_cast<QWidget*>(refusal_), static_cast<QWidget*>(list_), static_cast<QWidget*>(input_)})
        column->addWidget(part);
    column->addLayout(row);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    setFocusProxy(input_);
    QWidget* order[] = {input_, list_, attach_, undo_, meter_, send_};
    for (size_t i = 1; i < std::size(order); ++i) setTabOrder(order[i - 1], order[i]);
}

void Composer::connectParts() {
    countSoon_.setSingleShot(true);
    countSoon_.setInterval(kCountDelay);
    connect(&countSoon_, &QTimer::timeout, this, &Composer::countNow);
    connect(input_, &InputEdit::submitted, this, &Composer::submit);
    connect(input_, &InputEdit::textChanged, this, &Composer::edited);
    connect(input_, &InputEdit::filesGiven, this, &Composer::addFiles);
    connect(input_, &InputEdit::imagePasted, this, &Composer::addImage);
    connect(input_, &InputEdit::textPasted, this, [this](const QString& text) { addText(text, {}); });
    connect(list_, &AttachmentList::opened, this, &Composer::open);
    connect(list_, &AttachmentList::removed, this, &Composer::remove);
    connect(list_, &AttachmentList::retried, this, &Composer::readAgain);
    connect(attach_, &QToolButton::clicked, this, &Composer::chooseFiles);
    connect(undo_, &QPushButton::clicked, this, &Composer::undoRemove);
    connect(refusal_, &RefusalBar::chosen, this, &Composer::apply);
    connect(send_, &QToolButton::clicked, this, [this] {
        if (mode_ == Mode::kAnswering) {
            Q_EMIT stopRequested();
        } else {
            submit();
        }
    });
    connect(&theme_, &Theme::changed, this, &Composer::dress);
}

void Composer::dress() {
    const int space = theme_.space(2);
    layout()->setContentsMargins(space * 2, space, space * 2, space);
    layout()->setSpacing(theme_.space(1));
    input_->setFont(theme_.body());
    QPalette palette = theme_.palette();
    palette.setColor(QPalette::Base, Qt::transparent);
    input_->setPalette(palette);
    status_->setFont(theme_.small());
    palette.setColor(QPalette::WindowText, theme_.colours().muted);
    status_->setPalette(palette);
    const QSize size(theme_.iconSize(), theme_.iconSize());
    for (QToolButton* button : {attach_, send_}) button->setIconSize(size);
    update();
}

void Composer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = theme_.colours();
    const bool focused = input_->hasFocus();
    painter.setPen(QPen(dropping_ || focused ? colours.accent : colours.faint, dropping_ ? 2 : 1));
    painter.setBrush(dropping_ ? colours.raised : colours.surface);
    const int space = theme_.space(1);
    painter.drawRoundedRect(QRectF(rect()).adjusted(space, 1, -space, -1), theme_.radius() * 1.5,
                            theme_.radius() * 1.5);
}

void Composer::setContext(const ComposerContext& context) {
    const bool again = !seesAlike(context_.media, context.media);
    context_ = context;
    meter_->setContextTokens(context.contextTokens, context.earlierTokens);
    if (again) {
        for (const AttachmentItem& item : model_.items()) {
            // What is being read may turn out to be a picture or clip.
            const AttachedKind kind = item.facts.file.kind;
            if (item.state != AttachmentItem::State::kReady || kind == AttachedKind::kImage ||
                kind == AttachedKind::kVideo)
                read(item.id);
        }
    }
    countAgain();  // what waits to be sent goes on waiting
}

void Composer::setMode(Mode mode) {
    if (std::exchange(mode_, mode) != mode && !waiting_) say({});  // what was said of the mode before
    showButtons();
}

void Composer::showButtons() {
    const bool answering = mode_ == Mode::kAnswering;
    send_->setIcon(icon(answering ? QStringLiteral("stop") : QStringLiteral("send"), theme_, IconColour::kAccent));
    send_->setToolTip(answering ? tr("Stop the answer (Esc)") : tr("Send (Enter)"));
    send_->setAccessibleName(answering ? tr("Stop the answer") : tr("Send"));
    const bool something = !input_->toPlainText().trimmed().isEmpty() || model_.rowCount() > 0;
    const bool fits = !count_ || count_->excess == 0;
    send_->setEnabled(answering || (mode_ == Mode::kReady && something && fits && !waiting_));
}

ComposedRequest Composer::request() const {
    return {input_->toPlainText(), model_.files()};
}

ComposerDraft Composer::draft() const {
    return {input_->toPlainText(), model_.items()};
}

void Composer::setDraft(ComposerDraft draft) {
    clear();
    input_->setPlainText(draft.text);
    input_->moveCursor(QTextCursor::End);
    for (AttachmentItem& item : draft.attachments) {
        item.id = nextId_++;
        const AttachmentId id = item.id;
        const bool ready = item.state == AttachmentItem::State::kReady;
        model_.insert(model_.rowCount(), std::move(item));
        if (!ready) read(id);
    }
    edited();
}

void Composer::clear() {
    for (Reading& reading : readings_) reading.stop.request_stop();
    readings_.clear();
    removed_.reset();
    undo_->hide();
    stopWaiting();
    model_.clear();
    input_->clear();
    refusal_->hide();
    say({});
    edited();
}

void Composer::edited() {
    stopWaiting();
    countAgain();
    Q_EMIT changed();
}

void Composer::countAgain() {
    count_.reset();
    meter_->setCount(std::nullopt);
    ++counting_;
    countStop_.request_stop();
    if (context_.tokenizer) countSoon_.start();
    showButtons();
}

void Composer::countNow() {
    if (!context_.tokenizer) return;
    countStop_.request_stop();
    const uint64_t number = ++counting_;
    countStop_ = counter_.run(
        this, "counting the tokens",
        [files = model_.files(), text = input_->toPlainText().toStdString(),
         context = context_](const std::stop_token& stop) { return countPrompt(files, text, context, stop); },
        [this, number](Result<PromptCount> count) { finishCount(number, std::move(count)); });
}

void Composer::finishCount(uint64_t number, Result<PromptCount> count) {
    if (number != counting_) return;
    if (!count) {
        stopWaiting();
        say(plainWords(count.error().message));
        return;
    }
    count_ = std::move(*count);
    QStringList warnings;
    for (const std::string& warning : count_->warnings) warnings.push_back(QString::fromStdString(warning));
    model_.setCounts(count_->attachments, warnings);
    meter_->setCount(count_);
    refusal_->setCount(*count_, model_.files());
    const bool waited = waiting_;
    if (waited && !model_.anyIn(AttachmentItem::State::kReading)) submit();
    showButtons();
    Q_EMIT counted();
}

void Composer::apply(const Choice& choice) {
    size_t ready = 0;
    for (const AttachmentItem& item : model_.items()) {
        if (item.state != AttachmentItem::State::kReady || ready++ != choice.attachment) continue;
        const AttachmentId id = item.id;
        if (choice.kind == Choice::Kind::kRemove) {
            remove(id);
        } else {
            setOptions(id, choice.options);
            countSoon_.start(0);
        }
        break;
    }
    focusInput();
}

void Composer::submit() {
    if (input_->toPlainText().trimmed().isEmpty() && model_.rowCount() == 0) return;
    if (mode_ == Mode::kNoModel) return say(tr("No model is loaded: Ctrl+, chooses one."));
    if (mode_ == Mode::kAnswering) return say(tr("An answer is being written: Esc stops it."));
    if (model_.anyIn(AttachmentItem::State::kFailed))
        return say(tr("Something could not be read: take it out, or open it to try again."));
    if (model_.anyIn(AttachmentItem::State::kReading))
        return wait(tr("Sends when everything has been read. Esc cancels."));
    if (context_.tokenizer && !count_) {
        wait(tr("Sends when the tokens are counted. Esc cancels."));
        if (countSoon_.isActive()) countSoon_.start(0);
        return;
    }
    stopWaiting();
    if (count_ && count_->excess > 0) return;  // the bar above says by how much
    Q_EMIT sendRequested(request());
}

void Composer::wait(const QString& why) {
    waiting_ = true;
    say(why);
    showButtons();
}

void Composer::stopWaiting() {
    if (!waiting_) return;
    waiting_ = false;
    say({});
    showButtons();
}

void Composer::say(const QString& text) {
    status_->setText(text);
    status_->setToolTip(plainToolTip(text));
}

void Composer::addFiles(const QStringList& paths) {
    for (const QString& path : paths) {
        if (QFileInfo(path).isDir()) {
            chooseFrom(path);
        } else {
            add(AttachedFile::file(AttachedKind::kDocument, pathOf(path)), {});
        }
    }
}

void Composer::chooseFrom(const QString& folder) {
    auto* dialog = new FolderDialog(folder, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { addFiles(dialog->ticked()); });
    dialog->open();
}

void Composer::addText(const QString& text, const QString& name) {
    const QString called = name.isEmpty() ? tr("Pasted text %1").arg(++pastedTexts_) + QStringLiteral(".txt") : name;
    // As the document that it will be: a text of some MB is handed on many times, and that must not copy it.
    Document document;
    document.pageCount = 1;
    document.pages.emplace_back().text = text.toStdString();
    AttachedFile file{AttachedKind::kText, {}, {}, called.toStdString()};
    file.document = std::make_shared<const Document>(std::move(document));
    add(std::move(file), {});
}

void Composer::addImage(const QImage& image) {
    // The file is called as no other, also of another day.
    const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".png");
    const QString& folder = pasteFolder_.isEmpty() ? pasted_.path() : pasteFolder_;
    AttachedFile file = AttachedFile::file(AttachedKind::kImage, pathOf(folder + u'/' + id));
    file.name = (tr("Pasted picture %1").arg(++pastedImages_) + QStringLiteral(".png")).toStdString();
    add(std::move(file), image);
}

void Composer::chooseFiles() {
    addFiles(QFileDialog::getOpenFileNames(this, tr("Attach files")));
}

void Composer::add(AttachedFile file, const QImage& image) {
    AttachmentItem item;
    item.id = nextId_++;
    item.facts.file = std::move(file);
    const AttachmentId id = item.id;
    model_.insert(model_.rowCount(), std::move(item));
    readings_.push_back({id, {}, image});
    read(id);
    edited();
}

void Composer::read(AttachmentId id) {
    const int row = model_.rowOf(id);
    if (row < 0) return;
    auto reading = std::find_if(readings_.begin(), readings_.end(), [&](const Reading& r) { return r.id == id; });
    if (reading == readings_.end()) reading = readings_.insert(readings_.end(), Reading{id, {}, {}});
    reading->stop.request_stop();
    model_.setReading(id);
    AttachmentOrder order{model_.items()[static_cast<size_t>(row)].facts.file, reading->image, context_.media,
                          reading_};
    const auto progress = [this, id](double done) {
        QMetaObject::invokeMethod(
            this, [this, id, done] { model_.setProgress(id, done); }, Qt::QueuedConnection);
    };
    reading->stop = reader_.run(
        this, "reading the file",
        [order = std::move(order), progress](const std::stop_token& stop) {
            return readAttachment(order, progress, stop);
        },
        [this, id](Result<AttachmentFacts> facts) { finish(id, std::move(facts)); });
}

void Composer::finish(AttachmentId id, Result<AttachmentFacts> facts) {
    const auto reading = std::find_if(readings_.begin(), readings_.end(), [&](const Reading& r) { return r.id == id; });
    if (reading == readings_.end() || reading->stop.stop_requested()) return;
    const bool waited = waiting_;
    if (facts) {
        readings_.erase(reading);
        model_.setFacts(id, std::move(*facts));
    } else {
        model_.setFailed(id, facts.error());
    }
    edited();
    if (waited) submit();
}

void Composer::readAgain(AttachmentId id) {
    const int row = model_.rowOf(id);
    if (row < 0) return;
    if (model_.items()[static_cast<size_t>(row)].locked) return askPassword();
    read(id);
}

// Passwords are kept as long as the window is open and never stored. All are tried, the newest first: each PDF may have its own.
void Composer::askPassword() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Locked PDF"));
    dialog->setLabelText(tr("Password (it is not stored):"));
    dialog->setTextEchoMode(QLineEdit::Password);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& password) {
        if (password.isEmpty()) return;
        const std::string before = reading_.password.empty() ? std::string() : '\n' + reading_.password;
        reading_.password = password.toStdString() + before;
        Q_EMIT passwordsGiven(QString::fromStdString(reading_.password));
        std::vector<AttachmentId> waiting;
        for (const AttachmentItem& item : model_.items())
            if (item.locked) waiting.push_back(item.id);
        for (const AttachmentId id : waiting) read(id);
    });
    dialog->open();
}

void Composer::setOptions(AttachmentId id, const AttachmentOptions& options) {
    model_.setOptions(id, options);
    edited();
}

void Composer::open(AttachmentId id) {
    auto* dialog = new AttachmentDialog(model_, id, context_.media, reading_, theme_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AttachmentDialog::optionsChanged, this, &Composer::setOptions);
    dialog->open();
}

void Composer::remove(AttachmentId id) {
    const int row = model_.rowOf(id);
    if (row < 0) return;
    const auto reading = std::find_if(readings_.begin(), readings_.end(), [&](const Reading& r) { return r.id == id; });
    if (reading != readings_.end()) {
        reading->stop.request_stop();
        readings_.erase(reading);
    }
    removed_ = Removed{model_.take(row), row};
    edited();
    say(tr("Took out %1.").arg(QString::fromStdString(removed_->item.facts.file.name)));
    undo_->show();
    if (model_.rowCount() == 0) focusInput();
}

void Composer::undoRemove() {
    if (!removed_) return;
    const int row = std::min(removed_->row, model_.rowCount());
    const AttachmentId id = removed_->item.id;
    const bool ready = removed_->item.state == AttachmentItem::State::kReady;
    model_.insert(row, std::move(removed_->item));
    removed_.reset();
    undo_->hide();
    say({});
    if (!ready) read(id);
    edited();
    focusInput();
}

void Composer::dragEnterEvent(QDragEnterEvent* event) {
    if (!canTake(*event->mimeData())) return;
    dropping_ = true;
    update();
    event->acceptProposedAction();
}

void Composer::dragLeaveEvent(QDragLeaveEvent*) {
    dropping_ = false;
    update();
}

void Composer::dropEvent(QDropEvent* event) {
    dropping_ = false;
    update();
    take(*event->mimeData());
    event->acceptProposedAction();
}

bool Composer::canTake(const QMimeData& dropped) {
    return !localFiles(dropped).isEmpty() || dropped.hasImage() || dropped.hasText();
}

void Composer::take(const QMimeData& dropped) {
    if (const QStringList files = localFiles(dropped); !files.isEmpty()) {
        addFiles(files);
    } else if (dropped.hasImage()) {
        addImage(qvariant_cast<QImage>(dropped.imageData()));
    } else if (dropped.text().size() > InputEdit::kLongestPaste) {
        addText(dropped.text(), {});
    } else {
        input_->insertPlainText(dropped.text());
    }
    focusInput();
}

void Composer::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && waiting_) return stopWaiting();
    if (event->matches(QKeySequence::Open)) return chooseFiles();
    if (!input_->hasFocus() && writes(*event)) {  // on a card, too, what is typed is the question
        focusInput();
        QCoreApplication::sendEvent(input_, event);
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace pal::desktop
