// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host_experts.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <string>
#include <thread>
#include <utility>

namespace pal::cuda {
namespace {

constexpr size_t kAlignment = 256;               // of matrices within a record
constexpr size_t kToldEach = size_t{256} << 20;  // bytes between two calls of `placed`
constexpr unsigned kMostThreads = 8;             // more do not copy faster

size_t padded(size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

size_t dataBytes(const WeightView& weight) {
    const int64_t groups = weight.format == WeightFormat::kMxfp4 ? weight.rows * weight.cols / kMxfp4Group : 0;
    return static_cast<size_t>(weight.bytes() - groups);
}
size_t scaleBytes(const WeightView& weight) {
    return static_cast<size_t>(weight.bytes()) - dataBytes(weight);
}

// The expert in a record at `base`, and the record's end.
struct Placed {
    ExpertWeights expert;
    size_t bytes = 0;
};
Placed placedAt(const ExpertWeights& expert, std::byte* base) {
    Placed out{expert, 0};
    for (WeightView* w : {&out.expert.gate, &out.expert.up, &out.expert.down}) {
        w->data = base + out.bytes;
        out.bytes += padded(dataBytes(*w));
        if (w->scale == nullptr) continue;
        w->scale = reinterpret_cast<const uint8_t*>(base + out.bytes);
        out.bytes += padded(scaleBytes(*w));
    }
    return out;
}

void copyWeight(const WeightView& from, const WeightView& to) {
    std::memcpy(const_cast<void*>(to.data), from.data, dataBytes(from));
    if (from.scale != nullptr) std::memcpy(const_cast<uint8_t*>(to.scale), from.scale, scaleBytes(from));
}
void copyExpert(const ExpertWeights& from, const ExpertWeights& to) {
    copyWeight(from.gate, to.gate);
    copyWeight(from.up, to.up);
    copyWeight(from.down, to.down);
}

// Several threads, because one reads mapped files and touches new pages at a fraction of what memory does.
void copyExperts(std::span<const ExpertWeights> from, std::span<const ExpertWeights> to) {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t e = next++; e < from.size(); e = next++) copyExpert(from[e], to[e]);
    };
    std::vector<std::jthread> others;
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
    try {
        for (unsigned t = 1; t < count; ++t) others.emplace_back(work);
    } catch (const std::exception&) {
        // fewer threads do the same
    }
    work();
}

KernelStatus noRoom(const char* what, size_t bytes, const std::string& why) {
    return {KernelStatus::Code::kOutOfMemory, std::string(what) + " of " + std::to_string(bytes) + " bytes: " + why};
}

}  // namespace

HostExperts::~HostExperts() {
    if (copies_ != nullptr) {
        cudaStreamSynchronize(copies_);
        cudaStreamDestroy(copies_);
    }
    for (const auto& layer : layers_) {
        for (ExpertWeights* table : layer->tables) cudaFree(table);
    }
    for (const Place& place : places_) {
        cudaFree(place.data);
        if (place.copied != nullptr) cudaEventDestroy(place.copied);
        if (place.used != nullptr) cudaEventDestroy(place.used);
    }
    cudaFree(fetchedBytes_);
}

KernelStatus HostExperts::open() {
    if (fetchedBytes_ != nullptr) return {};
    int device = 0;
    int sameAddress = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sameAddress, cudaDevAttrCanUseHostPointerForRegisteredMem, device);
    if (sameAddress == 0)
        return {KernelStatus::Code::kInvalid,
                "experts in RAM: this GPU does not read memory of the host at its addresses"};
    bool good = copies_ != nullptr || cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking) == cudaSuccess;
    for (Place& place : places_) {
        for (cudaEvent_t* event : {&place.copied, &place.used}) {
            good =
                good && (*event != nullptr || cudaEventCreateWithFlags(event, cudaEventDisableTiming) == cudaSuccess);
        }
    }
    void* counter = nullptr;
    good = good && cudaMalloc(&counter, sizeof(uint64_t)) == cudaSuccess &&
           cudaMemset(counter, 0, sizeof(uint64_t)) == cudaSuccess;
    if (!good) {
        const char* const why = cudaGetErrorString(cudaGetLastError());
        cudaFree(counter);
        return noRoom("experts in RAM: events and counters", sizeof(uint64_t), why);
    }
    fetchedBytes_ = static_cast<uint64_t*>(counter);
    return {};
}

// The first layer needs one place, more need two.
KernelStatus HostExperts::makeRoom(size_t bytes) {
    for (size_t i = 0; i < std::min(places_.size(), layers_.size() + 1); ++i) {
        Place& place = places_[i];
        const size_t size = std::max({bytes, places_[0].size, places_[1].size});
        if (place.size >= size) continue;
        cudaFree(std::exchange(place.data, nullptr));
        place.size = 0;
        place.content = nullptr;
        for (const auto& layer : layers_) cudaFree(std::exchange(layer->tables[i], nullptr));
        void* memory = nullptr;
        if (cudaMalloc(&memory, size) != cudaSuccess) {
            cudaGetLastError();
            return noRoom("experts in RAM: a place on the GPU for a layer", size, "it has no room");
        }
        place.data = static_cast<std::byte*>(memory);
        place.size = size;
    }
    return {};
}

