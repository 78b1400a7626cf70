// SPDX-License-Identifier: Apache-2.0
// What the window does with sessions: open, name, file, delete, take out and in.
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QRegularExpression>

#include "app/desktop/bridge/plain_words.h"
#include "app/desktop/frame/main_window.h"
#include "app/desktop/sessions/session_files.h"
#include "storage/chats/clock.h"

namespace pal::desktop {

void MainWindow::openSession(SessionId session) {
    if (session != chat_.session()) chat_.open(session);
    panel_->setCurrent(session);
}

void MainWindow::newSession() {
    panel_->setCurrent(0);
    chat_.startNew(preferences_.session());
    pane_->focusComposer();
}

void MainWindow::sessionShown() {
    const QString name =
        chat_.session() == 0 ? tr("New session") : QString::fromStdString(chat_.summary().name).simplified();
    title_->setText(name);
    title_->setToolTip(name.toHtmlEscaped());
    setWindowTitle(chat_.session() == 0 ? QStringLiteral("Palimpsest") : tr("%1 – Palimpsest").arg(name));
    panel_->setCurrent(chat_.session());
    if (ready_)
        preferences_.setLastSession(chat_.session());  // now, not when it closes: a killed program opens here, too
    updateActions();
    if (notices_->keepOnly(chat_.session())) offered_ = 0;  // it is offered again when it is shown again
    offerSaved();
}

// After an unclean stop: what was saved is there, and the question can be answered again.
void MainWindow::offerSaved() {
    if (chat_.messages().empty() || chat_.isBusy()) return;
    const MessageNode& last = chat_.messages().back().node;
    if (last.state != pal::MessageState::kInterrupted || offered_ == last.id) return;
    offered_ = last.id;
    notices_->add({NoticeBar::Kind::kWarning,
                   tr("The program ended while this answer was written. What it had said until then was saved."),
                   tr("Answer again"), [this, reply = last.id] { chat_.regenerate(reply); }, 0, chat_.session()});
}

void MainWindow::updateActions() {
    const bool stored = chat_.session() != 0;
    const bool idle = !chat_.isBusy() && modelInfo_.has_value();
    for (const Command command : {Command::kRename, Command::kMoveToFolder, Command::kDelete, Command::kExport})
        actions_.get(command)->setEnabled(stored);
    actions_.get(Command::kStop)->setEnabled(chat_.isBusy());
    actions_.get(Command::kRegenerate)->setEnabled(idle && lastOf(Role::kAssistant) != nullptr);
    actions_.get(Command::kEditQuestion)->setEnabled(idle && lastOf(Role::kUser) != nullptr);
    actions_.get(Command::kFork)->setEnabled(stored && chat_.head() != 0 && !chat_.isRunningHere());
    bool siblings = false;
    for (const Message& message : chat_.messages())
        siblings = siblings || chat_.tree().siblings(message.node.id).size() > 1;
    for (const Command command : {Command::kPreviousSibling, Command::kNextSibling})
        actions_.get(command)->setEnabled(siblings && !chat_.isRunningHere());
    actions_.get(Command::kModel)->setEnabled(!chat_.isBusy() && !loading_);
}

void MainWindow::renameSession() {
    const SessionId session = chat_.session();
    const SessionSummary* summary = panel_->tree().summary(session);
    if (summary == nullptr) return;
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Rename session"));
    dialog.setLabelText(tr("Name"));
    dialog.setTextValue(QString::fromStdString(summary->name));
    dialog.resize(theme_.space(110), dialog.sizeHint().height());  // a name is a sentence
    if (dialog.exec() != QDialog::Accepted) return;
    const QString name = dialog.textValue().simplified();
    if (!name.isEmpty()) panel_->tree().rename(session, name);
}

void MainWindow::moveToFolder() {
    const SessionId session = chat_.session();
    const SessionSummary* summary = panel_->tree().summary(session);
    if (summary == nullptr) return;
    QStringList folders = panel_->tree().folders();
    const QString now = QString::fromStdString(summary->folder);
    if (!folders.contains(QString())) folders.prepend(QString());
    bool taken = false;
    const QString folder =
        QInputDialog::getItem(this, tr("Move to folder"), tr("Folder, an existing or a new one; empty for none"),
                              folders, std::max(0, int(folders.indexOf(now))), true, &taken);
    if (taken) panel_->tree().moveToFolder(session, folder);
}

void MainWindow::deleteSession(SessionId session) {
    const SessionSummary* summary = panel_->tree().summary(session);
    if (summary == nullptr) return;
    if (chat_.running() && chat_.running()->start.session == session) {
        tell(tr("An answer is being written in this session. Stop it before you delete the session."));
        return;
    }
    const QString name = QString::fromStdString(summary->name).simplified();
    const auto change = [this](auto apply) {
        bridge_.lists(
            this, [apply](LibraryDesk& desk) { return desk.library.writeNow(apply); },
            [this](const Result<>& done) {
                if (!done) tell(done.error());
            });
    };
    change([session](ChatDatabase& database) { return database.sessions().remove(session, nowMs()); });
    if (session == chat_.session()) newSession();
    notices_->add({NoticeBar::Kind::kInfo, tr("“%1” is deleted for good when the program ends.").arg(name), tr("Undo"),
                   [this, session, change] {
                       change([session](ChatDatabase& database) { return database.sessions().restore(session); });
                       openSession(session);
                   },
                   20});
}

void MainWindow::exportSessions() {
    const SessionId session = chat_.session();
    if (session == 0) return;
    QString name = QString::fromStdString(chat_.summary().name).simplified();
    name = name.replace(QRegularExpression(QStringLiteral("[/\\\\:*?\"<>|]")), QStringLiteral(" ")).simplified();
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Export session"), name + QStringLiteral(".palimpsest"),
        tr("Archive with attachments (*.palimpsest);;JSON (*.json);;Markdown to read (*.md)"));
    if (file.isEmpty()) return;
    bridge_.errand(
        this,
        [session, path = std::filesystem::path(file.toStdString())](LibraryDesk& desk) {
            return exportSession(desk, session, path);
        },
        [this, file](const Result<std::vector<std::string>>& warnings) {
            if (!warnings) {
                tell(warnings.error());
                return;
            }
            for (const std::string& warning : *warnings)
                notices_->add({NoticeBar::Kind::kWarning, plainWords(warning)});
            tell(tr("Exported to %1").arg(file));
        });
}

