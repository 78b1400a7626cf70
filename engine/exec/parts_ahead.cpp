// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/parts_ahead.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace pal {

PartsAhead::PartsAhead(StateStore& store, std::vector<StateId> parts)
    : store_(store), parts_(std::move(parts)), end_(parts_.size()) {
    size_t running = 0;
    try {
        for (; running < std::min(kThreads, parts_.size()); ++running)
            threads_[running] = std::jthread([this](const std::stop_token& stop) { read(stop); });
    } catch (const std::system_error&) {  // the system starts no more: those that run are enough
    } catch (const std::bad_alloc&) {
    }
    if (running == 0) end_ = 0;
}

PartsAhead::~PartsAhead() {
    for (std::jthread& thread : threads_) thread.request_stop();
}

void PartsAhead::read(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (true) {
        const bool wanted = changed_.wait(lock, stop, [&] { return begun_ < free_ || begun_ >= end_; });
        if (!wanted || begun_ >= end_) return;
        const size_t part = begun_++;
        Slot& slot = slots_[part % kAhead];
        lock.unlock();
        const bool there = readInto(slot.bytes, parts_[part]);
        lock.lock();
        slot.read = there;
        if (!there) end_ = std::min(end_, part);
        changed_.notify_all();
    }
}

// A part that there is no memory for is computed again, as one that is not there.
bool PartsAhead::readInto(ByteBuffer& bytes, const StateId& part) {
    try {
        return store_.read(part, bytes);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

const ByteBuffer* PartsAhead::next() {
    std::unique_lock lock(mutex_);
    if (taken_ > 0) slots_[(taken_ - 1) % kAhead].read = false;  // the part of the call before is done with
    free_ = taken_ + kAhead;
    changed_.notify_all();
    Slot& slot = slots_[taken_ % kAhead];
    changed_.wait(lock, [&] { return taken_ >= end_ || slot.read; });
    if (taken_ >= end_) return nullptr;
    ++taken_;
    return &slot.bytes;
}

}  // namespace pal
