// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <optional>

#include "app/desktop/models/load_plan.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// A bar for a device: what goes into its memory, part by part, and what stays free. Below it the numbers. UI thread.
class LoadPlanView : public QWidget {
    Q_OBJECT

  public:
    explicit LoadPlanView(const Theme& theme, QWidget* parent = nullptr);
    void setPlan(const std::optional<LoadPlan>& plan, const QString& device);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QColor colour(LoadPlan::Part part) const;
    void paintBar(QPainter& painter, const QRectF& bar) const;

    const Theme& theme_;
    std::optional<LoadPlan> plan_;
    QString device_;
};

}  // namespace pal::desktop
