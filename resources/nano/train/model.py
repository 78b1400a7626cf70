# SPDX-License-Identifier: Apache-2.0
"""The whole model: vision tower, projector, text backbone and head, with its loss, balancing and initialisation.

Parameters are float32; matrix products run in `dtype` (bfloat16 in training).  With float32 or float64 everything is
computed in that dtype.  Names are those of the checkpoint, except that the routed experts are stacked.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

from experts import Experts
from operators import Linear, depth_mix, wide
from text import KDA, TextModel
from vision import Projector, VisionTower


def weighted_loss(final, head, targets, weights):
    """Weighted mean cross-entropy.  final [N, hidden], head [vocab, hidden], targets and weights [N]."""
    logits = F.linear(final, head.to(final.dtype))
    losses = F.cross_entropy(wide(logits), targets.long(), reduction="none")
    return (losses * weights).sum() / weights.sum().clamp_min(1.0)


class K3(nn.Module):
    """`dtype` is the activation dtype; batches are described in batch.py."""

    def __init__(self, config, dtype=torch.bfloat16):
        super().__init__()
        text = config["text_config"]
        self.config, self.dtype, self.balance_rate = config, dtype, 1e-2
        self.language_model = nn.Module()
        self.language_model.model = TextModel(text)
        self.language_model.lm_head = Linear(text["hidden_size"], text["vocab_size"])
        self.vision_tower = VisionTower(config["vision_config"])
        self.mm_projector = Projector(config["vision_config"])
        self.loss_function = weighted_loss
        initialize(self)

    @property
    def layers(self):
        return self.language_model.model.layers

    def place_media(self, ids, rows, target):
        """Embeddings of ids [N] with the rows [M, hidden] of the media at target [M]; targets >= N are unused."""
        x = F.embedding(ids, self.language_model.model.embed_tokens.weight)
        media = torch.zeros(len(ids) + len(rows), x.shape[1], dtype=x.dtype, device=x.device)
        media = media.index_add(0, target.long(), rows.to(x.dtype))[:len(ids)]
        return torch.where((ids == self.config["media_placeholder_token_id"])[:, None], media, x).to(self.dtype)

    def embed(self, batch):
        rows = self.mm_projector(self.vision_tower(batch.media, self.dtype))
        return self.place_media(batch.ids, rows, batch.media.target)

    def forward(self, batch):
        """-> final hidden [N, hidden], loads [MoE layers, experts], mean penalty of the routers."""
        seen = (batch.ids == self.config["media_placeholder_token_id"]).float()
        return self.language_model.model(self.embed(batch), batch.layout, seen)

    def loss(self, final, batch):
        return self.loss_function(final, self.language_model.lm_head.weight, batch.targets, batch.weights)

    @torch.no_grad()
    def balance(self, loads):
        """Auxiliary-loss-free balancing: the correction bias of an expert moves by balance_rate times its relative
        under-use, at most balance_rate.  loads [MoE layers, E]."""
        step = (1.0 - loads / loads.mean(1, keepdim=True).clamp_min(1.0)).clamp(-1.0, 1.0) * self.balance_rate
        for layer, change in zip((x for x in self.layers if not x.dense), step):
            layer.block_sparse_moe.gate.e_score_correction_bias += change

    def round_experts(self, amount):
        """Train and run the routed experts through their MXFP4 rounding (1.0) or not (0.0)."""
        for module in self.modules():
            if isinstance(module, Experts):
                module.rounding.fill_(amount)

    def half_lives(self):
        """Static decay half-lives of all KDA channels, in tokens."""
        return torch.cat([x.self_attn.half_lives().flatten() for x in self.layers if isinstance(x.self_attn, KDA)])

    def compile(self, **options):
        """Compile everything that does not depend on where sequences begin; graphs are shared between layers."""
        shrink = lambda owner, *names: [setattr(owner, n, torch.compile(getattr(owner, n), **options)) for n in names]
        for layer in self.layers:
            shrink(layer.self_attn, "before", "after")
            shrink(layer, "feed")
        for block in self.vision_tower.encoder.blocks:
            shrink(block, "before", "after")
        shrink(self.vision_tower, "embed", "merge")
        shrink(self, "place_media")
        self.language_model.model.mix = torch.compile(depth_mix, **options)
        self.loss_function = torch.compile(weighted_loss, **options)


SMALL_OUTPUTS = ("self_attn.o_proj.weight", "down_proj.weight", "routed_expert_up_proj.weight", "wo.weight", "fc1.weight")


@torch.no_grad()
def initialize(model, half_life=(2.0, 4096.0)):
    """Unit-gain matrices, small outputs into the residual stream, zero depth queries, decay half-lives spread
    log-uniformly over `half_life` tokens.  Media rows start at the scale of the token embeddings."""
    depth = len(model.layers)
    for name, p in model.named_parameters():
        if "res_proj" in name or name.endswith("A_log"):
            p.zero_()
        elif name.endswith("dt_bias"):
            life = torch.empty_like(p).uniform_(*map(math.log, half_life)).exp()
            p.copy_(torch.logit(math.log(2.0) / (5.0 * life)))
        elif name.endswith("embed_tokens.weight"):
            p.normal_(0, 0.1)
        elif name.endswith("post_norm.weight"):
            p.fill_(0.1)
        elif name.endswith("pos_emb.weight"):
            p.normal_(0, 0.3)
        elif name.endswith("gate.weight"):
            p.normal_(0, 0.006)
        elif "conv1d" in name:
            p.uniform_(-p.shape[-1] ** -0.5, p.shape[-1] ** -0.5)
        elif name.endswith(SMALL_OUTPUTS) and "routed_expert_down_proj" not in name:
            p.normal_(0, 0.02 / math.sqrt(2 * depth))
        elif p.dim() >= 2:
            p.normal_(0, (p[0].numel() if p.dim() == 4 else p.shape[-1]) ** -0.5)


@torch.no_grad()
def lengthen_memories(model, share=0.25, half_life=(256.0, 4096.0)):
    """Prepares a trained model for another training: the slowest `share` of each KDA layer's channels, in their order,
    get half-lives spread log-uniformly over `half_life` tokens.  A_log becomes 0 without changing any decay (its factor
    moves into f_b_proj and dt_bias), since a low A_log shortens every memory of a head."""
    for layer in (x.self_attn for x in model.layers if isinstance(x.self_attn, KDA)):
        factor = layer.A_log.exp().repeat_interleave(layer.dim)
        layer.f_b_proj.weight.mul_(factor[:, None])
        layer.dt_bias.mul_(factor)
        layer.A_log.zero_()
        slow = layer.half_lives().flatten().sort()[1][-int(share * len(factor)):]
        low, high = map(math.log, half_life)
        life = torch.linspace(low, high, len(slow), device=slow.device).exp()
        layer.dt_bias[slow] = torch.logit(math.log(2.0) / (-layer.bound * life)).to(layer.dt_bias.dtype)
