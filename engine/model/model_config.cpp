// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "engine/model/config_reader.h"
#include "engine/model/json_file.h"
#include "engine/model/problems.h"
#include "kernels/api/tensor_view.h"

namespace pal {
namespace {

using nlohmann::json;

// Upper limits far above the published models. With them every size below fits 64 bits once kMaxParameters holds as well.
constexpr int64_t kMaxDimension = 1 << 20;
constexpr int64_t kMaxVocab = 1 << 19;  // of a LogitDigestArgs, whose sums more would overflow
constexpr int64_t kMaxLayers = 4096;
constexpr int64_t kMaxExperts = 1 << 16;
constexpr int64_t kMaxExpertsOfAllLayers = 1 << 20;
constexpr int64_t kMaxTokens = 1LL << 40;
constexpr double kMaxParameters = 64e12;

// Published code builds these two norms with the class default, not with rms_norm_eps.
constexpr float kLatentNormEps = 1e-6F;
// torch.nn.RMSNorm without eps: the machine epsilon of float32.
constexpr float kVisionNormEps = 1.1920928955078125e-07F;

// The 1-based layer lists must name every layer exactly once.
std::vector<AttentionKind> readAttentionKinds(ConfigReader& linear, int64_t layers) {
    const size_t problemsBefore = linear.problems().count();
    std::vector<AttentionKind> kinds(static_cast<size_t>(layers), AttentionKind::kKda);
    std::vector<int> seen(static_cast<size_t>(layers), 0);
    const auto mark = [&](const char* key, AttentionKind kind) {
        for (const int64_t layer : linear.integers(key, 1, layers)) {
            kinds[static_cast<size_t>(layer - 1)] = kind;
            ++seen[static_cast<size_t>(layer - 1)];
        }
    };
    mark("kda_layers", AttentionKind::kKda);
    mark("full_attn_layers", AttentionKind::kMla);
    // A list with a wrong entry ends there, so layers after it would only seem to be left out.
    if (linear.problems().count() > problemsBefore) return kinds;
    for (int64_t layer = 1; layer <= layers; ++layer) {
        const int times = seen[static_cast<size_t>(layer - 1)];
        if (times == 1) continue;
        linear.problems().add("{} and full_attn_layers name layer {} (counted from 1) {} times, expected once",
                              linear.name("kda_layers"), layer, times);
    }
    return kinds;
}

KdaConfig readKda(ConfigReader& linear) {
    KdaConfig kda;
    kda.heads = linear.integer("num_heads", 1, kMaxDimension);
    kda.headDim = linear.integer("head_dim", 1, kMaxDimension);
    kda.convWidth = linear.integer("short_conv_kernel_size", 2, 64);
    kda.fullRankGate = linear.optionalBoolean("use_full_rank_gate").value_or(false);
    kda.gateLowerBound = linear.optionalNumber("gate_lower_bound", -1e4, -1e-4);
    if (kda.width() > kMaxDimension) {
        linear.problems().add("{} * head_dim is {}, at most {} is accepted", linear.name("num_heads"), kda.width(),
                              kMaxDimension);
    }
    return kda;
}

MlaConfig readMla(ConfigReader& text) {
    MlaConfig mla;
    mla.heads = text.integer("num_attention_heads", 1, kMaxDimension);
    const int64_t kvHeads = text.integer("num_key_value_heads", 1, kMaxDimension);
    if (kvHeads != mla.heads) {
        text.problems().addUnsupported("{} is {}, only as many as num_attention_heads ({}) are supported",
                                       text.name("num_key_value_heads"), kvHeads, mla.heads);
    }
    mla.qLoraRank = text.optionalInteger("q_lora_rank", 1, kMaxDimension);
    mla.kvLoraRank = text.integer("kv_lora_rank", 1, kMaxDimension);
    mla.qkNopeHeadDim = text.integer("qk_nope_head_dim", 1, kMaxDimension);
    mla.qkRopeHeadDim = text.integer("qk_rope_head_dim", 1, kMaxDimension);
    mla.vHeadDim = text.integer("v_head_dim", 1, kMaxDimension);
    text.expect("mla_use_nope", true);
    mla.outputGate = text.optionalBoolean("mla_use_output_gate").value_or(false);
    mla.latentNormEps = kLatentNormEps;
    const int64_t widest = mla.heads * (mla.qkNopeHeadDim + std::max(mla.qkRopeHeadDim, mla.vHeadDim));
    if (widest > kMaxDimension) {
        text.problems().add("{} times the head dimensions is {}, at most {} is accepted",
                            text.name("num_attention_heads"), widest, kMaxDimension);
    }
    return mla;
}

RouterActivation readRouterActivation(ConfigReader& text) {
    const std::string name = text.text("moe_router_activation_func");
    if (name == "softmax") return RouterActivation::kSoftmax;
    if (name != "sigmoid" && !name.empty()) {
        text.problems().addUnsupported("{} is \"{}\", only \"sigmoid\" and \"softmax\" are supported",
                                       text.name("moe_router_activation_func"), name);
    }
    return RouterActivation::kSigmoid;
}

MoeConfig readMoe(ConfigReader& text) {
    MoeConfig moe;
    moe.experts = text.integer("num_experts", 1, kMaxExperts);
    const char* perToken = text.has("num_experts_per_tok") ? "num_experts_per_tok" : "num_experts_per_token";
    moe.expertsPerToken = text.integer(perToken, 1, moe.experts);
    moe.sharedExperts = text.integer("num_shared_experts", 0, 1024);
    moe.intermediateSize = text.integer("moe_intermediate_size", 1, kMaxDimension);
    moe.latentSize = text.optionalInteger("routed_expert_hidden_size", 1, kMaxDimension);
    moe.latentNorm = text.optionalBoolean("latent_moe_use_norm").value_or(false);
    if (moe.latentNorm && !moe.latentSize.has_value()) {
        text.problems().add("{} is true without routed_expert_hidden_size", text.name("latent_moe_use_norm"));
    }
    moe.activation = readRouterActivation(text);
    moe.renormalize = text.boolean("moe_renormalize");
    moe.scalingFactor = text.number("routed_scaling_factor", 0.0, 1e6);
    moe.groups = text.integer("num_expert_group", 1, moe.experts);
    moe.topkGroups = text.integer("topk_group", 1, moe.groups);
    // The choice of groups by their two best experts (MoeArgs) is what the published models name so.
    if (text.has("topk_method")) text.expect("topk_method", "noaux_tc");
    if (!text.optionalBoolean("use_grouped_topk").value_or(true) && moe.groups > 1) {
        text.problems().addUnsupported("{} is false with {} groups, only true is supported",
                                       text.name("use_grouped_topk"), moe.groups);
    }
    if (moe.experts % moe.groups != 0) {
        text.problems().add("{} is {}, which does not divide num_experts {}", text.name("num_expert_group"), moe.groups,
                            moe.experts);
    } else if (moe.topkGroups * (moe.experts / moe.groups) < moe.expertsPerToken) {
        text.problems().add("{} is {}: these groups hold {} experts, fewer than the {} chosen per token",
                            text.name("topk_group"), moe.topkGroups, moe.topkGroups * (moe.experts / moe.groups),
                            moe.expertsPerToken);
    }
    return moe;
}

// Layers with experts: from first_k_dense_replace on, every moe_layer_freq-th counted from layer 0.
std::vector<bool> readMixtureLayers(ConfigReader& text, int64_t layers) {
    std::vector<bool> mixture(static_cast<size_t>(layers), false);
    if (!text.has("num_experts")) return mixture;
    const int64_t dense = text.integer("first_k_dense_replace", 0, kMaxLayers);
    const int64_t every = text.integer("moe_layer_freq", 1, kMaxLayers);
    for (int64_t l = dense; l < layers; ++l) mixture[static_cast<size_t>(l)] = l % every == 0;
    return mixture;
}

void readActivation(ConfigReader& text, TextConfig& out) {
    const std::string act = text.text("hidden_act");
    if (act == "situ") {
        out.hiddenAct = HiddenAct::kSitu;
        const float beta = text.optionalNumber("activation_situ_beta", 0.0, 1e6).value_or(0.0F);
        out.situBeta = beta == 0.0F ? 1.0F : beta;  // null and 0 mean 1
        out.situLinearBeta = text.optionalNumber("activation_situ_linear_beta", 1e-6, 1e6);
    } else if (act != "silu" && !act.empty()) {
        text.problems().addUnsupported("{} is \"{}\", only \"silu\" and \"situ\" are supported",
                                       text.name("hidden_act"), act);
    }
}

// `outer` is the whole file: the wrapper repeats some values there.
void readTokenIds(ConfigReader& text, ConfigReader& outer, TextConfig& out) {
    const int64_t last = out.vocabSize - 1;
    const auto one = [&](const char* key) {
        const auto inner = text.optionalInteger(key, 0, last);
        return inner.has_value() ? inner : outer.optionalInteger(key, 0, last);
    };
    out.bosTokenId = one("bos_token_id");
    out.padTokenId = one("pad_token_id");
    out.eosTokenIds = text.optionalIntegers("eos_token_id", 0, last);
    if (out.eosTokenIds.empty()) out.eosTokenIds = outer.optionalIntegers("eos_token_id", 0, last);
    ConfigReader& tied = text.has("tie_word_embeddings") ? text : outer;
    out.tieWordEmbeddings = tied.boolean("tie_word_embeddings");
}

TextConfig readText(ConfigReader& text, ConfigReader& outer) {
    TextConfig out;
    out.vocabSize = text.integer("vocab_size", 1, kMaxVocab);
    out.hiddenSize = text.integer("hidden_size", 1, kMaxDimension);
    out.intermediateSize = text.integer("intermediate_size", 1, kMaxDimension);
    const int64_t layers = text.integer("num_hidden_layers", 1, kMaxLayers);
    readActivation(text, out);
    out.rmsNormEps = text.number("rms_norm_eps", 1e-12, 1.0);
    const char* limit = text.has("max_position_embeddings") ? "max_position_embeddings" : "model_max_length";
    out.contextLimit = text.integer(limit, 1, kMaxTokens);
    out.attnResBlockSize = text.optionalInteger("attn_res_block_size", 1, kMaxLayers);
    out.mla = readMla(text);
    if (auto linear = text.object("linear_attn_config")) {
        out.kda = readKda(*linear);
        out.attention = readAttentionKinds(*linear, layers);
    }
    out.mixtureLayers = readMixtureLayers(text, layers);
    if (text.has("num_experts")) out.moe = readMoe(text);
    if (out.moe.has_value() && out.moe->experts * layers > kMaxExpertsOfAllLayers) {
        text.problems().add("{} times num_hidden_layers is {}, at most {} is accepted", text.name("num_experts"),
                            out.moe->experts * layers, kMaxExpertsOfAllLayers);
    }
    readTokenIds(text, outer, out);
    return out;
}

void expectVisionKinds(ConfigReader& vision) {
    vision.expect("pos_emb_type", "divided_fixed");
    vision.expect("pos_emb_interpolation_mode", "bilinear");
    vision.expect("merge_type", "sd2_tpool");
    vision.expect("mm_projector_type", "patchmergerv2");
    vision.expect("norm_type", "rmsnorm");
    vision.expect("mlp_type", "mlp2");
    vision.expect("activation_func", "gelu_pytorch_tanh");
    vision.expect("projector_hidden_act", "gelu");
    vision.expect("attn_bias", false);
    vision.expect("linear_bias", false);
    vision.expect("patch_embed_proj_bias", false);
}

VisionConfig readVision(ConfigReader& vision, ConfigReader& outer, const TextConfig& text) {
    expectVisionKinds(vision);
    VisionConfig out;
    out.patchSize = vision.integer("patch_size", 1, 256);
    out.layers = vision.integer("vt_num_hidden_layers", 1, kMaxLayers);
    out.hiddenSize = vision.integer("vt_hidden_size", 1, kMaxDimension);
    out.intermediateSize = vision.integer("vt_intermediate_size", 1, kMaxDimension);
    out.heads = vision.integer("vt_num_attention_heads", 1, 4096);
    out.qkvHiddenSize = vision.integer("qkv_hidden_size", 1, kMaxDimension);
    out.positionHeight = vision.integer("init_pos_emb_height", 1, 4096);
    out.positionWidth = vision.integer("init_pos_emb_width", 1, 4096);
    out.positionTime = vision.integer("init_pos_emb_time", 1, 4096);
    const auto merge = vision.integers("merge_kernel_size", 1, 16);
    if (merge.size() == 2) {
        out.mergeHeight = merge[0];
        out.mergeWidth = merge[1];
    } else {
        vision.problems().add("{} has {} numbers, expected 2", vision.name("merge_kernel_size"), merge.size());
    }
    out.normEps = kVisionNormEps;
    out.projectorNormEps = vision.number("projector_ln_eps", 1e-12, 1.0);
    ConfigReader& placeholder = outer.has("media_placeholder_token_id") ? outer : vision;
    out.mediaPlaceholderTokenId = placeholder.integer("media_placeholder_token_id", 0, text.vocabSize - 1);

    if (out.qkvHiddenSize % out.heads != 0 || out.headDim() % 4 != 0) {
        vision.problems().add("{} is {}, expected a multiple of 4 for each of the {} heads",
                              vision.name("qkv_hidden_size"), out.qkvHiddenSize, out.heads);
    }
    const auto same = [&](const char* key, int64_t wanted, const char* as) {
        const int64_t found = vision.integer(key, 1, kMaxDimension);
        if (found != wanted) vision.problems().add("{} is {}, but {} is {}", vision.name(key), found, as, wanted);
    };
    same("mm_hidden_size", out.hiddenSize, "vt_hidden_size");
    same("text_hidden_size", text.hiddenSize, "the text model's hidden_size");
    return out;
}

// True when the config declares the MXFP4 layout of the published K3 checkpoint; any other quantisation is refused by name.
bool readQuantization(ConfigReader& holder, const TextConfig& text) {
    if (!holder.has("quantization_config")) return false;
    auto quantization = holder.object("quantization_config");
    if (!quantization) return false;
    quantization->expect("quant_method", "compressed-tensors");
    quantization->expect("format", "mxfp4-pack-quantized");
    if (!text.moe.has_value()) return true;
    const int64_t inner = text.moe->latentSize.value_or(text.hiddenSize);
    for (const int64_t columns : {inner, text.moe->intermediateSize}) {
        if (columns % kMxfp4Group == 0) continue;
        holder.problems().add("{} is MXFP4, but the experts have {} input columns, not a multiple of {}",
                              holder.name("quantization_config"), columns, kMxfp4Group);
    }
    return true;
}

// In double, since the point is to catch what would overflow.
double approximateParameters(const ModelConfig& config) {
    const TextConfig& t = config.text;
    const auto d = [](int64_t value) { return static_cast<double>(value); };
    const double hidden = d(t.hiddenSize);
    const double kda = 6.0 * d(t.kda.width()) * hidden;
    const double mla = d(t.mla.heads) * d(t.mla.qkHeadDim() + 2 * t.mla.vHeadDim) *
                       (hidden + d(t.mla.kvLoraRank) + d(t.mla.qLoraRank.value_or(0)));
    const double dense = 3.0 * d(t.intermediateSize) * hidden;
    double experts = 0;
    if (t.moe.has_value()) {
        experts = 3.0 * d(t.moe->experts + t.moe->sharedExperts) * d(t.moe->intermediateSize) *
                  std::max(hidden, d(t.moe->latentSize.value_or(0)));
    }
    double total = 2.0 * d(t.vocabSize) * hidden + d(t.layers()) * (kda + mla + dense + experts);
    if (config.vision.has_value()) {
        const VisionConfig& v = *config.vision;
        total += d(v.layers) * d(v.hiddenSize) * (4.0 * d(v.qkvHiddenSize) + 2.0 * d(v.intermediateSize)) +
                 d(v.mergedSize()) * (d(v.mergedSize()) + hidden);
    }
    return total;
}

// The latents of one sequence as long as the limit, float32, must be countable; the recurrent states are far smaller than the weights.
void checkContextMemory(const ModelConfig& config, Problems& problems) {
    constexpr double kMaxLatentBytes = 0x1p58;
    const TextConfig& text = config.text;
    const double perToken = static_cast<double>(std::ranges::count(text.attention, AttentionKind::kMla)) *
                            static_cast<double>(text.mla.cacheWidth()) * sizeof(float);
    if (static_cast<double>(text.contextLimit) * perToken <= kMaxLatentBytes) return;
    problems.add("a context of {} tokens with {} bytes of latents each is more than {:.3g} bytes", text.contextLimit,
                 perToken, kMaxLatentBytes);
}

std::string architectureName(const json& config) {
    const auto list = config.find("architectures");
    if (list == config.end() || !list->is_array() || list->empty() || !list->front().is_string()) return "";
    return list->front().get<std::string>();
}

}  // namespace

Result<ModelConfig> parseModelConfig(const json& config, const std::filesystem::path& path) {
    if (!config.is_object()) {
        return fail(ErrorCode::kFormat, "{}: the JSON is {}, expected an object", path.string(), config.type_name());
    }
    Problems problems;
    ConfigReader outer(config, "", problems);
    ModelConfig out;
    out.architecture = architectureName(config);
    out.wrapped = outer.has("text_config");
    if (!out.wrapped && !outer.has("linear_attn_config")) {
        return fail(ErrorCode::kUnsupported,
                    "{}: neither text_config nor linear_attn_config is there: not a Kimi K3 or Kimi Linear model{}",
                    path.string(), out.architecture.empty() ? "" : " (" + out.architecture + ")");
    }
    auto text = out.wrapped ? outer.object("text_config") : std::optional(outer);
    if (text) {
        out.text = readText(*text, outer);
        ConfigReader& holder = text->has("quantization_config") ? *text : outer;
        out.declaresMxfp4 = readQuantization(holder, out.text);
    }
    if (text && outer.has("vision_config")) {
        if (auto vision = outer.object("vision_config")) out.vision = readVision(*vision, outer, out.text);
    }
    if (const double parameters = approximateParameters(out); parameters > kMaxParameters) {
        problems.add("the sizes describe a model of {:.3g} parameters, at most {:.3g} are accepted", parameters,
                     kMaxParameters);
    }
    checkContextMemory(out, problems);
    if (!problems.empty()) return fail(problems.toError(path.string()));
    return out;
}

Result<> completeEndTokens(ModelConfig& config, const std::filesystem::path& path) {
    std::vector<int64_t>& ids = config.text.eosTokenIds;
    if (!ids.empty()) return {};
    const std::filesystem::path generation = path.parent_path() / "generation_config.json";
    std::error_code error;
    if (std::filesystem::exists(generation, error)) {
        PAL_ASSIGN(const json document, readJsonFile(generation));
        Problems problems;
        ids = ConfigReader(document, "", problems).optionalIntegers("eos_token_id", 0, config.text.vocabSize - 1);
        if (!problems.empty()) return fail(problems.toError(generation.string()));
    }
    if (!ids.empty()) return {};
    return fail(ErrorCode::kFormat, "{}: eos_token_id is missing, and generation_config.json beside it has none",
                path.string());
}

Result<ModelConfig> readModelConfig(const std::filesystem::path& path) {
    PAL_ASSIGN(const json document, readJsonFile(path));
    PAL_ASSIGN(ModelConfig config, parseModelConfig(document, path));
    PAL_TRY(completeEndTokens(config, path));
    return config;
}

}  // namespace pal
