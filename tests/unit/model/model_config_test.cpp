// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/model/json_file.h"
#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

using nlohmann::json;
using test::contains;

json configFile(const std::string& name) {
    return readJsonFile("tests/data/configs/" + name + ".json").value();
}

ModelConfig parsed(const json& config) {
    auto result = parseModelConfig(config, "config.json");
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return std::move(*result);
}

std::string errorOf(const json& config) {
    const auto result = parseModelConfig(config, "config.json");
    EXPECT_FALSE(result.has_value());
    return result.has_value() ? "" : result.error().message;
}

TEST(ModelConfig, KimiK3) {
    const ModelConfig config = parsed(configFile("kimi-k3"));
    EXPECT_TRUE(config.wrapped);
    EXPECT_EQ(config.textPrefix(), "language_model.");
    EXPECT_TRUE(config.declaresMxfp4);
    const TextConfig& text = config.text;
    EXPECT_EQ(text.layers(), 93);
    EXPECT_EQ(text.hiddenAct, HiddenAct::kSitu);
    EXPECT_EQ(text.situBeta, 4.0F);
    EXPECT_EQ(text.situLinearBeta, 25.0F);
    EXPECT_EQ(text.attnResBlockSize, 12);
    EXPECT_EQ(text.contextLimit, 1048576);
    EXPECT_EQ(text.eosTokenIds, (std::vector<int64_t>{163586}));
    EXPECT_EQ(text.bosTokenId, 163584);
    EXPECT_EQ(text.kda.width(), 12288);
    EXPECT_EQ(text.kda.gateLowerBound, -5.0F);
    EXPECT_TRUE(text.kda.fullRankGate);
    EXPECT_EQ(text.mla.qLoraRank, 1536);
    EXPECT_EQ(text.mla.cacheWidth(), 576);
    EXPECT_EQ(text.mla.latentNormEps, 1e-6F);  // not rms_norm_eps
    EXPECT_TRUE(text.mla.outputGate);
    ASSERT_TRUE(text.moe.has_value());
    EXPECT_EQ(text.moe->latentSize, 3584);
    EXPECT_EQ(text.moe->sharedWidth(), 6144);
    ASSERT_TRUE(config.vision.has_value());
    EXPECT_EQ(config.vision->headDim(), 128);  // not hidden / heads
    EXPECT_EQ(config.vision->normEps, std::ldexp(1.0F, -23));
    EXPECT_EQ(config.vision->mediaPlaceholderTokenId, 163605);
}

TEST(ModelConfig, KimiLinearLeavesOutWhatItDoesNotHave) {
    const ModelConfig config = parsed(configFile("kimi-linear-48b"));
    EXPECT_FALSE(config.wrapped);
    EXPECT_FALSE(config.declaresMxfp4);
    EXPECT_FALSE(config.vision.has_value());
    const TextConfig& text = config.text;
    EXPECT_EQ(text.hiddenAct, HiddenAct::kSilu);
    EXPECT_FALSE(text.attnResBlockSize.has_value());
    EXPECT_FALSE(text.kda.gateLowerBound.has_value());
    EXPECT_FALSE(text.kda.fullRankGate);
    EXPECT_FALSE(text.mla.qLoraRank.has_value());  // null in the file
    EXPECT_FALSE(text.mla.outputGate);
    EXPECT_FALSE(text.moe->latentSize.has_value());
    EXPECT_NEAR(text.moe->scalingFactor, 2.446F, 1e-6F);
    EXPECT_EQ(text.contextLimit, 1048576);  // model_max_length
}

// "1-based" is easy to get wrong and silent: the first MLA layer of both models is the fourth.
TEST(ModelConfig, LayerListsCountFromOne) {
    const TextConfig text = parsed(configFile("kimi-linear-48b")).text;
    EXPECT_EQ(text.attention[2], AttentionKind::kKda);
    EXPECT_EQ(text.attention[3], AttentionKind::kMla);
    EXPECT_EQ(text.attention[26], AttentionKind::kMla);
}

