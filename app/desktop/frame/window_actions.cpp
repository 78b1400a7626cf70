// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/window_actions.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <optional>

#include "app/desktop/style/icons.h"

namespace pal::desktop {

struct WindowActions::Entry {
    std::optional<Command> command;  // none: a line between groups
    QString text;
    QString keys = {};
    const char* icon = nullptr;
};

WindowActions::WindowActions(QMainWindow& window, const Theme& theme)
    : QObject(&window), window_(window), theme_(theme) {
    addGroup(tr("&Session"),
             {{Command::kNewSession, tr("&New session"), QStringLiteral("Ctrl+N"), "new"},
              {Command::kAttach, tr("&Attach files…"), QStringLiteral("Ctrl+O"), "attach"},
              {{}, {}},
              {Command::kRename, tr("&Rename…"), QStringLiteral("F2")},
              {Command::kMoveToFolder, tr("Move to &folder…"), QStringLiteral("Ctrl+Shift+M"), "folder"},
              {Command::kSessionSettings, tr("&How it asks…"), QStringLiteral("Ctrl+;"), "settings"},
              {Command::kImport, tr("&Import…"), QStringLiteral("Ctrl+I"), "import"},
              {Command::kExport, tr("&Export…"), QStringLiteral("Ctrl+E"), "export"},
              {Command::kDelete, tr("&Delete session"), QStringLiteral("Ctrl+Shift+Backspace"), "delete"},
              {{}, {}},
              {Command::kQuit, tr("&Quit"), QStringLiteral("Ctrl+Q")}});
    addGroup(tr("&Message"),
             {{Command::kEditQuestion, tr("&Edit the last question"), QStringLiteral("Ctrl+Shift+E"), "edit"},
              {Command::kRegenerate, tr("&Answer again"), QStringLiteral("Ctrl+R"), "regenerate"},
              {Command::kFork, tr("&Fork here"), QStringLiteral("Ctrl+Shift+F"), "fork"},
              {Command::kPreviousSibling, tr("&Previous version"), QStringLiteral("Alt+Left"), "chevron-left"},
              {Command::kNextSibling, tr("&Next version"), QStringLiteral("Alt+Right"), "chevron-right"},
              {{}, {}},
              {Command::kStop, tr("&Stop"), QStringLiteral("Ctrl+."), "stop"},
              {Command::kUndo, tr("&Undo"), QStringLiteral("Ctrl+Shift+Z"), "undo"}});
    addGroup(tr("&View"), {{Command::kSearch, tr("&Search all sessions"), QStringLiteral("Ctrl+K"), "search"},
                           {Command::kFind, tr("&Find in this session"), QStringLiteral("Ctrl+F")},
                           {Command::kPalette, tr("&Commands…"), QStringLiteral("Ctrl+Shift+P")},
                           {Command::kSidebar, tr("S&essions at the side"), QStringLiteral("Ctrl+B"), "sidebar"},
                           {Command::kInspect, tr("Look &inside"), QStringLiteral("Ctrl+Shift+I")},
                           {Command::kInspectWindow, tr("Look inside in a &window"), QStringLiteral("Ctrl+Alt+I")},
                           {Command::kNextPane, tr("Next &part of the window"), QStringLiteral("F6")},
                           {{}, {}},
                           {Command::kZoomIn, tr("&Larger"), QStringLiteral("Ctrl++")},
                           {Command::kZoomOut, tr("&Smaller"), QStringLiteral("Ctrl+-")},
                           {Command::kZoomReset, tr("&Usual size"), QStringLiteral("Ctrl+0")},
                           {{}, {}},
                           {Command::kSchemeSystem, tr("Light or dark as the &system")},
                           {Command::kSchemeLight, tr("L&ight")},
                           {Command::kSchemeDark, tr("&Dark")},
                           {Command::kFullScreen, tr("&Full screen"), QStringLiteral("F11")}});
    addGroup(tr("M&odel"), {{Command::kModel, tr("&Model and runtime…"), QStringLiteral("Ctrl+,"), "model"}});
    addGroup(tr("&Help"), {{Command::kShortcuts, tr("&Shortcuts"), QStringLiteral("Ctrl+/")},
                           {Command::kDiagnostics, tr("Copy &diagnostics")},
                           {Command::kAbout, tr("&About Palimpsest"), {}, "info"}});
    auto* schemes = new QActionGroup(this);
    for (const Command scheme : {Command::kSchemeSystem, Command::kSchemeLight, Command::kSchemeDark}) {
        get(scheme)->setCheckable(true);
        schemes->addAction(get(scheme));
    }
    for (const Command toggle : {Command::kSidebar, Command::kInspect, Command::kFullScreen})
        get(toggle)->setCheckable(true);
}

void WindowActions::addGroup(const QString& title, const QList<Entry>& entries) {
    QMenu* menu = window_.menuBar()->addMenu(title);
    for (const Entry& entry : entries) {
        if (entry.command) {
            add(menu, entry);
        } else {
            menu->addSeparator();
        }
    }
}

void WindowActions::add(QMenu* menu, const Entry& entry) {
    QAction* action = menu->addAction(entry.text);
    if (!entry.keys.isEmpty()) action->setShortcut(QKeySequence(entry.keys));
    if (entry.icon != nullptr) action->setIcon(icon(QString::fromLatin1(entry.icon), theme_));
    window_.addAction(action);
    actions_.insert(static_cast<int>(*entry.command), action);
    order_ << action;
}

void WindowActions::on(Command command, const std::function<void()>& run) {
    connect(get(command), &QAction::triggered, this, run);
}

QString plainName(QString text) {
    static const QRegularExpression ofOtherScripts(QStringLiteral("\\s?\\(&[^)]\\)"));
    static const QRegularExpression mark(QStringLiteral("&(.)"));
    return text.remove(ofOtherScripts).replace(mark, QStringLiteral("\\1"));
}

}  // namespace pal::desktop
