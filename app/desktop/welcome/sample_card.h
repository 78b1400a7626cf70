// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractButton>

#include "app/desktop/style/theme.h"
#include "app/desktop/welcome/samples.h"

namespace pal::desktop {

// A button that shows a sample and the question about it.
class SampleCard : public QAbstractButton {
    Q_OBJECT

  public:
    SampleCard(const Sample& sample, const Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const Theme& theme_;
    Sample sample_;
};

}  // namespace pal::desktop
