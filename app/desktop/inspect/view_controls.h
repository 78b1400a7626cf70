// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>

#include "app/desktop/inspect/inspect_model.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// What can be chosen for a view: which one, layer, head, colours, threshold. Only what the shown view listens to is visible. UI thread.
class ViewControls : public QWidget {
    Q_OBJECT

  public:
    // Both outlive it.
    ViewControls(InspectModel& model, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] const inspect::View& view() const;
    void setView(std::string_view name);

  Q_SIGNALS:
    void viewChanged();
    // Of the comparison: another version of the branch, by its last message; 0: this one.
    void branchChosen(qint64 head);

  private:
    void build();
    void connectAll();
    void fillLayers();
    void fillBranches();
    void show(const inspect::Selection& selection);
    void showWhatMatters();
    void takeSelection();
    void takeOptions();

    InspectModel& model_;
    const Theme& theme_;
    QComboBox* views_;
    QComboBox* layers_;
    QSpinBox* head_;
    QCheckBox* log_;
    QCheckBox* sink_;
    QLabel* massLabel_;
    QSlider* mass_;
    QComboBox* colourBy_;
    QComboBox* compared_;
    QComboBox* branches_;
    QCheckBox* byLoad_;
    QComboBox* remember_;
    bool filling_ = false;
};

}  // namespace pal::desktop
