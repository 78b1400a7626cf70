// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "kernels/cuda/locked_memory.h"

namespace pal::cuda {

// Moves many pieces between ordinary host memory and the device, both ways over page-locked stages. One thread copies several times slower than the
// link, so a crew of them works on a common queue, each with a stream and two stages of its own: while one is on the link, the other is filled or
// emptied. What is shared out at once is a stage while there is much (copies of 1 MiB reach three quarters of the link, of 4 MiB nine tenths), and less
// towards the end. The queue is used by one thread at a time. What the crew locks, 8 MiB for each of up to twelve, stays locked until the end; a thread
// that gets no stages leaves its share to the others.
class HostLink {
  public:
    explicit HostLink(int device) : device_(device) {}
    ~HostLink();
    HostLink(const HostLink&) = delete;
    HostLink& operator=(const HostLink&) = delete;

    // Both return at once, or wait while too much is queued; memory on either side must stay as it is until settle(). Device memory is touched at any
    // time from now on: work of other streams on it must be over.
    void send(void* device, std::span<const std::byte> host);
    void bring(std::span<std::byte> host, const void* device);
    // Waits for everything; the first error since the last call.
    [[nodiscard]] cudaError_t settle();
    // Something was queued since the last settle().
    [[nodiscard]] bool busy() const { return busy_; }

  private:
    static constexpr size_t kStageBytes = size_t{4} << 20;
    static constexpr size_t kMostPieces = 4096;  // that share a stage
    static constexpr size_t kLeastShared = size_t{512} << 10;
    static constexpr size_t kMostQueued = size_t{128} << 20;
    static constexpr unsigned kMostThreads = 12;

    enum class Way : unsigned char { kToDevice, kToHost };
    struct Piece {
        std::byte* device = nullptr;
        std::byte* host = nullptr;
        size_t bytes = 0;
    };
    struct Job {
        Piece piece;
        Way way = Way::kToDevice;
    };
    // Pieces that share a stage.
    struct Batch {
        std::vector<Piece> pieces;
        Way way = Way::kToDevice;
    };
    struct Stage {
        std::byte* memory = nullptr;
        cudaEvent_t free = nullptr;  // the link is done with it
        std::vector<Piece> waiting;  // arrived in it and not copied to their places yet
    };
    struct Lane {
        cudaStream_t stream = nullptr;
        LockedMemory memory;  // of both stages
        std::array<Stage, 2> stages;
        size_t next = 0;
    };

    void queue(const Job& job);
    void start();
    void work();
    [[nodiscard]] bool take(Batch& batch);
    [[nodiscard]] bool rest();
    void leave(cudaError_t error);
    void giveUp(cudaError_t error);
    [[nodiscard]] static cudaError_t open(Lane& lane, Batch& batch);
    static void close(Lane& lane);
    [[nodiscard]] static cudaError_t transfer(Lane& lane, const Batch& batch);
    [[nodiscard]] static cudaError_t empty(Stage& stage);
    [[nodiscard]] static cudaError_t finish(Lane& lane);
    [[nodiscard]] static cudaError_t overLink(const Stage& stage, const Batch& batch, cudaStream_t stream);

    int device_;
    bool busy_ = false;
    std::mutex mutex_;
    std::condition_variable work_;
    std::condition_variable done_;
    std::deque<Job> jobs_;
    size_t queued_ = 0;  // bytes
    size_t able_ = 0;    // threads that have not given up
    size_t active_ = 0;  // those of them that are not resting
    bool stop_ = false;
    cudaError_t error_ = cudaSuccess;
    std::vector<std::thread> crew_;
};

}  // namespace pal::cuda
