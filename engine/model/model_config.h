// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// The validated numbers of a config.json. Every value comes from the file: there is no default except where "absent" has a meaning
// of its own in the published models, and that is an optional here. Names follow the config keys.

enum class AttentionKind : uint8_t { kKda, kMla };
enum class HiddenAct : uint8_t { kSilu, kSitu };
enum class RouterActivation : uint8_t { kSigmoid, kSoftmax };

// Kimi Delta Attention: key and value head widths are equal in the published models.
struct KdaConfig {
    int64_t heads = 0;
    int64_t headDim = 0;
    int64_t convWidth = 0;                // taps of the short convolution, 4 in the published models
    bool fullRankGate = false;            // output gate g_proj (K3) instead of g_b_proj * g_a_proj (Kimi Linear)
    std::optional<float> gateLowerBound;  // < 0: bounded decay (K3); absent: softplus decay (Kimi Linear)

    // P, the width of q, k and v.
    [[nodiscard]] int64_t width() const { return heads * headDim; }
};

// Multi-head latent attention without position encoding.
struct MlaConfig {
    int64_t heads = 0;
    std::optional<int64_t> qLoraRank;  // absent: one q_proj
    int64_t kvLoraRank = 0;
    int64_t qkNopeHeadDim = 0;
    int64_t qkRopeHeadDim = 0;  // the part of a key that all heads share; never rotated
    int64_t vHeadDim = 0;
    bool outputGate = false;
    float latentNormEps =
        0;  // of q_a_layernorm and kv_a_layernorm: 1e-6, the class default of the published code, not a config key

    [[nodiscard]] int64_t qkHeadDim() const { return qkNopeHeadDim + qkRopeHeadDim; }
    // Elements of one cached row: latent | shared key part.
    [[nodiscard]] int64_t cacheWidth() const { return kvLoraRank + qkRopeHeadDim; }
};

struct MoeConfig {
    int64_t experts = 0;
    int64_t expertsPerToken = 0;
    int64_t sharedExperts = 0;  // 0: none
    int64_t intermediateSize = 0;
    std::optional<int64_t> latentSize;  // routed_expert_hidden_size; absent: the experts work on the hidden size
    bool latentNorm = false;
    RouterActivation activation = RouterActivation::kSigmoid;
    bool renormalize = false;
    float scalingFactor = 1;
    int64_t groups = 1;
    int64_t topkGroups = 1;

    [[nodiscard]] int64_t sharedWidth() const { return sharedExperts * intermediateSize; }
};

struct TextConfig {
    int64_t vocabSize = 0;
    int64_t hiddenSize = 0;
    int64_t intermediateSize = 0;  // of the dense layers
    HiddenAct hiddenAct = HiddenAct::kSilu;
    float situBeta = 1;                   // SiTU b
    std::optional<float> situLinearBeta;  // SiTU B; absent: `up` is not bounded
    float rmsNormEps = 0;
    int64_t contextLimit = 0;  // tokens
    bool tieWordEmbeddings = false;
    std::optional<int64_t> attnResBlockSize;  // in layers; absent: plain residual stream

    std::vector<AttentionKind> attention;  // one per layer
    std::vector<bool> mixtureLayers;       // one per layer: mixture of experts instead of a dense MLP
    KdaConfig kda;
    MlaConfig mla;
    std::optional<MoeConfig> moe;  // absent when num_experts is: every layer is dense

    std::optional<int64_t> bosTokenId;
    std::vector<int64_t> eosTokenIds;  // the configured end of a turn; may be several
    std::optional<int64_t> padTokenId;

    [[nodiscard]] int64_t layers() const { return static_cast<int64_t>(attention.size()); }
};

// MoonViT-V2 and its projector.
struct VisionConfig {
    int64_t patchSize = 0;
    int64_t layers = 0;
    int64_t hiddenSize = 0;
    int64_t intermediateSize = 0;
    int64_t heads = 0;
    int64_t qkvHiddenSize = 0;   // all heads together; wider than hiddenSize in K3
    int64_t positionHeight = 0;  // the learned grid
    int64_t positionWidth = 0;
    int64_t positionTime = 0;  // frames of one group at most
    int64_t mergeHeight = 0;
    int64_t mergeWidth = 0;
    float normEps = 0;           // 2^-23: the config has no key, the published code uses the machine epsilon
    float projectorNormEps = 0;  // projector_ln_eps
    int64_t mediaPlaceholderTokenId = 0;

    [[nodiscard]] int64_t headDim() const { return qkvHiddenSize / heads; }
    [[nodiscard]] int64_t patchElements() const { return 3 * patchSize * patchSize; }
    // Width of one merged patch, which is also the projector's inner width.
    [[nodiscard]] int64_t mergedSize() const { return mergeHeight * mergeWidth * hiddenSize; }
};

struct ModelConfig {
    std::string architecture;  // architectures[0], for people
    // The file has a text_config: tensors carry the prefix "language_model." and small tensors are stored as K3 stores them.
    bool wrapped = false;
    TextConfig text;
    std::optional<VisionConfig> vision;
    bool declaresMxfp4 = false;  // quantization_config; a hint for estimates, the tensors present decide

    [[nodiscard]] std::string_view textPrefix() const { return wrapped ? "language_model." : ""; }
};

// Validates a parsed config.json of the Kimi K3 or Kimi Linear family; `path` stands in front of the errors.
// All problems are reported at once, each with its key. Sizes are limited (kMaxDimension and friends in the .cpp) so that no product
// of them overflows 64 bits and no hostile file asks for absurd memory.
// Errors: kUnsupported when nothing is wrong but valid values that this engine does not run, else kFormat.
Result<ModelConfig> parseModelConfig(const nlohmann::json& config, const std::filesystem::path& path);

// Takes the end-of-turn ids from generation_config.json beside the config at `path` when the config has none: without any, a reply
// would never end. Errors: kFormat when there are none at all; kIo.
Result<> completeEndTokens(ModelConfig& config, const std::filesystem::path& path);

// Both for a file. Errors: also kNotFound and kIo.
Result<ModelConfig> readModelConfig(const std::filesystem::path& path);

}  // namespace pal
