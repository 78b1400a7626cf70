// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/bridge.h"

#include <chrono>

namespace pal::desktop {
namespace {

constexpr std::chrono::milliseconds kFrame{16};

QStringList qtStrings(const std::vector<std::string>& texts) {
    QStringList out;
    for (const std::string& text : texts) out << QString::fromStdString(text);
    return out;
}

}  // namespace

Bridge::Bridge(QObject* parent)
    : QObject(parent),
      feed_([this] { mailbox_.post([this] { deliverNews(); }); }),
      desk_(reports(), [this] { engine_.wake(); }),
      lists_([this] { return tellChanges(); }),
      engine_({256, [this] { return desk_.tick(); }, ChatRunner::kSaveInterval}) {
    frame_.setSingleShot(true);
    frame_.setTimerType(Qt::PreciseTimer);
    connect(&frame_, &QTimer::timeout, this, [this] {
        if (newsWaits_) deliverNews();
    });
}

Bridge::~Bridge() {
    close();
    engine_.stop();
    lists_.stop();
    errands_.stop();
}

EngineReports Bridge::reports() {
    EngineReports out;
    out.turn.progress = [this](const PrefillProgress& at) { feed_.push(at); };
    out.turn.ready = [this](const PromptReady& ready) { feed_.push(ready); };
    out.turn.reply = [this](const std::vector<OutputDelta>& deltas) { feed_.push(deltas); };
    out.turn.probed = [this](const std::shared_ptr<const TokenProbe>& probe) { feed_.push(probe); };
    out.turn.window = [this](const std::shared_ptr<const WindowProbe>& window) {
        mailbox_.post([this, window] { Q_EMIT windowProbed(window); });
    };
    out.looked = [this](const std::optional<Error>& error) {
        mailbox_.post([this, error] { Q_EMIT lookEnded(error); });
    };
    out.turn.problem = [this](const Error& error) { mailbox_.post([this, error] { Q_EMIT problem(error); }); };
    out.loading = [this](const LoadProgress& at) {
        if (!loading_.put(at)) return;
        mailbox_.post([this] {
            if (const auto newest = loading_.take()) Q_EMIT modelLoading(*newest);
        });
    };
    out.ended = [this](const TurnEnd& end) {
        mailbox_.post([this, end] {
            frame_.stop();
            deliverNews();  // the last of the text comes before the end
            Q_EMIT turnEnded(end);
        });
    };
    return out;
}

void Bridge::open(const WorkplaceOptions& options) {
    WorkplaceOptions complete = options;
    complete.changed = [this] { lists_.thread().wake(); };
    engine(
        this, [complete](EngineDesk& desk) { return desk.open(complete); },
        [this](const Result<ChatLibrary*>& library) {
            if (!library) {
                Q_EMIT openFailed(library.error());
            } else {
                openLibraries(*library);
            }
        });
}

void Bridge::openLibraries(ChatLibrary* library) {
    if (closing_) return;
    const auto open = [this, library](LibraryThread& thread, auto then) {
        request(
            thread.thread(), this, [&thread, library] { return thread.open(*library); }, std::move(then));
    };
    open(errands_, [](const Result<>&) {});
    open(lists_, [this, library](const Result<>& done) {
        if (!done) {
            Q_EMIT openFailed(done.error());
            return;
        }
        engine(
            this,
            [](EngineDesk& desk) -> Result<QStringList> {
                return desk.place() != nullptr ? qtStrings(desk.place()->notes()) : QStringList();
            },
            [this, writable = library->writable()](const Result<QStringList>& notes) {
                Q_EMIT opened(notes ? *notes : QStringList(), writable);
            });
    });
}

void Bridge::cancelTurn() {
    engine(
        this,
        [](EngineDesk& desk) -> Result<> {
            desk.cancel();
            return {};
        },
        [](const Result<>&) {});
}

// Lists thread.
bool Bridge::tellChanges() {
    ChatLibrary* library = lists_.library();
    if (library == nullptr) return false;
    ChatChange all;
    for (ChatChange& change : library->drain()) {
        all.sessions.merge(change.sessions);
        all.messages.merge(change.messages);
    }
    if (!all.sessions.empty() || !all.messages.empty())
        mailbox_.post([this, all = std::move(all)] { Q_EMIT libraryChanged(all); });
    return false;
}

void Bridge::deliverNews() {
    newsWaits_ = frame_.isActive();
    if (newsWaits_) return;
    const TurnNews news = feed_.take();
    if (!news.progress && !news.ready && news.deltas.empty() && news.tokens == 0 && news.probes.empty()) return;
    frame_.start(kFrame);
    Q_EMIT turnNews(news);
}

void Bridge::close() {
    if (std::exchange(closing_, true)) return;
    engine_.postLast([this] { shutdown(); });
}

// On the engine's thread, the only order that works: the turn ends and is kept, what reads the library ends, then engine, states, chats.db and
// the right to the folder go as Workplace::close says. Threads are joined by the destructor, when nothing can wait for them any more.
void Bridge::shutdown() {
    lists_.stop();
    errands_.stop();
    const Result<> done = desk_.close();
    std::optional<Error> problem;
    if (!done) problem = done.error();
    mailbox_.post([this, problem] { Q_EMIT closed(problem); });
}

}  // namespace pal::desktop
