// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/cuda/expert_fetch.h"
#include "kernels/cuda/locked_memory.h"
#include "kernels/cuda/moe.h"

namespace pal::cuda {

// Experts that lie in page-locked memory of the host. A step of few tokens has the picked ones fetched by a kernel; a step of many tokens gets whole
// layers by the copy engine, the next one while this one is computed. Both come to the same two places on the device, laid out as on the host, so the
// kernels that compute know no difference. All of it in stream order, nothing waits for the host.
class HostExperts {
  public:
    HostExperts() = default;
    ~HostExperts();
    HostExperts(const HostExperts&) = delete;
    HostExperts& operator=(const HostExperts&) = delete;

    // Backend::keepOnHost().
    [[nodiscard]] KernelStatus place(std::span<ExpertWeights> experts, const std::function<bool(uint64_t)>& placed);
    [[nodiscard]] bool hold(std::span<const ExpertWeights> experts) const;
    [[nodiscard]] uint64_t bytesBrought(cudaStream_t stream) const;

    // Whether a step fetches what it picks: while no more than half of the experts can be picked, and for a single token always.
    [[nodiscard]] static bool fetches(int64_t tokens, int64_t picksOfToken, size_t experts) {
        return tokens == 1 || 2 * tokens * picksOfToken <= static_cast<int64_t>(experts);
    }
    // For fetchExperts() and the ops after it on `stream`. The table's `experts` is null when the device is full.
    struct Fetched {
        ExpertRecords records;
        ExpertTable table;
    };
    [[nodiscard]] Fetched fetched(std::span<const ExpertWeights> experts, cudaStream_t stream);

    // A step begins: what it will need first may come meanwhile.
    void beginStep(int64_t tokens, cudaStream_t stream);
    // The whole layer, once `stream` comes there. Then used() after the last op that reads it.
    [[nodiscard]] ExpertTable whole(std::span<const ExpertWeights> experts, int64_t picksOfToken, cudaStream_t stream);
    void used(cudaStream_t stream);

  private:
    struct Layer {
        LockedMemory memory;
        size_t recordBytes = 0;
        size_t number = 0;
        std::vector<ExpertWeights> views;        // on the host
        std::array<ExpertWeights*, 2> tables{};  // on the device: views of the copies in either place
    };
    // A place on the device for a layer.
    struct Place {
        std::byte* data = nullptr;
        size_t size = 0;
        const Layer* content = nullptr;  // whole, or on its way
        bool copying = false;            // and not waited for
        bool fetchedInto = false;        // since `used`
        cudaEvent_t copied = nullptr;
        cudaEvent_t used = nullptr;
    };

    [[nodiscard]] KernelStatus open();
    [[nodiscard]] KernelStatus makeRoom(size_t bytes);
    [[nodiscard]] Layer* find(std::span<const ExpertWeights> experts) const;
    [[nodiscard]] ExpertTable tableFor(Layer& layer, size_t place, cudaStream_t stream);
    size_t bring(Layer& layer, cudaStream_t stream);
    void await(Place& place, cudaStream_t stream) const;

    std::vector<std::unique_ptr<Layer>> layers_;
    std::unordered_map<const void*, Layer*> byFirst_;  // by the address of the first expert's first matrix
    std::array<Place, 2> places_;
    size_t now_ = 0;            // the place that whole() gave last
    int64_t picksOfToken_ = 0;  // of the last step
    uint64_t copiedBytes_ = 0;
    uint64_t* fetchedBytes_ = nullptr;  // on the device
    cudaStream_t copies_ = nullptr;
};

}  // namespace pal::cuda
