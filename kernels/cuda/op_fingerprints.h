// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/dense_args.h"
#include "kernels/api/kda_args.h"
#include "kernels/api/logit_digest.h"
#include "kernels/api/mla_args.h"
#include "kernels/api/moe_args.h"
#include "kernels/cuda/fingerprint.h"

// All that decides what an op launches, apart from what kernels read from device memory. The first word tells the ops apart.

namespace pal::cuda {

[[nodiscard]] Fingerprint fingerprintOf(const EmbedArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const LinearArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const RmsNormArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const DepthMixArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const GluArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const SigmoidGateArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const AddArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const ShortConvArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const L2NormArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const KdaGateArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const KdaArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const GatedRmsNormArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const KdaMixerArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const RouterArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const MoeArgs& args);
[[nodiscard]] Fingerprint fingerprintOf(const LogitDigestArgs& args);
[[nodiscard]] Fingerprint fingerprintOfFetch(std::span<std::byte> host, const void* device);
// `past` apart. `pages`, `base`: of the device's page table.
[[nodiscard]] Fingerprint fingerprintOf(const MlaAppendArgs& args, void* const* pages);
[[nodiscard]] Fingerprint fingerprintOf(const MlaAttentionArgs& args, void* const* pages, const void* base,
                                        int64_t splits);

}  // namespace pal::cuda
