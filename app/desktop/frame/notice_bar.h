// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <deque>
#include <functional>

#include "app/desktop/style/theme.h"
#include "storage/chats/chat_types.h"

namespace pal::desktop {

// A sentence for the user above the transcript, with at most one thing to do about it. One at a time; others wait. UI thread.
class NoticeBar : public QFrame {
    Q_OBJECT

  public:
    enum class Kind { kInfo, kWarning, kError };
    struct Notice {
        Kind kind = Kind::kInfo;
        QString text;         // plain
        QString action = {};  // of the button; empty: none
        std::function<void()> act = {};
        int seconds = 0;        // goes by itself; 0: stays until it is closed
        SessionId session = 0;  // goes when another one is shown; 0: of none
    };

    explicit NoticeBar(const Theme& theme, QWidget* parent = nullptr);
    // A notice that is shown or waits already is not added again.
    void add(Notice notice);
    [[nodiscard]] QString text() const { return notices_.empty() ? QString() : notices_.front().text; }
    // Takes away what is about other sessions; true if there was any.
    bool keepOnly(SessionId session);
    // Does what the button says; for a shortcut.
    void act();

  private:
    void showFirst();
    void next();

    const Theme& theme_;
    std::deque<Notice> notices_;
    QLabel* mark_;
    QLabel* text_;
    QPushButton* action_;
    QToolButton* close_;
    QTimer timer_;
};

}  // namespace pal::desktop
