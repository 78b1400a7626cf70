# SPDX-License-Identifier: Apache-2.0
"""Operators shared by the text backbone and the vision tower.

All activations are flat, [N, channels]: sequences of any length lie one after the other, and `starts` [S + 1] int32
holds where each begins, ending with N; empty sequences at the end are allowed.  Only the recurrence, the softmax
attention and the short convolution need to know it, and the first two run outside the compiled regions.  So with a
constant N one compiled graph serves every mixture of lengths.

Norms, gates and softmax are computed in float32, or in the activations' dtype where that is wider.
"""
import torch
import torch.nn.functional as F
from torch import nn


def wide(x):
    """Half-precision tensors as float32, others unchanged."""
    return x.float() if x.dtype in (torch.bfloat16, torch.float16) else x


def rms_norm(x, weight, eps):
    """x [..., C], weight [C]; result in x.dtype."""
    y = wide(x)
    y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + eps)
    return y.to(x.dtype) * weight.to(x.dtype)


def l2_normalize(x, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) + eps)


def situ(gate, up, beta, linear_beta):
    """SiTU-GLU of two [..., C] tensors."""
    g, u = wide(gate), wide(up)
    if linear_beta is not None:
        u = linear_beta * torch.tanh(u / linear_beta)
    return (beta * torch.tanh(g / beta) * torch.sigmoid(g) * u).to(gate.dtype)


def short_conv(x, weight, pos):
    """Causal depthwise convolution and SiLU.  x [N, C], weight [C, 1, W] (last tap = current token), pos [N]."""
    x, taps = wide(x), weight[:, 0]
    width = taps.shape[-1]
    y = x * taps[:, -1]
    for back in range(1, width):                             # what roll carries over a sequence start is masked
        y = y + x.roll(back, 0).masked_fill((pos < back)[:, None], 0.0) * taps[:, width - 1 - back]
    return F.silu(y)


def depth_mix(current, blocks, norm_weight, query, eps):
    """Attention over depth.  current [N, C], blocks list of [N, C], query [1, C] -> [N, C] in current.dtype."""
    sources = [wide(s) for s in blocks + [current]]
    w = norm_weight * query[0]
    scores = [(s * w).sum(-1) * torch.rsqrt(s.pow(2).mean(-1) + eps) for s in sources]
    probs = torch.stack(scores, -1).softmax(-1)
    return sum(probs[:, j, None] * s for j, s in enumerate(sources)).to(current.dtype)


def attention(q, k, v, starts, longest, causal):
    """Softmax attention inside each sequence.

    q, k [N, H, Dk], v [N, H, Dv], starts [S + 1]; longest: an upper bound of the sequence lengths -> [N, H, Dv].
    """
    if q.is_cuda and q.dtype == torch.bfloat16:
        padded = F.pad(v, (0, q.shape[-1] - v.shape[-1]))                    # the kernel wants one head size
        out = torch.ops.aten._flash_attention_forward(q, k, padded, starts, starts, longest, longest, 0.0, causal,
                                                      False)[0]
        return out[..., :v.shape[-1]]
    out, edges = [], starts.tolist()
    for a, b in zip(edges, edges[1:]):
        scores = torch.einsum("qhd,khd->hqk", q[a:b], k[a:b]) * q.shape[-1] ** -0.5
        if causal:
            scores = scores.masked_fill(torch.ones(b - a, b - a, dtype=torch.bool, device=q.device).triu(1), -torch.inf)
        out.append(torch.einsum("hqk,khd->qhd", scores.softmax(-1), v[a:b]))
    return torch.cat(out)


class Linear(nn.Module):
    """Bias-free; the float32 weight [out, in] is cast to the input's dtype."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))

    def forward(self, x):
        return F.linear(x, self.weight.to(x.dtype))


class Scale(nn.Module):
    """The weight of an RMSNorm."""

    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))


class Conv(nn.Module):
    """The weight of a depthwise convolution."""

    def __init__(self, channels, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(channels, 1, width))


def joint_linear(x, *linears):
    """Several projections of one input as one matrix product; returns one tensor per projection."""
    y = F.linear(x, torch.cat([m.weight for m in linears]).to(x.dtype))
    return y.split([m.weight.shape[0] for m in linears], -1)
