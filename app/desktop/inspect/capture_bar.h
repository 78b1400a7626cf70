// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>
#include <map>

#include "app/desktop/chat/chat.h"
#include "app/desktop/inspect/inspect_feed.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// What is captured while answers are written, and what that costs: bytes per token, and the time of answers with it beside that of answers
// without, as measured here since the start. Below, the selected tokens can be computed again, with every value of the selected layer; what
// that takes is said before it begins, and it can be stopped. UI thread.
class CaptureBar : public QWidget {
    Q_OBJECT

  public:
    // All outlive it.
    CaptureBar(InspectFeed& feed, InspectModel& model, Chat& chat, const Theme& theme, QWidget* parent = nullptr);
    // "8.1 kB per token · 1.8 % slower"
    [[nodiscard]] QString costText() const;

  private:
    struct Pace {
        double seconds = 0;
        int64_t tokens = 0;
    };
    void measure(const TurnEnd& end);
    void show();
    void build(const Theme& theme);
    void ask();
    void showCost(const Result<ChatRunner::LookCost>& cost);
    void start();
    [[nodiscard]] std::vector<int64_t> rawLayers() const;

    InspectFeed& feed_;
    InspectModel& model_;
    QComboBox* level_;
    QLabel* cost_;
    QComboBox* depth_;
    QPushButton* compute_;
    QPushButton* go_;
    QPushButton* stop_;
    QLabel* price_;
    QProgressBar* progress_;
    inspect::TokenSpan wanted_;
    std::vector<int64_t> wantedLayers_;
    ProbeLevel running_ = ProbeLevel::kOff;  // level of the running turn
    std::map<ProbeLevel, Pace> paces_;
};

}  // namespace pal::desktop
