# SPDX-License-Identifier: Apache-2.0
"""KDA core for training as Triton kernels: chunks of 16, bounded decay (log decay > -5); used and timed with head size 64.

Forward:  `prepare` (parallel over chunks) forms what does not depend on the state, `scan` walks from chunk to chunk.
Backward: `scan_back` walks in reverse for the state gradient, `chunk_back` (parallel) turns everything into input
gradients, recomputing the chunk's own matrices.  Shapes as in kda.py; starts [S + 1] int32 holds where each of the S
sequences begins, all multiples of CHUNK and ending with N; sequences may be empty.

Per chunk, with G the running sum of g, e the decay e^G, t the decay of the whole chunk, S the state before it:
    kk = strictly lower (k e) (k / e)^T, qk = lower (q e) (k / e)^T, X = (I + beta kk)^-1
    w = X (beta k e), u = X (beta v), written = u - w S, o = (q e) S + qk written, S' = t S + (k t/e)^T written
"""
import torch
import triton
import triton.language as tl

CHUNK = 16
ANCHOR = tl.constexpr(2.3538526683702e17)      # e^40: centres the range of e and 1/e, which is otherwise [1, e^80]


@triton.jit
def unit_lower_inverse(a, eye):
    """(I + a)^-1 of a strictly lower triangular 16x16 matrix, in float32."""
    a2 = tl.dot(a, a, input_precision="ieee")
    a4 = tl.dot(a2, a2, input_precision="ieee")
    a8 = tl.dot(a4, a4, input_precision="ieee")
    x = eye - a
    x += tl.dot(x, a2, input_precision="ieee")
    x += tl.dot(x, a4, input_precision="ieee")
    x += tl.dot(x, a8, input_precision="ieee")
    return x


@triton.jit
def prepare(q_ptr, k_ptr, v_ptr, g_ptr, beta_ptr, w_ptr, u_ptr, qe_ptr, kt_ptr, qk_ptr, total_ptr,
            H: tl.constexpr, D: tl.constexpr, C: tl.constexpr):
    """Grid [chunks, H].  Writes w, u, qe = q e, kt = k t/e [N, H, D], qk [N, H, C] and total = t [chunks, H, D]."""
    chunk, head = tl.program_id(0), tl.program_id(1)
    i, d = tl.arange(0, C), tl.arange(0, D)
    token = chunk * C + i
    at = token[:, None] * (H * D) + head * D + d[None, :]
    q = tl.load(q_ptr + at).to(tl.float32)
    k = tl.load(k_ptr + at).to(tl.float32)
    v = tl.load(v_ptr + at).to(tl.float32)
    g = tl.load(g_ptr + at)
    beta = tl.load(beta_ptr + token * H + head)
    decay = tl.cumsum(g, axis=0)
    total = tl.sum(g, axis=0)
    e = tl.exp(decay)
    k_fall = tl.trans((k * (tl.exp(-decay) / ANCHOR)).to(tl.bfloat16))
    kk = tl.dot((k * (e * ANCHOR)).to(tl.bfloat16), k_fall)
    qk = tl.dot((q * (e * ANCHOR)).to(tl.bfloat16), k_fall)
    a = tl.where(i[:, None] > i[None, :], kk * beta[:, None], 0.0)
    eye = tl.where(i[:, None] == i[None, :], 1.0, 0.0)
    x = unit_lower_inverse(a, eye).to(tl.bfloat16)
    w = tl.dot(x, (k * e * beta[:, None]).to(tl.bfloat16))
    u = tl.dot(x, (v * beta[:, None]).to(tl.bfloat16))
    tl.store(w_ptr + at, w.to(tl.bfloat16))
    tl.store(u_ptr + at, u.to(tl.bfloat16))
    tl.store(qe_ptr + at, (q * e).to(tl.bfloat16))
    tl.store(kt_ptr + at, (k * tl.exp(total[None, :] - decay)).to(tl.bfloat16))
    at_square = (token[:, None] * H + head) * C + i[None, :]
    own = tl.where(i[:, None] == i[None, :], tl.sum(q * k, axis=1)[:, None], 0.0)
    tl.store(qk_ptr + at_square, tl.where(i[:, None] > i[None, :], qk, own).to(tl.bfloat16))
    tl.store(total_ptr + (chunk * H + head) * D + d, tl.exp(total))


