# SPDX-License-Identifier: Apache-2.0
"""The text backbone: KDA and gated MLA layers, attention over depth, mixture of experts.

Every parameter has its checkpoint name without the prefix `language_model.`, except that routed experts are stacked.
"""
import torch
from torch import nn

from experts import MLP, MoE
from kda import kda_core
from operators import (Conv, Linear, Scale, attention, depth_mix, joint_linear, l2_normalize, rms_norm, short_conv,
                       wide)


class KDA(nn.Module):
    """Gated delta-rule attention with a per-channel bounded decay."""

    def __init__(self, c):
        super().__init__()
        lin, hidden = c["linear_attn_config"], c["hidden_size"]
        self.heads, self.dim, self.bound = lin["num_heads"], lin["head_dim"], lin["gate_lower_bound"]
        self.eps, size = c["rms_norm_eps"], lin["num_heads"] * lin["head_dim"]
        self.q_proj, self.k_proj, self.v_proj, self.g_proj = (Linear(hidden, size) for _ in range(4))
        self.q_conv1d, self.k_conv1d, self.v_conv1d = (Conv(size, lin["short_conv_kernel_size"]) for _ in range(3))
        self.f_a_proj, self.f_b_proj = Linear(hidden, self.dim), Linear(self.dim, size)
        self.b_proj, self.o_proj = Linear(hidden, self.heads), Linear(size, hidden)
        self.A_log = nn.Parameter(torch.zeros(self.heads))
        self.dt_bias = nn.Parameter(torch.zeros(size))
        self.o_norm = Scale(self.dim)

    def before(self, h, norm_weight, pos):
        """h [N, hidden] -> q, k, v [N, H, D] (h.dtype), log decay [N, H, D], beta [N, H] (wide), gate [N, H*D]."""
        x = rms_norm(h, norm_weight, self.eps)
        parts = joint_linear(x, self.q_proj, self.k_proj, self.v_proj, self.g_proj, self.f_a_proj)
        heads = lambda y: y.reshape(-1, self.heads, self.dim)
        q, k, v = (heads(short_conv(y, conv.weight, pos))
                   for y, conv in zip(parts, (self.q_conv1d, self.k_conv1d, self.v_conv1d)))
        q, k, (gate, f) = l2_normalize(q) * self.dim ** -0.5, l2_normalize(k), parts[3:]
        z = heads(wide(self.f_b_proj(f)) + self.dt_bias)
        g = self.bound * torch.sigmoid(self.A_log.exp()[:, None] * z)
        beta = torch.sigmoid(wide(self.b_proj(x)))
        return q.to(h.dtype), k.to(h.dtype), v.to(h.dtype), g, beta, gate

    def after(self, o, gate):
        """o [N, H, D], gate [N, H*D] -> [N, hidden]."""
        y = wide(o)
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + self.eps) * self.o_norm.weight
        y = y.flatten(1) * torch.sigmoid(wide(gate))
        return self.o_proj(y.to(gate.dtype))

    def forward(self, h, norm_weight, layout):
        *core, gate = self.before(h, norm_weight, layout.pos)
        return self.after(kda_core(*core, layout.starts), gate)

    def half_lives(self):
        """Static part of the decay, in tokens: [H, D]."""
        decay = self.bound * torch.sigmoid(self.A_log.exp()[:, None] * self.dt_bias.reshape(self.heads, -1))
        return -0.6931471805599453 / decay


