// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host_link.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

namespace pal::cuda {

HostLink::~HostLink() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : crew_) thread.join();
}

void HostLink::send(void* device, std::span<const std::byte> host) {
    queue({{static_cast<std::byte*>(device), const_cast<std::byte*>(host.data()), host.size()}, Way::kToDevice});
}

void HostLink::bring(std::span<std::byte> host, const void* device) {
    queue({{static_cast<std::byte*>(const_cast<void*>(device)), host.data(), host.size()}, Way::kToHost});
}

void HostLink::queue(const Job& job) {
    if (job.piece.bytes == 0) return;
    busy_ = true;
    std::unique_lock lock(mutex_);
    if (able_ == 0 && error_ == cudaSuccess) start();
    done_.wait(lock, [this] { return queued_ <= kMostQueued; });
    if (able_ == 0) return;  // nobody can carry it, as settle() will tell
    try {
        jobs_.push_back(job);
    } catch (const std::bad_alloc&) {
        if (error_ == cudaSuccess) error_ = cudaErrorMemoryAllocation;
        return;
    }
    queued_ += job.piece.bytes;
    lock.unlock();
    // A large piece is work for all of them.
    job.piece.bytes > kLeastShared ? work_.notify_all() : work_.notify_one();
}

cudaError_t HostLink::settle() {
    busy_ = false;
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return jobs_.empty() && active_ == 0; });
    return std::exchange(error_, cudaSuccess);
}

// A crew where there is none, or none any more. The caller has the lock.
void HostLink::start() {
    for (std::thread& thread : crew_) thread.join();  // they gave up
    crew_.clear();
    const unsigned threads = std::clamp(std::thread::hardware_concurrency() * 3 / 4, 1U, kMostThreads);
    try {
        for (unsigned i = 0; i < threads; ++i) crew_.emplace_back([this] { work(); });
    } catch (const std::exception&) {  // the system has no more threads, or no memory for them: fewer are slower
    }
    able_ = crew_.size();
    if (able_ == 0) error_ = cudaErrorOperatingSystem;
}

void HostLink::work() {
    Lane lane;
    Batch batch;
    bool opened = false;
    cudaSetDevice(device_);
    while (rest()) {
        cudaError_t error = opened ? cudaSuccess : open(lane, batch);
        if (error != cudaSuccess) {
            close(lane);
            giveUp(error);
            return;
        }
        opened = true;
        // After an error what is queued is dropped.
        while (take(batch)) {
            if (error == cudaSuccess) error = transfer(lane, batch);
        }
        if (error == cudaSuccess) error = finish(lane);
        // Copies of a batch that failed may be under way, with no event behind them that the stage's next use would wait for.
        if (error != cudaSuccess) cudaStreamSynchronize(lane.stream);
        for (Stage& stage : lane.stages) stage.waiting.clear();  // after an error, too: their places may be gone
        leave(error);
    }
    close(lane);
}

// To rest; the first error stays for settle().
void HostLink::leave(cudaError_t error) {
    cudaGetLastError();
    const std::lock_guard lock(mutex_);
    if (error_ == cudaSuccess) error_ = error;
    --active_;
    if (active_ == 0 && jobs_.empty()) done_.notify_all();
}

// For good, without stages of its own. The error counts when nobody has any.
void HostLink::giveUp(cudaError_t error) {
    cudaGetLastError();
    const std::lock_guard lock(mutex_);
    --active_;
    --able_;
    if (able_ == 0) {
        if (error_ == cudaSuccess) error_ = error;
        jobs_.clear();
        queued_ = 0;
    }
    work_.notify_all();  // the call was perhaps for this thread alone
    done_.notify_all();
}

// Waits for work; false at the end.
bool HostLink::rest() {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (stop_) return false;
    ++active_;
    return true;
}