@triton.jit
def scan(w_ptr, u_ptr, qe_ptr, kt_ptr, qk_ptr, total_ptr, o_ptr, written_ptr, state_ptr, starts_ptr,
         H: tl.constexpr, D: tl.constexpr, C: tl.constexpr, V: tl.constexpr):
    """Grid [S * H, D / V].  Writes o, written [N, H, D] and the state before each chunk [chunks, H, D, D]."""
    sequence, head, part = tl.program_id(0) // H, tl.program_id(0) % H, tl.program_id(1)
    first, end = tl.load(starts_ptr + sequence) // C, tl.load(starts_ptr + sequence + 1) // C
    i, d, c = tl.arange(0, C), tl.arange(0, D), part * V + tl.arange(0, V)
    state = tl.zeros([D, V], dtype=tl.float32)
    for chunk in range(first, end):
        token = chunk * C + i
        at_k = token[:, None] * (H * D) + head * D + d[None, :]
        at_v = token[:, None] * (H * D) + head * D + c[None, :]
        w = tl.load(w_ptr + at_k)
        u = tl.load(u_ptr + at_v)
        qe = tl.load(qe_ptr + at_k)
        kt = tl.load(kt_ptr + at_k)
        qk = tl.load(qk_ptr + (token[:, None] * H + head) * C + i[None, :])
        total = tl.load(total_ptr + (chunk * H + head) * D + d)
        low = state.to(tl.bfloat16)
        tl.store(state_ptr + (chunk * H + head).to(tl.int64) * (D * D) + d[:, None] * D + c[None, :], low)
        written = (u.to(tl.float32) - tl.dot(w, low)).to(tl.bfloat16)
        o = tl.dot(qe, low) + tl.dot(qk, written)
        tl.store(written_ptr + at_v, written)
        tl.store(o_ptr + at_v, o.to(tl.bfloat16))
        state = state * total[:, None] + tl.dot(tl.trans(kt), written)


@triton.jit
def scan_back(w_ptr, qe_ptr, kt_ptr, qk_ptr, total_ptr, do_ptr, dwritten_ptr, dstate_ptr, starts_ptr,
              H: tl.constexpr, D: tl.constexpr, C: tl.constexpr, V: tl.constexpr):
    """Grid [S * H, D / V].  Writes dwritten [N, H, D] and the gradient of the state AFTER each chunk."""
    sequence, head, part = tl.program_id(0) // H, tl.program_id(0) % H, tl.program_id(1)
    first, end = tl.load(starts_ptr + sequence) // C, tl.load(starts_ptr + sequence + 1) // C
    i, d, c = tl.arange(0, C), tl.arange(0, D), part * V + tl.arange(0, V)
    grad = tl.zeros([D, V], dtype=tl.float32)
    for n in range(first, end):
        chunk = first + (end - 1 - n)
        token = chunk * C + i
        at_k = token[:, None] * (H * D) + head * D + d[None, :]
        at_v = token[:, None] * (H * D) + head * D + c[None, :]
        w = tl.load(w_ptr + at_k)
        qe = tl.load(qe_ptr + at_k)
        kt = tl.load(kt_ptr + at_k)
        do = tl.load(do_ptr + at_v)
        qk = tl.load(qk_ptr + (token[:, None] * H + head) * C + i[None, :])
        total = tl.load(total_ptr + (chunk * H + head) * D + d)
        low = grad.to(tl.bfloat16)
        tl.store(dstate_ptr + (chunk * H + head).to(tl.int64) * (D * D) + d[:, None] * D + c[None, :], low)
        dwritten = (tl.dot(tl.trans(qk), do) + tl.dot(kt, low)).to(tl.bfloat16)
        tl.store(dwritten_ptr + at_v, dwritten)
        grad = grad * total[:, None] + tl.dot(tl.trans(qe), do) - tl.dot(tl.trans(w), dwritten)


