// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>

#include "app/desktop/composer/attachment_model.h"
#include "app/desktop/composer/frame_strip.h"
#include "app/desktop/composer/preview_pane.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// One attachment: how much of it the model gets, what that costs, and exactly what it sees. Changes take effect at once. UI thread. Borrows
// model and theme.
class AttachmentDialog : public QDialog {
    Q_OBJECT

  public:
    // `id` is of a ready item of `model`.
    AttachmentDialog(AttachmentModel& model, AttachmentId id, std::optional<MediaConfig> media, DocumentOptions reading,
                     const Theme& theme, QWidget* parent = nullptr);

  Q_SIGNALS:
    void optionsChanged(AttachmentId id, const AttachmentOptions& options);

  private:
    [[nodiscard]] const AttachmentItem* item() const;
    QWidget* makeOptions();
    void addPages(QFormLayout& form, const Document& document);
    void addPictureSizes(QFormLayout& form, int64_t width, int64_t height);
    void addClip(QFormLayout& form, const VideoPlan& clip);
    void set(const std::function<void(AttachmentOptions&)>& change);
    void changed();  // of the item
    void refresh();  // the preview
    void showTaken();

    AttachmentModel& model_;
    const AttachmentId id_;
    const std::optional<MediaConfig> media_;
    const DocumentOptions reading_;
    const Theme& theme_;
    QLabel* cost_;
    QLabel* warnings_;
    FrameStrip* strip_ = nullptr;
    PreviewPane* preview_;
    QTimer refreshSoon_;
};

}  // namespace pal::desktop
