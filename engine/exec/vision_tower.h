// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "engine/api/media_input.h"
#include "engine/base/result.h"
#include "engine/exec/device_weights.h"
#include "kernels/api/backend.h"

namespace pal {

// Language-model embeddings of one medium, on the backend.
struct MediaEmbedding {
    Buffer memory;
    TensorView rows;  // [n, H] activation type
};

// Embedding rows that a medium takes: (rows / merge height) * (columns / merge width), whatever the number of frames.
// Errors: kInvalidArgument for a grid that the model cannot read or a number of values that is not the grid's.
Result<int64_t> mediaRowCount(const VisionConfig& config, const MediaInput& media);

// Runs MoonViT and the projector (spec of the published models): patches -> embeddings. All frames of a group attend to each other.
// The weights must have a vision part. Errors: as mediaRowCount; kCancelled, within a second or so of work; kOutOfMemory, kDeviceLost.
Result<MediaEmbedding> encodeMedia(const DeviceWeights& weights, Backend& backend, const MediaInput& media,
                                   const std::stop_token& stop);

}  // namespace pal
