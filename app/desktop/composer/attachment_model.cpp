// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/attachment_model.h"

#include <algorithm>
#include <cmath>

#include "app/desktop/bridge/plain_words.h"
#include "vision/documents/locked_pdf.h"

namespace pal::desktop {

QString plainToolTip(const QString& text) {
    if (text.isEmpty()) return {};
    return QStringLiteral("<p style='white-space: pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

QString durationText(double seconds) {
    const QLocale locale;
    if (seconds < 60) return QStringLiteral("0:%1").arg(locale.toString(seconds, 'f', 1).rightJustified(4, u'0'));
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const auto two = [](qint64 value) { return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0')); };
    if (whole < 3600) return QStringLiteral("%1:%2").arg(whole / 60).arg(two(whole % 60));
    return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(two(whole / 60 % 60), two(whole % 60));
}

int AttachmentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(items_.size());
}

QVariant AttachmentModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const AttachmentItem& item = items_[static_cast<size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(item.facts.file.name);
        case Qt::ToolTipRole:
            return plainToolTip(spoken(item));
        case Qt::AccessibleTextRole:
            return spoken(item);
        case kIdRole:
            return QVariant::fromValue<qint64>(item.id);
        case kStateRole:
            return static_cast<int>(item.state);
        case kKindRole:
            return static_cast<int>(item.facts.file.kind);
        case kProgressRole:
            return item.progress;
        case kTokensRole:
            return QVariant::fromValue<qint64>(item.counts ? item.counts->all() : -1);
        case kDetailRole:
            return detail(item);
        case kWarningsRole:
            return item.warnings;
        case kLockedRole:
            return item.locked;
        case kThumbnailRole:
            return item.facts.thumbnail;
        default:
            return {};
    }
}

void AttachmentModel::insert(int row, AttachmentItem item) {
    beginInsertRows({}, row, row);
    items_.insert(items_.begin() + row, std::move(item));
    endInsertRows();
}

AttachmentItem AttachmentModel::take(int row) {
    beginRemoveRows({}, row, row);
    AttachmentItem item = std::move(items_[static_cast<size_t>(row)]);
    items_.erase(items_.begin() + row);
    endRemoveRows();
    return item;
}

void AttachmentModel::clear() {
    if (items_.empty()) return;
    beginRemoveRows({}, 0, rowCount() - 1);
    items_.clear();
    endRemoveRows();
}

int AttachmentModel::rowOf(AttachmentId id) const {
    const auto at = std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item.id == id; });
    return at == items_.end() ? -1 : static_cast<int>(at - items_.begin());
}

bool AttachmentModel::anyIn(AttachmentItem::State state) const {
    return std::any_of(items_.begin(), items_.end(), [&](const auto& item) { return item.state == state; });
}

std::vector<AttachedFile> AttachmentModel::files() const {
    std::vector<AttachedFile> out;
    for (const AttachmentItem& item : items_)
        if (item.state == AttachmentItem::State::kReady) out.push_back(item.facts.file);
    return out;
}

void AttachmentModel::setProgress(AttachmentId id, double progress) {
    const int row = rowOf(id);
    if (row < 0) return;
    items_[static_cast<size_t>(row)].progress = progress;
    tell(row, {kProgressRole, Qt::AccessibleTextRole});
}

void AttachmentModel::setFacts(AttachmentId id, AttachmentFacts facts) {
    const int row = rowOf(id);
    if (row < 0) return;
    AttachmentItem& item = items_[static_cast<size_t>(row)];
    const AttachmentOptions options = item.facts.file.options;
    item.facts = std::move(facts);
    item.facts.file.options = options;
    item.state = AttachmentItem::State::kReady;
    item.counts.reset();
    tell(row, {});
}

void AttachmentModel::setFailed(AttachmentId id, const Error& error) {
    const int row = rowOf(id);
    if (row < 0) return;
    AttachmentItem& item = items_[static_cast<size_t>(row)];
    item.state = AttachmentItem::State::kFailed;
    const PasswordWish wish = passwordWish(error);
    item.locked = wish != PasswordWish::kNone;
    item.error = wish == PasswordWish::kFirst     ? tr("Locked: open it to give the password")
                 : wish == PasswordWish::kAnother ? tr("Locked with another password: open it to try again")
                                                  : plainWords(error.message);
    tell(row, {});
}

