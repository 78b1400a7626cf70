// SPDX-License-Identifier: Apache-2.0
#include "engine/model/weight_binding.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/check.h"
#include "engine/model/json_file.h"
#include "engine/model/model_fingerprint.h"
#include "engine/model/no_exceptions.h"

namespace pal {
namespace {

constexpr std::string_view kWeight = ".weight";

std::string_view formatName(WeightFormat format) {
    switch (format) {
        case WeightFormat::kF32:
            return "F32";
        case WeightFormat::kBF16:
            return "BF16";
        case WeightFormat::kMxfp4:
            break;
    }
    return "MXFP4";
}

// Fills a BoundModel from its own plan and store. Names are those of the plan; shapes and storage are the resolver's business.
class Binder {
  public:
    Binder(BoundModel& model, Problems& problems, ValueChecks values)
        : model_(model),
          text_(model.plan.config.text),
          problems_(problems),
          resolver_(model.plan, model.store, problems, values) {}

    void bindAll() {
        const std::string prefix(model_.plan.config.textPrefix());
        model_.embedding = matrix(prefix + "model.embed_tokens");
        for (size_t l = 0; l < model_.plan.layers.size(); ++l) {
            model_.layers.push_back(layer(fmt::format("{}model.layers.{}.", prefix, l), model_.plan.layers[l]));
        }
        if (text_.attnResBlockSize.has_value()) model_.outputQuery = depthQuery(prefix + "model.output_attn_res");
        model_.finalNorm = vector(prefix + "model.norm.weight");
        model_.head = text_.tieWordEmbeddings ? model_.embedding : matrix(prefix + "lm_head");
        if (model_.plan.config.vision.has_value()) bindVision(*model_.plan.config.vision);
        noteUnexpected();
    }

  private:
    // Every name asked for here is in the plan, or the plan and this file disagree.
    const TensorSpec& spec(const std::string& name) {
        const TensorSpec* found = resolver_.spec(name);
        PAL_CHECK(found != nullptr);
        return *found;
    }
    WeightView matrix(const std::string& stem) { return resolver_.matrix(spec(stem + std::string(kWeight))); }
    std::span<const float> keep(std::vector<float> values) { return model_.owned.emplace_back(std::move(values)); }
    std::span<const float> vector(const std::string& name) { return keep(resolver_.vector(spec(name))); }

    // Only the product of an AttnRes norm weight and its query is ever used.
    std::span<const float> depthQuery(const std::string& stem) {
        std::vector<float> query = resolver_.vector(spec(stem + "_proj.weight"));
        const std::vector<float> norm = resolver_.vector(spec(stem + "_norm.weight"));
        if (query.size() != norm.size()) return {};  // already noted
        for (size_t i = 0; i < query.size(); ++i) query[i] *= norm[i];
        return keep(std::move(query));
    }

    BoundLayer layer(const std::string& prefix, const PlannedLayer& planned) {
        BoundLayer out;
        out.attentionNorm = vector(prefix + "input_layernorm.weight");
        out.mlpNorm = vector(prefix + "post_attention_layernorm.weight");
        if (text_.attnResBlockSize.has_value()) {
            out.attentionQuery = depthQuery(prefix + "self_attention_res");
            out.mlpQuery = depthQuery(prefix + "mlp_res");
        }
        if (planned.attention == AttentionKind::kKda) {
            out.attention = kda(prefix + "self_attn.");
        } else {
            out.attention = mla(prefix + "self_attn.");
        }
        if (planned.feedForward == FeedForwardKind::kDense) {
            out.feedForward = mlp(prefix + "mlp.");
        } else {
            out.feedForward = mixture(prefix + "block_sparse_moe.", *text_.moe);
        }
        return out;
    }

    BoundKda kda(const std::string& prefix) {
        BoundKda out;
        out.q = matrix(prefix + "q_proj");
        out.k = matrix(prefix + "k_proj");
        out.v = matrix(prefix + "v_proj");
        std::vector<float> taps;
        for (const char* stream : {"q", "k", "v"}) {
            const std::vector<float> part = resolver_.vector(spec(prefix + stream + "_conv1d.weight"));
            taps.insert(taps.end(), part.begin(), part.end());
        }
        out.conv = keep(std::move(taps));
        out.decayDown = matrix(prefix + "f_a_proj");
        out.decayUp = matrix(prefix + "f_b_proj");
        out.beta = matrix(prefix + "b_proj");
        out.aLog = vector(prefix + "A_log");
        out.dtBias = vector(prefix + "dt_bias");
        if (text_.kda.fullRankGate) {
            out.gate = matrix(prefix + "g_proj");
        } else {
            out.gateDown = matrix(prefix + "g_a_proj");
            out.gateUp = matrix(prefix + "g_b_proj");
        }
        out.norm = vector(prefix + "o_norm.weight");
        out.output = matrix(prefix + "o_proj");
        return out;
    }

    BoundMla mla(const std::string& prefix) {
        BoundMla out;
        if (text_.mla.qLoraRank.has_value()) {
            out.queryDown = matrix(prefix + "q_a_proj");
            out.queryNorm = vector(prefix + "q_a_layernorm.weight");
            out.query = matrix(prefix + "q_b_proj");
        } else {
            out.query = matrix(prefix + "q_proj");
        }
        out.latentDown = matrix(prefix + "kv_a_proj_with_mqa");
        out.latentNorm = vector(prefix + "kv_a_layernorm.weight");
        out.keyValueUp = matrix(prefix + "kv_b_proj");
        if (text_.mla.outputGate) out.gate = matrix(prefix + "g_proj");
        out.output = matrix(prefix + "o_proj");
        return out;
    }

