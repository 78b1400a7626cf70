// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kda_forms.h"

#include "kernels/cuda/kda_chunk.cuh"
#include "kernels/cuda/kda_chunk_stages.h"

namespace pal::cuda {
namespace {

constexpr int64_t kChunkFrom = 32;      // fewer tokens are faster one by one
constexpr int64_t kValueMultiple = 64;  // rows of a block

}  // namespace

bool fitsChunks(const KdaArgs& args) {
    const int64_t keys = args.k.dim(2);
    return args.out.dtype == DType::kBF16 && (keys == 64 || keys == 128) && args.v.dim(2) % kValueMultiple == 0 &&
           alignedForPieces(args.q) && alignedForPieces(args.k) && alignedForPieces(args.v) &&
           alignedForPieces(args.logDecay);
}

size_t chunksBytes(int64_t tokens, int64_t heads, int64_t keyDim) {
    return chunkBytes(keyDim) * static_cast<size_t>(heads * ceilDiv(tokens, kChunk));
}

bool kdaChunked(const Launch& launch, const KdaArgs& args) {
    const int64_t tokens = args.q.dim(0);
    const int64_t heads = args.q.dim(1);
    const int64_t keys = args.q.dim(2);
    const size_t bytes = chunksBytes(tokens, heads, keys);
    if (!launch.scratch.begin(Scratch::padded(bytes))) return false;
    auto* chunks = static_cast<char*>(launch.scratch.take(bytes));
    const ReadyRows rows{headRowsOf<Bf16>(args.q), headRowsOf<Bf16>(args.k), headRowsOf<float>(args.logDecay),
                         rowsOf<float>(args.beta)};
    prepareChunks(launch, rows, tokens, heads, keys, chunks);
    scanChunks(launch,
               {headRowsOf<Bf16>(args.v), headRowsOf<Bf16>(args.out), static_cast<float*>(args.state.data), chunks,
                tokens, heads, args.v.dim(2)},
               keys);
    return true;
}

bool takesChunks(const KdaArgs& args) {
    using Form = KdaArgs::Form;
    const bool wanted = args.form == Form::kChunked || (args.form == Form::kAuto && args.q.dim(0) >= kChunkFrom);
    return wanted && fitsChunks(args);
}

bool kda(const Launch& launch, const KdaArgs& args) {
    return takesChunks(args) ? kdaChunked(launch, args) : kdaRecurrent(launch, args);
}

}  // namespace pal::cuda
