// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTemporaryDir>
#include <deque>

#include "app/desktop/chat/chat.h"
#include "app/desktop/composer/composer.h"
#include "app/desktop/welcome/samples.h"

namespace pal::desktop {

// Asks about samples for the user: attaches one in the composer and sends its question, and the next one when the answer is there. It ends
// early when an answer is stopped or fails and when another session is shown. UI thread.
class GuidedTour : public QObject {
    Q_OBJECT

  public:
    // Both outlive it.
    GuidedTour(Chat& chat, Composer& composer, QObject* parent = nullptr);

    // In the session that is shown, with an empty composer. Nothing happens while one runs. What the user writes in the composer meanwhile ends it.
    void start(const std::vector<Sample>& samples);
    [[nodiscard]] bool isRunning() const { return running_; }
    // Whether the composer has a sample and not the user's words.
    [[nodiscard]] bool holdsComposer() const;

  Q_SIGNALS:
    void ended();
    // A sample could not be unpacked.
    void failed(const pal::Error& error);

  private:
    void next();
    void end();
    Result<QString> unpack(const QString& name) const;

    Chat& chat_;
    Composer& composer_;
    QTemporaryDir folder_;
    std::deque<Sample> left_;
    QString question_;       // of the sample that was given to the composer last
    SessionId session_ = 0;  // the first question makes it
    bool running_ = false;
    bool answered_ = false;  // the next one waits until the answer is shown
};

}  // namespace pal::desktop
