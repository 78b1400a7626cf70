# SPDX-License-Identifier: Apache-2.0
"""The feed-forward half of a layer: dense SiTU network, or shared experts plus a latent mixture of routed experts."""
import torch
import torch.nn.functional as F
from torch import nn

from mxfp4 import fake_quantize
from operators import Linear, Scale, joint_linear, rms_norm, situ, wide


Z_WEIGHT, BALANCE_WEIGHT = 1e-4, 3e-3


def imbalance(logits, taken, seen):
    """1 where the marked tokens use all experts alike, more where they do not, 0 where none is marked.  The correction bias
    of an expert balances all tokens together, most of them text; this term does it for pictures alone, by the router's weights.

    logits [N, E]; taken [N, E]: 1 for chosen experts; seen [N]: 1 for marked tokens."""
    count = seen.sum().clamp_min(1.0)
    share = (taken * seen[:, None]).sum(0) / (count * taken.sum(1)[0])
    scores = torch.sigmoid(logits)
    wish = (scores / scores.sum(-1, keepdim=True) * seen[:, None]).sum(0) / count
    return (share.detach() * wish).sum() * logits.shape[1]


class GatherRows(torch.autograd.Function):
    """x [N, C] -> one row per (token, slot) in expert order.  Backward is a gather as well, no atomics.

    order [N*k]: flat (token*k + slot) index of each sorted row; place [N*k]: its inverse.
    """

    @staticmethod
    def forward(ctx, x, order, place, k):
        ctx.save_for_backward(place)
        ctx.k = k
        return x.index_select(0, torch.div(order, k, rounding_mode="floor"))

    @staticmethod
    def backward(ctx, grad):
        (place,) = ctx.saved_tensors
        return grad.index_select(0, place).reshape(-1, ctx.k, grad.shape[-1]).sum(1), None, None, None


class RestoreRows(torch.autograd.Function):
    """Rows in expert order -> rows in (token, slot) order."""

    @staticmethod
    def forward(ctx, y, order, place):
        ctx.save_for_backward(order)
        return y.index_select(0, place)

    @staticmethod
    def backward(ctx, grad):
        (order,) = ctx.saved_tensors
        return grad.index_select(0, order), None, None


def grouped_linear(x, weight, load):
    """x [M, in] sorted by expert, weight [E, out, in], load [E] rows per expert -> [M, out]."""
    grouped_mm = getattr(F, "grouped_mm", None) or getattr(torch, "_grouped_mm", None)
    if grouped_mm is not None and x.is_cuda and x.dtype == torch.bfloat16:
        return grouped_mm(x, weight.transpose(-1, -2), offs=load.cumsum(0).to(torch.int32))
    return torch.cat([rows @ w.T for rows, w in zip(x.split(load.tolist()), weight)])


class MLP(nn.Module):
    """Dense SiTU feed-forward; also the shared experts."""

    def __init__(self, c, width):
        super().__init__()
        self.betas = c["activation_situ_beta"], c["activation_situ_linear_beta"]
        self.gate_proj, self.up_proj = Linear(c["hidden_size"], width), Linear(c["hidden_size"], width)
        self.down_proj = Linear(width, c["hidden_size"])

    def forward(self, x):
        return self.down_proj(situ(*joint_linear(x, self.gate_proj, self.up_proj), *self.betas))


class Router(nn.Module):
    def __init__(self, hidden, experts):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(experts, hidden))
        self.register_buffer("e_score_correction_bias", torch.zeros(experts))


class Experts(nn.Module):
    """Stacked routed experts: w1 (gate), w3 (up) [E, inner, latent], w2 (down) [E, latent, inner].

    `rounding` (0 or 1) turns MXFP4 rounding on; a tensor, so that switching it needs no new compilation.
    """

    def __init__(self, c):
        super().__init__()
        count, inner, latent = c["num_experts"], c["moe_intermediate_size"], c["routed_expert_hidden_size"]
        self.betas = c["activation_situ_beta"], c["activation_situ_linear_beta"]
        self.register_buffer("rounding", torch.zeros(()), persistent=False)
        self.w1, self.w3 = (nn.Parameter(torch.empty(count, inner, latent)) for _ in range(2))
        self.w2 = nn.Parameter(torch.empty(count, latent, inner))

    def forward(self, x, load):
        """x [M, latent] sorted by expert, load [E] -> [M, latent]."""
        w1, w3, w2 = (fake_quantize(w, self.rounding) for w in (self.w1, self.w3, self.w2))
        gate, up = grouped_linear(x, torch.cat((w1, w3), 1).to(x.dtype), load).chunk(2, -1)
        return grouped_linear(situ(gate, up, *self.betas), w2.to(x.dtype), load)


class MoE(nn.Module):
    """Latent mixture of experts with a sigmoid router; the correction bias steers the choice only."""

    def __init__(self, c):
        super().__init__()
        hidden, latent = c["hidden_size"], c["routed_expert_hidden_size"]
        self.top_k, self.scale, self.eps = c["num_experts_per_token"], c["routed_scaling_factor"], c["rms_norm_eps"]
        self.gate = Router(hidden, c["num_experts"])
        self.experts = Experts(c)
        self.routed_expert_down_proj = Linear(hidden, latent)
        self.routed_expert_norm = Scale(latent)
        self.routed_expert_up_proj = Linear(latent, hidden)
        self.shared_experts = MLP(c, c["num_shared_experts"] * c["moe_intermediate_size"])

    def choose(self, x):
        """x [N, hidden] -> router logits [N, E], chosen experts and their weights, both [N, top_k]."""
        logits = F.linear(wide(x), self.gate.weight)
        scores = torch.sigmoid(logits)
        index = (scores.detach() + self.gate.e_score_correction_bias).topk(self.top_k, -1)[1]
        weight = scores.gather(1, index)
        return logits, index, weight / (weight.sum(-1, keepdim=True) + 1e-20) * self.scale

    def forward(self, x, seen):
        """x [N, hidden], seen [N] (1 at tokens of pictures and clips, else 0) -> output [N, hidden], load [E] (rows per
        expert), penalty of the router (scalar)."""
        logits, index, weight = self.choose(x)
        every = torch.arange(logits.shape[1], device=x.device)
        taken = (index[..., None] == every).sum(1)
        load = taken.sum(0)
        order = index.flatten().argsort(stable=True)
        place = torch.empty_like(order).scatter_(0, order, torch.arange(order.shape[0], device=x.device))
        latent = GatherRows.apply(self.routed_expert_down_proj(x), order, place, self.top_k)
        rows = RestoreRows.apply(self.experts(latent, load), order, place)
        routed = (wide(rows).reshape(-1, self.top_k, rows.shape[-1]) * weight[..., None]).sum(1).to(x.dtype)
        routed = self.routed_expert_up_proj(rms_norm(routed, self.routed_expert_norm.weight, self.eps))
        return routed + self.shared_experts(x), load, \
            Z_WEIGHT * torch.logsumexp(logits, -1).pow(2).mean() + BALANCE_WEIGHT * imbalance(logits, taken, seen)