@triton.jit
def chunk_back(q_ptr, k_ptr, v_ptr, g_ptr, beta_ptr, written_ptr, state_ptr, do_ptr, dwritten_ptr, dstate_ptr,
               dq_ptr, dk_ptr, dv_ptr, dg_ptr, dbeta_ptr, H: tl.constexpr, D: tl.constexpr, C: tl.constexpr):
    """Grid [chunks, H].  Input gradients of one chunk."""
    chunk, head = tl.program_id(0), tl.program_id(1)
    i, d, c = tl.arange(0, C), tl.arange(0, D), tl.arange(0, D)
    token = chunk * C + i
    at = token[:, None] * (H * D) + head * D + d[None, :]
    at_state = (chunk * H + head).to(tl.int64) * (D * D) + d[:, None] * D + c[None, :]
    state = tl.load(state_ptr + at_state)
    dstate = tl.load(dstate_ptr + at_state)
    do = tl.load(do_ptr + at)
    written = tl.load(written_ptr + at)
    dwritten = tl.load(dwritten_ptr + at)
    dqe = tl.dot(do, tl.trans(state))
    dw = -tl.dot(dwritten, tl.trans(state))
    dkt = tl.dot(written, tl.trans(dstate))
    dtotal = tl.sum(state.to(tl.float32) * dstate.to(tl.float32), axis=1)

    q = tl.load(q_ptr + at).to(tl.float32)
    k = tl.load(k_ptr + at).to(tl.float32)
    v = tl.load(v_ptr + at).to(tl.float32)
    g = tl.load(g_ptr + at)
    beta = tl.load(beta_ptr + token * H + head)
    decay = tl.cumsum(g, axis=0)
    total = tl.sum(g, axis=0)
    e = tl.exp(decay)
    rise, fall = e * ANCHOR, tl.exp(-decay) / ANCHOR
    k_rise, q_rise, k_fall = (k * rise).to(tl.bfloat16), (q * rise).to(tl.bfloat16), (k * fall).to(tl.bfloat16)
    below, eye = i[:, None] > i[None, :], tl.where(i[:, None] == i[None, :], 1.0, 0.0)
    kk = tl.where(below, tl.dot(k_rise, tl.trans(k_fall)), 0.0)
    xt = tl.trans(unit_lower_inverse(kk * beta[:, None], eye))

    low_dw = dw.to(tl.bfloat16)
    dx = tl.dot(low_dw, tl.trans((k * e * beta[:, None]).to(tl.bfloat16)))
    dx += tl.dot(dwritten, tl.trans((v * beta[:, None]).to(tl.bfloat16)))
    low_xt = xt.to(tl.bfloat16)
    dkb, dvb = tl.dot(low_xt, low_dw), tl.dot(low_xt, dwritten)
    da = tl.dot(tl.dot(xt, dx, input_precision="ieee"), xt, input_precision="ieee")
    da = tl.where(below, -da, 0.0)
    dbeta = tl.sum(da * kk, axis=1) + tl.sum(dkb * k * e, axis=1) + tl.sum(dvb * v, axis=1)
    dkk = (da * beta[:, None]).to(tl.bfloat16)
    dqk = tl.where(below, tl.dot(do, tl.trans(written)), 0.0).to(tl.bfloat16)
    down = tl.sum(do.to(tl.float32) * written.to(tl.float32), axis=1)[:, None]      # diagonal of dqk: no decay there

    dq = dqe * e + tl.dot(dqk, k_fall) * rise
    dk_later = dkb * beta[:, None] * e + tl.dot(dkk, k_fall) * rise          # grows with this token's decay
    dk_end = dkt * tl.exp(total[None, :] - decay)
    dk_earlier = (tl.dot(tl.trans(dkk), k_rise) + tl.dot(tl.trans(dqk), q_rise)) * fall + dk_end
    ddecay = q * dq + k * (dk_later - dk_earlier)
    dlast = tl.sum(k * dk_end, axis=0) + dtotal * tl.exp(total)
    dg = tl.sum(ddecay, axis=0)[None, :] - tl.cumsum(ddecay, axis=0) + ddecay + dlast[None, :]
    tl.store(dq_ptr + at, (dq + down * k).to(tl.bfloat16))
    tl.store(dk_ptr + at, (dk_later + dk_earlier + down * q).to(tl.bfloat16))
    tl.store(dv_ptr + at, (dvb * beta[:, None]).to(tl.bfloat16))
    tl.store(dg_ptr + at, dg)
    tl.store(dbeta_ptr + token * H + head, dbeta)


