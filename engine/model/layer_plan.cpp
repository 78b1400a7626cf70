// SPDX-License-Identifier: Apache-2.0
#include "engine/model/layer_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "kernels/api/tensor_view.h"

namespace pal {
namespace {

uint64_t saturatingAdd(uint64_t a, uint64_t b) {
    return checkedAdd(a, b).value_or(UINT64_MAX);
}

// How the two families store the small tensors that are converted to float32 anyway.
struct FamilyStorage {
    StorageType small;  // convolution taps, o_norm, e_score_correction_bias
    bool padsDecayScale;
};

FamilyStorage familyStorage(const ModelConfig& config) {
    return config.wrapped ? FamilyStorage{StorageType::kF32, true} : FamilyStorage{StorageType::kBF16, false};
}

// Appends the expected tensors of a model in graph order.
class TensorLister {
  public:
    TensorLister(const ModelConfig& config, std::vector<TensorSpec>& out)
        : config_(config), text_(config.text), family_(familyStorage(config)), out_(out) {}

    void listAll(const std::vector<PlannedLayer>& layers) {
        const std::string model = std::string(config_.textPrefix()) + "model.";
        const int64_t hidden = text_.hiddenSize;
        add({model + "embed_tokens.weight", {text_.vocabSize, hidden}, TensorRole::kEmbedding, ModelPart::kEmbedding});
        for (size_t l = 0; l < layers.size(); ++l) listLayer(fmt::format("{}layers.{}.", model, l), layers[l]);
        if (text_.attnResBlockSize.has_value()) listDepthMix(model + "output_attn_res");
        norm(model + "norm", hidden, ModelPart::kNorms);
        if (!text_.tieWordEmbeddings) {
            matrix(std::string(config_.textPrefix()) + "lm_head", text_.vocabSize, hidden, ModelPart::kHead);
        }
        if (config_.vision.has_value()) listVision(*config_.vision);
    }

  private:
    enum class Packing { kNever, kAllowed };

    void add(TensorSpec spec) { out_.push_back(std::move(spec)); }

    void matrix(const std::string& stem, int64_t rows, int64_t columns, ModelPart part,
                Packing packing = Packing::kAllowed) {
        TensorSpec spec{stem + ".weight", {rows, columns}, TensorRole::kMatrix, part};
        spec.mayBePacked = packing == Packing::kAllowed && columns % kMxfp4Group == 0;
        add(std::move(spec));
    }

    void norm(const std::string& stem, int64_t size, ModelPart part, StorageType type = StorageType::kBF16) {
        add({stem + ".weight", {size}, TensorRole::kNorm, part, type});
    }

    void listDepthMix(const std::string& stem) {
        norm(stem + "_norm", text_.hiddenSize, ModelPart::kAttnRes);
        add({stem + "_proj.weight", {1, text_.hiddenSize}, TensorRole::kDepthQuery, ModelPart::kAttnRes});
    }

    void listLayer(const std::string& prefix, const PlannedLayer& layer) {
        norm(prefix + "input_layernorm", text_.hiddenSize, ModelPart::kNorms);
        norm(prefix + "post_attention_layernorm", text_.hiddenSize, ModelPart::kNorms);
        if (text_.attnResBlockSize.has_value()) {
            listDepthMix(prefix + "self_attention_res");
            listDepthMix(prefix + "mlp_res");
        }
        layer.attention == AttentionKind::kKda ? listKda(prefix + "self_attn.") : listMla(prefix + "self_attn.");
        if (layer.feedForward == FeedForwardKind::kDense) {
            listMlp(prefix + "mlp.", text_.intermediateSize, ModelPart::kDenseMlp);
        } else {
            listMixture(prefix + "block_sparse_moe.", *text_.moe);
        }
    }

    void listKda(const std::string& prefix) {
        const KdaConfig& kda = text_.kda;
        const int64_t hidden = text_.hiddenSize;
        const int64_t width = kda.width();
        const ModelPart part = ModelPart::kAttention;
        for (const char* stream : {"q", "k", "v"}) matrix(prefix + stream + "_proj", width, hidden, part);
        for (const char* stream : {"q", "k", "v"}) {
            add({prefix + stream + "_conv1d.weight",
                 {width, 1, kda.convWidth},
                 TensorRole::kConv,
                 part,
                 family_.small});
        }
        matrix(prefix + "f_a_proj", kda.headDim, hidden, part);
        matrix(prefix + "f_b_proj", width, kda.headDim, part);
        matrix(prefix + "b_proj", kda.heads, hidden, part, Packing::kNever);
        add({prefix + "A_log", decayScaleShape(), TensorRole::kDecayScale, part, StorageType::kF32});
        add({prefix + "dt_bias", {width}, TensorRole::kDecayBias, part, StorageType::kF32});
        if (kda.fullRankGate) {
            matrix(prefix + "g_proj", width, hidden, part);
        } else {
            matrix(prefix + "g_a_proj", kda.headDim, hidden, part);
            matrix(prefix + "g_b_proj", width, kda.headDim, part);
        }
        norm(prefix + "o_norm", kda.headDim, part, family_.small);
        matrix(prefix + "o_proj", hidden, width, part);
    }

