// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "app/desktop/bridge/bridge.h"
#include "app/desktop/sessions/session_tree.h"
#include "storage/chats/chat_types.h"

namespace pal::desktop {

// What a search in all sessions finds, names first. The newest query wins. UI thread.
class HitList : public QAbstractListModel {
    Q_OBJECT

  public:
    // The delegate paints hits by the roles of SessionTree; a hit has no time.
    enum Role { kIdRole = SessionTree::kIdRole, kLineRole = SessionTree::kLineRole, kMessageRole = Qt::UserRole + 100 };

    explicit HitList(Bridge& bridge, QObject* parent = nullptr) : QAbstractListModel(parent), bridge_(bridge) {}

    // searched() follows, unless another search comes first.
    void search(const QString& query);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    void setHits(std::vector<SearchHit> hits);

  Q_SIGNALS:
    void searched();
    void failed(const pal::Error& error);

  private:
    Bridge& bridge_;
    std::vector<SearchHit> hits_;
    quint64 query_ = 0;
};

}  // namespace pal::desktop
