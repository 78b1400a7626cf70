// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QLabel>
#include <QLineEdit>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Looks for a text in the session that is shown. Enter goes on, Shift+Enter back, Escape closes. UI thread.
class FindBar : public QFrame {
    Q_OBJECT

  public:
    explicit FindBar(const Theme& theme, QWidget* parent = nullptr);
    void open();
    void setFound(int current, int count, bool searching);

  Q_SIGNALS:
    void wanted(const QString& text);
    void next();
    void previous();
    void closed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void shut();

    QLineEdit* text_;
    QLabel* found_;
};

}  // namespace pal::desktop
