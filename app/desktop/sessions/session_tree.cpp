// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/sessions/session_tree.h"

#include <QCollator>
#include <QDataStream>
#include <QIODevice>
#include <QMimeData>
#include <algorithm>
#include <map>

#include "app/desktop/sessions/session_lines.h"

namespace pal::desktop {
namespace {

const QString kMimeType = QStringLiteral("application/x-palimpsest-session-ids");

QString folderOf(const ListedSession& session) {
    return QString::fromStdString(session.summary.folder);
}

// Sessions with what opening them takes. Rates are read once per model and device.
class CostReader {
  public:
    explicit CostReader(ChatDatabase& database) : database_(database) {}

    Result<ListedSession> listed(SessionSummary summary) {
        const std::pair key(summary.model, summary.device);
        auto known = rates_.find(key);
        if (known == rates_.end()) {
            PAL_ASSIGN(const ModelRates rates, modelRates(database_.rates(), summary.model, summary.device));
            known = rates_.emplace(key, rates).first;
        }
        const OpeningCost cost = openingCost(known->second, summary.tokens, summary.storedTokens, summary.storedBytes);
        return ListedSession{std::move(summary), cost};
    }

  private:
    ChatDatabase& database_;
    std::map<std::pair<std::string, std::string>, ModelRates> rates_;
};

Result<std::vector<ListedSession>> listAll(LibraryDesk& desk) {
    PAL_ASSIGN(std::vector<SessionSummary> all, desk.reader.sessions().list());
    CostReader costs(desk.reader);
    std::vector<ListedSession> out;
    out.reserve(all.size());
    for (SessionSummary& summary : all) {
        PAL_ASSIGN(ListedSession session, costs.listed(std::move(summary)));
        out.push_back(std::move(session));
    }
    return out;
}

// Of the sessions that changed: as they are now, nothing for those that are gone.
using Changed = std::vector<std::pair<SessionId, std::optional<ListedSession>>>;

Result<Changed> listSome(LibraryDesk& desk, const std::set<SessionId>& ids) {
    CostReader costs(desk.reader);
    Changed out;
    for (const SessionId id : ids) {
        PAL_ASSIGN(std::optional<SessionSummary> summary, desk.reader.sessions().listed(id));
        out.emplace_back(id, std::nullopt);
        if (!summary) continue;
        PAL_ASSIGN(out.back().second, costs.listed(std::move(*summary)));
    }
    return out;
}

}  // namespace

SessionTree::SessionTree(Bridge& bridge, QObject* parent) : QAbstractItemModel(parent), bridge_(bridge) {
    connect(&bridge_, &Bridge::libraryChanged, this, &SessionTree::follow);
}

void SessionTree::reload() {
    bridge_.lists(this, listAll, [this](Result<std::vector<ListedSession>> sessions) {
        if (!sessions) {
            Q_EMIT failed(sessions.error());
            return;
        }
        setSessions(std::move(*sessions));
        Q_EMIT loaded();
    });
}

void SessionTree::follow(const ChatChange& change) {
    if (change.sessions.empty()) return;
    bridge_.lists(
        this, [ids = change.sessions](LibraryDesk& desk) { return listSome(desk, ids); },
        [this](Result<Changed> changed) {
            if (!changed) {
                Q_EMIT failed(changed.error());
                return;
            }
            for (auto& [id, session] : *changed) {
                if (session) {
                    put(std::move(*session));
                } else {
                    drop(id);
                }
            }
        });
}

void SessionTree::setSessions(std::vector<ListedSession> sessions) {
    beginResetModel();
    sessions_.clear();
    folders_.clear();
    loose_.sessions.clear();
    std::stable_sort(sessions.begin(), sessions.end(),
                     [](const auto& a, const auto& b) { return a.summary.changedMs > b.summary.changedMs; });
    std::map<QString, Group*> groups{{QString(), &loose_}};
    for (ListedSession& session : sessions) {
        Group*& group = groups[folderOf(session)];
        if (group == nullptr) {
            folders_.push_back(std::make_unique<Group>(Group{++lastGroup_, folderOf(session), {}}));
            group = folders_.back().get();
        }
        group->sessions.push_back(session.summary.id);
        const SessionId id = session.summary.id;
        sessions_.insert_or_assign(id, std::move(session));
    }
    const QCollator order;
    std::sort(folders_.begin(), folders_.end(),
              [&](const auto& a, const auto& b) { return order.compare(a->name, b->name) < 0; });
    endResetModel();
}

const SessionSummary* SessionTree::summary(SessionId session) const {
    const auto found = sessions_.find(session);
    return found == sessions_.end() ? nullptr : &found->second.summary;
}

QStringList SessionTree::folders() const {
    QStringList out;
    for (const auto& folder : folders_) out << folder->name;
    return out;
}

SessionTree::Group* SessionTree::groupNamed(const QString& name) {
    if (name.isEmpty()) return &loose_;
    for (const auto& folder : folders_)
        if (folder->name == name) return folder.get();
    return nullptr;
}

const SessionTree::Group* SessionTree::groupOf(const QModelIndex& parent) const {
    if (!parent.isValid()) return &loose_;
    if (parent.internalId() != 0 || parent.row() >= std::ssize(folders_)) return nullptr;
    return folders_[static_cast<size_t>(parent.row())].get();
}

QModelIndex SessionTree::parentIndex(const Group& group) const {
    for (size_t i = 0; i < folders_.size(); ++i)
        if (folders_[i].get() == &group) return createIndex(static_cast<int>(i), 0, quintptr{0});
    return {};
}

int SessionTree::firstRow(const Group& group) const {
    return &group == &loose_ ? static_cast<int>(folders_.size()) : 0;
}

// Behind all that changed later.
size_t SessionTree::placeFor(const Group& group, const SessionSummary& session) const {
    const auto before = [&](SessionId other) {
        const SessionSummary& at = sessions_.at(other).summary;
        return at.id != session.id &&
               (at.changedMs > session.changedMs || (at.changedMs == session.changedMs && at.id > session.id));
    };
    const auto place = std::find_if_not(group.sessions.begin(), group.sessions.end(), before);
    return static_cast<size_t>(place - group.sessions.begin());
}

SessionTree::Group& SessionTree::needGroup(const QString& name) {
    if (Group* group = groupNamed(name)) return *group;
    const QCollator order;
    const auto place = std::find_if(folders_.begin(), folders_.end(),
                                    [&](const auto& folder) { return order.compare(folder->name, name) >= 0; });
    const int row = static_cast<int>(place - folders_.begin());
    beginInsertRows({}, row, row);
    const auto made = folders_.insert(place, std::make_unique<Group>(Group{++lastGroup_, name, {}}));
    endInsertRows();
    return **made;
}

void SessionTree::insertInto(Group& group, SessionId session) {
    const size_t place = placeFor(group, sessions_.at(session).summary);
    const int row = firstRow(group) + static_cast<int>(place);
    beginInsertRows(parentIndex(group), row, row);
    group.sessions.insert(group.sessions.begin() + static_cast<std::ptrdiff_t>(place), session);
    endInsertRows();
}

void SessionTree::removeFrom(Group& group, SessionId session) {
    const auto at = std::find(group.sessions.begin(), group.sessions.end(), session);
    if (at != group.sessions.end()) {
        const int row = firstRow(group) + static_cast<int>(at - group.sessions.begin());
        beginRemoveRows(parentIndex(group), row, row);
        group.sessions.erase(at);
        endRemoveRows();
    }
    if (&group == &loose_ || !group.sessions.empty()) return;
    const int row = parentIndex(group).row();
    beginRemoveRows({}, row, row);
    folders_.erase(folders_.begin() + row);
    endRemoveRows();
}

void SessionTree::put(ListedSession session) {
    const SessionId id = session.summary.id;
    const QString folder = folderOf(session);
    const auto known = sessions_.find(id);
    if (known == sessions_.end()) {
        sessions_.emplace(id, std::move(session));
        insertInto(needGroup(folder), id);
        return;
    }
    const QString before = folderOf(known->second);
    const int64_t changedBefore = known->second.summary.changedMs;
    known->second = std::move(session);
    if (before != folder) {
        needGroup(folder);
        removeFrom(*groupNamed(before), id);  // first: an index of a group's parent may move
        insertInto(*groupNamed(folder), id);
        return;
    }
    Group& group = *groupNamed(folder);
    const auto at = std::find(group.sessions.begin(), group.sessions.end(), id);
    const auto from = static_cast<size_t>(at - group.sessions.begin());
    const size_t to = placeFor(group, known->second.summary);
    if (changedBefore != known->second.summary.changedMs && to < from) {
        const int base = firstRow(group);
        const QModelIndex parent = parentIndex(group);
        beginMoveRows(parent, base + static_cast<int>(from), base + static_cast<int>(from), parent,
                      base + static_cast<int>(to));
        std::rotate(group.sessions.begin() + static_cast<std::ptrdiff_t>(to), at, at + 1);
        endMoveRows();
    }
    const QModelIndex index = indexOf(id);
    Q_EMIT dataChanged(index, index);
}

void SessionTree::drop(SessionId session) {
    const auto known = sessions_.find(session);
    if (known == sessions_.end()) return;
    removeFrom(*groupNamed(folderOf(known->second)), session);
    sessions_.erase(session);
}

QModelIndex SessionTree::indexOf(SessionId session) const {
    const auto known = sessions_.find(session);
    if (known == sessions_.end()) return {};
    const QString folder = folderOf(known->second);
    const auto rowIn = [&](const Group& group) {
        return static_cast<int>(std::find(group.sessions.begin(), group.sessions.end(), session) -
                                group.sessions.begin()) +
               firstRow(group);
    };
    if (folder.isEmpty()) return createIndex(rowIn(loose_), 0, quintptr{0});
    for (const auto& group : folders_)
        if (group->name == folder) return createIndex(rowIn(*group), 0, static_cast<quintptr>(group->id));
    return {};
}

QModelIndex SessionTree::index(int row, int column, const QModelIndex& parent) const {
    if (column != 0 || row < 0 || row >= rowCount(parent)) return {};
    if (!parent.isValid()) return createIndex(row, column, quintptr{0});
    return createIndex(row, column, static_cast<quintptr>(groupOf(parent)->id));
}

QModelIndex SessionTree::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == 0) return {};
    for (size_t i = 0; i < folders_.size(); ++i)
        if (folders_[i]->id == child.internalId()) return createIndex(static_cast<int>(i), 0, quintptr{0});
    return {};
}

