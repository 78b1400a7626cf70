# SPDX-License-Identifier: Apache-2.0
"""The core of Kimi Delta Attention: token by token (the definition), in chunks (training), and the choice between them.

q (scaled), k (normalised), v [N, H, D]; g [N, H, D] log decay in (-5, 0) and beta [N, H], both wide.  Sequences lie one
after the other as `starts` says (operators.py), begin with an empty state, and have lengths that are multiples of CHUNK.
"""
import math

import torch

from operators import wide

try:
    from kda_triton import kda_triton
except ImportError:
    kda_triton = None

CHUNK = 16               # the bound of the decay allows no more: e^(16 * 5) still is a float32
ANCHOR = math.exp(40.0)  # decays inside a chunk lie in e^[-80, 0]; times e^40 they and their inverses stay in e^+-40


def each_sequence(core, inputs, starts):
    """Run core(q, k, v, g, beta) on every sequence of the flat inputs."""
    edges = starts.tolist()
    return torch.cat([core(*(x[a:b] for x in inputs)) for a, b in zip(edges, edges[1:]) if b > a])


def kda_recurrent(q, k, v, g, beta):
    """One sequence, token by token -> [T, H, D]."""
    state = q.new_zeros(q.shape[1], q.shape[2], v.shape[2])
    out = []
    for t in range(len(q)):
        state = g[t].exp()[..., None] * state
        error = v[t] - torch.einsum("hk,hkv->hv", k[t], state)
        state = state + torch.einsum("hk,hv->hkv", beta[t, :, None] * k[t], error)
        out.append(torch.einsum("hk,hkv->hv", q[t], state))
    return torch.stack(out)


def unit_lower_inverse(a):
    """(I + a)^-1 of strictly lower triangular a [..., 16, 16], by the finite product of its Neumann series."""
    eye = torch.eye(CHUNK, dtype=a.dtype, device=a.device)
    a2 = a @ a
    a4 = a2 @ a2
    return (eye - a) @ (eye + a2) @ (eye + a4) @ (eye + a4 @ a4)


def kda_chunked(q, k, v, g, beta):
    """One sequence, parallel inside chunks and a loop from chunk to chunk -> [T, H, D] in q.dtype.

    Matrix products take q.dtype inputs; exponentials, inverse and state stay wide.
    """
    chunks, low = len(q) // CHUNK, q.dtype
    split = lambda x: x.reshape(chunks, CHUNK, *x.shape[1:]).transpose(1, 2)            # [n, H, C, D]
    q, k, v, b = split(wide(q)), split(wide(k)), split(wide(v)), split(beta[..., None])
    decay = split(g).cumsum(-2)
    total = decay[..., -1:, :]
    from_start, to_end = decay.exp(), (total - decay).exp()
    rise, fall = from_start * ANCHOR, (-decay).exp() / ANCHOR
    k_fall = (k * fall).to(low).transpose(-1, -2)
    kk = wide((k * rise).to(low) @ k_fall)
    qk = wide((q * rise).to(low) @ k_fall)
    upper = torch.ones(CHUNK, CHUNK, dtype=torch.bool, device=q.device).triu()
    inverse = unit_lower_inverse((b * kk).masked_fill(upper, 0.0)).to(low)
    w = inverse @ (b * k * from_start).to(low)
    u = inverse @ (b * v).to(low)
    scores = (qk.masked_fill(upper, 0.0) + torch.diag_embed((q * k).sum(-1))).to(low)   # no decay on the diagonal
    parts = (w, u, (q * from_start).to(low), (k * to_end).to(low).transpose(-1, -2), scores,
             total.exp().transpose(-1, -2))
    state = decay.new_zeros(q.shape[1], q.shape[-1], v.shape[-1])
    out = []
    for w_n, u_n, q_n, k_n, s_n, keep in zip(*parts):
        s = state.to(low)
        written = (wide(u_n) - wide(w_n @ s)).to(low)
        out.append(q_n @ s + s_n @ written)
        state = keep * state + wide(k_n @ written)
    return torch.stack(out).transpose(1, 2).flatten(0, 1)


def kda_core(q, k, v, g, beta, starts):
    """The Triton kernels on a GPU with bfloat16 inputs, the PyTorch loop otherwise."""
    if kda_triton is not None and q.is_cuda and q.dtype == torch.bfloat16:
        return kda_triton(q, k, v, g, beta, starts)
    return each_sequence(kda_chunked, (q, k, v, g, beta), starts)
