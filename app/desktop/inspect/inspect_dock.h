// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDockWidget>
#include <QPointer>

#include "app/desktop/inspect/capture_bar.h"
#include "app/desktop/inspect/inspect_feed.h"
#include "app/desktop/inspect/inspect_panel.h"

namespace pal::desktop {

// The place beside the chat where one looks inside the model: a view with its controls, what is captured, and more views in windows of
// their own that share the selection. UI thread.
class InspectDock : public QDockWidget {
    Q_OBJECT

  public:
    // All outlive it.
    InspectDock(Bridge& bridge, Chat& chat, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] InspectModel& model() { return model_; }
    [[nodiscard]] InspectFeed& feed() { return feed_; }
    [[nodiscard]] InspectPanel& panel() { return *panel_; }
    // Another view of the same selection in a window of its own; it ends with the dock's window.
    InspectPanel* openWindow();
    // A word that was clicked in the chat: its tokens are selected, or those of the message where the word is not found.
    void selectWord(MessageId message, const QString& word, int before);

  Q_SIGNALS:
    // Part of the context that someone wants to see itself.
    void regionOpened(const pal::inspect::Region& region);
    void failed(const pal::Error& error);

  private:
    const Theme& theme_;
    InspectModel model_;
    InspectFeed feed_;
    InspectPanel* panel_;
    CaptureBar* capture_;
};

}  // namespace pal::desktop
