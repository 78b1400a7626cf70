// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/transcript_model.h"

#include <QLocale>
#include <utility>

namespace pal::desktop {

TranscriptModel::TranscriptModel(QObject* parent) : QAbstractListModel(parent) {}

int TranscriptModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(messages_.size());
}

QVariant TranscriptModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const TranscriptMessage& message = messages_[static_cast<size_t>(index.row())];
    switch (role) {
        case kTextRole:
            return QString::fromStdString(message.text);
        case kIdRole:
            return static_cast<qint64>(message.id);
        case kRoleRole:
            return static_cast<int>(message.role);
        case kAuthorRole:
            return authorOf(message);
        case kStateRole:
            return static_cast<int>(message.state);
        case kThinkingRole:
            return QString::fromStdString(message.thinking);
        case kToolCountRole:
            return static_cast<int>(message.tools.size());
        case kAttachmentsRole:
            return message.attachments;
        case kSiblingRole:
            return message.siblings > 1 ? QStringLiteral("%1/%2").arg(message.sibling).arg(message.siblings)
                                        : QString();
        case kTimingRole:
            return timingLine(message.timing);
        case kNoticesRole: {
            QStringList lines;
            for (const Notice& notice : message.notices) lines += notice.text;
            return lines;
        }
        default:
            return {};
    }
}

void TranscriptModel::replaceAll(std::vector<TranscriptMessage> messages) {
    beginResetModel();
    rows_.clear();
    std::erase_if(messages, [&, row = 0](const TranscriptMessage& message) mutable {
        if (rows_.contains(message.id)) return true;
        rows_.insert(message.id, row++);
        return false;
    });
    messages_ = std::move(messages);
    revisions_.assign(messages_.size(), 0);
    endResetModel();
}

void TranscriptModel::appendMessage(TranscriptMessage message) {
    if (rows_.contains(message.id)) return;
    const int row = rowCount();
    beginInsertRows({}, row, row);
    rows_.insert(message.id, row);
    messages_.push_back(std::move(message));
    revisions_.push_back(0);
    endInsertRows();
}

void TranscriptModel::replaceMessage(const TranscriptMessage& message) {
    int row = 0;
    TranscriptMessage* known = find(message.id, row);
    if (known == nullptr) return;
    *known = message;
    ++revisions_[static_cast<size_t>(row)];
    changed(row, {});
}

void TranscriptModel::removeFrom(int64_t id) {
    const int row = rowOf(id);
    if (row < 0) return;
    beginRemoveRows({}, row, rowCount() - 1);
    for (auto i = static_cast<size_t>(row); i < messages_.size(); ++i) rows_.remove(messages_[i].id);
    messages_.resize(static_cast<size_t>(row));
    revisions_.resize(static_cast<size_t>(row));
    endRemoveRows();
}

TranscriptMessage* TranscriptModel::find(int64_t id, int& row) {
    row = rowOf(id);
    return row < 0 ? nullptr : &messages_[static_cast<size_t>(row)];
}

void TranscriptModel::changed(int row, const QList<int>& roles) {
    const QModelIndex at = index(row);
    Q_EMIT dataChanged(at, at, roles);
}

void TranscriptModel::appendText(int64_t id, Channel channel, std::string_view delta) {
    int row = 0;
    TranscriptMessage* message = find(id, row);
    if (message == nullptr || delta.empty()) return;
    (channel == Channel::kThinking ? message->thinking : message->text) += delta;
    changed(row, {channel == Channel::kThinking ? kThinkingRole : kTextRole});
}

void TranscriptModel::setTool(int64_t id, size_t number, const ToolUse& tool) {
    int row = 0;
    TranscriptMessage* message = find(id, row);
    if (message == nullptr || number > message->tools.size()) return;
    if (number == message->tools.size()) message->tools.emplace_back();
    message->tools[number] = tool;
    changed(row, {kToolCountRole});
}

void TranscriptModel::thinkingIsText(int64_t id) {
    int row = 0;
    TranscriptMessage* message = find(id, row);
    if (message == nullptr) return;
    message->text.insert(0, std::exchange(message->thinking, {}));
    ++revisions_[static_cast<size_t>(row)];
    changed(row, {kTextRole, kThinkingRole});
}

void TranscriptModel::addNotice(int64_t id, const Notice& notice) {
    int row = 0;
    TranscriptMessage* message = find(id, row);
    if (message == nullptr) return;
    message->notices.push_back(notice);
    changed(row, {kNoticesRole});
}

void TranscriptModel::setSibling(int64_t id, int sibling, int siblings) {
    int row = 0;
    TranscriptMessage* message = find(id, row);
    if (message == nullptr) return;
    message->sibling = sibling;
    message->siblings = siblings;
    changed(row, {kSiblingRole});
}

void TranscriptModel::setId(int64_t id, int64_t stored) {
    int row = 0;
    TranscriptMessage* message = find(id, row);
    if (message == nullptr || rows_.contains(stored)) return;
    rows_.remove(id);
    rows_.insert(stored, row);
    message->id = stored;
    changed(row, {kIdRole});
}

void TranscriptModel::finish(int64_t id, MessageState state, const MessageTiming& timing) {
    int row = 0;
    TranscriptMessage* message = find(id, row);
    if (message == nullptr) return;
    message->state = state;
    message->timing = timing;
    changed(row, {kStateRole, kTimingRole});
}

int TranscriptModel::rowOf(int64_t id) const {
    return rows_.value(id, -1);
}

QString TranscriptModel::authorOf(const TranscriptMessage& message) {
    if (!message.author.isEmpty()) return message.author;
    switch (message.role) {
        case MessageRole::kUser:
            return tr("You");
        case MessageRole::kSystem:
            return tr("System prompt");
        case MessageRole::kAssistant:
            break;
    }
    return tr("Assistant");
}

QString TranscriptModel::timingLine(const MessageTiming& timing) {
    const QLocale locale;
    QStringList parts;
    if (timing.firstTokenSeconds)
        parts += tr("first token %1 s").arg(locale.toString(*timing.firstTokenSeconds, 'f', 1));
    if (timing.tokensPerSecond) parts += tr("%1 tokens/s").arg(locale.toString(*timing.tokensPerSecond, 'f', 1));
    if (timing.writtenTokens) parts += tr("%Ln token(s) written", nullptr, static_cast<int>(*timing.writtenTokens));
    if (timing.reusedTokens && timing.computedTokens) {
        parts += tr("%1 reused, %2 computed")
                     .arg(locale.toString(static_cast<qlonglong>(*timing.reusedTokens)),
                          locale.toString(static_cast<qlonglong>(*timing.computedTokens)));
    }
    return parts.join(QStringLiteral(" · "));
}

}  // namespace pal::desktop
