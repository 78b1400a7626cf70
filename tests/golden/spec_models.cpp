// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/spec_models.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

namespace pal::golden {
namespace {

using nlohmann::json;

// Fields that all three share.
json base() {
    return {{"model_type", "kimi_linear"},
            {"rms_norm_eps", 1e-5},
            {"max_position_embeddings", 4096},
            {"tie_word_embeddings", false},
            {"mla_use_nope", true},
            {"first_k_dense_replace", 1},
            {"moe_layer_freq", 1},
            {"moe_renormalize", true},
            {"moe_router_activation_func", "sigmoid"},
            {"num_expert_group", 1},
            {"topk_group", 1},
            {"topk_method", "noaux_tc"},
            {"use_grouped_topk", true},
            {"num_attention_heads", 4},
            {"num_key_value_heads", 4},
            {"bos_token_id", 0},
            {"eos_token_id", 1},
            {"pad_token_id", 2}};
}

void set(json& config, const json& more) {
    config.update(more);
}

json situ() {
    return {{"hidden_act", "situ"}, {"activation_situ_beta", 4.0}, {"activation_situ_linear_beta", 25.0}};
}

json wrapped(const json& text) {
    json inner = text;
    inner["quantization_config"] = {
        {"quant_method", "compressed-tensors"},
        {"format", "mxfp4-pack-quantized"},
        {"config_groups",
         {{"group_0",
           {{"targets", {"Linear"}},
            {"format", "mxfp4-pack-quantized"},
            {"weights", {{"num_bits", 4}, {"type", "float"}, {"strategy", "group"}, {"group_size", 32}}}}}}}};
    return {{"model_type", "kimi_k3"},
            {"architectures", {"KimiK3ForConditionalGeneration"}},
            {"tie_word_embeddings", false},
            {"text_config", inner}};
}

json configT1() {
    json text = base();
    set(text, situ());
    set(text, {{"vocab_size", 256},
               {"hidden_size", 128},
               {"num_hidden_layers", 6},
               {"intermediate_size", 192},
               {"attn_res_block_size", 2},
               {"q_lora_rank", 48},
               {"kv_lora_rank", 32},
               {"qk_nope_head_dim", 16},
               {"qk_rope_head_dim", 8},
               {"v_head_dim", 16},
               {"mla_use_output_gate", true},
               {"num_experts", 8},
               {"num_experts_per_token", 3},
               {"num_shared_experts", 2},
               {"moe_intermediate_size", 64},
               {"routed_expert_hidden_size", 96},
               {"latent_moe_use_norm", true},
               {"routed_scaling_factor", 1.0}});
    text["linear_attn_config"] = {
        {"kda_layers", {1, 2, 4, 5}},  {"full_attn_layers", {3, 6}}, {"num_heads", 4},          {"head_dim", 32},
        {"short_conv_kernel_size", 4}, {"use_full_rank_gate", true}, {"gate_lower_bound", -5.0}};
    return wrapped(text);
}

json configT1Linear() {
    json text = base();
    set(text, {{"architectures", {"KimiLinearForCausalLM"}},
               {"hidden_act", "silu"},
               {"vocab_size", 256},
               {"hidden_size", 128},
               {"num_hidden_layers", 4},
               {"intermediate_size", 192},
               {"q_lora_rank", nullptr},
               {"kv_lora_rank", 32},
               {"qk_nope_head_dim", 16},
               {"qk_rope_head_dim", 8},
               {"v_head_dim", 16},
               {"num_experts", 8},
               {"num_experts_per_token", 3},
               {"num_shared_experts", 1},
               {"moe_intermediate_size", 64},
               {"routed_scaling_factor", 2.446}});
    text["linear_attn_config"] = {{"kda_layers", {1, 2}},
                                  {"full_attn_layers", {3, 4}},
                                  {"num_heads", 4},
                                  {"head_dim", 32},
                                  {"short_conv_kernel_size", 4}};
    return text;
}

json configT2() {
    json text = base();
    set(text, situ());
    set(text, {{"vocab_size", 512},
               {"hidden_size", 256},
               {"num_hidden_layers", 14},
               {"intermediate_size", 384},
               {"attn_res_block_size", 12},
               {"q_lora_rank", 192},
               {"kv_lora_rank", 512},
               {"qk_nope_head_dim", 128},
               {"qk_rope_head_dim", 64},
               {"v_head_dim", 128},
               {"mla_use_output_gate", true},
               {"num_experts", 16},
               {"num_experts_per_token", 4},
               {"num_shared_experts", 2},
               {"moe_intermediate_size", 128},
               {"routed_expert_hidden_size", 256},
               {"latent_moe_use_norm", true},
               {"routed_scaling_factor", 1.0}});
    text["linear_attn_config"] = {{"kda_layers", {1, 2, 3, 5, 6, 7, 9, 10, 11, 13}},
                                  {"full_attn_layers", {4, 8, 12, 14}},
                                  {"num_heads", 4},
                                  {"head_dim", 128},
                                  {"short_conv_kernel_size", 4},
                                  {"use_full_rank_gate", true},
                                  {"gate_lower_bound", -5.0}};
    return wrapped(text);
}

std::vector<SpecModel> makeModels() {
    return {{"T1",
             configT1(),
             80,
             {{0, 1, {0.072939, 2.791978, 0.197863, -0.215830}, 17.52490, 15.82131},
              {1, 208, {1.097442, -0.431438, 0.456047, -0.849656}, 19.66129, 15.18051},
              {63, 155, {0.140315, 0.998386, 1.175868, 0.060446}, 36.99351, 18.16343},
              {64, 130, {0.566150, -1.734115, 1.398974, -0.423037}, 33.59422, 15.81593},
              {79, 248, {0.319557, -1.875943, -0.678047, 0.195958}, -12.13289, 16.71522}}},
            {"T1KL",
             configT1Linear(),
             80,
             {{0, 91, {-1.397381, -1.051503, 2.007134, -1.768325}, -10.27985, 15.44677},
              {63, 138, {1.552900, -0.178826, -0.793441, 0.839014}, -10.65510, 16.74761},
              {64, 39, {-1.676144, -0.496195, 0.911602, -0.876550}, 11.80325, 15.12118},
              {79, 2, {1.418660, 0.949198, 3.239155, 0.496232}, -2.77490, 15.03473}}},
            {"T2",
             configT2(),
             150,
             {{0, 136, {-0.026697, 2.050692, -0.071923, -0.017232}, 3.47703, 22.00654},
              {63, 26, {-0.341475, 0.474866, -0.013281, 1.899563}, -40.58624, 22.94662},
              {64, 334, {1.097150, 1.255814, -0.982441, 0.210656}, 29.43995, 22.36044},
              {127, 31, {-1.760083, -0.069700, 0.071688, 1.558071}, 30.01129, 24.22752},
              {149, 205, {0.501972, 0.347419, 0.296822, 1.086443}, 5.58787, 22.53587}}}};
}

}  // namespace

std::vector<int32_t> SpecModel::ids() const {
    const json& text = config.contains("text_config") ? config["text_config"] : config;
    const auto vocabulary = text["vocab_size"].get<int64_t>();
    std::vector<int32_t> out;
    for (int64_t i = 0; i < tokens; ++i) out.push_back(static_cast<int32_t>((37 * i + 11) % vocabulary));
    return out;
}

const SpecModel& specModel(const std::string& name) {
    static const std::vector<SpecModel> models = makeModels();
    for (const SpecModel& model : models) {
        if (model.name == name) return model;
    }
    throw std::invalid_argument("no model " + name);
}

void writeIds(const std::filesystem::path& path, const std::vector<int32_t>& ids) {
    const uint64_t bytes = ids.size() * 4;
    const json header = {{"ids", {{"dtype", "I32"}, {"shape", {ids.size()}}, {"data_offsets", {0, bytes}}}}};
    const std::string text = header.dump();
    const uint64_t length = text.size();
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&length), 8);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.write(reinterpret_cast<const char*>(ids.data()), static_cast<std::streamsize>(bytes));
}

oracle::Mat<double> readMatrix(const std::filesystem::path& path, const std::string& name) {
    std::ifstream in(path, std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    uint64_t length = 0;
    if (file.size() < 8) return {};
    std::memcpy(&length, file.data(), 8);
    const json header = json::parse(file.substr(8, length));
    if (!header.contains(name)) return {};
    const json& entry = header[name];
    oracle::Mat<double> out(entry["shape"][0].get<int64_t>(), entry["shape"][1].get<int64_t>());
    const char* data = file.data() + 8 + length + entry["data_offsets"][0].get<uint64_t>();
    for (size_t i = 0; i < out.v.size(); ++i) {
        float value;
        std::memcpy(&value, data + 4 * i, 4);
        out.v[i] = static_cast<double>(value);
    }
    return out;
}

}  // namespace pal::golden
