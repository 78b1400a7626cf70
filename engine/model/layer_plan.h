// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/model_config.h"
#include "engine/model/tensor_type.h"
#include "kernels/api/dtype.h"

namespace pal {

// Everything that follows from a config alone: what each layer is, which tensors a checkpoint must hold, and all sizes.
// Loader, memory estimate, state allocation, checkpoint codec, the random generator and the model page read it.

enum class FeedForwardKind : uint8_t { kDense, kMixture };

// What a tensor is in the graph: decides how it may be stored, how it is bound and how the generator draws it.
enum class TensorRole : uint8_t {
    kEmbedding,     // [vocab, H], looked up by row
    kMatrix,        // [out, in] of a linear map, stays as stored
    kExpertMatrix,  // the same, one of many experts
    kNorm,          // RMSNorm weight
    kDepthQuery,    // AttnRes query [1, H], only used multiplied with its norm
    kConv,          // [P, 1, W] taps, oldest first
    kDecayScale,    // A_log: one value per head, K3 pads it with zeros; any shape with at least `heads` elements
    kDecayBias,     // dt_bias [P], head-major
    kRouterBias,    // e_score_correction_bias [E]
    kPositionGrid,  // learned positions of the vision tower [h, w, D]
    kPatchEmbed     // [D, 3, p, p]: a matrix over the flattened patch
};

enum class ModelPart : uint8_t {
    kEmbedding,
    kAttention,
    kAttnRes,
    kDenseMlp,
    kRouter,
    kSharedExperts,
    kExpertBridge,
    kRoutedExperts,
    kNorms,
    kHead,
    kVision
};
inline constexpr size_t kModelParts = 11;
// "routed experts"
[[nodiscard]] std::string_view modelPartName(ModelPart part);

// One tensor that the checkpoint must hold, or `copies` of them (one per expert of a layer).
struct TensorSpec {
    std::string name;   // with prefix; for copies "...experts.{}.w1.weight", see nameOf
    TensorShape shape;  // when not packed; for kDecayScale the published padding, see TensorRole
    TensorRole role = TensorRole::kMatrix;
    ModelPart part = ModelPart::kEmbedding;
    StorageType type = StorageType::kBF16;  // as the published checkpoints of this family store it when not packed
    bool mayBePacked = false;               // MXFP4 as weight_packed + weight_scale is accepted instead
    bool packedInPlan = false;              // sizes count it as MXFP4 (the config declares it)
    int64_t copies = 1;

    [[nodiscard]] std::string nameOf(int64_t copy) const;
    [[nodiscard]] uint64_t parameters() const { return shape.elements() * static_cast<uint64_t>(copies); }
    [[nodiscard]] uint64_t bytes() const;
};

// One decoder layer.
struct PlannedLayer {
    AttentionKind attention = AttentionKind::kKda;
    FeedForwardKind feedForward = FeedForwardKind::kDense;
    // The layer commits the running stream as an AttnRes snapshot before its attention and restarts it.
    bool commitsSnapshot = false;
    // Snapshots visible to its attention mix; the mix before the MLP sees one more when commitsSnapshot.
    int64_t snapshotsBefore = 0;
};

// How a sequence's memory is stored. KDA states are always float32.
struct StateFormat {
    DType convTail = DType::kBF16;
    DType latent = DType::kBF16;
};

// Sizes in bytes of one sequence's memory.
struct StateSizes {
    uint64_t kdaStatePerLayer = 0;  // heads * V * K * 4
    uint64_t convTailPerLayer = 0;  // (W - 1) * 3 P elements
    uint64_t kdaStates = 0;         // all KDA layers
    uint64_t convTails = 0;
    uint64_t latentPerToken = 0;  // all MLA layers

    // A checkpoint of the recurrent part: one size for any prefix. Latents are append-only and shared, so they are not in it.
    [[nodiscard]] uint64_t checkpoint() const { return kdaStates + convTails; }
    // Everything a sequence of `tokens` holds. Fits up to the context limit (parseModelConfig checks it); UINT64_MAX where it does not.
    [[nodiscard]] uint64_t sequence(uint64_t tokens) const;
};

struct LayerPlan {
    ModelConfig config;
    std::vector<PlannedLayer> layers;
    std::vector<TensorSpec> tensors;  // in graph order: embedding, layers, final, head, vision
    int64_t kdaLayers = 0;
    int64_t mlaLayers = 0;
    int64_t mixtureLayers = 0;
    int64_t snapshots = 0;  // AttnRes snapshots at the end of a forward pass

    [[nodiscard]] StateSizes stateSizes(const StateFormat& format = {}) const;
    [[nodiscard]] uint64_t parameters() const;
    // Parameters that one token's forward pass reads: everything of the text model but the experts not chosen and all but one
    // row of the embedding.
    [[nodiscard]] uint64_t activeParameters() const;
    [[nodiscard]] uint64_t tensorCount() const;  // stored tensors: packed ones count twice
    [[nodiscard]] uint64_t weightBytes() const;
    [[nodiscard]] std::array<uint64_t, kModelParts> bytesByPart() const;
    [[nodiscard]] std::array<uint64_t, kModelParts> parametersByPart() const;
};

[[nodiscard]] LayerPlan makeLayerPlan(ModelConfig config);

// The memory a run needs, from the plan alone; bytes.
struct MemoryEstimate {
    uint64_t weights = 0;                  // as stored (mapped, so the system may drop and re-read them)
    uint64_t state = 0;                    // one sequence of `contextTokens`
    uint64_t workspace = 0;                // activations of one prefill chunk, an upper estimate of the larger sublayer
    [[nodiscard]] uint64_t total() const;  // UINT64_MAX where it does not fit
};

struct MemoryRequest {
    uint64_t contextTokens = 0;
    uint64_t chunkTokens = 512;  // of prefill
    StateFormat format = {};
    DType activation = DType::kF32;
};
[[nodiscard]] MemoryEstimate estimateMemory(const LayerPlan& plan, const MemoryRequest& request);

}  // namespace pal
