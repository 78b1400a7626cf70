// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/event_channel.h"
#include "engine/base/result.h"
#include "storage/chats/chat_database.h"

namespace pal {

// Rows that changed, for views that show them; the receiver reads again what it shows.
struct ChatChange {
    std::set<SessionId> sessions;
    std::set<MessageId> messages;
};

// The database thread: the only writer of chats.db. Any thread hands over changes; they run in order, each in one transaction.
class ChatWriter {
  public:
    // Takes the connection over. `wakeup` is called when changes wait, see EventChannel; when it is empty nothing is told.
    ChatWriter(ChatDatabase database, std::function<void()> wakeup);
    ChatWriter(const ChatWriter&) = delete;
    ChatWriter& operator=(const ChatWriter&) = delete;
    // Runs what was handed over, without closing the database.
    ~ChatWriter();

    // Hands over `change(ChatDatabase&)`, which returns a Result; it must not block on anything else. The future has its result once that is
    // on the disk. Errors: kBusy when too many changes wait, else those of ChatDatabase::write.
    template <typename Change>
    auto write(Change change) {
        using Outcome = std::invoke_result_t<Change, ChatDatabase&>;
        const auto task = std::make_shared<std::packaged_task<Outcome(ChatDatabase&)>>(
            [change = std::move(change)](ChatDatabase& database) mutable { return database.write(std::move(change)); });
        auto outcome = task->get_future();
        if (push([task](ChatDatabase& database) { (*task)(database); })) return outcome;
        std::promise<Outcome> refused;
        refused.set_value(fail(ErrorCode::kBusy, "the disk is too slow: {} changes wait to be written", kMaxWaiting));
        return refused.get_future();
    }

    // Changes since the last call, oldest first.
    [[nodiscard]] std::vector<ChatChange> drain() { return changes_.drain(); }

    // Runs what was handed over and closes the database. Nothing may be handed over any more. Errors: those of ChatDatabase::close.
    Result<std::vector<Sha256>> close();

  private:
    static constexpr size_t kMaxWaiting = 1024;
    static constexpr size_t kMaxTold = 4096;
    using Task = std::function<void(ChatDatabase&)>;

    [[nodiscard]] bool push(Task task);
    void run();
    void tell();
    void end();

    ChatDatabase database_;  // database thread
    const bool telling_;
    EventChannel<ChatChange> changes_;
    ChatChange untold_;  // database thread
    std::mutex mutex_;
    std::condition_variable pushed_;
    std::deque<Task> tasks_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace pal
