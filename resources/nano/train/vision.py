# SPDX-License-Identifier: Apache-2.0
"""MoonViT-V2 and its projector over a flat buffer of patches.

A batch of media is a `Patches` layout (batch.py): items lie one after the other, each attends to itself only, and every
patch carries what the tower needs to know about it: its row and column, the four cells of the learned grid that it
interpolates and their weights, its frame, and the quarter of the output token that it is averaged into.
"""
import torch
import torch.nn.functional as F
from torch import nn

from operators import Linear, Scale, attention, rms_norm, wide

NORM_EPS = 2.0 ** -23      # the published tower sets no eps; this is what torch.nn.RMSNorm then uses


def rotary_angles(place, dim, dtype):
    """place [P, 2] = (row, column) -> angles [P, dim/2]; even pairs turn with the column, odd pairs with the row."""
    freq = 10000.0 ** (-torch.arange(0, dim, 4, device=place.device, dtype=dtype) / dim)
    row, column = place[:, :1].to(dtype) * freq, place[:, 1:].to(dtype) * freq
    return torch.stack((column, row), -1).flatten(1)


def rotate(x, angle):
    """Turn adjacent channel pairs.  x [P, H, D], angle [P, D/2]."""
    cos, sin = angle.cos()[:, None], angle.sin()[:, None]
    a, b = wide(x).unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2).to(x.dtype)


def time_table(frames, dim):
    """Sine-cosine vectors of the frame index, [frames + 1, dim]; the last row is zero, for still images."""
    omega = 10000.0 ** (-torch.arange(dim // 2, dtype=torch.float64) / (dim / 2))
    angle = torch.arange(frames, dtype=torch.float64)[:, None] * omega
    return torch.cat((torch.cat((angle.sin(), angle.cos()), 1), torch.zeros(1, dim, dtype=torch.float64)))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        hidden, self.inner, self.heads = c["vt_hidden_size"], c["qkv_hidden_size"], c["vt_num_attention_heads"]
        self.norm0, self.norm1 = Scale(hidden), Scale(hidden)
        self.wqkv, self.wo = Linear(hidden, 3 * self.inner), Linear(self.inner, hidden)
        self.mlp = nn.Module()
        self.mlp.fc0, self.mlp.fc1 = Linear(hidden, c["vt_intermediate_size"]), Linear(c["vt_intermediate_size"], hidden)

    def before(self, x, place):
        """x [P, hidden], place [P, 2] -> q, k, v [P, H, D]."""
        dim = self.inner // self.heads
        q, k, v = self.wqkv(rms_norm(x, self.norm0.weight, NORM_EPS)).unflatten(-1, (3, self.heads, dim)).unbind(1)
        angle = rotary_angles(place, dim, wide(x).dtype)
        return rotate(q, angle), rotate(k, angle), v.contiguous()

    def after(self, x, o):
        """x [P, hidden], o [P, inner] -> [P, hidden]."""
        x = x + self.wo(o)
        y = wide(self.mlp.fc0(rms_norm(x, self.norm1.weight, NORM_EPS)))
        return x + self.mlp.fc1(F.gelu(y, approximate="tanh").to(x.dtype))


class VisionTower(nn.Module):
    def __init__(self, c):
        super().__init__()
        hidden, size, rows, columns = (c["vt_hidden_size"], c["patch_size"], c["init_pos_emb_height"],
                                       c["init_pos_emb_width"])
        self.patch_embed = nn.Module()
        self.patch_embed.proj = nn.Module()
        self.patch_embed.proj.weight = nn.Parameter(torch.empty(hidden, 3, size, size))
        self.patch_embed.pos_emb = nn.Module()
        self.patch_embed.pos_emb.weight = nn.Parameter(torch.empty(rows, columns, hidden))
        self.encoder = nn.Module()
        self.encoder.blocks = nn.ModuleList(Block(c) for _ in range(c["vt_num_hidden_layers"]))
        self.encoder.final_layernorm = Scale(hidden)
        self.register_buffer("time", time_table(c["init_pos_emb_time"], hidden).float(), persistent=False)

    def embed(self, pixels, cells, cell_weights, frame, dtype):
        """Patches with their positions, [P, hidden]."""
        pixels = pixels.to(self.time.dtype) * (2.0 / 255.0) - 1.0
        x = F.linear(pixels.to(dtype), self.patch_embed.proj.weight.flatten(1).to(dtype))
        grid = self.patch_embed.pos_emb.weight.flatten(0, 1)
        mixing = torch.zeros(len(x), len(grid), dtype=grid.dtype, device=x.device)
        mixing = mixing.scatter_add(1, cells.long(), cell_weights.to(grid.dtype))
        return x + (mixing.to(dtype) @ grid.to(dtype) + self.time[frame.long()].to(dtype))

    def merge(self, x, quarter, share, tokens):
        """Mean over the frames, four neighbours per token: [P, hidden] -> [tokens, 4 * hidden]."""
        y = wide(rms_norm(x, self.encoder.final_layernorm.weight, NORM_EPS)) * share[:, None]
        pooled = y.new_zeros(4 * tokens, y.shape[1]).index_add(0, quarter.long(), y)
        return pooled.reshape(tokens, -1).to(x.dtype)

    def forward(self, media, dtype):
        x = self.embed(media.pixels, media.cells, media.cell_weights, media.frame, dtype)
        for block in self.encoder.blocks:
            o = attention(*block.before(x, media.place), media.starts, media.longest, causal=False)
            x = block.after(x, o.flatten(1))
        return self.merge(x, media.quarter, media.share, len(media.target))


class Projector(nn.Module):
    """patchmergerv2: [tokens, 4 * vision hidden] -> [tokens, text hidden]."""

    def __init__(self, c):
        super().__init__()
        wide_hidden = c["mm_hidden_size"] * c["merge_kernel_size"][0] * c["merge_kernel_size"][1]
        self.eps = c["projector_ln_eps"]
        self.proj = nn.ModuleList([Linear(wide_hidden, wide_hidden), nn.GELU(), Linear(wide_hidden, c["text_hidden_size"])])
        self.post_norm = Scale(c["text_hidden_size"])

    def forward(self, x):
        y = self.proj[2](F.gelu(wide(self.proj[0](x))).to(x.dtype))
        return rms_norm(y, self.post_norm.weight, self.eps)