int SessionTree::rowCount(const QModelIndex& parent) const {
    const Group* group = groupOf(parent);
    if (group == nullptr || parent.column() > 0) return 0;
    return firstRow(*group) + static_cast<int>(group->sessions.size());
}

int SessionTree::columnCount(const QModelIndex& /*parent*/) const {
    return 1;
}

QVariant SessionTree::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == 0 && index.row() < std::ssize(folders_)) {
        const Group& folder = *folders_[static_cast<size_t>(index.row())];
        if (role == Qt::DisplayRole || role == Qt::EditRole || role == kFolderRole) return folder.name;
        if (role == Qt::AccessibleTextRole)
            return tr("Folder %1, %Ln sessions", nullptr, static_cast<int>(folder.sessions.size())).arg(folder.name);
        return role == kIdRole ? QVariant(qlonglong(0)) : QVariant();
    }
    const Group* group = groupOf(parent(index));
    const size_t row = static_cast<size_t>(index.row() - firstRow(*group));
    const ListedSession& session = sessions_.at(group->sessions.at(row));
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return QString::fromStdString(session.summary.name);
        case Qt::ToolTipRole:
            return SessionLines::details(session.summary, session.cost);
        case Qt::AccessibleTextRole:
            return tr("%1, %2").arg(QString::fromStdString(session.summary.name),
                                    SessionLines::cost(session.summary, session.cost));
        case kIdRole:
            return qlonglong(session.summary.id);
        case kLineRole:
            return SessionLines::cost(session.summary, session.cost);
        case kWhenRole:
            return qlonglong(session.summary.changedMs);
        case kFolderRole:
            return group->name;
        default:
            return {};
    }
}

