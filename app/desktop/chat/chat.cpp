// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/chat/chat.h"

#include <algorithm>

#include "app/composition/attachments.h"
#include "storage/chats/clock.h"
#include "storage/chats/fork.h"

namespace pal::desktop {
namespace {

constexpr qint64 kRateMs = 5000;  // reading speed is said of the last five seconds

void append(RunningTurn& turn, const OutputDelta& delta) {
    switch (delta.kind) {
        case OutputDelta::Kind::kReasoning:
            turn.reasoning += delta.text;
            break;
        case OutputDelta::Kind::kContent:
            turn.content += delta.text;
            break;
        case OutputDelta::Kind::kReasoningIsContent:
            turn.content = delta.text + turn.content;
            turn.reasoning.clear();
            break;
        case OutputDelta::Kind::kToolCallStarted:
        case OutputDelta::Kind::kToolCall:
        case OutputDelta::Kind::kDone:
            break;
    }
}

}  // namespace

Chat::Chat(Bridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
    clock_.start();
    connect(&bridge_, &Bridge::turnNews, this, &Chat::take);
    connect(&bridge_, &Bridge::turnEnded, this, &Chat::finish);
    connect(&bridge_, &Bridge::libraryChanged, this, &Chat::follow);
}

const Message* Chat::message(MessageId id) const {
    const auto found =
        std::find_if(messages_.begin(), messages_.end(), [&](const Message& m) { return m.node.id == id; });
    return found == messages_.end() ? nullptr : &*found;
}

Result<Chat::Opened> Chat::read(ChatDatabase& reader, SessionId session, MessageId head) {
    Opened out;
    PAL_ASSIGN(out.summary, reader.sessions().get(session));
    PAL_ASSIGN(out.nodes, reader.messages().tree(session));
    const MessageId end = head != 0 ? head : out.summary.head;
    if (end != 0) {
        PAL_ASSIGN(out.path, reader.messages().path(end));
    }
    return out;
}

void Chat::show(SessionId session, MessageId head) {
    const quint64 number = ++showing_;
    bridge_.lists(
        this, [session, head](LibraryDesk& desk) { return read(desk.reader, session, head); },
        [this, number](Result<Opened> opened) {
            if (number != showing_) return;
            if (!opened) {
                Q_EMIT failed(opened.error());
                return;
            }
            summary_ = std::move(opened->summary);
            messages_ = std::move(opened->path);
            tree_ = MessageTree(opened->nodes);
            Q_EMIT shown();
        });
}

void Chat::open(SessionId session) {
    show(session, 0);
}

void Chat::openAt(SessionId session, MessageId message) {
    const quint64 number = ++showing_;
    bridge_.lists(
        this,
        [session, message](LibraryDesk& desk) -> Result<MessageId> {
            PAL_ASSIGN(const SessionSummary summary, desk.reader.sessions().get(session));
            PAL_ASSIGN(const std::vector<MessageNode> nodes, desk.reader.messages().tree(session));
            const MessageTree tree(nodes);
            return tree.isAbove(message, summary.head) ? summary.head : tree.newestBelow(message);
        },
        [this, number, session](const Result<MessageId>& head) {
            if (number != showing_) return;
            if (!head) {
                Q_EMIT failed(head.error());
            } else {
                show(session, *head);
            }
        });
}

void Chat::startNew(const SessionSettings& settings) {
    ++showing_;
    newSettings_ = settings;
    summary_ = {};
    summary_.settings = settingsText(settings);
    messages_.clear();
    tree_ = {};
    Q_EMIT shown();
}

void Chat::setSettings(const SessionSettings& settings) {
    summary_.settings = settingsText(settings);
    newSettings_ = settings;
    Q_EMIT summaryChanged();
    if (session() == 0) return;
    // On the engine's thread, so that a question that follows at once is asked with them.
    bridge_.engine(
        this, [id = session(), settings](EngineDesk& desk) { return desk.setSettings(id, settings); },
        [this](const Result<>& done) {
            if (!done) Q_EMIT failed(done.error());
        });
}

void Chat::ask(const QString& text, const std::vector<NewAttachment>& attachments) {
    AskJob job;
    job.parent = head();
    job.text = text.toStdString();
    job.attachments = attachments;
    send(std::move(job));
}

void Chat::edit(MessageId question, const QString& text, const std::vector<NewAttachment>& more) {
    const Message* old = message(question);
    if (old == nullptr) {
        Q_EMIT refused({ErrorCode::kNotFound, "the question that is written again is on another branch"}, text);
        return;
    }
    AskJob job;
    job.parent = old->node.parent;
    job.text = text.toStdString();
    job.attachments = attachedAgain(old->attachments);
    job.attachments.insert(job.attachments.end(), more.begin(), more.end());
    send(std::move(job));
}

void Chat::send(AskJob job) {
    if (isBusy()) {
        Q_EMIT refused({ErrorCode::kBusy, "an answer is being written"}, QString::fromStdString(job.text));
        return;
    }
    starting_ = true;
    job.session = session();
    job.settings = newSettings_;
    const QString text = QString::fromStdString(job.text);
    bridge_.engine(
        this, [job = std::move(job)](EngineDesk& desk) { return desk.ask(job); },
        [this, text](const Result<TurnStart>& start) { begin(start, text); });
}

void Chat::regenerate(MessageId reply) {
    const Message* old = message(reply);
    if (old == nullptr || old->node.parent == 0 || isBusy()) return;
    starting_ = true;
    bridge_.engine(
        this,
        [session = session(), question = old->node.parent](EngineDesk& desk) { return desk.answer(session, question); },
        [this](const Result<TurnStart>& start) { begin(start, {}); });
}

void Chat::begin(const Result<TurnStart>& start, const QString& text) {
    starting_ = false;
    if (!start) {
        Q_EMIT refused(start.error(), text);
        return;
    }
    readings_.clear();
    running_.emplace();
    running_->start = *start;
    Q_EMIT started(*start);
    // A new session is the one that is shown from now on, unless the user went elsewhere meanwhile.
    if (session() == 0 || session() == start->session) show(start->session, start->reply);
}

void Chat::take(const TurnNews& news) {
    if (!running_) return;
    if (news.progress) {
        running_->reading = news.progress;
        const qint64 now = clock_.elapsed();
        readings_.emplace_back(now, news.progress->computed);
        std::erase_if(readings_, [&](const auto& at) { return at.first < now - kRateMs; });
        const auto [firstMs, firstTokens] = readings_.front();
        if (now - firstMs >= 200)
            running_->recentRate = 1000.0 * double(news.progress->computed - firstTokens) / double(now - firstMs);
    }
    if (news.ready) running_->reading.reset();
    for (const OutputDelta& delta : news.deltas) append(*running_, delta);
    running_->tokens += news.tokens;
    Q_EMIT grew(news);
}

void Chat::finish(const TurnEnd& end) {
    if (!running_) return;
    running_.reset();
    Q_EMIT ended(end);
    if (end.report.session == session()) show(session(), end.report.reply);
}

void Chat::stop() {
    bridge_.cancelTurn();
}

void Chat::showSibling(MessageId message, int step) {
    const std::vector<MessageId>& siblings = tree_.siblings(message);
    const auto at = std::find(siblings.begin(), siblings.end(), message);
    const auto place = (at - siblings.begin()) + step;
    if (at == siblings.end() || place < 0 || place >= std::ssize(siblings)) return;
    setHead(tree_.newestBelow(siblings[static_cast<size_t>(place)]));
}

void Chat::setHead(MessageId head) {
    if (session() == 0 || head == 0) return;
    bridge_.lists(
        this,
        [id = session(), head, changed = summary_.changedMs](LibraryDesk& desk) {
            return desk.library.writeNow(
                [&](ChatDatabase& database) { return database.sessions().setHead(id, head, changed); });
        },
        [this, id = session()](const Result<>& done) {
            if (!done) {
                Q_EMIT failed(done.error());
            } else if (id == session()) {
                show(id, 0);
            }
        });
}

void Chat::fork(MessageId message) {
    const std::string name = tr("%1 (fork)").arg(QString::fromStdString(summary_.name)).toStdString();
    bridge_.lists(
        this,
        [message, name](LibraryDesk& desk) {
            return desk.library.writeNow(
                [&](ChatDatabase& database) { return forkSession(database, message, name, nowMs()); });
        },
        [this](const Result<SessionId>& session) {
            if (!session) {
                Q_EMIT failed(session.error());
            } else {
                Q_EMIT forked(*session);
            }
        });
}

void Chat::leaveBranch(MessageId message) {
    const MessageId parent = tree_.parent(message);
    if (parent == 0 || !tree_.isAbove(message, head())) return;
    const MessageId before = head();
    setHead(parent);
    Q_EMIT left(session(), before);
}

void Chat::follow(const ChatChange& change) {
    if (session() == 0 || !change.sessions.contains(session())) return;
    bridge_.lists(
        this, [id = session()](LibraryDesk& desk) { return desk.reader.sessions().get(id); },
        [this](const Result<SessionSummary>& summary) {
            if (!summary || summary->id != session()) return;
            if (summary->name == summary_.name && summary->tokens == summary_.tokens) return;
            summary_.name = summary->name;
            summary_.tokens = summary->tokens;
            Q_EMIT summaryChanged();
        });
}

}  // namespace pal::desktop
