// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include "app/desktop/inspect/figure_maker.h"
#include "app/desktop/inspect/figure_widget.h"
#include "app/desktop/inspect/inspect_model.h"
#include "app/desktop/inspect/view_controls.h"

namespace pal::desktop {

// One view with its controls, explanation and exports. Any number of them share one model. A change is shown with a later frame, and only while
// the panel is visible. UI thread.
class InspectPanel : public QWidget {
    Q_OBJECT

  public:
    // Both outlive it.
    InspectPanel(InspectModel& model, const Theme& theme, QWidget* parent = nullptr);

    void setView(std::string_view name) { controls_->setView(name); }
    [[nodiscard]] FigureWidget& figure() { return *figure_; }
    // What is told of the selection, a line each.
    [[nodiscard]] const std::vector<inspect::StoryLine>& story() const { return lines_; }
    // As the export menu does; asks for a place, writes beside the window's thread and tells failed() what went wrong.
    void exportFigure(int kind, int scale);

  Q_SIGNALS:
    void windowWanted();
    void branchChosen(qint64 head);  // see ViewControls
    void failed(const pal::Error& error);

  protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void build();
    void fillMenu();
    void connectFigure();
    void schedule();
    void tellAnew();
    [[nodiscard]] FigureWish wish();
    void display(const MadeFigure& made);
    void zoom(double factor, double at);
    void pan(double share);
    [[nodiscard]] inspect::TokenSpan shownTokens() const;
    void open(const inspect::Target& target);
    void tell(const std::vector<inspect::StoryLine>& lines);
    void follow(int line);

    InspectModel& model_;
    const Theme& theme_;
    ViewControls* controls_;
    FigureWidget* figure_;
    QLabel* explanation_;
    QLabel* story_;
    std::vector<inspect::StoryLine> lines_;
    QToolButton* why_;
    QToolButton* menu_;
    QTimer due_;
    std::shared_ptr<const inspect::MemorySource> shown_;  // whose figures are made
    bool storyDue_ = true;
    std::optional<inspect::TokenSpan> range_;  // zoomed to; nothing: what the view takes by itself
    FigureMaker maker_;
};

}  // namespace pal::desktop
