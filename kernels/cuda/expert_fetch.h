// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/api/tensor_view.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// Experts of a layer, one record after the other, where the device can read them over the link.
struct ExpertRecords {
    const std::byte* host = nullptr;
    std::byte* device = nullptr;  // where they go, at the same places
    size_t recordBytes = 0;       // a multiple of 16
    uint64_t* counter = nullptr;  // in device memory; the bytes that were read are added
};

// Brings the experts that `index` [T, k] names, each once. The device reads them itself, so that no step waits for the host.
void fetchExperts(const Launch& launch, const ConstTensorView& index, const ExpertRecords& records);

}  // namespace pal::cuda
