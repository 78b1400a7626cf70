// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMainWindow>
#include <QSplitter>
#include <QToolButton>
#include <optional>
#include <stop_token>
#include <utility>

#include "app/desktop/bridge/bridge.h"
#include "app/desktop/chat/chat.h"
#include "app/desktop/frame/chat_pane.h"
#include "app/desktop/frame/notice_bar.h"
#include "app/desktop/frame/preferences.h"
#include "app/desktop/frame/window_actions.h"
#include "app/desktop/inspect/inspect_dock.h"
#include "app/desktop/sessions/session_panel.h"
#include "app/desktop/style/elided_label.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Sessions at the left, the open one in the middle; what looks inside the model at the right. Knows which command does what.
// Borrows everything it is given. UI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    MainWindow(Bridge& bridge, Theme& theme, Preferences& preferences);

    // Of a window that is shown: opens the data folder after its first picture and, when that is done, the model and the session of the
    // last time.
    void start(const WorkplaceOptions& options);
    // What another start was given, or the command line. Waits for ready(), so that it meets the open session and an open library.
    void openFiles(const QStringList& files);
    [[nodiscard]] Chat& chat() { return chat_; }
    [[nodiscard]] WindowActions& actions() { return actions_; }
    [[nodiscard]] InspectDock& inspect() { return *inspect_; }

  Q_SIGNALS:
    // Sessions are there and that of the last time is shown; the model may still be loading.
    void ready();
    void modelReady();
    void schemeChosen(pal::desktop::Preferences::SchemeChoice choice);
    // Everything is closed; the program may end.
    void finished();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void build();
    void connectChat();
    void connectActions();
    void connectView();
    void connectInspect();
    void restyle();

    void open();
    void opened(const QStringList& notes);
    void becomeReady();
    void openFailed(const Error& error);
    void chooseModel();
    void chooseSettings();
    void loadModel();
    void modelLoaded(const Result<LoadedModel>& model);
    void showLoading(const LoadProgress& at);
    void showModel(const QString& text, bool good);

    [[nodiscard]] EngineOptions engineOptions() const;
    void offerCpu(const Error& error, SessionId session, MessageId reply);
    void answerWhatWasLost();

    void openSession(SessionId session);
    void sessionShown();
    void newSession();
    void renameSession();
    void moveToFolder();
    void deleteSession(SessionId session);
    void exportSessions();
    void importSessions(const QStringList& files);
    void sessionMenu(SessionId session, const QPoint& at);
    void offerSaved();

    void tell(const Error& error, const QString& saying = QStringLiteral("%1"));  // with the error in the place of %1
    void tell(const QString& text);
    void note(const Error& error);  // in the log and for diagnostics
    void updateActions();
    void nextPane();
    [[nodiscard]] const Message* lastOf(Role role) const;

    Bridge& bridge_;
    Theme& theme_;
    Preferences& preferences_;
    Chat chat_;
    WindowActions actions_;
    QSplitter* split_;
    SessionPanel* panel_;  // Tab goes from here on in this order, as the eye does
    QToolButton* sidebar_;
    ElidedLabel* title_;
    QToolButton* settings_;
    QToolButton* model_;
    QToolButton* stopLoading_;
    NoticeBar* notices_;
    ChatPane* pane_;
    InspectDock* inspect_;
    std::optional<WorkplaceOptions> opening_;  // until the data folder is opened
    std::stop_source loadStop_;
    std::optional<ModelInfo> modelInfo_;
    QStringList problems_;                  // told lately, for diagnostics
    MessageId offered_ = 0;                 // the reply that was said to be cut off
    std::pair<SessionId, MessageId> lost_;  // what a lost device left unanswered, until there is another one
    bool withoutGpu_ = false;               // until another model or device is chosen
    bool ready_ = false;
    bool loading_ = false;
    bool finished_ = false;
};

}  // namespace pal::desktop
