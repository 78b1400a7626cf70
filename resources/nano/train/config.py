# SPDX-License-Identifier: Apache-2.0
"""The model's configuration in K3's own fields: what goes into config.json, and the only place that names a size."""

BASE_TOKENS = 3840            # ranks of the byte-pair vocabulary; 256 control ids follow, at K3's offsets
BOS, EOS, END_OF_MESSAGE = BASE_TOKENS, BASE_TOKENS + 1, BASE_TOKENS + 2
MEDIA_PAD, UNKNOWN, PAD = BASE_TOKENS + 21, BASE_TOKENS + 254, BASE_TOKENS + 255

TEXT = dict(
    architectures=["KimiLinearForCausalLM"], model_type="kimi_linear", vocab_size=BASE_TOKENS + 256, hidden_size=384,
    intermediate_size=1024, num_hidden_layers=9, num_attention_heads=4, num_key_value_heads=4, hidden_act="situ",
    activation_situ_beta=4.0, activation_situ_linear_beta=25.0, rms_norm_eps=1e-5, max_position_embeddings=65536,
    tie_word_embeddings=False, num_nextn_predict_layers=0, bos_token_id=BOS, eos_token_id=END_OF_MESSAGE,
    pad_token_id=PAD,
    linear_attn_config=dict(head_dim=64, num_heads=6, short_conv_kernel_size=4, kda_layers=[1, 2, 3, 5, 6, 7],
                            full_attn_layers=[4, 8, 9], use_full_rank_gate=True, gate_lower_bound=-5.0),
    q_lora_rank=128, kv_lora_rank=128, qk_nope_head_dim=64, qk_rope_head_dim=32, v_head_dim=64, mla_use_nope=True,
    mla_use_output_gate=True, num_experts=24, num_experts_per_token=4, num_shared_experts=2,
    moe_intermediate_size=128, routed_expert_hidden_size=192, latent_moe_use_norm=True,
    moe_router_activation_func="sigmoid", moe_renormalize=True, routed_scaling_factor=1.0, topk_method="noaux_tc",
    use_grouped_topk=True, num_expert_group=1, topk_group=1, first_k_dense_replace=1, moe_layer_freq=1,
    attn_res_block_size=2, dtype="bfloat16")

VISION = dict(
    patch_size=14, init_pos_emb_height=16, init_pos_emb_width=16, init_pos_emb_time=4, pos_emb_type="divided_fixed",
    pos_emb_interpolation_mode="bilinear", vt_hidden_size=192, vt_intermediate_size=576, vt_num_hidden_layers=3,
    vt_num_attention_heads=4, qkv_hidden_size=256, norm_type="rmsnorm", mlp_type="mlp2", attn_bias=False,
    linear_bias=False, patch_embed_proj_bias=False, activation_func="gelu_pytorch_tanh", merge_kernel_size=[2, 2],
    merge_type="sd2_tpool", mm_projector_type="patchmergerv2", mm_hidden_size=192, projector_hidden_act="gelu",
    projector_ln_eps=1e-5, text_hidden_size=384)

QUANTIZATION = dict(
    quant_method="compressed-tensors", format="mxfp4-pack-quantized", quantization_status="compressed",
    kv_cache_scheme=None, global_compression_ratio=None,
    ignore=["re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "re:.*lm_head.*",
            "re:.*routed_expert_.*", "re:.*vision_tower.*", "re:.*mm_projector.*"],
    config_groups=dict(group_0=dict(
        targets=["Linear"], format="mxfp4-pack-quantized", input_activations=None, output_activations=None,
        weights=dict(num_bits=4, type="float", strategy="group", group_size=32, symmetric=True, dynamic=False,
                     scale_dtype="torch.uint8", observer="minmax", actorder=None))))

NANO = dict(
    architectures=["KimiK3ForConditionalGeneration"], model_type="kimi_k3", bos_token_id=BOS,
    eos_token_id=END_OF_MESSAGE, pad_token_id=PAD, media_placeholder_token_id=MEDIA_PAD,
    image_placeholder="<|kimi_image_placeholder|>", ignore_index=-100, tie_word_embeddings=False, dtype="bfloat16",
    text_config=TEXT, vision_config=VISION)


def packed(config):
    """The same configuration as it is published with MXFP4 experts."""
    return dict(config, text_config=dict(config["text_config"], quantization_config=QUANTIZATION))
