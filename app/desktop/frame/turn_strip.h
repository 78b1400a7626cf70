// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QPushButton>
#include <QWidget>

#include "app/desktop/chat/chat.h"
#include "app/desktop/style/elided_label.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// A bar of two parts: what was there already, and what was done since.
class TwoPartBar : public QWidget {
    Q_OBJECT

  public:
    explicit TwoPartBar(const Theme& theme, QWidget* parent = nullptr) : QWidget(parent), theme_(theme) {}
    void set(int64_t stored, int64_t done, int64_t total);
    [[nodiscard]] QSize sizeHint() const override { return {theme_.space(20), theme_.space(1) + 2}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const Theme& theme_;
    int64_t stored_ = 0, done_ = 0, total_ = 0;
};

// Between transcript and composer while a turn runs: how far a prompt is read or how fast the answer comes, in which session when it is
// another one, and a button to stop. Hidden otherwise.
class TurnStrip : public QWidget {
    Q_OBJECT

  public:
    TurnStrip(Chat& chat, const Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] QString text() const { return text_->text(); }

  private:
    void update();
    [[nodiscard]] QString line() const;

    Chat& chat_;
    TwoPartBar* bar_;
    ElidedLabel* text_;
    QPushButton* stop_;
    QElapsedTimer writing_;
};

}  // namespace pal::desktop