TEST(ModelConfig, LayerListsMustPartitionTheLayers) {
    json config = configFile("t1-kl");
    config["linear_attn_config"]["kda_layers"] = {1, 2, 3};  // 3 is MLA as well
    config["linear_attn_config"]["full_attn_layers"] = {3};  // 4 is nowhere
    const std::string error = errorOf(config);
    EXPECT_TRUE(contains(error, "name layer 3 (counted from 1) 2 times"));
    EXPECT_TRUE(contains(error, "name layer 4 (counted from 1) 0 times"));
    config["linear_attn_config"]["kda_layers"] = {0, 1, 2};
    EXPECT_EQ(errorOf(config), "config.json: linear_attn_config.kda_layers is 0, expected 1 to 4");
}

TEST(ModelConfig, EveryProblemIsReportedAtOnce) {
    json config = configFile("kimi-k3");
    json& text = config["text_config"];
    text.erase("hidden_size");
    text["rms_norm_eps"] = "1e-5";
    text["num_attention_heads"] = -3;
    text["hidden_act"] = "relu";
    text["linear_attn_config"].erase("head_dim");
    config["vision_config"]["norm_type"] = "layernorm";
    config["vision_config"]["attn_bias"] = true;
    config["vision_config"].erase("patch_size");
    const std::string error = errorOf(config);
    EXPECT_TRUE(contains(error, "text_config.hidden_size is missing"));
    EXPECT_TRUE(contains(error, "text_config.rms_norm_eps is \"1e-5\", expected a number"));
    EXPECT_TRUE(contains(error, "text_config.num_attention_heads is -3, expected 1 to"));
    EXPECT_TRUE(contains(error, "text_config.hidden_act is \"relu\", only"));
    EXPECT_TRUE(contains(error, "text_config.linear_attn_config.head_dim is missing"));
    EXPECT_TRUE(contains(error, "vision_config.norm_type is \"layernorm\", only \"rmsnorm\" is supported"));
    EXPECT_TRUE(contains(error, "vision_config.attn_bias is true, only false is supported"));
    EXPECT_TRUE(contains(error, "vision_config.patch_size is missing"));
}

// Each required key, removed alone, is missed by name: no default hides it.
TEST(ModelConfig, NoRequiredKeyHasADefault) {
    const std::vector<std::string> keys{"vocab_size",
                                        "hidden_size",
                                        "num_hidden_layers",
                                        "intermediate_size",
                                        "num_attention_heads",
                                        "num_key_value_heads",
                                        "hidden_act",
                                        "rms_norm_eps",
                                        "kv_lora_rank",
                                        "qk_nope_head_dim",
                                        "qk_rope_head_dim",
                                        "v_head_dim",
                                        "mla_use_nope",
                                        "num_shared_experts",
                                        "moe_intermediate_size",
                                        "first_k_dense_replace",
                                        "moe_layer_freq",
                                        "moe_router_activation_func",
                                        "moe_renormalize",
                                        "routed_scaling_factor",
                                        "num_expert_group",
                                        "topk_group",
                                        "linear_attn_config",
                                        "tie_word_embeddings",
                                        "model_max_length",
                                        "num_experts_per_token"};
    for (const std::string& key : keys) {
        json config = configFile("kimi-linear-48b");
        ASSERT_EQ(config.erase(key), 1U) << key;
        if (key == "linear_attn_config") config["text_config"] = config;  // without it the family is not recognised
        EXPECT_TRUE(contains(errorOf(config), key + " is missing"));
    }
}

TEST(ModelConfig, AbsentMeansOffWhereTheModelsSaySo) {
    json config = configFile("kimi-k3");
    json& text = config["text_config"];
    for (const char* key :
         {"attn_res_block_size", "q_lora_rank", "mla_use_output_gate", "routed_expert_hidden_size",
          "latent_moe_use_norm", "activation_situ_beta", "activation_situ_linear_beta", "quantization_config"}) {
        ASSERT_EQ(text.erase(key), 1U) << key;
    }
    text["linear_attn_config"].erase("gate_lower_bound");
    text["linear_attn_config"].erase("use_full_rank_gate");
    config.erase("vision_config");
    const ModelConfig out = parsed(config);
    EXPECT_EQ(out.text.situBeta, 1.0F);
    EXPECT_FALSE(out.text.situLinearBeta.has_value());
    EXPECT_FALSE(out.text.kda.gateLowerBound.has_value());
    EXPECT_FALSE(out.vision.has_value());
}