// This thread's share of the queue's front; false when there is nothing.
bool HostLink::take(Batch& batch) {
    const std::lock_guard lock(mutex_);
    batch.pieces.clear();
    const size_t share = std::clamp(queued_ / able_, kLeastShared, kStageBytes);
    size_t room = share;
    while (!jobs_.empty() && room > 0 && batch.pieces.size() < kMostPieces) {
        Job& front = jobs_.front();
        if (batch.pieces.empty()) batch.way = front.way;
        if (front.way != batch.way) break;
        Piece& piece = front.piece;
        const size_t bytes = std::min(room, piece.bytes);
        batch.pieces.push_back({piece.device, piece.host, bytes});
        piece = {piece.device + bytes, piece.host + bytes, piece.bytes - bytes};
        room -= bytes;
        if (piece.bytes == 0) jobs_.pop_front();
    }
    queued_ -= share - room;
    if (!batch.pieces.empty()) done_.notify_all();
    return !batch.pieces.empty();
}

cudaError_t HostLink::open(Lane& lane, Batch& batch) {
    try {  // all that this thread will ever allocate
        batch.pieces.reserve(kMostPieces);
        for (Stage& stage : lane.stages) stage.waiting.reserve(kMostPieces);
    } catch (const std::bad_alloc&) {
        return cudaErrorMemoryAllocation;
    }
    if (!lane.memory.reserve(lane.stages.size() * kStageBytes)) return cudaErrorMemoryAllocation;
    std::memset(lane.memory.data(), 0, lane.memory.size());  // all threads at once; locking is one after the other
    cudaError_t error = lane.memory.lockNext();
    if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking);
    std::byte* memory = lane.memory.data();
    for (Stage& stage : lane.stages) {
        if (error == cudaSuccess) error = cudaEventCreateWithFlags(&stage.free, cudaEventDisableTiming);
        stage.memory = std::exchange(memory, memory + kStageBytes);
    }
    return error;
}

void HostLink::close(Lane& lane) {
    for (const Stage& stage : lane.stages) {
        if (stage.free != nullptr) cudaEventDestroy(stage.free);
    }
    if (lane.stream != nullptr) cudaStreamDestroy(lane.stream);
    lane = {};
}

cudaError_t HostLink::transfer(Lane& lane, const Batch& batch) {
    Stage& stage = lane.stages[lane.next];
    lane.next = (lane.next + 1) % lane.stages.size();
    if (const cudaError_t error = empty(stage); error != cudaSuccess) return error;
    if (batch.way == Way::kToDevice) {
        std::byte* to = stage.memory;
        for (const Piece& piece : batch.pieces) {
            std::memcpy(to, piece.host, piece.bytes);
            to += piece.bytes;
        }
    } else {
        stage.waiting = batch.pieces;
    }
    return overLink(stage, batch, lane.stream);
}

// Waits for the link, then copies what came to its places.
cudaError_t HostLink::empty(Stage& stage) {
    if (const cudaError_t error = cudaEventSynchronize(stage.free); error != cudaSuccess) return error;
    const std::byte* from = stage.memory;
    for (const Piece& piece : stage.waiting) {
        std::memcpy(piece.host, from, piece.bytes);
        from += piece.bytes;
    }
    stage.waiting.clear();
    return cudaSuccess;
}

cudaError_t HostLink::finish(Lane& lane) {
    for (size_t i = 0; i < lane.stages.size(); ++i) {  // the older one first
        if (const cudaError_t error = empty(lane.stages[(lane.next + i) % lane.stages.size()]); error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

// A copy for each piece: what lies side by side may still be two allocations, which one copy must not span.
cudaError_t HostLink::overLink(const Stage& stage, const Batch& batch, cudaStream_t stream) {
    std::byte* at = stage.memory;
    for (const Piece& piece : batch.pieces) {
        const cudaError_t error = batch.way == Way::kToDevice
                                      ? cudaMemcpyAsync(piece.device, at, piece.bytes, cudaMemcpyHostToDevice, stream)
                                      : cudaMemcpyAsync(at, piece.device, piece.bytes, cudaMemcpyDeviceToHost, stream);
        if (error != cudaSuccess) return error;
        at += piece.bytes;
    }
    return cudaEventRecord(stage.free, stream);
}

}  // namespace pal::cuda
