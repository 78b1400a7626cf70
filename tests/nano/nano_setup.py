# SPDX-License-Identifier: Apache-2.0
"""What the tests of the trainer share: import paths, a tiny configuration, random models and conversations.

PAL_SHARED names the folder with the reference implementation (reference/k3ref.py); tests that need it skip without.
"""
import os
import sys
from types import SimpleNamespace

import numpy as np

TRAIN = os.path.join(os.path.dirname(__file__), "..", "..", "resources", "nano", "train")
sys.path[:0] = [TRAIN, os.path.dirname(__file__), os.path.join(os.environ.get("PAL_SHARED", "/nowhere"), "reference")]
try:
    import triton  # noqa: F401
except ImportError:
    import triton_on_cpu
    triton_on_cpu.install()
import torch

import config
from model import K3

try:
    import k3ref
except ImportError:
    k3ref = None

MEDIA_PAD, PAD = 60, 63
TINY = dict(
    config.NANO, media_placeholder_token_id=MEDIA_PAD, pad_token_id=PAD,
    text_config=dict(
        config.TEXT, vocab_size=64, hidden_size=64, intermediate_size=96, num_hidden_layers=5,
        linear_attn_config=dict(config.TEXT["linear_attn_config"], head_dim=16, num_heads=3, kda_layers=[1, 2, 4],
                                full_attn_layers=[3, 5]),
        q_lora_rank=24, kv_lora_rank=16, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=8, num_experts=6,
        num_experts_per_token=2, moe_intermediate_size=32, routed_expert_hidden_size=32),
    vision_config=dict(config.VISION, vt_hidden_size=32, mm_hidden_size=32, qkv_hidden_size=48, vt_intermediate_size=64,
                       vt_num_attention_heads=3, vt_num_hidden_layers=2, init_pos_emb_height=6, init_pos_emb_width=6,
                       text_hidden_size=64))


def randomized(dtype):
    """A tiny model in which nothing is zero or one."""
    torch.manual_seed(1)
    model = K3(TINY, dtype).to(dtype)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name.endswith(("norm.weight", "norm0.weight", "norm1.weight", "A_log")) or "res_proj" in name:
                p.add_(torch.randn_like(p) * 0.3)
            if name.endswith(("o_proj.weight", "down_proj.weight", "up_proj.weight", "wo.weight", "fc1.weight")):
                p.normal_(0, p.shape[-1] ** -0.5)
        for name, b in model.named_buffers():
            if name.endswith("bias"):
                b.copy_(torch.randn_like(b) * 0.1)
    return model


def sample(length, grids, seed):
    """A random conversation with media of the given (t, h, w)."""
    r = np.random.default_rng(seed)
    ids, media = r.integers(0, 59, length).astype(np.uint16), []
    at = 3
    for t, h, w in grids:
        pixels = r.integers(0, 256, (t * h * w, 588)).astype(np.float32) / 127.5 - 1.0
        ids[at:at + h * w // 4] = MEDIA_PAD
        at += h * w // 4 + 2
        media.append((pixels, (t, h, w)))
    return SimpleNamespace(ids=ids, weights=r.random(length).astype(np.float32), media=media)
