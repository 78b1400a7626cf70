// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step_graph.h"

#include <algorithm>
#include <utility>

namespace pal::cuda {

StepGraphs::~StepGraphs() {
    while (!graphs_.empty()) forgetOldest();
    cudaFree(deviceInputs_);
    cudaFreeHost(hostInputs_);
}

bool StepGraphs::begin(int32_t id) {
    if (hostInputs_ == nullptr) {
        void* host = nullptr;
        void* device = nullptr;
        if (cudaMallocHost(&host, sizeof(StepInputs)) != cudaSuccess) return false;
        hostInputs_ = static_cast<StepInputs*>(host);
        if (cudaMalloc(&device, sizeof(StepInputs)) == cudaSuccess) deviceInputs_ = static_cast<StepInputs*>(device);
    }
    if (deviceInputs_ == nullptr) return false;
    *hostInputs_ = {0, id};
    collecting_ = true;
    key_ = {};
    count_ = 0;
    return true;
}

bool StepGraphs::repeats(const Fingerprint& fingerprint) {
    if (!collecting_ || count_ == ops_.size() || ops_[count_].fingerprint != fingerprint.value()) return false;
    key_.add(fingerprint.value());
    ++count_;
    return true;
}

void StepGraphs::add(const Fingerprint& fingerprint, Op op) {
    key_.add(fingerprint.value());
    ops_.erase(ops_.begin() + static_cast<std::ptrdiff_t>(count_), ops_.end());
    ops_.push_back({fingerprint.value(), std::move(op)});
    ++count_;
}

void StepGraphs::sendInputs(const Launch& launch) const {
    cudaMemcpyAsync(deviceInputs_, hostInputs_, sizeof(StepInputs), cudaMemcpyHostToDevice, launch.stream);
}

void StepGraphs::runOps(const Launch& launch) {
    for (size_t i = 0; i < count_; ++i) ops_[i].run(launch);
}

void StepGraphs::runEagerly(const Launch& launch) {
    collecting_ = false;
    sendInputs(launch);
    runOps(launch);
}

cudaGraphExec_t StepGraphs::capture(const Launch& launch) {
    cudaGraph_t graph = nullptr;
    if (cudaStreamBeginCapture(launch.stream, cudaStreamCaptureModeThreadLocal) != cudaSuccess) return nullptr;
    runOps(launch);
    if (cudaStreamEndCapture(launch.stream, &graph) != cudaSuccess) return nullptr;
    cudaGraphExec_t exec = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    return error == cudaSuccess ? exec : nullptr;
}

void StepGraphs::forgetOldest() {
    if (graphs_.back().exec != nullptr) cudaGraphExecDestroy(graphs_.back().exec);
    graphs_.pop_back();
}

void StepGraphs::launch(const Launch& launch) {
    key_.add(launch.scratch.generation());  // a graph holds the scratch memory's address
    const uint64_t key = key_.value();
    const auto found =
        std::find_if(graphs_.begin(), graphs_.end(), [&](const Graph& graph) { return graph.key == key; });
    if (found == graphs_.end()) {
        if (graphs_.size() == kMostGraphs) forgetOldest();
        const uint64_t before = launch.scratch.generation();
        runEagerly(launch);
        if (launch.scratch.generation() == before) graphs_.push_front({key});
        return;
    }
    graphs_.splice(graphs_.begin(), graphs_, found);
    Graph& graph = graphs_.front();
    if (!std::exchange(graph.tried, true)) graph.exec = capture(launch);
    if (graph.exec == nullptr) {
        cudaGetLastError();  // without memory for a graph its ops can still be run; one that failed has told the backend
        runEagerly(launch);
        return;
    }
    collecting_ = false;
    sendInputs(launch);
    cudaGraphLaunch(graph.exec, launch.stream);
}

}  // namespace pal::cuda
