// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <string_view>
#include <vector>

#include "app/desktop/transcript/transcript_message.h"

namespace pal::desktop {

// The messages of one session from its root to its current leaf, oldest first. Whoever feeds it (the window, from the engine's and the
// database's events) calls, on the UI thread:
//   replaceAll      another session, another branch
//   appendMessage   the user's message when it is sent, the assistant's (kStreaming) when it starts
//   appendText      what a delta of the reply brought; any number of calls a second, views draw at their own pace
//   setTool         a call of a tool as it starts, is complete, has a result
//   thinkingIsText  the reply had no thinking after all (OutputDelta::kReasoningIsContent)
//   finish          the reply ended, with its state and timing
// Calls that name an id that is not there do nothing, because events of a session that was left may still come.
class TranscriptModel : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role {
        kTextRole = Qt::DisplayRole,  // QString
        kIdRole = Qt::UserRole,       // qint64
        kRoleRole,                    // int of MessageRole
        kAuthorRole,                  // QString, never empty
        kStateRole,                   // int of MessageState
        kThinkingRole,                // QString
        kToolCountRole,               // int
        kAttachmentsRole,             // QStringList
        kSiblingRole,                 // QString "2/3"; empty without siblings
        kTimingRole,                  // QString, timingLine()
        kNoticesRole,                 // QStringList
    };
    enum class Channel { kThinking, kText };

    explicit TranscriptModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    // Ids must differ; a later message with an id that is there already is left out.
    void replaceAll(std::vector<TranscriptMessage> messages);
    void appendMessage(TranscriptMessage message);
    // In place, whatever changed; the id stays.
    void replaceMessage(const TranscriptMessage& message);
    // The message and all after it.
    void removeFrom(int64_t id);

    void appendText(int64_t id, Channel channel, std::string_view delta);
    void setTool(int64_t id, size_t number, const ToolUse& tool);  // `number` may be one behind the last
    void thinkingIsText(int64_t id);
    void addNotice(int64_t id, const Notice& notice);
    void setSibling(int64_t id, int sibling, int siblings);
    void setId(int64_t id, int64_t stored);  // the database has numbered it
    void finish(int64_t id, MessageState state, const MessageTiming& timing);

    // -1: not there.
    [[nodiscard]] int rowOf(int64_t id) const;
    [[nodiscard]] const TranscriptMessage& message(int row) const { return messages_[static_cast<size_t>(row)]; }
    // Grows with every change of thinking or text that is more than an addition to their end.
    [[nodiscard]] int revision(int row) const { return revisions_[static_cast<size_t>(row)]; }

    [[nodiscard]] static QString authorOf(const TranscriptMessage& message);
    // "first token 0.8 s · 21 tokens/s · 18,204 reused, 312 computed"; empty when nothing is known.
    [[nodiscard]] static QString timingLine(const MessageTiming& timing);

  private:
    TranscriptMessage* find(int64_t id, int& row);
    void changed(int row, const QList<int>& roles);

    std::vector<TranscriptMessage> messages_;
    std::vector<int> revisions_;
    QHash<qint64, int> rows_;
};

}  // namespace pal::desktop