TEST(ModelConfig, BothSpellingsOfExpertsPerToken) {
    json config = configFile("kimi-linear-48b");
    config.erase("num_experts_per_token");
    config["num_experts_per_tok"] = 6;
    EXPECT_EQ(parsed(config).text.moe->expertsPerToken, 6);
    config["num_experts_per_tok"] = 257;
    EXPECT_TRUE(contains(errorOf(config), "num_experts_per_tok is 257, expected 1 to 256"));
}

TEST(ModelConfig, AModelWithoutExpertsIsDense) {
    json config = configFile("t1-kl");
    config.erase("num_experts");
    const ModelConfig out = parsed(config);
    EXPECT_FALSE(out.text.moe.has_value());
    EXPECT_EQ(std::ranges::count(out.text.mixtureLayers, true), 0);
}

TEST(ModelConfig, SeveralEndTokens) {
    json config = configFile("t1-kl");
    config["eos_token_id"] = {7, 9};
    EXPECT_EQ(parsed(config).text.eosTokenIds, (std::vector<int64_t>{7, 9}));
    config["eos_token_id"] = 256;
    EXPECT_TRUE(contains(errorOf(config), "eos_token_id is 256, expected 0 to 255"));
}

// Without an id that ends a turn a reply would never end; published folders may keep it in another file.
TEST(ModelConfig, SomeFileMustNameTheEnd) {
    const test::TempFolder folder;
    json config = configFile("t1-kl");
    config.erase("eos_token_id");
    test::writeText(folder / "config.json", config.dump());
    const auto without = readModelConfig(folder / "config.json");
    ASSERT_FALSE(without.has_value());
    EXPECT_TRUE(contains(without.error().message, "eos_token_id is missing"));
    test::writeText(folder / "generation_config.json", R"({"eos_token_id": [3, 256]})");
    EXPECT_TRUE(contains(readModelConfig(folder / "config.json").error().message, "eos_token_id is 256"));
    test::writeText(folder / "generation_config.json", R"({"eos_token_id": [3, 5]})");
    EXPECT_EQ(readModelConfig(folder / "config.json")->text.eosTokenIds, (std::vector<int64_t>{3, 5}));
}

TEST(ModelConfig, OtherWaysToChooseExpertsAreRefused) {
    json config = configFile("t1-kl");
    config["topk_method"] = "noaux_tc";
    EXPECT_TRUE(parseModelConfig(config, "config.json").has_value());
    config["topk_method"] = "group_limited_greedy";
    EXPECT_TRUE(contains(errorOf(config), R"(topk_method is "group_limited_greedy", only "noaux_tc" is supported)"));
    config = configFile("t1-kl");
    config["use_grouped_topk"] = false;
    EXPECT_TRUE(parseModelConfig(config, "config.json").has_value());  // one group
    config["num_expert_group"] = 2;
    config["topk_group"] = 2;
    EXPECT_TRUE(contains(errorOf(config), "use_grouped_topk is false with 2 groups"));
}

// "Not run" and "not right" are different answers, and a wrong value outweighs one that is not run.
TEST(ModelConfig, TheCodeTellsUnsupportedFromWrong) {
    const auto codeOf = [](const json& config) { return parseModelConfig(config, "config.json").error().code; };
    json config = configFile("t1-kl");
    config["mla_use_nope"] = false;
    EXPECT_EQ(codeOf(config), ErrorCode::kUnsupported);
    config["hidden_act"] = "relu";
    EXPECT_EQ(codeOf(config), ErrorCode::kUnsupported);
    config.erase("hidden_size");
    EXPECT_EQ(codeOf(config), ErrorCode::kFormat);
    config = configFile("t1-kl");
    config["mla_use_nope"] = "no";
    EXPECT_EQ(codeOf(config), ErrorCode::kFormat);
}