    // K3 files pad the heads to a multiple of 128; Kimi Linear files keep two broadcast dimensions.
    [[nodiscard]] TensorShape decayScaleShape() const {
        constexpr int64_t kPadding = 128;
        const int64_t heads = text_.kda.heads;
        if (family_.padsDecayScale) return {(heads + kPadding - 1) / kPadding * kPadding};
        return {1, 1, heads, 1};
    }

    void listMla(const std::string& prefix) {
        const MlaConfig& mla = text_.mla;
        const int64_t hidden = text_.hiddenSize;
        const ModelPart part = ModelPart::kAttention;
        const int64_t queries = mla.heads * mla.qkHeadDim();
        if (mla.qLoraRank.has_value()) {
            matrix(prefix + "q_a_proj", *mla.qLoraRank, hidden, part);
            norm(prefix + "q_a_layernorm", *mla.qLoraRank, part);
            matrix(prefix + "q_b_proj", queries, *mla.qLoraRank, part);
        } else {
            matrix(prefix + "q_proj", queries, hidden, part);
        }
        matrix(prefix + "kv_a_proj_with_mqa", mla.cacheWidth(), hidden, part);
        norm(prefix + "kv_a_layernorm", mla.kvLoraRank, part);
        // Read per head and in both directions by the absorbed form, so it stays unpacked.
        matrix(prefix + "kv_b_proj", mla.heads * (mla.qkNopeHeadDim + mla.vHeadDim), mla.kvLoraRank, part,
               Packing::kNever);
        if (mla.outputGate) matrix(prefix + "g_proj", mla.heads * mla.vHeadDim, hidden, part);
        matrix(prefix + "o_proj", hidden, mla.heads * mla.vHeadDim, part);
    }

    void listMlp(const std::string& prefix, int64_t width, ModelPart part) {
        matrix(prefix + "gate_proj", width, text_.hiddenSize, part);
        matrix(prefix + "up_proj", width, text_.hiddenSize, part);
        matrix(prefix + "down_proj", text_.hiddenSize, width, part);
    }

    void listMixture(const std::string& prefix, const MoeConfig& moe) {
        const int64_t hidden = text_.hiddenSize;
        const int64_t inner = moe.latentSize.value_or(hidden);
        matrix(prefix + "gate", moe.experts, hidden, ModelPart::kRouter, Packing::kNever);
        add({prefix + "gate.e_score_correction_bias",
             {moe.experts},
             TensorRole::kRouterBias,
             ModelPart::kRouter,
             family_.small});
        if (moe.latentSize.has_value()) {
            matrix(prefix + "routed_expert_down_proj", inner, hidden, ModelPart::kExpertBridge);
            if (moe.latentNorm) norm(prefix + "routed_expert_norm", inner, ModelPart::kExpertBridge);
            matrix(prefix + "routed_expert_up_proj", hidden, inner, ModelPart::kExpertBridge);
        }
        listExperts(prefix + "experts.{}.w1", moe.intermediateSize, inner);
        listExperts(prefix + "experts.{}.w3", moe.intermediateSize, inner);
        listExperts(prefix + "experts.{}.w2", inner, moe.intermediateSize);
        if (moe.sharedExperts > 0) listMlp(prefix + "shared_experts.", moe.sharedWidth(), ModelPart::kSharedExperts);
    }

    void listExperts(const std::string& stem, int64_t rows, int64_t columns) {
        TensorSpec spec{stem + ".weight", {rows, columns}, TensorRole::kExpertMatrix, ModelPart::kRoutedExperts};
        spec.mayBePacked = columns % kMxfp4Group == 0;
        spec.packedInPlan = config_.declaresMxfp4 && spec.mayBePacked;
        spec.copies = text_.moe->experts;
        add(std::move(spec));
    }

