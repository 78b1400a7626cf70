// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_backend.h"

#include <algorithm>
#include <type_traits>

#include "kernels/cuda/dense.h"
#include "kernels/cuda/kda.h"
#include "kernels/cuda/linear.h"
#include "kernels/cuda/vision.h"

namespace pal::cuda {

template <typename Work>
void CudaBackend::run(const char* op, const Work& work) {
    cudaSetDevice(device_);
    const Launch launch{stream_, scratch_, query_.multiprocessors};
    if constexpr (std::is_same_v<std::invoke_result_t<Work, const Launch&>, bool>) {
        if (!work(launch)) keep(KernelStatus::Code::kOutOfMemory, op, "no room for its intermediate results");
    } else {
        work(launch);
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        const bool launchOnly = error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue ||
                                error == cudaErrorNoKernelImageForDevice || error == cudaErrorLaunchOutOfResources;
        const auto code = error == cudaErrorMemoryAllocation ? KernelStatus::Code::kOutOfMemory
                          : launchOnly                       ? KernelStatus::Code::kInvalid
                                                             : KernelStatus::Code::kDeviceLost;
        keep(code, op, cudaGetErrorString(error));
    }
}

void CudaBackend::keep(KernelStatus::Code code, const char* op, const std::string& why) {
    if (status_.ok()) status_ = {code, std::string(op) + " on " + query_.name + ": " + why};
}

CudaBackend::CudaBackend(int device, const DeviceQuery& query) : device_(device), query_(query) {
    cudaSetDevice(device_);
    if (cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) != cudaSuccess) {
        keep(KernelStatus::Code::kDeviceLost, "stream", cudaGetErrorString(cudaGetLastError()));
    }
}

CudaBackend::~CudaBackend() {
    cudaSetDevice(device_);
    if (stream_ == nullptr) return;
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

BackendInfo CudaBackend::info() const {
    return {"cuda", query_.name, DType::kBF16, query_.memoryBytes, 0};
}

Buffer CudaBackend::allocate(size_t bytes) {
    cudaSetDevice(device_);
    void* data = nullptr;
    if (cudaMalloc(&data, std::max<size_t>(bytes, 1)) != cudaSuccess) {
        cudaGetLastError();  // a full device is an answer, not a failure of the stream
        return {};
    }
    return {data, bytes, [](void* p) { cudaFree(p); }};
}

void CudaBackend::upload(void* device, std::span<const std::byte> host) {
    run("upload", [&](const Launch& launch) {
        cudaMemcpyAsync(device, host.data(), host.size(), cudaMemcpyHostToDevice, launch.stream);
        cudaStreamSynchronize(launch.stream);  // `host` may go away
    });
}

void CudaBackend::download(std::span<std::byte> host, const void* device) {
    run("download", [&](const Launch& launch) {
        cudaMemcpyAsync(host.data(), device, host.size(), cudaMemcpyDeviceToHost, launch.stream);
        cudaStreamSynchronize(launch.stream);
    });
}

void CudaBackend::copy(void* to, const void* from, size_t bytes) {
    run("copy",
        [&](const Launch& launch) { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, launch.stream); });
}

void CudaBackend::fillZero(void* device, size_t bytes) {
    run("fillZero", [&](const Launch& launch) { cudaMemsetAsync(device, 0, bytes, launch.stream); });
}

WeightView CudaBackend::importWeight(const WeightView& host) {
    WeightView view = host;
    const auto groups =
        static_cast<size_t>(host.format == WeightFormat::kMxfp4 ? host.rows * host.cols / kMxfp4Group : 0);
    run("importWeight", [&](const Launch& launch) {
        view.data = weights_.store(
            {static_cast<const std::byte*>(host.data), static_cast<size_t>(host.bytes()) - groups}, launch.stream);
        if (groups == 0 || view.data == nullptr) return;
        view.scale = static_cast<const uint8_t*>(
            weights_.store({reinterpret_cast<const std::byte*>(host.scale), groups}, launch.stream));
        if (view.scale == nullptr) view.data = nullptr;
    });
    return view;
}

const float* CudaBackend::importVector(std::span<const float> host) {
    const float* data = nullptr;
    run("importVector", [&](const Launch& launch) {
        data = static_cast<const float*>(weights_.store(std::as_bytes(host), launch.stream));
    });
    return data;
}