void AttachmentModel::setReading(AttachmentId id) {
    const int row = rowOf(id);
    if (row < 0) return;
    AttachmentItem& item = items_[static_cast<size_t>(row)];
    item.state = AttachmentItem::State::kReading;
    item.progress = -1;
    item.error.clear();
    item.locked = false;
    tell(row, {});
}

void AttachmentModel::setOptions(AttachmentId id, const AttachmentOptions& options) {
    const int row = rowOf(id);
    if (row < 0) return;
    AttachmentItem& item = items_[static_cast<size_t>(row)];
    item.facts.file.options = options;
    item.counts.reset();
    tell(row, {kTokensRole, kDetailRole, Qt::AccessibleTextRole, Qt::ToolTipRole});
}

void AttachmentModel::setCounts(const std::vector<TokenCounts>& counts, const QStringList& warnings) {
    size_t next = 0;
    for (int row = 0; row < rowCount() && next < counts.size(); ++row) {
        AttachmentItem& item = items_[static_cast<size_t>(row)];
        if (item.state != AttachmentItem::State::kReady) continue;
        item.counts = counts[next++];
        // Sentences begin with the name of what they are about.
        item.warnings.clear();
        const QString name = QString::fromStdString(item.facts.file.name);
        for (const QString& warning : warnings) {
            if (warning.startsWith(name + QStringLiteral(": ")) || warning.startsWith(name + QStringLiteral(", ")))
                item.warnings << plainWords(warning);
        }
        tell(row, {kTokensRole, kWarningsRole, Qt::AccessibleTextRole, Qt::ToolTipRole});
    }
}

QString AttachmentModel::detail(const AttachmentItem& item) const {
    const AttachmentOptions& options = item.facts.file.options;
    if (item.state == AttachmentItem::State::kReading)
        return item.progress < 0 ? tr("Reading") : tr("Reading, %1 %").arg(std::lround(item.progress * 100));
    if (item.state == AttachmentItem::State::kFailed) {  // the card's name stands above: the reason comes first
        const QString file = QString::fromStdString(item.facts.file.name) + QStringLiteral(": ");
        const qsizetype at = item.error.indexOf(file);
        return at < 0 ? item.error : item.error.mid(at + file.size());
    }
    if (const auto& document = item.facts.file.document) {
        const int last = options.lastPage == 0 ? document->pageCount : options.lastPage;
        const bool all = options.firstPage == 1 && last == document->pageCount;
        if (all && document->pageCount > 1) return tr("%Ln page(s)", nullptr, document->pageCount);
        if (all) return locale_.formattedDataSize(static_cast<qint64>(item.facts.bytes));
        if (options.firstPage == last) return tr("page %1 of %2").arg(last).arg(document->pageCount);
        return tr("pages %1–%2 of %3").arg(options.firstPage).arg(last).arg(document->pageCount);
    }
    if (const auto& clip = item.facts.file.clip) {
        const double end = std::min(options.end.value_or(clip->seconds), clip->seconds);
        const double start = std::min(options.start.value_or(0), end);
        if (start > 0 || end < clip->seconds) return tr("%1–%2").arg(durationText(start), durationText(end));
        return durationText(clip->seconds);
    }
    return tr("%1 × %2 pixels").arg(item.facts.width).arg(item.facts.height);
}

QString AttachmentModel::spoken(const AttachmentItem& item) const {
    const char* const kinds[] = {QT_TR_NOOP("Text"), QT_TR_NOOP("Document"), QT_TR_NOOP("Picture"), QT_TR_NOOP("Clip")};
    QString out = tr("%1 %2: %3")
                      .arg(tr(kinds[static_cast<size_t>(item.facts.file.kind)]),
                           QString::fromStdString(item.facts.file.name), detail(item));
    if (item.counts) out += tr(", %1 tokens").arg(locale_.toString(static_cast<qlonglong>(item.counts->all())));
    for (const QString& warning : item.warnings) out += QStringLiteral("\n") + warning;
    return out;
}

void AttachmentModel::tell(int row, const QList<int>& roles) {
    Q_EMIT dataChanged(index(row), index(row), roles);
}

}  // namespace pal::desktop