    void listVision(const VisionConfig& vision) {
        const ModelPart part = ModelPart::kVision;
        const auto plain = [&](const std::string& stem, int64_t rows, int64_t columns) {
            matrix(stem, rows, columns, part, Packing::kNever);
        };
        const std::string tower = "vision_tower.";
        add({tower + "patch_embed.proj.weight",
             {vision.hiddenSize, 3, vision.patchSize, vision.patchSize},
             TensorRole::kPatchEmbed,
             part});
        add({tower + "patch_embed.pos_emb.weight",
             {vision.positionHeight, vision.positionWidth, vision.hiddenSize},
             TensorRole::kPositionGrid,
             part});
        for (int64_t i = 0; i < vision.layers; ++i) {
            const std::string block = fmt::format("{}encoder.blocks.{}.", tower, i);
            norm(block + "norm0", vision.hiddenSize, part);
            plain(block + "wqkv", 3 * vision.qkvHiddenSize, vision.hiddenSize);
            plain(block + "wo", vision.hiddenSize, vision.qkvHiddenSize);
            norm(block + "norm1", vision.hiddenSize, part);
            plain(block + "mlp.fc0", vision.intermediateSize, vision.hiddenSize);
            plain(block + "mlp.fc1", vision.hiddenSize, vision.intermediateSize);
        }
        norm(tower + "encoder.final_layernorm", vision.hiddenSize, part);
        plain("mm_projector.proj.0", vision.mergedSize(), vision.mergedSize());
        plain("mm_projector.proj.2", text_.hiddenSize, vision.mergedSize());
        norm("mm_projector.post_norm", text_.hiddenSize, part);
    }

