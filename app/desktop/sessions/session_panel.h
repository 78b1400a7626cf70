// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QStackedWidget>
#include <QTimer>
#include <QTreeView>
#include <QWidget>

#include "app/desktop/sessions/hit_list.h"
#include "app/desktop/sessions/session_delegate.h"
#include "app/desktop/sessions/session_tree.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// The left part of the window: search, and the tree of sessions or what the search found. Says what the user chose; what it means is the
// window's concern.
class SessionPanel : public QWidget {
    Q_OBJECT

  public:
    SessionPanel(Bridge& bridge, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] SessionTree& tree() { return tree_; }
    // Shows which session is open, without telling chosen(). 0: none.
    void setCurrent(SessionId session);
    // The session that the keyboard is at; 0: none.
    [[nodiscard]] SessionId focused() const;
    // Marks the session that is answered in; 0: none.
    void setRunning(SessionId session);
    void focusSearch();
    void focusList();

  Q_SIGNALS:
    void chosen(pal::SessionId session);
    // A hit inside a session.
    void messageChosen(pal::SessionId session, pal::MessageId message);
    void menuWanted(pal::SessionId session, const QPoint& at);
    void newWanted();
    void deleteWanted(pal::SessionId session);
    // Of the list or the search.
    void failed(const pal::Error& error);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void buildViews();
    void connectParts();
    void restyle();
    void search();
    void showSessions();
    void openHit(const QModelIndex& index);

    const Theme& theme_;
    SessionTree tree_;
    HitList hits_;
    SessionDelegate delegate_;
    QTimer typing_;
    QLineEdit* query_;
    QStackedWidget* pages_;
    QLabel* nothing_;
    QTreeView* treeView_;
    QListView* hitView_;
    SessionId current_ = 0;  // the open session
    bool quiet_ = false;     // a change of the selection that nobody made
};

}  // namespace pal::desktop
