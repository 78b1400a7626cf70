// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractListModel>
#include <QLocale>
#include <optional>
#include <vector>

#include "app/desktop/composer/attachment_item.h"

namespace pal::desktop {

// The attachments of the question that is being written, in the order in which the user gave them. UI thread.
class AttachmentModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role {
        kIdRole = Qt::UserRole,  // AttachmentId
        kStateRole,              // int of AttachmentItem::State
        kKindRole,               // int of AttachedKind
        kProgressRole,           // double, negative: unknown
        kTokensRole,             // qint64, negative: not counted yet
        kDetailRole,             // QString: "12 pages", "640 × 480", "0:12, 24 frames"
        kWarningsRole,           // QStringList
        kThumbnailRole,          // QImage, may be null
        kLockedRole,             // bool: a password would open it
    };

    explicit AttachmentModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    // Qt::DisplayRole: the name. Qt::AccessibleTextRole: everything in a sentence.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    // `row`: where it goes, at most rowCount().
    void insert(int row, AttachmentItem item);
    // The item that was there. `row` must be.
    AttachmentItem take(int row);
    void clear();

    [[nodiscard]] const std::vector<AttachmentItem>& items() const { return items_; }
    [[nodiscard]] int rowOf(AttachmentId id) const;  // -1: gone
    [[nodiscard]] bool anyIn(AttachmentItem::State state) const;
    // Files of the ready items, and their rows.
    [[nodiscard]] std::vector<AttachedFile> files() const;

    void setProgress(AttachmentId id, double progress);
    void setFacts(AttachmentId id, AttachmentFacts facts);
    void setFailed(AttachmentId id, const Error& error);
    void setReading(AttachmentId id);
    void setOptions(AttachmentId id, const AttachmentOptions& options);
    // Of the ready items, in order.
    void setCounts(const std::vector<TokenCounts>& counts, const QStringList& warnings);

  private:
    [[nodiscard]] QString detail(const AttachmentItem& item) const;
    [[nodiscard]] QString spoken(const AttachmentItem& item) const;
    void tell(int row, const QList<int>& roles);

    std::vector<AttachmentItem> items_;
    QLocale locale_;
};

// A text that may hold anything as a tool tip, which would else take some of it for markup.
[[nodiscard]] QString plainToolTip(const QString& text);

// "1:02:03", "0:07.5": tenths below a minute.
[[nodiscard]] QString durationText(double seconds);

}  // namespace pal::desktop
