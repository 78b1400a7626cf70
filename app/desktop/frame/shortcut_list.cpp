// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/shortcut_list.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/desktop/frame/window_actions.h"
#include "app/desktop/style/left_to_right.h"

namespace pal::desktop {
namespace {

QString shown(const QKeySequence& keys) {
    return leftToRight(keys.toString(QKeySequence::NativeText));
}

class Rows {
  public:
    explicit Rows(QTreeWidget& tree) : tree_(tree) {}

    void group(const QString& title) {
        group_ = new QTreeWidgetItem(&tree_, {title});  // the tree owns it
        QFont bold = tree_.font();
        bold.setWeight(QFont::DemiBold);
        group_->setFont(0, bold);
        group_->setFirstColumnSpanned(true);
        group_->setFlags(Qt::ItemIsEnabled);
    }
    void add(const QString& text, const QString& keys) { new QTreeWidgetItem(group_, {text, keys}); }

  private:
    QTreeWidget& tree_;
    QTreeWidgetItem* group_ = nullptr;
};

}  // namespace

ShortcutList::ShortcutList(const QMenuBar& menus, const Theme& theme, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Shortcuts"));
    auto* tree = new QTreeWidget(this);
    tree->setAccessibleName(windowTitle());
    tree->setHeaderLabels({tr("Command"), tr("Keys")});
    tree->setHeaderHidden(true);
    tree->setRootIsDecorated(false);
    tree->setItemsExpandable(false);
    tree->setFrameShape(QFrame::NoFrame);
    Rows rows(*tree);
    for (const QAction* entry : menus.actions()) {
        rows.group(plainName(entry->text()));
        for (const QAction* action : entry->menu()->actions())
            if (!action->shortcut().isEmpty()) rows.add(plainName(action->text()), shown(action->shortcut()));
    }
    rows.group(tr("Where a question is written"));
    rows.add(tr("Send"), shown(Qt::Key_Return));
    rows.add(tr("New line"), shown(Qt::SHIFT | Qt::Key_Return));
    rows.add(tr("Stop the answer"), shown(Qt::Key_Escape));
    rows.group(tr("In the transcript"));
    rows.add(tr("Message before, message after"),
             shown(Qt::CTRL | Qt::Key_Up) + QStringLiteral(", ") + shown(Qt::CTRL | Qt::Key_Down));
    rows.add(tr("Links, citations and buttons of the message"), shown(Qt::Key_Tab));
    rows.add(tr("All that can be done with the message"), shown(Qt::Key_Menu));
    rows.add(tr("Copy what is selected, as Markdown"), shown(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    rows.add(tr("Next and previous place that was found"),
             shown(Qt::Key_F3) + QStringLiteral(", ") + shown(Qt::SHIFT | Qt::Key_F3));
    tree->expandAll();
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->addWidget(tree, 1);
    all->addWidget(buttons);
    resize(theme.space(130), theme.space(160));
}

}  // namespace pal::desktop
