// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace pal::desktop {

// One line of plain text that takes the width it is given: what does not fit ends in an ellipsis and is told by the tool tip. UI thread.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace pal::desktop
