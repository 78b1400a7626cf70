// SPDX-License-Identifier: Apache-2.0
#include "app/composition/chat_writer.h"

namespace pal {

ChatWriter::ChatWriter(ChatDatabase database, std::function<void()> wakeup)
    : database_(std::move(database)),
      telling_(static_cast<bool>(wakeup)),
      changes_(kMaxTold, std::move(wakeup)),
      thread_([this] { run(); }) {}

ChatWriter::~ChatWriter() {
    end();
}

bool ChatWriter::push(Task task) {
    {
        const std::lock_guard lock(mutex_);
        if (ending_ || tasks_.size() >= kMaxWaiting) return false;
        tasks_.push_back(std::move(task));
    }
    pushed_.notify_one();
    return true;
}

void ChatWriter::run() {
    while (true) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            pushed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
            if (tasks_.empty()) return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task(database_);
        tell();
    }
}

// What a full channel does not take goes with the next change.
void ChatWriter::tell() {
    auto [sessions, messages] = database_.takeChanges();
    if (!telling_) return;
    untold_.sessions.merge(sessions);
    untold_.messages.merge(messages);
    if (untold_.sessions.empty() && untold_.messages.empty()) return;
    if (changes_.tryPush(untold_, {})) untold_ = {};
}

// Every change that was handed over is written.
void ChatWriter::end() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    pushed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

Result<std::vector<Sha256>> ChatWriter::close() {
    end();
    return database_.close();
}

}  // namespace pal
