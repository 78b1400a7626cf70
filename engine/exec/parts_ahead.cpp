// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/parts_ahead.h"

#include <utility>

namespace pal {

PartsAhead::PartsAhead(StateStore& store, std::vector<StateId> parts) : store_(store), parts_(std::move(parts)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { read(stop); });
}

PartsAhead::~PartsAhead() = default;

void PartsAhead::read(const std::stop_token& stop) {
    for (size_t i = 0; i < parts_.size(); ++i) {
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [&] { return i < free_; })) break;
        }
        const bool there = store_.read(parts_[i], buffers_[i % kAhead]);
        const std::lock_guard lock(mutex_);
        if (!there) break;
        read_ = i + 1;
        changed_.notify_all();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
}

const ByteBuffer* PartsAhead::next() {
    std::unique_lock lock(mutex_);
    free_ = taken_ + kAhead;  // the part of the call before is done with
    changed_.notify_all();
    changed_.wait(lock, [&] { return read_ > taken_ || ended_; });
    if (read_ == taken_) return nullptr;
    return &buffers_[taken_++ % kAhead];
}

}  // namespace pal
