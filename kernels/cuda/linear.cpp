// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/linear.h"

namespace pal::cuda {
namespace {

constexpr int64_t kVectorBytes = 16;
constexpr int64_t kHopperTokens = 128;  // from which a tile of linearHopper() is full

bool aligned(const void* data, int64_t strideBytes) {
    return reinterpret_cast<uintptr_t>(data) % kVectorBytes == 0 && strideBytes % kVectorBytes == 0;
}

// Parts [first, end) share a format and alignment, so one launch takes them all.
size_t sameKind(const LinearArgs& args, size_t first) {
    size_t end = first + 1;
    while (end < args.parts.size() && args.parts[end].weight.format == args.parts[first].weight.format &&
           alignedForVectors(args.x, args.parts[end].weight)) {
        ++end;
    }
    return end;
}

}  // namespace

bool alignedForVectors(const ConstTensorView& x, const WeightView& weight) {
    const auto element = static_cast<int64_t>(dtypeBytes(x.dtype));
    if (!aligned(x.data, x.stride[0] * element)) return false;
    switch (weight.format) {
        case WeightFormat::kF32:
            return aligned(weight.data, weight.cols * 4);
        case WeightFormat::kBF16:
            return aligned(weight.data, weight.cols * 2);
        case WeightFormat::kMxfp4:
            return aligned(weight.data, weight.cols / 2);
    }
    return false;
}

void linear(const Launch& launch, const LinearArgs& args) {
    for (size_t i = 0; i < args.parts.size();) {
        const LinearPart& part = args.parts[i];
        const bool vectors = alignedForVectors(args.x, part.weight);
        const int64_t tokens = args.x.dim(0);
        const bool bf16 = args.x.dtype == DType::kBF16 && part.weight.format == WeightFormat::kBF16;
        const bool few = bf16 && tokens > 1 && tokens <= kFewTokens;
        if (vectors && (few || tokens <= kGemvTokens)) {
            const size_t end = sameKind(args, i);
            const auto parts = args.parts.subspan(i, end - i);
            if (few) {
                linearFew(launch, args.x, parts);
            } else {
                linearGemv(launch, args.x, parts);
            }
            i = end;
            continue;
        }
        if (vectors && args.x.dtype == DType::kBF16 && part.weight.format != WeightFormat::kF32) {
            const bool many = launch.hopper() && args.x.dim(0) >= kHopperTokens;
            if (!many || !linearHopper(launch, args.x, part)) linearTensor(launch, args.x, part);
        } else {
            linearPlain(launch, args.x, part);
        }
        ++i;
    }
}

}  // namespace pal::cuda
