// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/notice_bar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <algorithm>

#include "app/desktop/style/icons.h"

namespace pal::desktop {

NoticeBar::NoticeBar(const Theme& theme, QWidget* parent)
    : QFrame(parent),
      theme_(theme),
      mark_(new QLabel(this)),
      text_(new QLabel(this)),
      action_(new QPushButton(this)),
      close_(new QToolButton(this)) {
    setObjectName(QStringLiteral("notice"));
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    action_->setObjectName(QStringLiteral("noticeAction"));
    close_->setIcon(icon(QStringLiteral("close"), theme_, IconColour::kMuted));
    close_->setToolTip(tr("Close"));
    close_->setAccessibleName(tr("Close this notice"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme_.space(3), theme_.space(1), theme_.space(2), theme_.space(1));
    row->addWidget(mark_);
    row->addWidget(text_, 1);
    row->addWidget(action_);
    row->addWidget(close_);
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &NoticeBar::next);
    connect(close_, &QToolButton::clicked, this, &NoticeBar::next);
    connect(action_, &QPushButton::clicked, this, &NoticeBar::act);
    hide();
}

void NoticeBar::add(Notice notice) {
    const auto same = [&](const Notice& other) { return other.text == notice.text && !notice.act; };
    if (std::any_of(notices_.begin(), notices_.end(), same)) return;
    // What can be undone now is not kept waiting.
    const bool first = notices_.empty() || notice.act;
    if (first) {
        notices_.push_front(std::move(notice));
        showFirst();
    } else {
        notices_.push_back(std::move(notice));
    }
}

bool NoticeBar::keepOnly(SessionId session) {
    const size_t gone =
        std::erase_if(notices_, [&](const Notice& notice) { return notice.session != 0 && notice.session != session; });
    if (gone == 0) return false;
    if (notices_.empty()) {
        timer_.stop();
        hide();
    } else {
        showFirst();
    }
    return true;
}

void NoticeBar::act() {
    if (notices_.empty()) return;
    const auto act = notices_.front().act;
    next();
    if (act) act();
}

void NoticeBar::next() {
    if (!notices_.empty()) notices_.pop_front();
    if (notices_.empty()) {
        timer_.stop();
        hide();
    } else {
        showFirst();
    }
}

void NoticeBar::showFirst() {
    const Notice& notice = notices_.front();
    const bool info = notice.kind == Kind::kInfo;
    const IconColour colour =
        info ? IconColour::kAccent : (notice.kind == Kind::kError ? IconColour::kError : IconColour::kWarning);
    mark_->setPixmap(icon(info ? QStringLiteral("info") : QStringLiteral("warning"), theme_, colour)
                         .pixmap(QSize(theme_.iconSize(), theme_.iconSize()), devicePixelRatioF()));
    text_->setText(notice.text);
    action_->setText(notice.action);
    action_->setVisible(!notice.action.isEmpty());
    if (notice.seconds > 0) {
        timer_.start(notice.seconds * 1000);
    } else {
        timer_.stop();
    }
    show();
    setAccessibleName(notice.text);
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

}  // namespace pal::desktop