void CudaBackend::embed(const EmbedArgs& args) {
    run("embed", [&](const Launch& launch) {
        if (!scratch_.begin(Scratch::padded(args.ids.size_bytes()))) return false;
        auto* ids = scratch_.take<int32_t>(static_cast<int64_t>(args.ids.size()));
        cudaMemcpyAsync(ids, args.ids.data(), args.ids.size_bytes(), cudaMemcpyHostToDevice, launch.stream);
        cuda::embed(launch, args, ids);
        return true;
    });
}

void CudaBackend::linear(const LinearArgs& args) {
    run("linear", [&](const Launch& launch) { cuda::linear(launch, args); });
}
void CudaBackend::rmsNorm(const RmsNormArgs& args) {
    run("rmsNorm", [&](const Launch& launch) { cuda::rmsNorm(launch, args); });
}
void CudaBackend::depthMix(const DepthMixArgs& args) {
    run("depthMix", [&](const Launch& launch) { return cuda::depthMix(launch, args); });
}
void CudaBackend::glu(const GluArgs& args) {
    run("glu", [&](const Launch& launch) { cuda::glu(launch, args); });
}
void CudaBackend::sigmoidGate(const SigmoidGateArgs& args) {
    run("sigmoidGate", [&](const Launch& launch) { cuda::sigmoidGate(launch, args); });
}
void CudaBackend::add(const AddArgs& args) {
    run("add", [&](const Launch& launch) { cuda::add(launch, args); });
}

void CudaBackend::shortConv(const ShortConvArgs& args) {
    run("shortConv", [&](const Launch& launch) { cuda::shortConv(launch, args); });
}
void CudaBackend::l2Norm(const L2NormArgs& args) {
    run("l2Norm", [&](const Launch& launch) { cuda::l2Norm(launch, args); });
}
void CudaBackend::kdaGate(const KdaGateArgs& args) {
    run("kdaGate", [&](const Launch& launch) { cuda::kdaGate(launch, args); });
}
void CudaBackend::kda(const KdaArgs& args) {
    run("kda", [&](const Launch& launch) { return cuda::kda(launch, args); });
}
void CudaBackend::gatedRmsNorm(const GatedRmsNormArgs& args) {
    run("gatedRmsNorm", [&](const Launch& launch) { cuda::gatedRmsNorm(launch, args); });
}

void CudaBackend::mlaAppend(const MlaAppendArgs& args) {
    run("mlaAppend", [&](const Launch& launch) {
        const PageTable table = tables_.pages(args.cache, launch.stream);
        if (table.pages == nullptr) return false;
        cuda::mlaAppend(launch, args, table);
        return true;
    });
}
void CudaBackend::mlaAttention(const MlaAttentionArgs& args) {
    run("mlaAttention", [&](const Launch& launch) {
        const PageTable table = tables_.pages(args.cache, launch.stream);
        return table.pages != nullptr && cuda::mlaAttention(launch, args, table);
    });
}

void CudaBackend::router(const RouterArgs& args) {
    run("router", [&](const Launch& launch) { cuda::router(launch, args); });
}
void CudaBackend::moe(const MoeArgs& args) {
    run("moe", [&](const Launch& launch) {
        const ExpertTable table = tables_.experts(args.experts, launch.stream);
        return table.experts != nullptr && cuda::moe(launch, args, table);
    });
}

void CudaBackend::visionPosition(const VisionPositionArgs& args) {
    run("visionPosition", [&](const Launch& launch) { cuda::visionPosition(launch, args); });
}
void CudaBackend::rotate2d(const Rotate2dArgs& args) {
    run("rotate2d", [&](const Launch& launch) { return cuda::rotate2d(launch, args); });
}
void CudaBackend::visionAttention(const VisionAttentionArgs& args) {
    run("visionAttention", [&](const Launch& launch) { cuda::visionAttention(launch, args); });
}
void CudaBackend::gelu(const GeluArgs& args) {
    run("gelu", [&](const Launch& launch) { cuda::gelu(launch, args); });
}
void CudaBackend::mergePatches(const MergePatchesArgs& args) {
    run("mergePatches", [&](const Launch& launch) { cuda::mergePatches(launch, args); });
}

KernelStatus CudaBackend::finish() {
    run("finish", [&](const Launch& launch) { cudaStreamSynchronize(launch.stream); });
    return std::exchange(status_, {});
}

}  // namespace pal::cuda