KernelStatus HostExperts::place(std::span<ExpertWeights> experts, const std::function<bool(uint64_t)>& placed) {
    if (KernelStatus status = open(); !status.ok()) return status;
    auto layer = std::make_unique<Layer>();
    layer->number = layers_.size();
    layer->recordBytes = placedAt(experts.front(), nullptr).bytes;
    const size_t bytes = layer->recordBytes * experts.size();
    if (KernelStatus status = makeRoom(bytes); !status.ok()) return status;
    if (!layer->memory.reserve(bytes)) return noRoom("experts in RAM: a layer", bytes, "the system has no room");
    for (size_t e = 0; e < experts.size(); ++e)
        layer->views.push_back(placedAt(experts[e], layer->memory.data() + e * layer->recordBytes).expert);
    const size_t each = std::max<size_t>(1, kToldEach / layer->recordBytes);
    for (size_t done = 0; done < experts.size(); done += each) {
        const size_t count = std::min(each, experts.size() - done);
        copyExperts(experts.subspan(done, count), std::span(layer->views).subspan(done, count));
        if (!placed(count * layer->recordBytes)) return {};
    }
    while (layer->memory.lockedBytes() < bytes) {
        if (const cudaError_t error = layer->memory.lockNext(); error != cudaSuccess) {
            cudaGetLastError();
            size_t before = layer->memory.lockedBytes();
            for (const auto& other : layers_) before += other->memory.size();
            return noRoom(
                "experts in RAM: page-locking a layer", bytes,
                std::string(cudaGetErrorString(error)) + ", " + std::to_string(before) + " bytes were locked before");
        }
        if (!placed(0)) return {};
    }
    std::ranges::copy(layer->views, experts.begin());
    byFirst_[experts.front().gate.data] = layer.get();
    layers_.push_back(std::move(layer));
    return {};
}

HostExperts::Layer* HostExperts::find(std::span<const ExpertWeights> experts) const {
    const auto found = byFirst_.find(experts.front().gate.data);
    return found == byFirst_.end() ? nullptr : found->second;
}

bool HostExperts::hold(std::span<const ExpertWeights> experts) const {
    return !byFirst_.empty() && find(experts) != nullptr;
}

uint64_t HostExperts::bytesBrought(cudaStream_t stream) const {
    uint64_t fetched = 0;
    if (fetchedBytes_ != nullptr) {
        cudaStreamSynchronize(stream);
        cudaMemcpy(&fetched, fetchedBytes_, sizeof fetched, cudaMemcpyDeviceToHost);
    }
    return copiedBytes_ + fetched;
}

ExpertTable HostExperts::tableFor(Layer& layer, size_t place, cudaStream_t stream) {
    const ExpertWeights& first = layer.views.front();
    ExpertTable table{nullptr,         first.gate.format, first.down.format, std::ssize(layer.views),
                      first.gate.cols, first.gate.rows};
    ExpertWeights*& device = layer.tables[place];
    if (device == nullptr) {
        std::vector<ExpertWeights> views;
        for (size_t e = 0; e < layer.views.size(); ++e)
            views.push_back(placedAt(layer.views[e], places_[place].data + e * layer.recordBytes).expert);
        const size_t bytes = views.size() * sizeof(ExpertWeights);
        void* memory = nullptr;
        if (cudaMalloc(&memory, bytes) != cudaSuccess) return table;
        device = static_cast<ExpertWeights*>(memory);
        cudaMemcpyAsync(memory, views.data(), bytes, cudaMemcpyHostToDevice, stream);
        cudaStreamSynchronize(stream);  // `views` goes away
    }
    table.experts = device;
    return table;
}

// The stream goes on when what comes to the place is there.
void HostExperts::await(Place& place, cudaStream_t stream) const {
    if (std::exchange(place.copying, false)) cudaStreamWaitEvent(stream, place.copied);
}

HostExperts::Fetched HostExperts::fetched(std::span<const ExpertWeights> experts, cudaStream_t stream) {
    Layer& layer = *find(experts);
    Place& place = places_[0];
    await(place, stream);
    place.content = nullptr;
    place.fetchedInto = true;
    return {{layer.memory.data(), place.data, layer.recordBytes, fetchedBytes_}, tableFor(layer, 0, stream)};
}

// Starts the copy of a layer to the place that is not in use.
size_t HostExperts::bring(Layer& layer, cudaStream_t stream) {
    const size_t at = places_[1].data == nullptr ? 0 : 1 - now_;
    Place& place = places_[at];
    // What was fetched there has no event of its own: captured steps cannot record one.
    if (std::exchange(place.fetchedInto, false)) cudaEventRecord(place.used, stream);
    cudaStreamWaitEvent(copies_, place.used);
    layer.memory.copyTo(place.data, copies_);
    cudaEventRecord(place.copied, copies_);
    place.content = &layer;
    place.copying = true;
    copiedBytes_ += layer.memory.size();
    return at;
}

void HostExperts::beginStep(int64_t tokens, cudaStream_t stream) {
    if (layers_.empty() || picksOfToken_ == 0) return;
    Layer& first = *layers_.front();
    const bool there = std::ranges::find(places_, &first, &Place::content) != places_.end();
    if (!there && !fetches(tokens, picksOfToken_, first.views.size())) bring(first, stream);
}

ExpertTable HostExperts::whole(std::span<const ExpertWeights> experts, int64_t picksOfToken, cudaStream_t stream) {
    Layer& layer = *find(experts);
    picksOfToken_ = picksOfToken;
    const auto there = std::ranges::find(places_, &layer, &Place::content);
    now_ = there != places_.end() ? static_cast<size_t>(there - places_.begin()) : bring(layer, stream);
    await(places_[now_], stream);
    if (layer.number + 1 < layers_.size()) {
        Layer& next = *layers_[layer.number + 1];
        if (std::ranges::find(places_, &next, &Place::content) == places_.end()) bring(next, stream);
    }
    return tableFor(layer, now_, stream);
}

void HostExperts::used(cudaStream_t stream) {
    cudaEventRecord(places_[now_].used, stream);
}

}  // namespace pal::cuda
