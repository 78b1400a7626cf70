// SPDX-License-Identifier: Apache-2.0
#include "tests/oracle/model_oracle.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/oracle/dense_oracle.h"
#include "tests/oracle/kda_oracle.h"
#include "tests/oracle/mla_oracle.h"
#include "tests/oracle/moe_oracle.h"

namespace pal::oracle {
namespace {

Mat<double> added(Mat<double> a, const Mat<double>& b) {
    for (size_t i = 0; i < a.v.size(); ++i) a.v[i] += b.v[i];
    return a;
}

Mat<double> stacked(Mat<double> top, const Mat<double>& bottom) {
    if (top.rows == 0) return bottom;
    top.v.insert(top.v.end(), bottom.v.begin(), bottom.v.end());
    top.rows += bottom.rows;
    return top;
}

}  // namespace

ModelOracle::ModelOracle(const nlohmann::json& config, Lookup tensor, Wrong wrong)
    : text_(config.contains("text_config") ? config["text_config"] : config),
      linear_(text_["linear_attn_config"]),
      tensor_(std::move(tensor)),
      wrong_(wrong),
      eps_(text_["rms_norm_eps"].get<double>()) {
    if (text_.value("hidden_act", "silu") == "situ" && wrong_ != Wrong::kSwiGlu) {
        beta_ = number("activation_situ_beta", 1);
        linearBeta_ = number("activation_situ_linear_beta", 0);
    }
}

double ModelOracle::number(const char* key, double otherwise) const {
    return text_.contains(key) && text_[key].is_number() ? text_[key].get<double>() : otherwise;
}

bool ModelOracle::flag(const char* key) const {
    return text_.contains(key) && text_[key].is_boolean() && text_[key].get<bool>();
}

bool ModelOracle::isKda(int layer) const {
    const auto& layers = linear_["kda_layers"];
    return std::find(layers.begin(), layers.end(), layer + 1) != layers.end();
}

std::vector<LayerMemory> ModelOracle::newMemory() const {
    std::vector<LayerMemory> memory(text_["num_hidden_layers"].get<size_t>());
    const auto heads = linear_["num_heads"].get<int64_t>();
    const auto dim = linear_["head_dim"].get<int64_t>();
    const auto taps = linear_["short_conv_kernel_size"].get<int64_t>();
    for (size_t i = 0; i < memory.size(); ++i) {
        if (!isKda(static_cast<int>(i))) continue;
        for (const char* s : {"q", "k", "v"}) memory[i].conv[s] = Mat<double>(taps - 1, heads * dim);
        memory[i].state = Mat<double>(heads * dim, dim);
    }
    return memory;
}

Mat<double> ModelOracle::kda(const Mat<double>& x, int layer, LayerMemory& memory) const {
    const std::string p = "model.layers." + std::to_string(layer) + ".self_attn.";
    const auto heads = linear_["num_heads"].get<int64_t>();
    const auto dim = linear_["head_dim"].get<int64_t>();
    std::map<std::string, Mat<double>> stream;
    for (const std::string s : {"q", "k", "v"}) {
        stream[s] = shortConv(linear(x, weight(p + s + "_proj")), weight(p + s + "_conv1d"), memory.conv[s], wrong_);
    }
    const double scale = wrong_ == Wrong::kNoQueryScale ? 1 : std::pow(static_cast<double>(dim), -0.5);
    const Mat<double> q = l2Norm(stream["q"], dim, 1e-6, scale);
    const Mat<double> k = l2Norm(stream["k"], dim, 1e-6, 1.0);
    const Mat<double> z = linear(linear(x, weight(p + "f_a_proj")), weight(p + "f_b_proj"));
    std::vector<double> aLog = vec(p + "A_log");
    aLog.resize(static_cast<size_t>(heads));
    std::optional<double> bound;
    if (linear_.contains("gate_lower_bound") && linear_["gate_lower_bound"].is_number())
        bound = linear_["gate_lower_bound"].get<double>();
    const Mat<double> g = kdaLogDecay(z, aLog, vec(p + "dt_bias"), bound, wrong_);
    Mat<double> beta = linear(x, weight(p + "b_proj"));
    if (wrong_ != Wrong::kRawBeta) {
        for (double& b : beta.v) b = sigmoid(b);
    }
    const Mat<double> o = kdaRecurrence(q, k, stream["v"], g, beta, memory.state, wrong_);
    const bool fullRank = linear_.contains("use_full_rank_gate") && linear_["use_full_rank_gate"].get<bool>();
    const Mat<double> gate =
        fullRank ? linear(x, weight(p + "g_proj")) : linear(linear(x, weight(p + "g_a_proj")), weight(p + "g_b_proj"));
    return linear(gatedRmsNorm(o, vec(p + "o_norm.weight"), eps_, gate, wrong_), weight(p + "o_proj"));
}

Mat<double> ModelOracle::mla(const Mat<double>& x, int layer, LayerMemory& memory) const {
    const std::string p = "model.layers." + std::to_string(layer) + ".self_attn.";
    const MlaShape shape{text_["num_attention_heads"], text_["qk_nope_head_dim"], text_["qk_rope_head_dim"],
                         text_["v_head_dim"], text_["kv_lora_rank"]};
    const double normEps = wrong_ == Wrong::kMlaNormEps ? 1e-5 : 1e-6;
    const bool lowRank = number("q_lora_rank", 0) > 0;
    const Mat<double> q =
        lowRank ? linear(rmsNorm(linear(x, weight(p + "q_a_proj")), vec(p + "q_a_layernorm.weight"), normEps),
                         weight(p + "q_b_proj"))
                : linear(x, weight(p + "q_proj"));
    const Mat<double> kv = linear(x, weight(p + "kv_a_proj_with_mqa"));
    memory.latent = stacked(std::move(memory.latent), mlaLatent(kv, vec(p + "kv_a_layernorm.weight"), normEps));
    Mat<double> o = mlaAttention<double>(q, memory.latent, weight(p + "kv_b_proj"), shape, nullptr, wrong_);
    if (flag("mla_use_output_gate") && wrong_ != Wrong::kNoMlaGate) o = sigmoidGate(o, linear(x, weight(p + "g_proj")));
    return linear(o, weight(p + "o_proj"));
}

Mat<double> ModelOracle::moeLayer(const Mat<double>& x, int layer, ForwardRecord& record) const {
    const std::string p = "model.layers." + std::to_string(layer) + ".block_sparse_moe.";
    RouterShape shape;
    shape.picks = text_.contains("num_experts_per_token") ? text_["num_experts_per_token"].get<int64_t>()
                                                          : text_["num_experts_per_tok"].get<int64_t>();
    shape.groups = static_cast<int64_t>(number("num_expert_group", 1));
    shape.keptGroups = static_cast<int64_t>(number("topk_group", 1));
    shape.softmax = text_["moe_router_activation_func"] != "sigmoid";
    shape.renormalise = text_.value("moe_renormalize", true);
    shape.scale = number("routed_scaling_factor", 1);
    const Routing routing =
        route(linear(x, weight(p + "gate")), vec(p + "gate.e_score_correction_bias"), shape, wrong_);
    record.moeIndex[layer] = routing.index;
    record.moeWeight[layer] = routing.weight;
    const bool latent = number("routed_expert_hidden_size", 0) > 0;
    const Mat<double> inner = latent ? linear(x, weight(p + "routed_expert_down_proj")) : x;
    std::vector<Expert<double>> experts(text_["num_experts"].get<size_t>());
    for (const int32_t e : routing.index.v) {
        Expert<double>& expert = experts[static_cast<size_t>(e)];
        const std::string name = p + "experts." + std::to_string(e);
        if (expert.gate.rows == 0) expert = {weight(name + ".w1"), weight(name + ".w3"), weight(name + ".w2")};
        if (wrong_ == Wrong::kSwappedW1W3) expert = {weight(name + ".w3"), weight(name + ".w1"), expert.down};
    }
    const Wrong ofExperts = wrong_ == Wrong::kSwappedGateUp ? Wrong::kNone : wrong_;  // that is about the dense layers
    Mat<double> routed = moe(inner, routing, experts, beta_, linearBeta_, ofExperts);
    if (latent) {
        if (flag("latent_moe_use_norm") && wrong_ != Wrong::kNoLatentNorm) {
            routed = rmsNorm(routed, vec(p + "routed_expert_norm.weight"), eps_);
        }
        routed = linear(routed, weight(p + "routed_expert_up_proj"));
    }
    if (number("num_shared_experts", 0) == 0 || wrong_ == Wrong::kNoSharedExperts) return routed;
    const std::string s = p + "shared_experts.";
    return added(routed, feedForward(x, {weight(s + "gate_proj"), weight(s + "up_proj"), weight(s + "down_proj")},
                                     beta_, linearBeta_, Wrong::kNone));
}

Mat<double> ModelOracle::feed(const Mat<double>& x, int layer, ForwardRecord& record) const {
    const int every = std::max(1, static_cast<int>(number("moe_layer_freq", 1)));
    const bool dense = !text_.contains("num_experts") || layer < static_cast<int>(number("first_k_dense_replace", 0)) ||
                       layer % every != 0;
    if (!dense) return moeLayer(x, layer, record);
    const std::string p = "model.layers." + std::to_string(layer) + ".mlp.";
    return feedForward(x, {weight(p + "gate_proj"), weight(p + "up_proj"), weight(p + "down_proj")}, beta_, linearBeta_,
                       wrong_);
}

Mat<double> ModelOracle::mix(const Mat<double>& current, const std::vector<Mat<double>>& stack,
                             const std::string& prefix) const {
    std::vector<double> query = weight(prefix + "_proj").v;
    if (wrong_ != Wrong::kQueryWithoutNormWeight) {
        const std::vector<double> norm = vec(prefix + "_norm.weight");
        for (size_t i = 0; i < query.size(); ++i) query[i] *= norm[i];
    }
    std::vector<const Mat<double>*> sources;
    for (const Mat<double>& snapshot : stack) sources.push_back(&snapshot);
    sources.push_back(&current);
    return depthMix<double>(sources, query, eps_, nullptr, wrong_);
}

ForwardRecord ModelOracle::forward(const std::vector<int32_t>& ids, std::vector<LayerMemory>& memory) const {
    ForwardRecord record;
    const Mat<double> table = weight("model.embed_tokens");
    Mat<double> x(static_cast<int64_t>(ids.size()), table.cols);
    for (int64_t t = 0; t < x.rows; ++t) std::copy_n(table.row(ids[static_cast<size_t>(t)]), table.cols, x.row(t));
    const int block = static_cast<int>(number("attn_res_block_size", 0));
    std::vector<Mat<double>> stack;
    for (int i = 0; i < static_cast<int>(memory.size()); ++i) {
        const std::string p = "model.layers." + std::to_string(i) + ".";
        const bool start = block > 0 && i % block == 0;
        if (start && wrong_ == Wrong::kSnapshotVisibleToOwnAttention) stack.push_back(x);
        const Mat<double> h = block > 0 && !stack.empty() ? mix(x, stack, p + "self_attention_res") : x;
        if (start && wrong_ != Wrong::kSnapshotVisibleToOwnAttention)
            stack.push_back(wrong_ == Wrong::kSnapshotOfMix ? h : x);
        const Mat<double> normed = rmsNorm(h, vec(p + "input_layernorm.weight"), eps_);
        const Mat<double> a =
            isKda(i) ? kda(normed, i, memory[static_cast<size_t>(i)]) : mla(normed, i, memory[static_cast<size_t>(i)]);
        x = start && wrong_ != Wrong::kNoRestart ? a : added(x, a);
        const Mat<double> m = block > 0 ? mix(x, stack, p + "mlp_res") : x;
        x = added(x, feed(rmsNorm(m, vec(p + "post_attention_layernorm.weight"), eps_), i, record));
        record.layer.push_back(x);
    }
    if (block > 0 && wrong_ != Wrong::kNoOutputMix) x = mix(x, stack, "model.output_attn_res");
    const bool tied = flag("tie_word_embeddings");
    record.logits = linear(rmsNorm(x, vec("model.norm.weight"), eps_), tied ? table : weight("lm_head"));
    return record;
}

}  // namespace pal::oracle
