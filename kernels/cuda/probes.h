// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/kda_args.h"
#include "kernels/cuda/launch.h"

// Reductions beside the ops, for somebody who looks (kernels/api/probe_args.h): kernels of their own, so that the ops' own kernels run as always. kdaMixer
// calls them where its step kernel, which tells these itself, does not fit; the single ops of a KDA layer leave the views alone.

namespace pal::cuda {

// Of the last P tokens of logDecay [T, h, K], K <= 1024.
void halfLives(const Launch& launch, const ConstTensorView& logDecay, const TensorView& out);
// Of the last P tokens of gate [T, h, V], before the sigmoid.
void openness(const Launch& launch, const ConstTensorView& gate, const TensorView& out);
// |u| of a single token, before the mixer runs: `args` with its old state and tail. Uses args.logDecay and args.beta, which the mixer fills itself if it
// needs them.
void writesBefore(const Launch& launch, const KdaMixerArgs& args);
// Frobenius norms of the heads' states [h, V, K] into the only row of `out`.
void stateNorms(const Launch& launch, const TensorView& state, const TensorView& out);

}  // namespace pal::cuda
