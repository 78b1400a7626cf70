// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/folder_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QDirIterator>
#include <QLabel>
#include <QLocale>
#include <QMimeDatabase>
#include <QPushButton>
#include <QVBoxLayout>

namespace pal::desktop {
namespace {

// By its name alone; what it really is its reader finds out.
bool looksReadable(const QMimeDatabase& types, const QString& name) {
    const QMimeType type = types.mimeTypeForFile(name, QMimeDatabase::MatchExtension);
    const QString kind = type.name();
    return kind.startsWith(QLatin1String("image/")) || kind.startsWith(QLatin1String("video/")) ||
           type.inherits(QStringLiteral("text/plain")) || kind == QLatin1String("application/pdf") ||
           kind == QLatin1String("application/epub+zip") || kind.contains(QLatin1String("opendocument.text")) ||
           kind.contains(QLatin1String("wordprocessingml"));
}

}  // namespace

FolderDialog::FolderDialog(const QString& folder, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Attach files of %1").arg(QDir(folder).dirName()));
    files_ = new QListWidget(this);
    files_->setAccessibleName(tr("Files of the folder"));
    files_->setUniformItemSizes(true);
    fill(folder);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* attach = buttons->addButton(tr("&Attach"), QDialogButtonBox::AcceptRole);
    QPushButton* all = buttons->addButton(tr("A&ll"), QDialogButtonBox::ActionRole);
    QPushButton* none = buttons->addButton(tr("&None"), QDialogButtonBox::ActionRole);
    connect(all, &QPushButton::clicked, this, [this] { tick(Qt::Checked); });
    connect(none, &QPushButton::clicked, this, [this] { tick(Qt::Unchecked); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    if (files_->count() == kMostFiles)
        layout->addWidget(new QLabel(tr("Only the first %Ln file(s) are offered.", nullptr, kMostFiles), this));
    layout->addWidget(files_);
    layout->addWidget(buttons);
    const auto count = [this, attach] {
        const auto ticks = static_cast<int>(ticked().size());
        attach->setText(tr("&Attach %Ln file(s)", nullptr, ticks));
        attach->setEnabled(ticks > 0);
    };
    connect(files_, &QListWidget::itemChanged, this, count);
    count();
    const int letter = fontMetrics().averageCharWidth();
    resize(letter * 70, letter * 50);
}

void FolderDialog::fill(const QString& folder) {
    const QMimeDatabase types;
    const QDir root(folder);
    QDirIterator at(folder, QDir::Files | QDir::Readable, QDirIterator::Subdirectories);
    while (at.hasNext() && files_->count() < kMostFiles) {
        at.next();
        const QString name = root.relativeFilePath(at.filePath());
        auto* item =
            new QListWidgetItem(tr("%1, %2").arg(name, QLocale().formattedDataSize(at.fileInfo().size())), files_);
        item->setData(Qt::UserRole, at.filePath());
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(looksReadable(types, name) ? Qt::Checked : Qt::Unchecked);
    }
    files_->sortItems();
}

void FolderDialog::tick(Qt::CheckState state) {
    for (int i = 0; i < files_->count(); ++i) files_->item(i)->setCheckState(state);
}

QStringList FolderDialog::ticked() const {
    QStringList out;
    for (int i = 0; i < files_->count(); ++i) {
        const QListWidgetItem* item = files_->item(i);
        if (item->checkState() == Qt::Checked) out.push_back(item->data(Qt::UserRole).toString());
    }
    return out;
}

}  // namespace pal::desktop
