// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <memory>
#include <optional>
#include <vector>

#include "app/desktop/composer/preview.h"
#include "app/desktop/composer/worker.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Exactly what a model is given of one attachment: its parts at the left, the chosen one beside it. Composes and decodes on a worker of its
// own. UI thread.
class PreviewPane : public QSplitter {
    Q_OBJECT

  public:
    explicit PreviewPane(const Theme& theme, QWidget* parent = nullptr);

    // Shows `attachment` of `files`. The part that was chosen stays chosen.
    void preview(std::vector<AttachedFile> files, size_t attachment, const std::optional<MediaConfig>& media,
                 const DocumentOptions& reading = {});
    // Chooses the part with a page, or with the frames of a time, now or when the parts are there.
    void goTo(const PreviewPlace& place);
    // A sentence instead of a part.
    void say(const QString& text);
    [[nodiscard]] int currentPart() const { return entries_->currentRow(); }
    [[nodiscard]] int partCount() const { return entries_->count(); }

  private:
    void take(Result<Preview> made);
    void showEntry(int row);
    void showFrames(const std::vector<PreviewFrame>& frames);

    const Theme& theme_;
    QListWidget* entries_;
    QStackedWidget* shown_;
    QPlainTextEdit* text_;
    QScrollArea* pictures_;
    QLabel* note_;
    std::shared_ptr<const Preview> preview_;
    std::optional<PreviewPlace> wanted_;
    std::stop_source composing_, decoding_;
    Worker worker_;  // ends first
};

}  // namespace pal::desktop