    const ModelConfig& config_;
    const TextConfig& text_;
    FamilyStorage family_;
    std::vector<TensorSpec>& out_;
};

std::vector<PlannedLayer> planLayers(const TextConfig& text) {
    std::vector<PlannedLayer> layers;
    int64_t snapshots = 0;
    for (int64_t l = 0; l < text.layers(); ++l) {
        PlannedLayer layer;
        layer.attention = text.attention[static_cast<size_t>(l)];
        layer.feedForward =
            text.mixtureLayers[static_cast<size_t>(l)] ? FeedForwardKind::kMixture : FeedForwardKind::kDense;
        layer.commitsSnapshot = text.attnResBlockSize.has_value() && l % *text.attnResBlockSize == 0;
        layer.snapshotsBefore = snapshots;
        snapshots += layer.commitsSnapshot ? 1 : 0;
        layers.push_back(layer);
    }
    return layers;
}

int64_t countKda(const std::vector<PlannedLayer>& layers) {
    return std::ranges::count(layers, AttentionKind::kKda, &PlannedLayer::attention);
}

uint64_t unsignedSize(int64_t value) {
    return static_cast<uint64_t>(value);
}

// Elements per token that one attention sublayer keeps at its widest point, besides its input.
int64_t attentionWidth(const TextConfig& text, bool hasKda, bool hasMla) {
    const int64_t kda = hasKda ? 3 * text.kda.width() * 2 + 3 * text.kda.width() + text.kda.heads : 0;
    const MlaConfig& m = text.mla;
    const int64_t queries = m.heads * m.qkHeadDim() + m.qLoraRank.value_or(0);
    const int64_t outputs = m.heads * m.vHeadDim * (m.outputGate ? 2 : 1);
    const int64_t mla = hasMla ? queries + m.cacheWidth() + m.heads * m.cacheWidth() + outputs : 0;
    return std::max(kda, mla);
}

// The same for the feed-forward sublayer; an expert's rows exist once per choice.
int64_t feedForwardWidth(const TextConfig& text) {
    int64_t widest = 2 * text.intermediateSize;
    if (text.moe.has_value()) {
        const MoeConfig& moe = *text.moe;
        const int64_t inner = moe.latentSize.value_or(text.hiddenSize);
        const int64_t routed = moe.expertsPerToken * (2 * moe.intermediateSize + 2 * inner + 2);
        widest = std::max(widest, routed + 2 * inner + 2 * moe.sharedWidth() + moe.experts);
    }
    return widest;
}

}  // namespace

std::string_view modelPartName(ModelPart part) {
    switch (part) {
        case ModelPart::kEmbedding:
            return "embedding";
        case ModelPart::kAttention:
            return "attention";
        case ModelPart::kAttnRes:
            return "attention residuals";
        case ModelPart::kDenseMlp:
            return "dense MLP";
        case ModelPart::kRouter:
            return "router";
        case ModelPart::kSharedExperts:
            return "shared experts";
        case ModelPart::kExpertBridge:
            return "latent projections";
        case ModelPart::kRoutedExperts:
            return "routed experts";
        case ModelPart::kNorms:
            return "norms";
        case ModelPart::kHead:
            return "head";
        case ModelPart::kVision:
            return "vision";
    }
    return "?";
}

std::string TensorSpec::nameOf(int64_t copy) const {
    PAL_CHECK(copy >= 0 && copy < copies);
    const size_t mark = copies > 1 || role == TensorRole::kExpertMatrix ? name.find("{}") : std::string::npos;
    if (mark == std::string::npos) return name;
    return name.substr(0, mark) + std::to_string(copy) + name.substr(mark + 2);
}

uint64_t TensorSpec::bytes() const {
    const uint64_t elements = parameters();
    if (packedInPlan) return elements / 2 + elements / unsignedSize(kMxfp4Group);
    return elements * storageBytes(type);
}

StateSizes LayerPlan::stateSizes(const StateFormat& format) const {
    const KdaConfig& kda = config.text.kda;
    StateSizes sizes;
    sizes.kdaStatePerLayer = unsignedSize(kda.heads * kda.headDim * kda.headDim) * dtypeBytes(DType::kF32);
    sizes.convTailPerLayer = unsignedSize((kda.convWidth - 1) * 3 * kda.width()) * dtypeBytes(format.convTail);
    sizes.kdaStates = unsignedSize(kdaLayers) * sizes.kdaStatePerLayer;
    sizes.convTails = unsignedSize(kdaLayers) * sizes.convTailPerLayer;
    sizes.latentPerToken = unsignedSize(mlaLayers * config.text.mla.cacheWidth()) * dtypeBytes(format.latent);
    return sizes;
}

uint64_t StateSizes::sequence(uint64_t tokens) const {
    return saturatingAdd(checkpoint(), checkedMul(tokens, latentPerToken).value_or(UINT64_MAX));
}

uint64_t MemoryEstimate::total() const {
    return saturatingAdd(weights, saturatingAdd(state, workspace));
}

uint64_t LayerPlan::parameters() const {
    uint64_t total = 0;
    for (const TensorSpec& spec : tensors) total += spec.parameters();
    return total;
}

uint64_t LayerPlan::activeParameters() const {
    uint64_t total = 0;
    for (const TensorSpec& spec : tensors) {
        if (spec.part == ModelPart::kVision) continue;
        if (spec.role == TensorRole::kEmbedding && !config.text.tieWordEmbeddings) {
            total += unsignedSize(config.text.hiddenSize);
        } else if (spec.role == TensorRole::kExpertMatrix) {
            total += spec.parameters() / unsignedSize(spec.copies) * unsignedSize(config.text.moe->expertsPerToken);
        } else {
            total += spec.parameters();
        }
    }
    return total;
}

uint64_t LayerPlan::tensorCount() const {
    uint64_t total = 0;
    for (const TensorSpec& spec : tensors) total += unsignedSize(spec.copies) * (spec.packedInPlan ? 2 : 1);
    return total;
}

uint64_t LayerPlan::weightBytes() const {
    uint64_t total = 0;
    for (const uint64_t bytes : bytesByPart()) total += bytes;
    return total;
}

std::array<uint64_t, kModelParts> LayerPlan::bytesByPart() const {
    std::array<uint64_t, kModelParts> parts{};
    for (const TensorSpec& spec : tensors) parts[static_cast<size_t>(spec.part)] += spec.bytes();
    return parts;
}

std::array<uint64_t, kModelParts> LayerPlan::parametersByPart() const {
    std::array<uint64_t, kModelParts> parts{};
    for (const TensorSpec& spec : tensors) parts[static_cast<size_t>(spec.part)] += spec.parameters();
    return parts;
}

LayerPlan makeLayerPlan(ModelConfig config) {
    LayerPlan plan;
    plan.config = std::move(config);
    plan.layers = planLayers(plan.config.text);
    plan.kdaLayers = countKda(plan.layers);
    plan.mlaLayers = static_cast<int64_t>(plan.layers.size()) - plan.kdaLayers;
    plan.mixtureLayers = std::ranges::count(plan.layers, FeedForwardKind::kMixture, &PlannedLayer::feedForward);
    plan.snapshots = std::ranges::count(plan.layers, true, &PlannedLayer::commitsSnapshot);
    TensorLister(plan.config, plan.tensors).listAll(plan.layers);
    return plan;
}

MemoryEstimate estimateMemory(const LayerPlan& plan, const MemoryRequest& request) {
    const TextConfig& text = plan.config.text;
    MemoryEstimate estimate;
    estimate.weights = plan.weightBytes();
    estimate.state = plan.stateSizes(request.format).sequence(request.contextTokens);
    // Snapshots, the running stream, a mixed copy, its norm and the sublayer's output; then the wider of the two sublayers.
    const int64_t streams = (plan.snapshots + 4) * text.hiddenSize;
    const int64_t sublayer =
        std::max(attentionWidth(text, plan.kdaLayers > 0, plan.mlaLayers > 0), feedForwardWidth(text));
    const uint64_t tokens = std::min(request.chunkTokens, std::max<uint64_t>(request.contextTokens, 1));
    estimate.workspace = tokens * unsignedSize(streams + sublayer) * dtypeBytes(request.activation) +
                         unsignedSize(text.vocabSize) * dtypeBytes(DType::kF32);
    return estimate;
}

}  // namespace pal
