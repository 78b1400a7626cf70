# SPDX-License-Identifier: Apache-2.0
"""Greedy replies of many conversations at once, token by token: the recurrent form of the model.

The layers' own code runs on one token of every conversation; only what looks back is replaced: KDA keeps its state and
the inputs of its short convolution, MLA its keys and values.  No kernels of its own, so it also checks the chunked form.
"""
import torch
import torch.nn.functional as F

from operators import wide
from text import KDA


class KdaStep:
    """One token of every row through a KDA layer.  state [rows, H, K, V]; window: the last inputs, oldest first."""

    def __init__(self, layer, rows):
        self.layer, self.t = layer, 0
        weight = layer.q_conv1d.weight
        self.width = weight.shape[-1]
        self.state = torch.zeros(rows, layer.heads, layer.dim, layer.dim, device=weight.device, dtype=weight.dtype)
        self.window = None

    def __call__(self, h, norm_weight, layout):
        if self.window is None:
            self.window = h[:, None].repeat(1, self.width, 1)
        self.window = torch.cat((self.window[:, 1:], h[:, None]), 1)
        pos = torch.full((len(h) * self.width,), min(self.t, self.width - 1), device=h.device)
        parts = self.layer.before(self.window.flatten(0, 1), norm_weight, pos)
        q, k, v, g, beta, gate = (part[self.width - 1::self.width] for part in parts)
        self.t += 1
        q, k, v = wide(q), wide(k), wide(v)
        self.state *= g.exp()[..., None]
        error = v - torch.einsum("rhk,rhkv->rhv", k, self.state)
        self.state += torch.einsum("rhk,rhv->rhkv", beta[..., None] * k, error)
        return self.layer.after(torch.einsum("rhk,rhkv->rhv", q, self.state).to(h.dtype), gate)


class MlaStep:
    """One token of every row through an MLA layer.  keys, values [rows, H, longest, D]."""

    def __init__(self, layer, rows, longest):
        self.layer, self.rows, self.longest, self.t, self.keys, self.values = layer, rows, longest, 0, None, None

    def __call__(self, h, norm_weight, layout):
        q, k, v, gate = self.layer.before(h, norm_weight)
        if self.keys is None:
            self.keys, self.values = (x.new_empty(*x.shape[:2], self.longest, x.shape[2]) for x in (k, v))
        self.keys[:, :, self.t], self.values[:, :, self.t] = k, v
        self.t += 1
        scores = torch.einsum("rhd,rhtd->rht", q, self.keys[:, :, :self.t]) * q.shape[-1] ** -0.5
        out = torch.einsum("rht,rhtd->rhd", wide(scores).softmax(-1).to(v.dtype), self.values[:, :, :self.t])
        return self.layer.after(out.flatten(1), gate)


class Recurrent:
    """While entered, model.language_model.model runs one token of `rows` conversations per call."""

    def __init__(self, model, rows, longest):
        self.layers = [layer.self_attn for layer in model.layers]
        self.steps = [KdaStep(x, rows) if isinstance(x, KDA) else MlaStep(x, rows, longest) for x in self.layers]

    def __enter__(self):
        for layer, step in zip(self.layers, self.steps):
            layer.forward = step

    def __exit__(self, *_):
        for layer in self.layers:
            del layer.forward


@torch.no_grad()
def continuations(model, prompts, new_tokens, stop):
    """Greedy ids after each prompt, up to and without `stop`.  prompts: list of embeddings [length, hidden], which
    model.embed gives; new_tokens: at most so many ids each."""
    lengths = torch.tensor([len(p) for p in prompts])
    longest, device = int(lengths.max()) + new_tokens, prompts[0].device
    given = torch.nn.utils.rnn.pad_sequence(prompts, batch_first=True)
    lengths, backbone = lengths.to(device), model.language_model
    table, head = backbone.model.embed_tokens.weight, backbone.lm_head
    out = torch.full((len(prompts), longest), stop, device=device)
    token = torch.zeros(len(prompts), dtype=torch.long, device=device)
    done = torch.zeros(len(prompts), dtype=torch.bool, device=device)
    none_seen = torch.zeros(len(prompts), device=device)
    with Recurrent(model, len(prompts), longest):
        for t in range(longest):
            x = F.embedding(token, table).to(given.dtype)
            if t < given.shape[1]:
                x = torch.where((t < lengths)[:, None], given[:, t], x)
            token = head(backbone.model(x, None, none_seen)[0]).argmax(-1)
            out[:, t] = torch.where(done, stop, token)
            done |= (t >= lengths - 1) & ((token == stop) | (t >= lengths + new_tokens - 2))
            if t % 16 == 15 and bool(done.all()):
                break
    found = []
    for row, length in zip(out.tolist(), lengths.tolist()):
        ids = row[length - 1:]
        found.append(ids[:ids.index(stop)] if stop in ids else ids)
    return found