class KDATriton(torch.autograd.Function):
    """q, k, v bfloat16, g and beta float32, all contiguous.  Launch shapes are class attributes for tuning."""

    value_split = 32            # state columns per program of the two scans
    chunk_warps = 2
    scan_warps = 4
    scan_stages = 3

    @staticmethod
    def forward(ctx, q, k, v, g, beta, starts):
        tokens, heads, dim = q.shape
        chunks, config = tokens // CHUNK, dict(H=heads, D=dim, C=CHUNK)
        w, u, qe, kt, o, written = (torch.empty_like(q) for _ in range(6))
        qk = q.new_empty(tokens, heads, CHUNK)
        total = g.new_empty(chunks, heads, dim)
        state = q.new_empty(chunks, heads, dim, dim)
        prepare[(chunks, heads)](q, k, v, g, beta, w, u, qe, kt, qk, total, num_warps=KDATriton.chunk_warps, **config)
        grid = ((len(starts) - 1) * heads, dim // KDATriton.value_split)
        scan[grid](w, u, qe, kt, qk, total, o, written, state, starts, V=KDATriton.value_split,
                   num_warps=KDATriton.scan_warps, num_stages=KDATriton.scan_stages, **config)
        ctx.save_for_backward(q, k, v, g, beta, w, qe, kt, qk, total, written, state, starts)
        return o

    @staticmethod
    def backward(ctx, do):
        q, k, v, g, beta, w, qe, kt, qk, total, written, state, starts = ctx.saved_tensors
        tokens, heads, dim = q.shape
        do, chunks, config = do.contiguous(), tokens // CHUNK, dict(H=heads, D=dim, C=CHUNK)
        dwritten, dstate = torch.empty_like(q), torch.empty_like(state)
        grid = ((len(starts) - 1) * heads, dim // KDATriton.value_split)
        scan_back[grid](w, qe, kt, qk, total, do, dwritten, dstate, starts, V=KDATriton.value_split,
                        num_warps=KDATriton.scan_warps, num_stages=KDATriton.scan_stages, **config)
        dq, dk, dv, dg, dbeta = (torch.empty_like(x) for x in (q, k, v, g, beta))
        chunk_back[(chunks, heads)](q, k, v, g, beta, written, state, do, dwritten, dstate, dq, dk, dv, dg, dbeta,
                                    num_warps=KDATriton.chunk_warps, **config)
        return dq, dk, dv, dg, dbeta, None


def kda_triton(q, k, v, g, beta, starts):
    """q (scaled), k (normalised), v [N, H, D] bfloat16; g [N, H, D], beta [N, H] float32, starts [S + 1] int32
    -> [N, H, D] bfloat16."""
    return KDATriton.apply(*(x.contiguous() for x in (q, k, v, g, beta)), starts)
