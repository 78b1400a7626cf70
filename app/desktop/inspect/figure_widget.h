// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>

#include "app/desktop/style/theme.h"
#include "app/inspect/figure.h"

namespace pal::desktop {

// Shows a figure and says what is pointed at. It keeps no data: whoever made the figure makes the next one when size or zoom change.
//
// Mouse: a click chooses a cell, with Alt as the second one to compare with; two clicks open it. The wheel zooms at the pointer, dragging
// pans. Keyboard: arrows move the cursor cell by cell (with Ctrl by ten), Home and End along its row, Enter chooses, Shift+Enter opens,
// + and - zoom, 0 shows all. The cell under the cursor is spoken: it is the widget's accessible name, the caption its description.
class FigureWidget : public QWidget {
    Q_OBJECT

  public:
    // `theme` outlives it.
    explicit FigureWidget(const Theme& theme, QWidget* parent = nullptr);

    // `image`: the figure painted.
    void setFigure(inspect::Figure figure, QImage image);
    [[nodiscard]] const inspect::Figure& figure() const { return figure_; }
    // The cell under the keyboard's cursor; nothing before the first key.
    [[nodiscard]] const std::optional<inspect::CellPlace>& cursor() const { return cursor_; }
    [[nodiscard]] QString spoken() const;

  Q_SIGNALS:
    void resized();
    void chosen(const pal::inspect::Target& target);
    void chosenSecond(const pal::inspect::Target& target);
    void opened(const pal::inspect::Target& target);
    // `factor` above 1 shows less; `at` is the place that stays, 0..1 along the first panel's columns.
    void zoomed(double factor, double at);
    void panned(double columns);  // share of the first panel's width, to the right
    void shownAll();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void moveCursor(int columns, int rows);
    void speak();
    [[nodiscard]] const inspect::Panel* firstPanel() const;

    const Theme& theme_;
    inspect::Figure figure_;
    QImage image_;
    std::optional<inspect::CellPlace> cursor_;
    QPointF pressed_, last_;
    bool dragging_ = false;
};

}  // namespace pal::desktop
