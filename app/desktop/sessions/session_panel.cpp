// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/sessions/session_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/desktop/style/icons.h"

namespace pal::desktop {

SessionPanel::SessionPanel(Bridge& bridge, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      tree_(bridge),
      hits_(bridge),
      delegate_(theme),
      query_(new QLineEdit(this)),
      pages_(new QStackedWidget(this)),
      nothing_(new QLabel(this)),
      treeView_(new QTreeView(this)),
      hitView_(new QListView(this)) {
    setObjectName(QStringLiteral("sessions"));
    build();
    restyle();
    connect(&theme_, &Theme::changed, this, &SessionPanel::restyle);
}

void SessionPanel::build() {
    query_->setObjectName(QStringLiteral("sessionSearch"));
    query_->setPlaceholderText(tr("Search all sessions"));
    query_->setAccessibleName(tr("Search all sessions"));
    query_->setClearButtonEnabled(true);
    query_->addAction(icon(QStringLiteral("search"), theme_, IconColour::kMuted), QLineEdit::LeadingPosition);
    query_->installEventFilter(this);
    auto* fresh = new QToolButton(this);
    fresh->setObjectName(QStringLiteral("newSession"));
    fresh->setIcon(icon(QStringLiteral("new"), theme_));
    fresh->setToolTip(tr("New session (Ctrl+N)"));
    fresh->setAccessibleName(tr("New session"));
    connect(fresh, &QToolButton::clicked, this, &SessionPanel::newWanted);

    auto* top = new QHBoxLayout();
    top->addWidget(query_, 1);
    top->addWidget(fresh);
    auto* all = new QVBoxLayout(this);
    all->addLayout(top);
    all->addWidget(pages_, 1);
    buildViews();
    connectParts();
}

void SessionPanel::buildViews() {
    // Before the view hears of it: when the row that it is at goes, it steps to the next, and nobody chose that session.
    connect(&tree_, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { quiet_ = true; });
    connect(&tree_, &QAbstractItemModel::rowsRemoved, this, [this] { quiet_ = false; });
    treeView_->setObjectName(QStringLiteral("sessionTree"));
    treeView_->setAccessibleName(tr("Sessions"));
    treeView_->setModel(&tree_);
    treeView_->setHeaderHidden(true);
    treeView_->setRootIsDecorated(true);
    treeView_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    treeView_->setDragDropMode(QAbstractItemView::DragDrop);
    treeView_->setDefaultDropAction(Qt::MoveAction);
    treeView_->setExpandsOnDoubleClick(true);
    hitView_->setObjectName(QStringLiteral("sessionHits"));
    hitView_->setAccessibleName(tr("Found sessions and messages"));
    hitView_->setModel(&hits_);
    nothing_->setObjectName(QStringLiteral("muted"));
    nothing_->setWordWrap(true);
    nothing_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    for (QAbstractItemView* view :
         {static_cast<QAbstractItemView*>(treeView_), static_cast<QAbstractItemView*>(hitView_)}) {
        view->setItemDelegate(&delegate_);
        view->setFrameShape(QFrame::NoFrame);
        view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
        view->setMouseTracking(true);
        view->setContextMenuPolicy(Qt::CustomContextMenu);
        view->installEventFilter(this);
        pages_->addWidget(view);
    }
    pages_->addWidget(nothing_);
}

void SessionPanel::connectParts() {
    typing_.setSingleShot(true);
    typing_.setInterval(120);
    connect(query_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
    connect(&typing_, &QTimer::timeout, this, &SessionPanel::search);
    connect(&hits_, &HitList::searched, this, [this] {
        if (query_->text().trimmed().isEmpty()) return;
        nothing_->setText(tr("Nothing found"));
        pages_->setCurrentWidget(hits_.rowCount() > 0 ? static_cast<QWidget*>(hitView_) : nothing_);
    });
    connect(&tree_, &SessionTree::failed, this, &SessionPanel::failed);
    connect(&hits_, &HitList::failed, this, &SessionPanel::failed);
    connect(treeView_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        const SessionId session = now.data(SessionTree::kIdRole).toLongLong();
        if (!quiet_ && session != 0) Q_EMIT chosen(session);
    });
    connect(hitView_, &QListView::clicked, this, &SessionPanel::openHit);
    connect(hitView_, &QListView::activated, this, &SessionPanel::openHit);
    connect(treeView_, &QTreeView::customContextMenuRequested, this, [this](const QPoint& at) {
        const SessionId session = treeView_->indexAt(at).data(SessionTree::kIdRole).toLongLong();
        if (session != 0) Q_EMIT menuWanted(session, treeView_->viewport()->mapToGlobal(at));
    });
    connect(&tree_, &QAbstractItemModel::modelReset, treeView_, &QTreeView::expandAll);
    connect(&tree_, &QAbstractItemModel::modelReset, this, &SessionPanel::showSessions);
    connect(&tree_, &QAbstractItemModel::rowsInserted, this, &SessionPanel::showSessions, Qt::QueuedConnection);
    connect(&tree_, &QAbstractItemModel::rowsRemoved, this, &SessionPanel::showSessions, Qt::QueuedConnection);
    // A new folder is open; its first session follows it. The open session stays chosen when it comes to another place.
    connect(&tree_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent, int first) {
        if (parent.isValid() && tree_.rowCount(parent) == 1) treeView_->expand(parent);
        if (current_ != 0 && tree_.index(first, 0, parent).data(SessionTree::kIdRole).toLongLong() == current_)
            setCurrent(current_);
    });
}

void SessionPanel::restyle() {
    const int gap = theme_.space(2);
    layout()->setContentsMargins(gap, gap, gap, gap);
    layout()->setSpacing(gap);
    treeView_->setIndentation(theme_.space(3));
    for (QAbstractItemView* view :
         {static_cast<QAbstractItemView*>(treeView_), static_cast<QAbstractItemView*>(hitView_)}) {
        view->doItemsLayout();
    }
}

void SessionPanel::search() {
    const QString text = query_->text().trimmed();
    if (text.isEmpty()) {
        showSessions();
    } else {
        hits_.search(text);
    }
}

void SessionPanel::showSessions() {
    if (!query_->text().trimmed().isEmpty()) return;
    nothing_->setText(tr("No session yet: a question begins one."));
    pages_->setCurrentWidget(tree_.size() == 0 ? static_cast<QWidget*>(nothing_) : treeView_);
}

void SessionPanel::openHit(const QModelIndex& index) {
    const SessionId session = index.data(HitList::kIdRole).toLongLong();
    const MessageId message = index.data(HitList::kMessageRole).toLongLong();
    if (message != 0) {
        Q_EMIT messageChosen(session, message);
    } else if (session != 0) {
        Q_EMIT chosen(session);
    }
}

void SessionPanel::setCurrent(SessionId session) {
    current_ = session;
    quiet_ = true;
    const QModelIndex index = tree_.indexOf(session);
    if (index.isValid()) {
        treeView_->setCurrentIndex(index);
        treeView_->scrollTo(index);
    } else {
        treeView_->selectionModel()->clear();
    }
    quiet_ = false;
}

SessionId SessionPanel::focused() const {
    return treeView_->currentIndex().data(SessionTree::kIdRole).toLongLong();
}

void SessionPanel::setRunning(SessionId session) {
    delegate_.setRunning(session);
    treeView_->viewport()->update();
}

void SessionPanel::focusSearch() {
    query_->setFocus(Qt::ShortcutFocusReason);
    query_->selectAll();
}

void SessionPanel::focusList() {
    QWidget* shown = pages_->currentWidget();
    (shown == nothing_ ? static_cast<QWidget*>(query_) : shown)->setFocus(Qt::ShortcutFocusReason);
}

bool SessionPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == query_ && key == Qt::Key_Escape && !query_->text().isEmpty()) {
        query_->clear();
        return true;
    }
    if (watched == query_ && (key == Qt::Key_Down || key == Qt::Key_Return)) {
        focusList();
        if (pages_->currentWidget() == hitView_ && hits_.rowCount() > 0) {
            hitView_->setCurrentIndex(hits_.index(0));
            if (key == Qt::Key_Return) openHit(hits_.index(0));
        }
        return true;
    }
    if (watched == treeView_ && key == Qt::Key_Delete && focused() != 0) {
        Q_EMIT deleteWanted(focused());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace pal::desktop
