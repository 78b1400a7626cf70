// SPDX-License-Identifier: Apache-2.0
#include "engine/model/config_variant.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace pal {
namespace {

using nlohmann::json;

Result<int64_t> readCount(const json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number_integer()) {
        return fail(ErrorCode::kFormat, "{} is missing or not an integer", key);
    }
    return it->get<int64_t>();
}

Result<> keepLayers(json& text, int64_t layers) {
    PAL_ASSIGN(const int64_t present, readCount(text, "num_hidden_layers"));
    if (layers < 1 || layers > present) {
        return fail(ErrorCode::kInvalidArgument, "{} layers are asked for, the pattern has {}", layers, present);
    }
    text["num_hidden_layers"] = layers;
    const auto linear = text.find("linear_attn_config");
    if (linear == text.end() || !linear->is_object()) return fail(ErrorCode::kFormat, "linear_attn_config is missing");
    for (const char* key : {"kda_layers", "full_attn_layers"}) {
        json kept = json::array();
        for (const json& layer : linear->value(key, json::array())) {
            if (layer.is_number_integer() && layer.get<int64_t>() <= layers) kept.push_back(layer);  // counted from 1
        }
        (*linear)[key] = std::move(kept);
    }
    return {};
}

Result<> keepExperts(json& text, int64_t experts) {
    PAL_ASSIGN(const int64_t present, readCount(text, "num_experts"));
    if (experts < 1 || experts > present) {
        return fail(ErrorCode::kInvalidArgument, "{} experts are asked for, the pattern has {}", experts, present);
    }
    text["num_experts"] = experts;
    const char* perToken = text.contains("num_experts_per_tok") ? "num_experts_per_tok" : "num_experts_per_token";
    PAL_ASSIGN(const int64_t chosen, readCount(text, perToken));
    text[perToken] = std::min(chosen, experts);
    return {};
}

}  // namespace

Result<> applyVariant(json& config, const ConfigVariant& variant) {
    const auto inner = config.find("text_config");
    json& text = inner == config.end() || !inner->is_object() ? config : *inner;
    if (variant.layers.has_value()) PAL_TRY(keepLayers(text, *variant.layers));
    if (variant.experts.has_value()) PAL_TRY(keepExperts(text, *variant.experts));
    if (variant.mxfp4Experts) {
        text["quantization_config"] = {{"quant_method", "compressed-tensors"},
                                       {"format", "mxfp4-pack-quantized"},
                                       {"quantization_status", "compressed"}};
    }
    return {};
}

}  // namespace pal
