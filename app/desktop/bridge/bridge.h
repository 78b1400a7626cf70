// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <new>
#include <type_traits>

#include "app/desktop/bridge/engine_desk.h"
#include "app/desktop/bridge/latest.h"
#include "app/desktop/bridge/library_thread.h"
#include "app/desktop/bridge/mailbox.h"
#include "app/desktop/bridge/turn_feed.h"

namespace pal::desktop {

// The window's only way to everything that takes time. Lives in the UI thread and never makes it wait: work is handed to one of three
// threads and its outcome comes back as a call in the UI thread.
//   engine  owns data folder, model and the running turn (EngineDesk)
//   lists   short questions and changes about stored sessions, so that they never wait for a model or a long prompt
//   errands what takes long with files: attaching, exporting, importing
class Bridge : public QObject {
    Q_OBJECT

  public:
    explicit Bridge(QObject* parent = nullptr);
    // Closes and waits.
    ~Bridge() override;

    // Opens the data folder; `changed` of the options is the bridge's. Ends in opened() or openFailed().
    void open(const WorkplaceOptions& options);
    // Ends the running turn and closes everything in order (see shutdown()); ends in closed(). Idempotent.
    void close();

    // Hands `work(desk)` to a thread; its Result comes back as `then(result)` in the UI thread, unless `receiver` is gone by then. kBusy
    // when too much waits.
    template <typename Work, typename Then>
    void lists(QObject* receiver, Work work, Then then) {
        withLibrary(lists_, receiver, std::move(work), std::move(then));
    }
    template <typename Work, typename Then>
    void errand(QObject* receiver, Work work, Then then) {
        withLibrary(errands_, receiver, std::move(work), std::move(then));
    }
    template <typename Work, typename Then>
    void engine(QObject* receiver, Work work, Then then) {
        request(
            engine_, receiver, [this, work = std::move(work)]() mutable { return work(desk_); }, std::move(then));
    }

    // Ends the running turn within a prefill step or token; turnEnded() follows.
    void cancelTurn();

  Q_SIGNALS:
    // Sentences about the folder; whether anything can be stored in it.
    void opened(const QStringList& notes, bool writable);
    void openFailed(const pal::Error& error);
    void closed(const std::optional<pal::Error>& problem);
    // What is new in the running turn, at most once a frame.
    void turnNews(const pal::desktop::TurnNews& news);
    void turnEnded(const pal::desktop::TurnEnd& end);
    // How far a model is loaded that was asked for, the newest only; its outcome comes with the request.
    void modelLoading(const pal::LoadProgress& at);
    // What an EngineDesk::look() computed, and its end; how far it is comes with turnNews().
    void windowProbed(const std::shared_ptr<const pal::WindowProbe>& window);
    void lookEnded(const std::optional<pal::Error>& error);
    // Rows that changed, whoever changed them.
    void libraryChanged(const pal::ChatChange& change);
    // Something cannot be stored as it should; work goes on.
    void problem(const pal::Error& error);

  private:
    template <typename Work, typename Then>
    void withLibrary(LibraryThread& library, QObject* receiver, Work work, Then then) {
        request(
            library.thread(), receiver, [&library, work = std::move(work)]() mutable { return library.run(work); },
            std::move(then));
    }

    template <typename Work, typename Then>
    void request(TaskThread& thread, QObject* receiver, Work work, Then then) {
        using Outcome = std::invoke_result_t<Work&>;
        const auto answer = [this, receiver = QPointer<QObject>(receiver), then = std::move(then)](Outcome outcome) {
            const auto held = std::make_shared<Outcome>(std::move(outcome));
            mailbox_.post([receiver, then, held]() mutable {
                if (receiver) then(std::move(*held));
            });
        };
        if (!thread.post([work = std::move(work), answer]() mutable { answer(outcomeOf(work)); }))
            answer(fail(ErrorCode::kBusy, "too much waits to be done"));
    }

    // Work that finds no memory is answered so; the thread goes on.
    template <typename Work>
    static std::invoke_result_t<Work&> outcomeOf(Work& work) {
        try {
            return work();
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::kOutOfMemory, "out of memory");
        }
    }

    EngineReports reports();
    void openLibraries(ChatLibrary* library);
    bool tellChanges();
    void deliverNews();
    void shutdown();

    Mailbox mailbox_;
    QTimer frame_;
    bool newsWaits_ = false;
    bool closing_ = false;
    TurnFeed feed_;
    Latest<LoadProgress> loading_;
    EngineDesk desk_;  // engine thread
    LibraryThread lists_;
    LibraryThread errands_;
    TaskThread engine_;
};

}  // namespace pal::desktop
