// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <optional>
#include <vector>

#include "app/desktop/bridge/bridge.h"
#include "app/desktop/chat/message_tree.h"

namespace pal::desktop {

// The reply that is being written, as far as it came. It goes on when another session is shown.
struct RunningTurn {
    TurnStart start;
    std::string reasoning;
    std::string content;
    std::optional<PrefillProgress> reading;  // until the prompt is read
    double recentRate = 0;                   // of reading: tokens/s since some seconds ago
    int64_t tokens = 0;
};

// The open session: its messages from the first to the head, the branches beside them, and what can be done with them. Everything is asked
// through the bridge and shown when it was done. UI thread.
class Chat : public QObject {
    Q_OBJECT

  public:
    explicit Chat(Bridge& bridge, QObject* parent = nullptr);

    // 0 for a session that begins with its first question.
    [[nodiscard]] SessionId session() const { return summary_.id; }
    [[nodiscard]] const SessionSummary& summary() const { return summary_; }
    [[nodiscard]] const std::vector<Message>& messages() const { return messages_; }
    [[nodiscard]] const MessageTree& tree() const { return tree_; }
    [[nodiscard]] MessageId head() const { return messages_.empty() ? 0 : messages_.back().node.id; }
    // Of any session; there is at most one.
    [[nodiscard]] const std::optional<RunningTurn>& running() const { return running_; }
    // Whether the running turn is in the session that is shown.
    [[nodiscard]] bool isRunningHere() const { return running_ && running_->start.session == session(); }
    [[nodiscard]] bool isBusy() const { return running_ || starting_; }

    // shown() follows.
    void open(SessionId session);
    // The same at another place of the session.
    void openAt(SessionId session, MessageId message);
    // An empty session, made when something is asked. `settings` are its.
    void startNew(const SessionSettings& settings);
    // How the session asks from now on.
    void setSettings(const SessionSettings& settings);

    // Turns. started() follows, or refused() with what was asked.
    void ask(const QString& text, const std::vector<NewAttachment>& attachments);
    // A question again in other words: a sibling with the attachments of the old one and others.
    void edit(MessageId question, const QString& text, const std::vector<NewAttachment>& more = {});
    // Another answer to the question that `reply` answers: a sibling.
    void regenerate(MessageId reply);
    void stop();

    // Shows the next (+1) or previous (-1) branch at a message.
    void showSibling(MessageId message, int step);
    // A new session with the messages up to this one; forked() follows.
    void fork(MessageId message);
    // Leaves the branch that begins at a message: the session is at its parent then. Nothing is erased, so it can be undone with the
    // message that was the head before; left() tells it.
    void leaveBranch(MessageId message);
    void setHead(MessageId head);

  Q_SIGNALS:
    // Other messages are shown: another session, branch or end.
    void shown();
    // The session's row changed: name, settings.
    void summaryChanged();
    void started(const pal::desktop::TurnStart& start);
    void refused(const pal::Error& error, const QString& text);
    // More of the running reply, of any session; the deltas are already in running().
    void grew(const pal::desktop::TurnNews& news);
    void ended(const pal::desktop::TurnEnd& end);
    void forked(pal::SessionId session);
    void left(pal::SessionId session, pal::MessageId headBefore);
    void failed(const pal::Error& error);

  private:
    struct Opened {
        SessionSummary summary;
        std::vector<MessageNode> nodes;
        std::vector<Message> path;
    };
    static Result<Opened> read(ChatDatabase& reader, SessionId session, MessageId head);
    void show(SessionId session, MessageId head);
    void send(AskJob job);
    void begin(const Result<TurnStart>& start, const QString& text);
    void take(const TurnNews& news);
    void finish(const TurnEnd& end);
    void follow(const ChatChange& change);
    [[nodiscard]] const Message* message(MessageId id) const;

    Bridge& bridge_;
    SessionSummary summary_;
    std::vector<Message> messages_;
    MessageTree tree_;
    SessionSettings newSettings_;
    std::optional<RunningTurn> running_;
    std::vector<std::pair<qint64, int64_t>> readings_;  // (ms, computed tokens) of the last seconds
    QElapsedTimer clock_;
    bool starting_ = false;
    quint64 showing_ = 0;  // the newest request wins
};

}  // namespace pal::desktop
