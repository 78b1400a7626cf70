// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QListView>
#include <QStyledItemDelegate>

#include "app/desktop/composer/attachment_model.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Paints an attachment as a card: picture, name, what it is and costs, a warning or how far it is read, and a cross that takes it out.
class AttachmentDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    AttachmentDelegate(const Theme& theme, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // Where the cross of a card is that fills `card`.
    [[nodiscard]] QRect crossOf(const QRect& card, Qt::LayoutDirection direction) const;

  private:
    void paintPicture(QPainter& painter, const QRect& at, const QModelIndex& index) const;
    void paintLines(QPainter& painter, const QRect& at, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const;

    const Theme& theme_;
    QIcon document_, image_, video_, warning_, cross_;
};

// The cards of all attachments, wrapped into rows. Enter opens one, Delete takes it out. UI thread.
class AttachmentList : public QListView {
    Q_OBJECT

  public:
    AttachmentList(AttachmentModel& model, const Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

  Q_SIGNALS:
    void opened(AttachmentId id);
    void removed(AttachmentId id);
    void retried(AttachmentId id);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    [[nodiscard]] AttachmentId idAt(const QModelIndex& index) const;
    void activate(const QModelIndex& index);
    void fit();

    AttachmentDelegate* delegate_;
    const Theme& theme_;
};

}  // namespace pal::desktop
