// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <vector>

#include "app/desktop/composer/attachment_item.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Frames of a clip over its length, with a handle at the start and one at the end of what the model gets. Left and Right move the handle that
// has the focus, Up and Down choose it. UI thread.
class FrameStrip : public QWidget {
    Q_OBJECT

  public:
    FrameStrip(const Theme& theme, std::vector<ClipFrame> frames, double seconds, QWidget* parent = nullptr);

    // 0 <= start < end <= seconds.
    void setRange(double start, double end);
    // Times of the frames that the model gets, marked below the pictures.
    void setTaken(std::vector<double> seconds);
    [[nodiscard]] double start() const { return start_; }
    [[nodiscard]] double end() const { return end_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void rangeChanged(double start, double end);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    enum class Handle { kStart, kEnd };
    [[nodiscard]] double toX(double seconds) const;
    [[nodiscard]] double toSeconds(double x) const;
    void move(double seconds);
    void describe();

    const Theme& theme_;
    std::vector<ClipFrame> frames_;
    std::vector<double> taken_;
    double seconds_;
    double start_ = 0, end_;
    Handle handle_ = Handle::kStart;
};

}  // namespace pal::desktop
