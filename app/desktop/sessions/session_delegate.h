// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Paints sessions, folders and search hits: a name with a time at its side, below it a muted line (kLineRole). `running` is the session
// that is answered in, marked by a dot.
class SessionDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    explicit SessionDelegate(const Theme& theme, QObject* parent = nullptr)
        : QStyledItemDelegate(parent), theme_(theme) {}

    void setRunning(qlonglong session) { running_ = session; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

  private:
    void paintText(QPainter* painter, const QRect& inside, const QStyleOptionViewItem& option,
                   const QModelIndex& index) const;

    const Theme& theme_;
    qlonglong running_ = 0;
};

}  // namespace pal::desktop
