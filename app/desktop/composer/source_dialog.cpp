// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/source_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace pal::desktop {

SourceDialog::SourceDialog(std::vector<AttachedFile> files, size_t attachment, const std::optional<MediaConfig>& media,
                           const PreviewPlace& place, const Theme& theme, QWidget* parent)
    : QDialog(parent), preview_(new PreviewPane(theme, this)) {
    setObjectName(QStringLiteral("source"));
    setWindowTitle(tr("%1: what the model was given").arg(QString::fromStdString(files[attachment].name)));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(preview_, 1);
    layout->addWidget(buttons);
    resize(theme.space(200), theme.space(130));
    preview_->goTo(place);
    preview_->preview(std::move(files), attachment, media);
}

}  // namespace pal::desktop
