// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <optional>
#include <vector>

#include "app/desktop/composer/preview_pane.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// What the model was given of a stored attachment, opened at a page or moment. UI thread.
class SourceDialog : public QDialog {
    Q_OBJECT

  public:
    // `files` are those of the whole message, `attachment` one of them.
    SourceDialog(std::vector<AttachedFile> files, size_t attachment, const std::optional<MediaConfig>& media,
                 const PreviewPlace& place, const Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] const PreviewPane& preview() const { return *preview_; }

  private:
    PreviewPane* preview_;
};

}  // namespace pal::desktop
