// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QHash>
#include <QMainWindow>
#include <QObject>
#include <functional>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Every command of the window: one list from which menus, shortcuts and the palette are made.
enum class Command {
    kNewSession,
    kAttach,
    kImport,
    kExport,
    kRename,
    kMoveToFolder,
    kDelete,
    kQuit,
    kEditQuestion,
    kRegenerate,
    kFork,
    kPreviousSibling,
    kNextSibling,
    kStop,
    kUndo,
    kSearch,
    kFind,
    kSessionSettings,
    kModel,
    kPalette,
    kSidebar,
    kInspect,
    kInspectWindow,
    kNextPane,
    kZoomIn,
    kZoomOut,
    kZoomReset,
    kSchemeSystem,
    kSchemeLight,
    kSchemeDark,
    kFullScreen,
    kShortcuts,
    kDiagnostics,
    kAbout,
};

class WindowActions : public QObject {
    Q_OBJECT

  public:
    // Fills the window's menu bar. `theme` outlives it.
    WindowActions(QMainWindow& window, const Theme& theme);

    [[nodiscard]] QAction* get(Command command) const { return actions_.value(static_cast<int>(command)); }
    // Runs when the command is chosen.
    void on(Command command, const std::function<void()>& run);
    // In the order of the menus.
    [[nodiscard]] QList<QAction*> all() const { return order_; }

  private:
    struct Entry;
    void add(QMenu* menu, const Entry& entry);
    void addGroup(const QString& title, const QList<Entry>& entries);

    QMainWindow& window_;
    const Theme& theme_;
    QHash<int, QAction*> actions_;
    QList<QAction*> order_;
};

// The text of a command as it is read outside of a menu: without the mark of its key, "新会话(&N)" without all of it.
[[nodiscard]] QString plainName(QString text);

}  // namespace pal::desktop
