// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kda_scan.cuh"
#include "kernels/cuda/tensor_map.h"

namespace pal::cuda {

bool scanChunksHopper(const Launch& launch, const ScanArgs& args, int64_t keyDim) {
    const TensorBoxes boxes{
        args.v.data,
        {static_cast<uint64_t>(args.valueDim), static_cast<uint64_t>(args.tokens), static_cast<uint64_t>(args.heads)},
        {static_cast<uint64_t>(args.v.stride) * sizeof(Bf16), static_cast<uint64_t>(args.v.head) * sizeof(Bf16)},
        kChunk};
    scan::BulkArgs bulk;
    if (!makeTensorMap(boxes, bulk.values)) return false;
    scan::launchScan<scan::Copies::kBulk>(launch, args, keyDim, bulk);
    return true;
}

}  // namespace pal::cuda
