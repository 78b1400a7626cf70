// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/preview_pane.h"

#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/bridge/plain_words.h"

namespace pal::desktop {
namespace {

QLabel* centredLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignCenter);
    return label;
}

// The mark before a picture or clip says less than what follows it.
int firstToShow(const Preview& preview) {
    const auto shows = [](const PreviewEntry& entry) { return entry.medium.has_value() && entry.page == 0; };
    const auto found = std::find_if(preview.entries.begin(), preview.entries.end(), shows);
    return found == preview.entries.end() ? 0 : static_cast<int>(found - preview.entries.begin());
}

}  // namespace

PreviewPane::PreviewPane(const Theme& theme, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent),
      theme_(theme),
      entries_(new QListWidget(this)),
      shown_(new QStackedWidget(this)),
      text_(new QPlainTextEdit(shown_)),
      pictures_(new QScrollArea(shown_)),
      note_(centredLabel({}, shown_)) {
    entries_->setAccessibleName(tr("Parts that the model is given"));
    entries_->setUniformItemSizes(true);
    text_->setReadOnly(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setAccessibleName(tr("Text as the model is given it"));
    pictures_->setWidgetResizable(true);
    pictures_->setAccessibleName(tr("Picture as the model is given it"));
    for (QWidget* page : {static_cast<QWidget*>(text_), static_cast<QWidget*>(pictures_), static_cast<QWidget*>(note_)})
        shown_->addWidget(page);
    setHandleWidth(1);
    setChildrenCollapsible(false);
    setStretchFactor(1, 1);
    setSizes({theme_.space(50), theme_.space(100)});
    connect(entries_, &QListWidget::currentRowChanged, this, &PreviewPane::showEntry);
}

void PreviewPane::preview(std::vector<AttachedFile> files, size_t attachment, const std::optional<MediaConfig>& media,
                          const DocumentOptions& reading) {
    composing_.request_stop();
    if (!preview_) say(tr("Being prepared…"));
    composing_ = worker_.run(
        this, "the preview",
        [files = std::move(files), attachment, media, reading](const std::stop_token& stop) {
            return makePreview(files, attachment, media, stop, reading);
        },
        [this](Result<Preview> made) { take(std::move(made)); });
}

void PreviewPane::take(Result<Preview> made) {
    const int before = entries_->currentRow();
    entries_->clear();
    preview_ = made ? std::make_shared<const Preview>(std::move(*made)) : nullptr;
    if (!preview_) return say(plainWords(made.error().message));
    for (const PreviewEntry& entry : preview_->entries) entries_->addItem(entry.title);
    if (entries_->count() > 0)
        entries_->setCurrentRow(std::min(before < 0 ? firstToShow(*preview_) : before, entries_->count() - 1));
    if (wanted_) goTo(*std::exchange(wanted_, std::nullopt));
}

void PreviewPane::goTo(const PreviewPlace& place) {
    if (!preview_) {
        wanted_ = place;
        return;
    }
    if (const auto row = entryAt(*preview_, place)) entries_->setCurrentRow(static_cast<int>(*row));
}

void PreviewPane::say(const QString& text) {
    note_->setText(text);
    shown_->setCurrentWidget(note_);
}

void PreviewPane::showEntry(int row) {
    decoding_.request_stop();
    if (!preview_ || row < 0) return;
    const PreviewEntry& entry = preview_->entries[static_cast<size_t>(row)];
    if (!entry.medium) {
        text_->setPlainText(entry.text);
        shown_->setCurrentWidget(text_);
        return;
    }
    say(tr("Decoding…"));
    decoding_ = worker_.run(
        this, "the picture",
        [preview = preview_, medium = *entry.medium](const std::stop_token& stop) {
            return previewFrames(*preview, medium, stop);
        },
        [this](const Result<std::vector<PreviewFrame>>& made) {
            if (made) return showFrames(*made);
            say(plainWords(made.error().message));
        });
}

void PreviewPane::showFrames(const std::vector<PreviewFrame>& frames) {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    for (const PreviewFrame& frame : frames) {
        auto* picture = new QLabel(page);
        // Small pictures are shown pixel by pixel, not smoothed: that is what the model gets.
        const int times = std::max(1, theme_.space(60) / std::max(1, frame.image.width()));
        picture->setPixmap(QPixmap::fromImage(frame.image.scaled(frame.image.size() * times)));
        picture->setObjectName(QStringLiteral("picture"));
        const QSize size = frame.image.size();
        const QString pixels = tr("%1 × %2 pixels").arg(size.width()).arg(size.height());
        QLabel* caption =
            centredLabel(frame.caption.isEmpty() ? pixels : tr("%1, %2").arg(frame.caption, pixels), page);
        picture->setAccessibleName(caption->text());
        layout->addWidget(picture, 0, Qt::AlignHCenter);
        layout->addWidget(caption);
    }
    layout->addStretch(1);
    pictures_->setWidget(page);
    shown_->setCurrentWidget(pictures_);
}

}  // namespace pal::desktop