Qt::ItemFlags SessionTree::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::ItemIsDropEnabled;
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable;
    if (data(index, kIdRole).toLongLong() == 0) return usual | Qt::ItemIsDropEnabled;
    return usual | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

bool SessionTree::setData(const QModelIndex& index, const QVariant& value, int role) {
    const QString name = value.toString().simplified();
    if (role != Qt::EditRole || !index.isValid() || name.isEmpty() || name == index.data().toString()) return false;
    if (const SessionId id = data(index, kIdRole).toLongLong(); id != 0) {
        rename(id, name);
        return true;
    }
    const std::vector<SessionId> inside = folders_[static_cast<size_t>(index.row())]->sessions;
    change([inside, folder = name.toStdString()](ChatDatabase& database) -> Result<> {
        for (const SessionId session : inside) PAL_TRY(database.sessions().setFolder(session, folder));
        return {};
    });
    return true;
}

void SessionTree::change(std::function<Result<>(ChatDatabase&)> apply) {
    bridge_.lists(
        this, [apply = std::move(apply)](LibraryDesk& desk) { return desk.library.writeNow(apply); },
        [this](const Result<>& done) {
            if (!done) Q_EMIT failed(done.error());
        });
}

void SessionTree::rename(SessionId session, const QString& name) {
    change([session, text = name.toStdString()](ChatDatabase& database) {
        return database.sessions().rename(session, text);
    });
}

void SessionTree::moveToFolder(SessionId session, const QString& folder) {
    change([session, text = folder.simplified().toStdString()](ChatDatabase& database) {
        return database.sessions().setFolder(session, text);
    });
}

QStringList SessionTree::mimeTypes() const {
    return {kMimeType};
}

QMimeData* SessionTree::mimeData(const QModelIndexList& indexes) const {
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    for (const QModelIndex& index : indexes)
        if (const qlonglong id = data(index, kIdRole).toLongLong(); id != 0) out << id;
    auto* mime = new QMimeData();
    mime->setData(kMimeType, bytes);
    return mime;
}

bool SessionTree::dropMimeData(const QMimeData* mime, Qt::DropAction action, int /*row*/, int /*column*/,
                               const QModelIndex& parent) {
    if (action != Qt::MoveAction || !mime->hasFormat(kMimeType)) return false;
    const QString folder = data(parent, kFolderRole).toString();
    QByteArray bytes = mime->data(kMimeType);
    QDataStream in(bytes);
    while (!in.atEnd()) {
        qlonglong id = 0;
        in >> id;
        if (in.status() == QDataStream::Ok && sessions_.count(id) > 0) moveToFolder(id, folder);
    }
    return false;  // rows move when the library has told, the view must not remove them
}

}  // namespace pal::desktop