TEST(ModelConfig, MessagesAreCut) {
    json config = configFile("t1-kl");
    config["hidden_act"] = std::string(1'000'000, 'x');
    const std::string error = errorOf(config);
    EXPECT_LT(error.size(), 1200U);
    EXPECT_TRUE(contains(error, " bytes)"));
}

TEST(ModelConfig, AContextBeyondCountingIsRefused) {
    json config = configFile("t1-kl");
    config["model_max_length"] = 1LL << 40;
    config.erase("max_position_embeddings");
    EXPECT_TRUE(parseModelConfig(config, "config.json").has_value());
    config["kv_lora_rank"] = 1 << 20;
    EXPECT_TRUE(contains(errorOf(config), "a context of 1099511627776 tokens"));
}

TEST(ModelConfig, HostileSizesAreRefused) {
    json config = configFile("t1-kl");
    config["hidden_size"] = 18446744073709551615ULL;
    EXPECT_TRUE(contains(errorOf(config), "hidden_size is 18446744073709551615, expected 1 to"));
    config = configFile("t1-kl");
    config["hidden_size"] = 1 << 20;
    config["vocab_size"] = 1 << 19;
    config["intermediate_size"] = 1 << 20;
    config["num_experts"] = 1 << 16;
    config["moe_intermediate_size"] = 1 << 20;
    EXPECT_TRUE(contains(errorOf(config), "parameters, at most"));
    config = configFile("t1-kl");
    config["vocab_size"] = (1 << 19) + 1;
    EXPECT_TRUE(contains(errorOf(config), "vocab_size is 524289, expected 1 to 524288"));
    config = configFile("t1-kl");
    config["num_hidden_layers"] = 1'000'000'000;
    EXPECT_TRUE(contains(errorOf(config), "num_hidden_layers is 1000000000, expected 1 to 4096"));
}

TEST(ModelConfig, OtherModelsAndQuantisationsAreNamed) {
    const json llama = {{"architectures", {"LlamaForCausalLM"}}, {"hidden_size", 4096}};
    EXPECT_TRUE(contains(errorOf(llama), "not a Kimi K3 or Kimi Linear model (LlamaForCausalLM)"));
    json config = configFile("kimi-k3");
    config["text_config"]["quantization_config"]["format"] = "nvfp4-pack-quantized";
    EXPECT_TRUE(contains(errorOf(config), "quantization_config.format is \"nvfp4-pack-quantized\", only"));
    config = configFile("kimi-linear-48b");
    config["mla_use_nope"] = false;
    EXPECT_TRUE(contains(errorOf(config), "mla_use_nope is false, only true is supported"));
}

TEST(JsonFile, RefusesWhatIsNotOneObject) {
    const auto error = [](std::string_view text, const JsonLimits& limits = {}) {
        const auto result = parseJsonObject(text, "x.json", limits);
        return result.has_value() ? "" : result.error().message;
    };
    EXPECT_EQ(error(R"({"a": [1, {"b": null}]})"), "");
    EXPECT_TRUE(contains(error(R"({"a": 1, "a": 2})"), "x.json: the key 'a' occurs twice"));
    EXPECT_TRUE(contains(error(R"({"a": )"), "not valid JSON at byte"));
    EXPECT_TRUE(contains(error("[1]"), "the JSON is array, expected an object"));
    EXPECT_TRUE(contains(error(R"({"a": 1} x)"), "not valid JSON"));
    EXPECT_TRUE(contains(error(R"({"a": 1e999})"), "not valid JSON"));
    EXPECT_TRUE(contains(error("{\"a\": \"\xff\"}"), "not valid JSON"));
    EXPECT_TRUE(contains(error(R"({"a": 1})", {4, 8}), "8 bytes of JSON, at most 4"));
    EXPECT_EQ(error(R"({"a": [1, {"b": null}]})", {100, 8, 5}), "");
    EXPECT_TRUE(contains(error(R"({"a": [1, {"b": null}]})", {100, 8, 4}), "x.json: more than 4 values"));
    EXPECT_TRUE(contains(error(std::string(100'000, '[')), "nested deeper than 32 levels"));
    EXPECT_TRUE(contains(error("{\"a\":" + std::string(100'000, '[')), "nested deeper than 32 levels"));
}

}  // namespace
}  // namespace pal