    BoundMlp mlp(const std::string& prefix) {
        return {matrix(prefix + "gate_proj"), matrix(prefix + "up_proj"), matrix(prefix + "down_proj")};
    }

    BoundMixture mixture(const std::string& prefix, const MoeConfig& moe) {
        BoundMixture out;
        out.router = matrix(prefix + "gate");
        out.routerBias = vector(prefix + "gate.e_score_correction_bias");
        if (moe.latentSize.has_value()) {
            out.latentDown = matrix(prefix + "routed_expert_down_proj");
            if (moe.latentNorm) out.latentNorm = vector(prefix + "routed_expert_norm.weight");
            out.latentUp = matrix(prefix + "routed_expert_up_proj");
        }
        const TensorSpec& gate = spec(prefix + "experts.{}.w1.weight");
        const TensorSpec& up = spec(prefix + "experts.{}.w3.weight");
        const TensorSpec& down = spec(prefix + "experts.{}.w2.weight");
        for (int64_t e = 0; e < moe.experts; ++e) {
            out.experts.push_back({resolver_.matrix(gate, e), resolver_.matrix(up, e), resolver_.matrix(down, e)});
        }
        expectOneFormat(out.experts, {{gate, &ExpertWeights::gate}, {up, &ExpertWeights::up}});
        expectOneFormat(out.experts, {{down, &ExpertWeights::down}});
        if (moe.sharedExperts > 0) out.shared = mlp(prefix + "shared_experts.");
        return out;
    }

    // One of the matrices that every expert has.
    struct ExpertMatrix {
        const TensorSpec& spec;
        WeightView ExpertWeights::*view;
    };

    // Names the first of these matrices that is not stored like that of expert 0; missing ones are noted already.
    void expectOneFormat(const std::vector<ExpertWeights>& experts, std::initializer_list<ExpertMatrix> matrices) {
        const TensorSpec& firstSpec = matrices.begin()->spec;
        const WeightView& first = experts.front().*matrices.begin()->view;
        for (size_t e = 0; e < experts.size(); ++e) {
            for (const ExpertMatrix& matrix : matrices) {
                const WeightView& other = experts[e].*matrix.view;
                if (!first.present() || !other.present() || other.format == first.format) continue;
                problems_.add("tensor '{}' is {}, '{}' is {}: the experts of one layer must be stored alike",
                              matrix.spec.nameOf(static_cast<int64_t>(e)), formatName(other.format),
                              firstSpec.nameOf(0), formatName(first.format));
                return;
            }
        }
    }

    void bindVision(const VisionConfig& config) {
        const bool anyThere = std::ranges::any_of(model_.plan.tensors, [this](const TensorSpec& planned) {
            return planned.part == ModelPart::kVision && resolver_.find(planned.name) != nullptr;
        });
        if (!anyThere) {
            model_.notes.emplace_back("the vision tensors are not there: images and video cannot be read");
            return;
        }
        BoundVision& out = model_.vision.emplace();
        out.patchEmbed = matrix("vision_tower.patch_embed.proj");
        out.positionGrid = vector("vision_tower.patch_embed.pos_emb.weight");
        for (int64_t i = 0; i < config.layers; ++i) {
            const std::string prefix = fmt::format("vision_tower.encoder.blocks.{}.", i);
            out.blocks.push_back({vector(prefix + "norm0.weight"), matrix(prefix + "wqkv"), matrix(prefix + "wo"),
                                  vector(prefix + "norm1.weight"), matrix(prefix + "mlp.fc0"),
                                  matrix(prefix + "mlp.fc1")});
        }
        out.finalNorm = vector("vision_tower.encoder.final_layernorm.weight");
        out.projectorIn = matrix("mm_projector.proj.0");
        out.projectorOut = matrix("mm_projector.proj.2");
        out.projectorNorm = vector("mm_projector.post_norm.weight");
    }

    void noteUnexpected() {
        constexpr size_t kShown = 10;
        const std::vector<const StoredTensor*> extra = resolver_.unexpected();
        for (size_t i = 0; i < std::min(extra.size(), kShown); ++i) {
            model_.notes.push_back(fmt::format("unexpected tensor '{}', {} {}: not used", extra[i]->name,
                                               storageTypeName(extra[i]->type), extra[i]->shape.text()));
        }
        if (extra.size() > kShown) {
            model_.notes.push_back(fmt::format("{} more unexpected tensors", extra.size() - kShown));
        }
    }

    BoundModel& model_;
    const TextConfig& text_;
    Problems& problems_;
    WeightResolver resolver_;
};

}  // namespace

BoundModel bindWeights(LayerPlan plan, WeightStore store, Problems& problems, ValueChecks values) {
    BoundModel model(std::move(plan), std::move(store));
    model.notes = model.store.warnings();
    Binder(model, problems, values).bindAll();
    return model;
}

namespace {

Result<BoundModel> load(const std::filesystem::path& path) {
    PAL_ASSIGN(const ModelFolder folder, findModel(path));
    PAL_ASSIGN(const nlohmann::json document, readJsonFile(folder.config));
    PAL_ASSIGN(ModelConfig config, parseModelConfig(document, folder.config));
    PAL_TRY(completeEndTokens(config, folder.config));
    PAL_ASSIGN(WeightStore store, WeightStore::open(folder));
    Problems problems;
    BoundModel model = bindWeights(makeLayerPlan(std::move(config)), std::move(store), problems);
    if (!problems.empty()) return fail(problems.toError(folder.root.string()));
    model.fingerprint = modelFingerprint(document, model.store);
    return model;
}

}  // namespace

Result<BoundModel> loadModel(const std::filesystem::path& path) {
    return withoutExceptions(path.string(), [&] { return load(path); });
}

}  // namespace pal
