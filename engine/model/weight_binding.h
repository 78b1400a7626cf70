// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/layer_plan.h"
#include "engine/model/problems.h"
#include "engine/model/weight_resolver.h"
#include "engine/model/weight_store.h"
#include "kernels/api/moe_args.h"
#include "kernels/api/tensor_view.h"

namespace pal {

// The weights of a model, each in its place of the graph. Matrices (WeightView) point into the mapped checkpoint, as stored. Small
// tensors (spans of float) are float32 and owned by the BoundModel, converted once. The comment of a field gives its checkpoint name.
// H hidden, P = heads * headDim, h heads; an absent optional weight has data == nullptr or an empty span.

// Kimi Delta Attention.
struct BoundKda {
    WeightView q, k, v;             // {q,k,v}_proj [P, H]
    std::span<const float> conv;    // {q,k,v}_conv1d stacked [3P, W], the last tap multiplies the current token
    WeightView decayDown, decayUp;  // f_a_proj [d, H], f_b_proj [P, d]
    WeightView beta;                // b_proj [h, H]
    std::span<const float> aLog;    // A_log [h]: without the padding of the file
    std::span<const float> dtBias;  // dt_bias [P], head-major
    WeightView gate;                // g_proj [P, H], when the gate has full rank (K3)
    WeightView gateDown, gateUp;    // g_a_proj [d, H], g_b_proj [P, d] otherwise (Kimi Linear)
    std::span<const float> norm;    // o_norm [d]
    WeightView output;              // o_proj [H, P]
};

// Multi-head latent attention. D = nope + rope width of a head, R latent rank, V value width.
struct BoundMla {
    WeightView queryDown;               // q_a_proj [r, H], with a query rank (K3)
    std::span<const float> queryNorm;   // q_a_layernorm [r], the same
    WeightView query;                   // q_b_proj [h D, r], or q_proj [h D, H] without a query rank
    WeightView latentDown;              // kv_a_proj_with_mqa [R + rope, H]
    std::span<const float> latentNorm;  // kv_a_layernorm [R]
    WeightView keyValueUp;              // kv_b_proj [h (nope + V), R]: per head nope key rows, then V value rows
    WeightView gate;                    // g_proj [h V, H], with an output gate (K3)
    WeightView output;                  // o_proj [H, h V]
};

// Gated MLP: down(act(gate x, up x)). Dense layers and shared experts.
struct BoundMlp {
    WeightView gate, up;  // [N, H]
    WeightView down;      // [H, N]
};

// Mixture of experts. E experts on inputs of width L (latent width, or H without one).
struct BoundMixture {
    WeightView router;                  // gate [E, H]
    std::span<const float> routerBias;  // gate.e_score_correction_bias [E]
    WeightView latentDown,
        latentUp;  // routed_expert_down_proj [L, H], routed_expert_up_proj [H, L], with a latent width
    std::span<const float> latentNorm;   // routed_expert_norm [L], with latent_moe_use_norm
    std::vector<ExpertWeights> experts;  // [E]
    std::optional<BoundMlp> shared;
};

struct BoundLayer {
    std::span<const float> attentionNorm;   // input_layernorm [H]
    std::span<const float> mlpNorm;         // post_attention_layernorm [H]
    std::span<const float> attentionQuery;  // self_attention_res_norm * self_attention_res_proj [H], with AttnRes
    std::span<const float> mlpQuery;        // mlp_res_norm * mlp_res_proj [H], with AttnRes
    std::variant<BoundKda, BoundMla> attention;
    std::variant<BoundMlp, BoundMixture> feedForward;
};

// MoonViT and its projector. D tower width, M = merged patch width.
struct BoundVision {
    struct Block {
        std::span<const float> attentionNorm;  // norm0 [D]
        WeightView qkv;                        // wqkv [3 Q, D]: q rows, k rows, v rows
        WeightView output;                     // wo [D, Q]
        std::span<const float> mlpNorm;        // norm1 [D]
        WeightView up, down;                   // mlp.fc0 [N, D], mlp.fc1 [D, N]
    };
    WeightView patchEmbed;                // patch_embed.proj seen as [D, 3 p p]
    std::span<const float> positionGrid;  // patch_embed.pos_emb [h, w, D]
    std::vector<Block> blocks;
    std::span<const float> finalNorm;      // encoder.final_layernorm [D]
    WeightView projectorIn, projectorOut;  // mm_projector.proj.0 [M, M], mm_projector.proj.2 [H, M]
    std::span<const float> projectorNorm;  // mm_projector.post_norm [H]
};

// A loaded model. Owns the mapped files and the converted vectors; move-only and immutable, so any thread may read it.
struct BoundModel {
    LayerPlan plan;
    WeightStore store;
    std::deque<std::vector<float>> owned;  // what the spans point to
    WeightView embedding;                  // embed_tokens [vocab, H]
    std::vector<BoundLayer> layers;
    std::span<const float> outputQuery;  // output_attn_res_norm * output_attn_res_proj [H], with AttnRes
    std::span<const float> finalNorm;    // norm [H]
    WeightView head;                     // lm_head [vocab, H], or the embedding when tied
    std::optional<BoundVision> vision;   // absent when the model has none or its tensors are not there
    std::string fingerprint;             // see model_fingerprint.h; set by loadModel
    std::vector<std::string> notes;      // worth telling, harmless: unexpected tensors, vision weights not there

    BoundModel(LayerPlan planned, WeightStore mapped) : plan(std::move(planned)), store(std::move(mapped)) {}
    BoundModel(BoundModel&&) = default;
    BoundModel& operator=(BoundModel&&) = default;
    BoundModel(const BoundModel&) = delete;
    BoundModel& operator=(const BoundModel&) = delete;
};

// Puts every tensor that the plan names in its place. Storage rules of the published files:
//   * a matrix is MXFP4 when `weight_packed` and `weight_scale` are there, whatever the config says;
//   * one format for gate and up of all experts of a layer, and one for down (MoeArgs says why);
//   * "model." after the prefix is optional; mm_projector.linear_1/linear_2 stand for proj.0/proj.2;
//   * small tensors may be F32 or BF16, matrices as well; A_log keeps its first `heads` values and the rest must be zero.
// A model whose vision tensors are all absent is bound without vision, with a note. Everything wrong is reported at once by tensor name, with
// expected and found shape and type. Small tensors are checked for NaN and infinity, MXFP4 scales for NaN (the first 256 MiB of them); matrices are
// not read (`pal verify` does).
// The model is fit for use only when no problem was added. With kLater no values are checked: the caller reads them all.
[[nodiscard]] BoundModel bindWeights(LayerPlan plan, WeightStore store, Problems& problems,
                                     ValueChecks values = ValueChecks::kNow);

// Finds, maps and binds the model at `path` (see findModel). Errors: those of every step, kFormat with all problems of the binding,
// kOutOfMemory.
Result<BoundModel> loadModel(const std::filesystem::path& path);

}  // namespace pal
