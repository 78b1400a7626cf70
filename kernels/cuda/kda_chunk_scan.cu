// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kda_scan.cuh"

namespace pal::cuda {

void scanChunks(const Launch& launch, const ScanArgs& args, int64_t keyDim) {
    if (launch.hopper() && scanChunksHopper(launch, args, keyDim)) return;
    scan::launchScan<scan::Copies::kPieces>(launch, args, keyDim, {});
}

}  // namespace pal::cuda