void MainWindow::importSessions(const QStringList& files) {
    for (const QString& file : files) {
        bridge_.errand(
            this,
            [path = std::filesystem::path(file.toStdString())](LibraryDesk& desk) {
                return pal::desktop::importSessions(desk, path);
            },
            [this, file](const Result<Imported>& imported) {
                if (!imported) {
                    tell(imported.error());
                    return;
                }
                for (const std::string& warning : imported->warnings)
                    notices_->add({NoticeBar::Kind::kWarning, plainWords(warning)});
                tell(tr("%Ln sessions imported", nullptr, static_cast<int>(imported->sessions.size())));
                if (!imported->sessions.empty()) openSession(imported->sessions.front());
            });
    }
}

void MainWindow::openFiles(const QStringList& files) {
    if (!ready_) {
        connect(
            this, &MainWindow::ready, this, [this, files] { openFiles(files); }, Qt::SingleShotConnection);
        return;
    }
    QStringList sessions, attachments;
    for (const QString& file : files) (file.endsWith(QStringLiteral(".palimpsest")) ? sessions : attachments) << file;
    importSessions(sessions);
    if (!attachments.isEmpty()) pane_->attach(attachments);
}

void MainWindow::sessionMenu(SessionId session, const QPoint& at) {
    openSession(session);
    QMenu menu(this);
    for (const Command command : {Command::kRename, Command::kMoveToFolder, Command::kExport, Command::kDelete})
        menu.addAction(actions_.get(command));
    menu.exec(at);
}

}  // namespace pal::desktop