class MLA(nn.Module):
    """Gated latent attention without positions."""

    def __init__(self, c):
        super().__init__()
        hidden, self.heads = c["hidden_size"], c["num_attention_heads"]
        self.nope, self.rope, self.vdim = c["qk_nope_head_dim"], c["qk_rope_head_dim"], c["v_head_dim"]
        self.rank, self.eps = c["kv_lora_rank"], c["rms_norm_eps"]
        self.q_a_proj, self.q_a_layernorm = Linear(hidden, c["q_lora_rank"]), Scale(c["q_lora_rank"])
        self.q_b_proj = Linear(c["q_lora_rank"], self.heads * (self.nope + self.rope))
        self.kv_a_proj_with_mqa, self.kv_a_layernorm = Linear(hidden, self.rank + self.rope), Scale(self.rank)
        self.kv_b_proj = Linear(self.rank, self.heads * (self.nope + self.vdim))
        self.g_proj = Linear(hidden, self.heads * self.vdim)
        self.o_proj = Linear(self.heads * self.vdim, hidden)

    def before(self, h, norm_weight):
        """h [N, hidden] -> q, k [N, H, nope+rope], v [N, H, vdim], gate [N, H*vdim]."""
        x = rms_norm(h, norm_weight, self.eps)
        q, kv, gate = joint_linear(x, self.q_a_proj, self.kv_a_proj_with_mqa, self.g_proj)
        q = self.q_b_proj(rms_norm(q, self.q_a_layernorm.weight, 1e-6)).reshape(-1, self.heads, self.nope + self.rope)
        latent, shared = kv.split([self.rank, self.rope], -1)
        kv = self.kv_b_proj(rms_norm(latent, self.kv_a_layernorm.weight, 1e-6))
        k, v = kv.reshape(-1, self.heads, self.nope + self.vdim).split([self.nope, self.vdim], -1)
        return q, torch.cat((k, shared[:, None].expand(-1, self.heads, -1)), -1), v, gate

    def after(self, o, gate):
        """o, gate [N, H*vdim] -> [N, hidden]."""
        return self.o_proj((wide(o) * torch.sigmoid(wide(gate))).to(gate.dtype))

    def forward(self, h, norm_weight, layout):
        q, k, v, gate = self.before(h, norm_weight)
        o = attention(q, k, v, layout.starts, layout.longest, causal=True)
        return self.after(o.reshape(gate.shape), gate)


class Layer(nn.Module):
    def __init__(self, c, i):
        super().__init__()
        hidden, self.eps = c["hidden_size"], c["rms_norm_eps"]
        self.input_layernorm, self.post_attention_layernorm = Scale(hidden), Scale(hidden)
        self.self_attention_res_norm, self.self_attention_res_proj = Scale(hidden), Linear(hidden, 1)
        self.mlp_res_norm, self.mlp_res_proj = Scale(hidden), Linear(hidden, 1)
        self.self_attn = KDA(c) if i + 1 in c["linear_attn_config"]["kda_layers"] else MLA(c)
        self.dense = i < c["first_k_dense_replace"]
        if self.dense:
            self.mlp = MLP(c, c["intermediate_size"])
        else:
            self.block_sparse_moe = MoE(c)

    def feed(self, h, seen):
        """h [N, hidden], seen [N] -> (output [N, hidden], load [E] or None, penalty of the router or None)."""
        x = rms_norm(h, self.post_attention_layernorm.weight, self.eps)
        return (self.mlp(x), None, None) if self.dense else self.block_sparse_moe(x, seen)


class TextModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.block, self.eps, hidden = c["attn_res_block_size"], c["rms_norm_eps"], c["hidden_size"]
        self.embed_tokens = nn.Module()
        self.embed_tokens.weight = nn.Parameter(torch.empty(c["vocab_size"], hidden))
        self.layers = nn.ModuleList(Layer(c, i) for i in range(c["num_hidden_layers"]))
        self.output_attn_res_norm, self.output_attn_res_proj = Scale(hidden), Linear(hidden, 1)
        self.norm = Scale(hidden)
        self.mix = depth_mix

    def forward(self, total, layout, seen):
        """total [N, hidden] embeddings -> final hidden [N, hidden], loads [MoE layers, E], mean penalty of the routers.

        seen [N]: 1 at the tokens of pictures and clips, else 0.
        layout: starts [S + 1], pos [N] (place of each token in its sequence), longest (host integer).
        """
        blocks, loads, penalties = [], [], []
        for i, layer in enumerate(self.layers):
            h = total
            if blocks:
                h = self.mix(total, blocks, layer.self_attention_res_norm.weight, layer.self_attention_res_proj.weight,
                             self.eps)
            start = i % self.block == 0
            if start:
                blocks = blocks + [total]
            y = layer.self_attn(h, layer.input_layernorm.weight, layout)
            total = y if start else total + y
            h = self.mix(total, blocks, layer.mlp_res_norm.weight, layer.mlp_res_proj.weight, self.eps)
            y, load, penalty = layer.feed(h, seen)
            total = total + y
            if load is not None:
                loads.append(load)
                penalties.append(penalty)
        total = self.mix(total, blocks, self.output_attn_res_norm.weight, self.output_attn_res_proj.weight, self.eps)
        return rms_norm(total, self.norm.weight, self.eps), torch.stack(loads), torch.stack(penalties).mean()
