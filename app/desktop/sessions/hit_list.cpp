// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/sessions/hit_list.h"

#include <QRegularExpression>

namespace pal::desktop {
namespace {

// A line of a message as it is read: what is emphasised and code without the marks around it.
QString withoutMarks(const std::string& excerpt) {
    QString out = QString::fromStdString(excerpt).simplified();
    static const QRegularExpression strong(QStringLiteral("\\*\\*(\\S|\\S.*?\\S)\\*\\*"));
    static const QRegularExpression code(QStringLiteral("`([^`]+)`"));
    out.replace(strong, QStringLiteral("\\1"));
    return out.replace(code, QStringLiteral("\\1"));
}

}  // namespace

void HitList::search(const QString& query) {
    constexpr int64_t kMost = 300;
    const quint64 number = ++query_;
    bridge_.lists(
        this, [text = query.toStdString()](LibraryDesk& desk) { return desk.reader.search(text, kMost); },
        [this, number](Result<std::vector<SearchHit>> hits) {
            if (number != query_) return;
            if (!hits) {
                Q_EMIT failed(hits.error());
                return;
            }
            setHits(std::move(*hits));
            Q_EMIT searched();
        });
}

void HitList::setHits(std::vector<SearchHit> hits) {
    beginResetModel();
    hits_ = std::move(hits);
    endResetModel();
}

int HitList::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(hits_.size());
}

QVariant HitList::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const SearchHit& hit = hits_[static_cast<size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(hit.sessionName);
        case kLineRole:
            return withoutMarks(hit.excerpt);
        case Qt::AccessibleTextRole:
            return tr("%1: %2").arg(QString::fromStdString(hit.sessionName), withoutMarks(hit.excerpt));
        case kIdRole:
            return qlonglong(hit.session);
        case kMessageRole:
            return qlonglong(hit.message);
        default:
            return {};
    }
}

}  // namespace pal::desktop
