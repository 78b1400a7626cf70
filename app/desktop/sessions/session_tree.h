// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <unordered_map>
#include <vector>

#include "app/composition/opening_cost.h"
#include "app/desktop/bridge/bridge.h"
#include "storage/chats/chat_types.h"

namespace pal::desktop {

// A stored session as the list shows it.
struct ListedSession {
    SessionSummary summary;
    OpeningCost cost;
};

// The stored sessions: folders by name, then sessions without one, each with the newest change first. Reads through the bridge and follows
// what changes; edits and drops become changes of the library. UI thread.
class SessionTree : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Role {
        kIdRole = Qt::UserRole,  // SessionId, 0 for a folder
        kLineRole,               // what opening takes
        kWhenRole,               // ms since 1970
        kFolderRole,             // the folder's name, also of a session in one
    };

    explicit SessionTree(Bridge& bridge, QObject* parent = nullptr);

    // Reads everything anew; loaded() follows.
    void reload();
    [[nodiscard]] QModelIndex indexOf(SessionId session) const;
    // Null when it is not listed.
    [[nodiscard]] const SessionSummary* summary(SessionId session) const;
    [[nodiscard]] QStringList folders() const;
    // Sessions in all.
    [[nodiscard]] size_t size() const { return sessions_.size(); }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

    // Changes of the library; the rows follow when it has told.
    void rename(SessionId session, const QString& name);
    void moveToFolder(SessionId session, const QString& folder);

    // What the model does when the library has told (also for tests): replaces everything; takes over one session; drops one.
    void setSessions(std::vector<ListedSession> sessions);
    void put(ListedSession session);
    void drop(SessionId session);

  Q_SIGNALS:
    void loaded();
    void failed(const pal::Error& error);

  private:
    // Sessions of one folder, or those without one (id 0), newest first.
    struct Group {
        quint64 id = 0;
        QString name;
        std::vector<SessionId> sessions;
    };

    void follow(const ChatChange& change);
    void change(std::function<Result<>(ChatDatabase&)> apply);
    [[nodiscard]] Group* groupNamed(const QString& name);
    [[nodiscard]] const Group* groupOf(const QModelIndex& parent) const;
    [[nodiscard]] QModelIndex parentIndex(const Group& group) const;
    [[nodiscard]] int firstRow(const Group& group) const;
    [[nodiscard]] size_t placeFor(const Group& group, const SessionSummary& session) const;
    Group& needGroup(const QString& name);
    void insertInto(Group& group, SessionId session);
    void removeFrom(Group& group, SessionId session);

    Bridge& bridge_;
    std::unordered_map<SessionId, ListedSession> sessions_;
    std::vector<std::unique_ptr<Group>> folders_;  // by name
    Group loose_;
    quint64 lastGroup_ = 0;
};

}  // namespace pal::desktop
