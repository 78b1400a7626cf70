// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_backend.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/cuda/dense.h"
#include "kernels/cuda/fetch.h"
#include "kernels/cuda/kda.h"
#include "kernels/cuda/linear.h"
#include "kernels/cuda/logit_digest.h"
#include "kernels/cuda/memory_rates.h"
#include "kernels/cuda/op_fingerprints.h"
#include "kernels/cuda/vision.h"

namespace pal::cuda {
namespace {

constexpr size_t kManyBytes = size_t{1} << 20;  // from here on several threads pay for a transfer

// What is not known to leave the device usable counts as its loss: nothing that it returned is stored then.
KernelStatus::Code codeOf(cudaError_t error) {
    switch (error) {
        case cudaErrorMemoryAllocation:
            return KernelStatus::Code::kOutOfMemory;
        // The call was refused and the device goes on.
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidValue:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorInvalidResourceHandle:
        case cudaErrorInvalidSymbol:
        case cudaErrorSymbolNotFound:
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorLaunchOutOfResources:
        case cudaErrorNotSupported:
        case cudaErrorStreamCaptureUnsupported:
        case cudaErrorStreamCaptureInvalidated:
        case cudaErrorStreamCaptureImplicit:
        case cudaErrorStreamCaptureIsolation:
        case cudaErrorStreamCaptureUnjoined:
        case cudaErrorStreamCaptureUnmatched:
        case cudaErrorStreamCaptureWrongThread:
            return KernelStatus::Code::kInvalid;
        default:
            return KernelStatus::Code::kDeviceLost;
    }
}

}  // namespace

Launch CudaBackend::makeLaunch() {
    return {stream_, scratch_, query_.multiprocessors, query_.major * 10 + query_.minor};
}

template <typename Work>
void CudaBackend::run(const char* op, const Work& work) {
    cudaSetDevice(device_);
    settleLink();
    if constexpr (std::is_same_v<std::invoke_result_t<Work, const Launch&>, bool>) {
        if (!work(makeLaunch())) {
            cudaGetLastError();  // of the allocation; told here
            keep(KernelStatus::Code::kOutOfMemory, op,
                 "no room for its intermediate results, " + std::to_string(freeBytes()) + " bytes are free");
        }
    } else {
        work(makeLaunch());
    }
    keepError(op, cudaGetLastError());
}

void CudaBackend::keepError(const char* op, cudaError_t error) {
    if (error != cudaSuccess) keep(codeOf(error), op, cudaGetErrorString(error));
}

template <typename Work>
void CudaBackend::runOrCollect(const char* op, const Fingerprint& fingerprint, Work work) {
    if (!step_.collecting()) return run(op, work);
    if (step_.repeats(fingerprint)) return;
    step_.add(fingerprint, [this, op, work = std::move(work)](const Launch&) { run(op, work); });
}

void CudaBackend::flush() {
    if (step_.collecting()) step_.runEagerly(makeLaunch());
}

void CudaBackend::keep(KernelStatus::Code code, const char* op, const std::string& why) {
    if (status_.ok()) status_ = {code, std::string(op) + " on " + query_.name + ": " + why};
}

void CudaBackend::settleLink() {
    if (link_.busy()) keepError("importWeight", link_.settle());
}

CudaBackend::CudaBackend(int device, const DeviceQuery& query) : device_(device), query_(query), link_(device) {
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
    return {"cuda", query_.name, DType::kBF16, query_.memoryBytes, 0, {true, true, 1, 0, false}};
}

Buffer CudaBackend::allocate(size_t bytes) {
    cudaSetDevice(device_);
    void* data = nullptr;
    const cudaError_t error = cudaMalloc(&data, std::max<size_t>(bytes, 1));
    if (error != cudaSuccess) {
        cudaGetLastError();  // a full device is an answer, not a failure of the stream
        if (error != cudaErrorMemoryAllocation) {
            keep(KernelStatus::Code::kDeviceLost, "allocate", cudaGetErrorString(error));
        }
        return {};
    }
    return {data, bytes, [](void* p) { cudaFree(p); }};
}

Buffer CudaBackend::allocateHost(size_t bytes) {
    cudaSetDevice(device_);
    void* data = nullptr;
    if (cudaMallocHost(&data, std::max<size_t>(bytes, 1)) != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    locked_->add(data, bytes);
    return {data, bytes, [ranges = locked_](void* p) {
                ranges->remove(p);
                cudaFreeHost(p);
            }};
}

void CudaBackend::upload(void* device, std::span<const std::byte> host) {
    const Upload piece{device, host};
    if (host.size() >= kManyBytes) return uploadAll({&piece, 1});
    flush();
    run("upload", [&](const Launch& launch) {
        cudaMemcpyAsync(device, host.data(), host.size(), cudaMemcpyHostToDevice, launch.stream);
        cudaStreamSynchronize(launch.stream);  // `host` may go away
    });
}

void CudaBackend::download(std::span<std::byte> host, const void* device) {
    const Download piece{host, device};
    if (host.size() >= kManyBytes) return downloadAll({&piece, 1});
    flush();
    run("download", [&](const Launch& launch) {
        cudaMemcpyAsync(host.data(), device, host.size(), cudaMemcpyDeviceToHost, launch.stream);
        cudaStreamSynchronize(launch.stream);
    });
}

void CudaBackend::uploadAll(std::span<const Upload> pieces) {
    flush();
    run("upload", [&](const Launch& launch) {
        cudaStreamSynchronize(launch.stream);  // nothing may still read what is written now
        for (const auto& [device, host] : pieces) {
            if (locked_->hold(host.data(), host.size())) {
                cudaMemcpyAsync(device, host.data(), host.size(), cudaMemcpyHostToDevice, launch.stream);
            } else {
                link_.send(device, host);
            }
        }
        cudaStreamSynchronize(launch.stream);
        keepError("upload", link_.settle());
    });
}

void CudaBackend::downloadAll(std::span<const Download> pieces) {
    flush();
    run("download", [&](const Launch& launch) {
        cudaStreamSynchronize(launch.stream);
        for (const auto& [host, device] : pieces) {
            if (locked_->hold(host.data(), host.size())) {
                cudaMemcpyAsync(host.data(), device, host.size(), cudaMemcpyDeviceToHost, launch.stream);
            } else {
                link_.bring(host, device);
            }
        }
        cudaStreamSynchronize(launch.stream);
        keepError("download", link_.settle());
    });
}

void CudaBackend::fetch(std::span<std::byte> host, const void* device) {
    const bool byKernel = fetchableByKernel(host, device) && locked_->hold(host.data(), host.size());
    runOrCollect("fetch", fingerprintOfFetch(host, device), [host, device, byKernel](const Launch& launch) {
        if (byKernel) return fetchByKernel(launch, host, device);
        cudaMemcpyAsync(host.data(), device, host.size(), cudaMemcpyDeviceToHost, launch.stream);
    });
}

void CudaBackend::copy(void* to, const void* from, size_t bytes) {
    flush();
    run("copy",
        [&](const Launch& launch) { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, launch.stream); });
}

void CudaBackend::fillZero(void* device, size_t bytes) {
    flush();
    run("fillZero", [&](const Launch& launch) { cudaMemsetAsync(device, 0, bytes, launch.stream); });
}

WeightView CudaBackend::importWeight(const WeightView& host) {
    cudaSetDevice(device_);
    WeightView view = host;
    const auto groups =
        static_cast<size_t>(host.format == WeightFormat::kMxfp4 ? host.rows * host.cols / kMxfp4Group : 0);
    view.data =
        weights_.store({static_cast<const std::byte*>(host.data), static_cast<size_t>(host.bytes()) - groups}, link_);
    if (groups == 0 || view.data == nullptr) return view;
    view.scale =
        static_cast<const uint8_t*>(weights_.store({reinterpret_cast<const std::byte*>(host.scale), groups}, link_));
    if (view.scale == nullptr) view.data = nullptr;
    return view;
}

const float* CudaBackend::importVector(std::span<const float> host) {
    cudaSetDevice(device_);
    return static_cast<const float*>(weights_.store(std::as_bytes(host), link_));
}

KernelStatus CudaBackend::keepOnHost(std::span<ExpertWeights> experts, const std::function<bool(uint64_t)>& placed) {
    cudaSetDevice(device_);
    return hostExperts_.place(experts, placed);
}

uint64_t CudaBackend::linkBytes() {
    flush();
    cudaSetDevice(device_);
    return hostExperts_.bytesBrought(stream_);
}

uint64_t CudaBackend::freeBytes() {
    cudaSetDevice(device_);
    size_t free = 0;
    size_t total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
}

MemoryRates CudaBackend::measureRates() {
    flush();
    cudaSetDevice(device_);
    return measureMemoryRates(stream_);
}

bool CudaBackend::markTime() {
    flush();
    run("markTime", [&](const Launch& launch) { marks_.mark(launch.stream); });
    return true;
}

std::vector<double> CudaBackend::takeTimes() {
    flush();
    cudaSetDevice(device_);
    return marks_.take(stream_);
}

void CudaBackend::embed(const EmbedArgs& args) {
    flush();
    cudaSetDevice(device_);
    tables_.tidy();
    hostExperts_.beginStep(std::ssize(args.ids), stream_);
    if (args.ids.size() == 1 && step_.begin(args.ids[0])) {
        const int32_t* id = step_.id();
        runOrCollect("embed", fingerprintOf(args), [args, id](const Launch& launch) { cuda::embed(launch, args, id); });
        return;
    }
    run("embed", [&](const Launch& launch) {
        if (!scratch_.begin(Scratch::padded(args.ids.size_bytes()))) return false;
        auto* ids = scratch_.take<int32_t>(static_cast<int64_t>(args.ids.size()));
        cudaMemcpyAsync(ids, args.ids.data(), args.ids.size_bytes(), cudaMemcpyHostToDevice, launch.stream);
        cuda::embed(launch, args, ids);
        return true;
    });
}

void CudaBackend::linear(const LinearArgs& args) {
    if (!step_.collecting()) return run("linear", [&](const Launch& launch) { cuda::linear(launch, args); });
    const Fingerprint fingerprint = fingerprintOf(args);
    if (step_.repeats(fingerprint)) return;
    std::vector<LinearPart> parts(args.parts.begin(), args.parts.end());
    runOrCollect("linear", fingerprint, [x = args.x, parts = std::move(parts)](const Launch& launch) {
        cuda::linear(launch, {x, parts});
    });
}
void CudaBackend::rmsNorm(const RmsNormArgs& args) {
    runOrCollect("rmsNorm", fingerprintOf(args), [args](const Launch& launch) { cuda::rmsNorm(launch, args); });
}
void CudaBackend::depthMix(const DepthMixArgs& args) {
    const Fingerprint fingerprint = fingerprintOf(args);
    if (step_.repeats(fingerprint)) return;
    std::vector<ConstTensorView> sources(args.sources.begin(), args.sources.end());
    runOrCollect("depthMix", fingerprint, [args, sources = std::move(sources)](const Launch& launch) {
        DepthMixArgs own = args;
        own.sources = sources;
        return cuda::depthMix(launch, own);
    });
}
void CudaBackend::glu(const GluArgs& args) {
    runOrCollect("glu", fingerprintOf(args), [args](const Launch& launch) { cuda::glu(launch, args); });
}
void CudaBackend::sigmoidGate(const SigmoidGateArgs& args) {
    runOrCollect("sigmoidGate", fingerprintOf(args), [args](const Launch& launch) { cuda::sigmoidGate(launch, args); });
}
void CudaBackend::add(const AddArgs& args) {
    runOrCollect("add", fingerprintOf(args), [args](const Launch& launch) { cuda::add(launch, args); });
}

void CudaBackend::shortConv(const ShortConvArgs& args) {
    runOrCollect("shortConv", fingerprintOf(args), [args](const Launch& launch) { cuda::shortConv(launch, args); });
}
void CudaBackend::l2Norm(const L2NormArgs& args) {
    runOrCollect("l2Norm", fingerprintOf(args), [args](const Launch& launch) { cuda::l2Norm(launch, args); });
}
void CudaBackend::kdaGate(const KdaGateArgs& args) {
    runOrCollect("kdaGate", fingerprintOf(args), [args](const Launch& launch) { cuda::kdaGate(launch, args); });
}
void CudaBackend::kda(const KdaArgs& args) {
    runOrCollect("kda", fingerprintOf(args), [args](const Launch& launch) { return cuda::kda(launch, args); });
}
void CudaBackend::gatedRmsNorm(const GatedRmsNormArgs& args) {
    runOrCollect("gatedRmsNorm", fingerprintOf(args),
                 [args](const Launch& launch) { cuda::gatedRmsNorm(launch, args); });
}

void CudaBackend::kdaMixer(const KdaMixerArgs& args) {
    runOrCollect("kdaMixer", fingerprintOf(args),
                 [args](const Launch& launch) { return cuda::kdaMixer(launch, args); });
}

void CudaBackend::mlaAppend(const MlaAppendArgs& args) {
    cudaSetDevice(device_);
    const PageTable table = tables_.pages(args.cache, stream_);
    if (table.pages == nullptr) return keep(KernelStatus::Code::kOutOfMemory, "mlaAppend", "no room for its page list");
    const Past past{args.past, step_.collecting() ? step_.past() : nullptr};
    if (step_.collecting()) step_.setPast(args.past);
    runOrCollect("mlaAppend", fingerprintOf(args, table.pages),
                 [args, table, past](const Launch& launch) { cuda::mlaAppend(launch, args, table, past); });
}
void CudaBackend::mlaAttention(const MlaAttentionArgs& args) {
    cudaSetDevice(device_);
    const PageTable table = tables_.pages(args.cache, stream_);
    if (table.pages == nullptr)
        return keep(KernelStatus::Code::kOutOfMemory, "mlaAttention", "no room for its page list");
    const Past past{args.past, step_.collecting() ? step_.past() : nullptr};
    const int64_t tokens = args.q.dim(0);
    const int64_t splits = absorbedSplits(makeLaunch(), args.past + tokens, tokens, args.q.dim(1));
    runOrCollect("mlaAttention", fingerprintOf(args, table.pages, table.base, splits),
                 [args, table, past](const Launch& launch) { return cuda::mlaAttention(launch, args, table, past); });
}

void CudaBackend::router(const RouterArgs& args) {
    runOrCollect("router", fingerprintOf(args), [args](const Launch& launch) { cuda::router(launch, args); });
}
void CudaBackend::moe(const MoeArgs& args) {
    cudaSetDevice(device_);
    if (hostExperts_.hold(args.experts)) return moeFromHost(args);
    const ExpertTable table = tables_.experts(args.experts, stream_);
    if (table.experts == nullptr)
        return keep(KernelStatus::Code::kOutOfMemory, "moe", "no room for its list of experts");
    runOrCollect("moe", fingerprintOf(args),
                 [args, table](const Launch& launch) { return cuda::moe(launch, args, table); });
}

void CudaBackend::digestLogits(const LogitDigestArgs& args) {
    runOrCollect("digestLogits", fingerprintOf(args),
                 [args](const Launch& launch) { return cuda::digestLogits(launch, args); });
}

void CudaBackend::moeFromHost(const MoeArgs& args) {
    const int64_t picks = args.index.dim(1);
    if (HostExperts::fetches(args.x.dim(0), picks, args.experts.size())) {
        const HostExperts::Fetched fetched = hostExperts_.fetched(args.experts, stream_);
        if (fetched.table.experts == nullptr)
            return keep(KernelStatus::Code::kOutOfMemory, "moe", "no room for its list of experts");
        return runOrCollect("moe", fingerprintOf(args), [args, fetched](const Launch& launch) {
            fetchExperts(launch, args.index, fetched.records);
            return cuda::moe(launch, args, fetched.table);
        });
    }
    run("moe", [&](const Launch& launch) {
        const ExpertTable table = hostExperts_.whole(args.experts, picks, launch.stream);
        if (table.experts == nullptr) {
            keep(KernelStatus::Code::kOutOfMemory, "moe", "no room for its list of experts");
            return true;
        }
        const bool done = cuda::moe(launch, args, table);
        hostExperts_.used(launch.stream);
        return done;
    });
}

void CudaBackend::visionPosition(const VisionPositionArgs& args) {
    flush();
    run("visionPosition", [&](const Launch& launch) { cuda::visionPosition(launch, args); });
}
void CudaBackend::rotate2d(const Rotate2dArgs& args) {
    flush();
    run("rotate2d", [&](const Launch& launch) { return cuda::rotate2d(launch, args); });
}
void CudaBackend::visionAttention(const VisionAttentionArgs& args) {
    flush();
    run("visionAttention", [&](const Launch& launch) { cuda::visionAttention(launch, args); });
}
void CudaBackend::gelu(const GeluArgs& args) {
    flush();
    run("gelu", [&](const Launch& launch) { cuda::gelu(launch, args); });
}
void CudaBackend::mergePatches(const MergePatchesArgs& args) {
    flush();
    run("mergePatches", [&](const Launch& launch) { cuda::mergePatches(launch, args); });
}

KernelStatus CudaBackend::finish() {
    if (step_.collecting()) run("step", [&](const Launch& launch) { step_.launch(launch); });
    run("finish", [&](const Launch& launch) { cudaStreamSynchronize(launch.stream); });
    return std::exchange(status_, {});
}

}  // namespace pal::cuda
