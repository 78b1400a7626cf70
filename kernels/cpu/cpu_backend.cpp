// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/cpu_backend.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <thread>

#include "kernels/api/kda_mixer.h"
#include "kernels/cpu/dense.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/kda.h"
#include "kernels/cpu/linear.h"
#include "kernels/cpu/mla.h"
#include "kernels/cpu/moe.h"
#include "kernels/cpu/vision.h"

namespace pal {
namespace cpu {
namespace {

constexpr size_t kAlignment = 64;
// From this size on the system is asked for large pages: touching memory for the first time costs a fault per page, which is half the time of
// opening a stored state on pages of 4 KiB.
constexpr size_t kLargeBytes = 4 << 20;
constexpr size_t kLargePage = 2 << 20;

// Several threads copy so much each at a time: new memory is cleared by the system as it is written, which takes several times as long as the copy.
constexpr size_t kCopyBytes = 1 << 20;

struct CopyPiece {
    void* to;
    const void* from;
    size_t bytes;
};
CopyPiece pieceOf(const Upload& upload) {
    return {upload.device, upload.host.data(), upload.host.size()};
}
CopyPiece pieceOf(const Download& download) {
    return {download.host.data(), download.device, download.host.size()};
}

// Bytes [begin, end) of all pieces, as if they lay one behind the other.
template <typename Pieces>
void copyRange(const Pieces& pieces, size_t begin, size_t end) {
    for (const auto& any : pieces) {
        const CopyPiece piece = pieceOf(any);
        if (begin < piece.bytes) {
            const size_t last = std::min(end, piece.bytes);
            std::memcpy(static_cast<std::byte*>(piece.to) + begin, static_cast<const std::byte*>(piece.from) + begin,
                        last - begin);
            begin = last;
        }
        if (end <= piece.bytes) return;
        begin -= std::min(begin, piece.bytes);
        end -= piece.bytes;
    }
}

template <typename Pieces>
void copyAll(const Pieces& pieces, ThreadPool& pool) {
    size_t total = 0;
    for (const auto& piece : pieces) total += pieceOf(piece).bytes;
    pool.parallelFor(static_cast<int64_t>((total + kCopyBytes - 1) / kCopyBytes), [&](int64_t task, int) {
        const size_t begin = kCopyBytes * static_cast<size_t>(task);
        copyRange(pieces, begin, std::min(begin + kCopyBytes, total));
    });
}

size_t roundedUp(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

int availableThreads(int wanted) {
    return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

CpuBackend::CpuBackend(const CpuOptions& options) : pool_(availableThreads(options.threads)) {}

BackendInfo CpuBackend::info() const {
    constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
    const auto memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    return {"cpu", isaName(), DType::kF32, memory, pool_.threads(), {true, true, kAny, kAny, true}};
}

Buffer CpuBackend::allocate(size_t bytes) {
    size_t rounded = roundedUp(std::max<size_t>(bytes, 1), kAlignment);
    const bool large = rounded >= kLargeBytes;
    // The end, too, lies on a large page where that costs little: it may be hundreds of small ones.
    const size_t whole = roundedUp(rounded, kLargePage);
    if (large && whole - rounded <= rounded / 8) rounded = whole;
    void* data = nullptr;
    if (posix_memalign(&data, large ? kLargePage : kAlignment, rounded) != 0) return {};
    if (large) madvise(data, rounded, MADV_HUGEPAGE);  // where it cannot, small ones do
    return {data, bytes, [](void* p) { std::free(p); }};
}

void CpuBackend::upload(void* device, std::span<const std::byte> host) {
    if (!host.empty()) std::memcpy(device, host.data(), host.size());  // of nothing there may be no address
}

void CpuBackend::download(std::span<std::byte> host, const void* device) {
    if (!host.empty()) std::memcpy(host.data(), device, host.size());
}

void CpuBackend::uploadAll(std::span<const Upload> pieces) {
    copyAll(pieces, pool_);
}

void CpuBackend::downloadAll(std::span<const Download> pieces) {
    copyAll(pieces, pool_);
}

void CpuBackend::copy(void* to, const void* from, size_t bytes) {
    std::memcpy(to, from, bytes);
}

void CpuBackend::fillZero(void* device, size_t bytes) {
    std::memset(device, 0, bytes);
}

WeightView CpuBackend::importWeight(const WeightView& host) {
    return host;
}

const float* CpuBackend::importVector(std::span<const float> host) {
    return host.data();
}

void CpuBackend::embed(const EmbedArgs& args) {
    cpu::embed(args, pool_);
}
void CpuBackend::linear(const LinearArgs& args) {
    cpu::linear(args, pool_);
}
void CpuBackend::rmsNorm(const RmsNormArgs& args) {
    cpu::rmsNorm(args, pool_);
}
void CpuBackend::depthMix(const DepthMixArgs& args) {
    cpu::depthMix(args, pool_);
}
void CpuBackend::glu(const GluArgs& args) {
    cpu::glu(args, pool_);
}
void CpuBackend::sigmoidGate(const SigmoidGateArgs& args) {
    cpu::sigmoidGate(args, pool_);
}
void CpuBackend::add(const AddArgs& args) {
    cpu::add(args, pool_);
}
void CpuBackend::shortConv(const ShortConvArgs& args) {
    cpu::shortConv(args, pool_);
}
void CpuBackend::l2Norm(const L2NormArgs& args) {
    cpu::l2Norm(args, pool_);
}
void CpuBackend::kdaGate(const KdaGateArgs& args) {
    cpu::kdaGate(args, pool_);
}
void CpuBackend::kda(const KdaArgs& args) {
    cpu::kda(args, pool_);
}
void CpuBackend::gatedRmsNorm(const GatedRmsNormArgs& args) {
    cpu::gatedRmsNorm(args, pool_);
}
// A look goes with the rule: the ops before and behind it have work for one thread only when there is one token.
void CpuBackend::kdaMixer(const KdaMixerArgs& args) {
    struct Steps {
        ThreadPool& pool;
        KdaLook look;
        void shortConv(const ShortConvArgs& a) const { cpu::shortConv(a, pool); }
        void l2Norm(const L2NormArgs& a) const { cpu::l2Norm(a, pool); }
        void kdaGate(const KdaGateArgs& a) const { cpu::kdaGate(a, pool); }
        void kda(const KdaArgs& a) {
            look.logDecay = a.logDecay;
            cpu::kda(a, look, pool);
        }
        void gatedRmsNorm(const GatedRmsNormArgs& a) const { cpu::gatedRmsNorm(a, pool); }
    };
    Steps steps{pool_, {{}, args.halfLife, args.gate, args.openness}};
    KdaMixerArgs plain = args;
    plain.halfLife = plain.openness = {};
    kdaMixerInSteps(steps, plain);
}
void CpuBackend::mlaAppend(const MlaAppendArgs& args) {
    cpu::mlaAppend(args, pool_);
}
void CpuBackend::mlaAttention(const MlaAttentionArgs& args) {
    cpu::mlaAttention(args, pool_);
}
void CpuBackend::router(const RouterArgs& args) {
    cpu::router(args, pool_);
}
void CpuBackend::moe(const MoeArgs& args) {
    cpu::moe(args, pool_);
}
void CpuBackend::visionPosition(const VisionPositionArgs& args) {
    cpu::visionPosition(args, pool_);
}
void CpuBackend::rotate2d(const Rotate2dArgs& args) {
    cpu::rotate2d(args, pool_);
}
void CpuBackend::visionAttention(const VisionAttentionArgs& args) {
    cpu::visionAttention(args, pool_);
}
void CpuBackend::gelu(const GeluArgs& args) {
    cpu::gelu(args, pool_);
}
void CpuBackend::mergePatches(const MergePatchesArgs& args) {
    cpu::mergePatches(args, pool_);
}

// Ops run at once on the caller, so there is nothing to wait for.
KernelStatus CpuBackend::finish() {
    return {};
}

}  // namespace cpu

BackendAttempt createCpuBackend(const CpuOptions& options) {
    if (std::string why = cpu::selectIsa(options.isa); !why.empty()) return {nullptr, why};
    try {
        return {std::make_unique<cpu::CpuBackend>(options), ""};
    } catch (const std::system_error& error) {
        const int threads = cpu::availableThreads(options.threads);
        return {nullptr, std::to_string(threads) + " threads cannot be started: " + error.what()};
    }
}

}  // namespace pal
