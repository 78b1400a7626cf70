// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <vector>

#include "app/desktop/style/theme.h"
#include "app/desktop/welcome/sample_card.h"

namespace pal::desktop {

// What is there before the first question of a session: what the program is for, and samples to try it with. UI thread.
class WelcomePane : public QScrollArea {
    Q_OBJECT

  public:
    explicit WelcomePane(const Theme& theme, QWidget* parent = nullptr);

    enum class Model { kNone, kEmbedded, kOther };
    // Samples can be asked about when there is one.
    void setModel(Model model);
    // False when there is nothing to press now.
    [[nodiscard]] bool focusFirst();

  Q_SIGNALS:
    void wanted(const std::vector<pal::desktop::Sample>& samples);

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void dress();
    void arrange();

    const Theme& theme_;
    QLabel* heading_;
    QLabel* text_;
    QLabel* note_;
    QPushButton* all_;
    QBoxLayout* row_ = nullptr;  // of the cards
    std::vector<SampleCard*> cards_;
};

}  // namespace pal::desktop
