// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <optional>

#include "app/desktop/composer/prompt_count.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// How full the context is, by kind: a bar, a line of numbers, and all numbers on hover, click or Space. UI thread.
class ContextMeter : public QWidget {
    Q_OBJECT

  public:
    explicit ContextMeter(const Theme& theme, QWidget* parent = nullptr);

    // Nothing while it is counted: bar and numbers stay as they were.
    void setCount(const std::optional<PromptCount>& count);
    void setContextTokens(int64_t contextTokens, int64_t earlierTokens);

    [[nodiscard]] QString text() const;       // "3,210 of 8,192 tokens"
    [[nodiscard]] QString breakdown() const;  // a line per kind
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void showBreakdown();
    void describe();

    const Theme& theme_;
    PromptCount count_;
};

}  // namespace pal::desktop
