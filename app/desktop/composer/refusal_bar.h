// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>
#include <vector>

#include "app/desktop/composer/attachment_model.h"
#include "app/desktop/composer/prompt_count.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Says by how much a question is too long for the context, and offers what would make it fit, a button each. UI thread.
class RefusalBar : public QFrame {
    Q_OBJECT

  public:
    RefusalBar(const Theme& theme, QWidget* parent = nullptr);

    // Hidden where there is no excess. `files` are those that were counted.
    void setCount(const PromptCount& count, const std::vector<AttachedFile>& files);
    [[nodiscard]] QString text() const { return message_->text(); }

  Q_SIGNALS:
    void chosen(const Choice& choice);

  private:
    void dress();

    const Theme& theme_;
    QLabel* message_;
    QVBoxLayout* buttons_;
};

// "Pages 1 to 12 of report.pdf, 4,210 tokens less".
[[nodiscard]] QString choiceText(const Choice& choice, const AttachedFile& file);

}  // namespace pal::desktop
