# SPDX-License-Identifier: Apache-2.0
"""Muon for hidden matrices (2-D and stacked experts) and AdamW for everything else, in one optimizer.

Gradients are collected into one flat buffer, which is what several GPUs have to average.

Parameters are updated in batches: all matrices of one shape together (Muon), all vectors of one group as one flat
vector (AdamW).  Step count and learning-rate factor live on the device, so a step can be captured in a CUDA graph.
"""
import torch


def orthogonalize(matrix, steps=5):
    """Newton-Schulz iteration towards U V^T of matrix = U S V^T.  matrix [..., rows, cols], result in bfloat16."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = matrix.bfloat16()
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + (b * gram + c * (gram @ gram)) @ x
    return x.mT if tall else x


def join(tensors, shape, out=None):
    """Tensors as one [count, *shape] batch; shape () gives one flat vector."""
    return torch.cat([t.reshape(-1, *shape) for t in tensors], out=out)


class Group:
    """Parameters that are updated together; shape is (rows, cols) for Muon and () for AdamW."""

    def __init__(self, params, shape, lr, decay):
        self.params, self.shape, self.lr, self.decay = params, shape, lr, decay
        self.sizes = [p.numel() // (shape[0] * shape[1] if shape else 1) for p in params]
        zeros = torch.zeros_like(join([p.detach() for p in params], shape))
        self.moments = [zeros] if shape else [zeros, zeros.clone()]


class MuonAdamW:
    """muon_lr: projections and expert stacks; embedding_lr: embedding and head; router_lr: router; other_lr:
    convolutions, depth queries, the position grid, and (without weight decay) norms; gate_lr: A_log and dt_bias, so low
    that the half-lives of the start stay spread.

    The Muon update is scaled by sqrt(max(1, rows/cols)).  `skipped` counts steps whose gradient was not finite."""

    def __init__(self, model, muon_lr=0.01, embedding_lr=3e-3, other_lr=1e-3, router_lr=1e-4, gate_lr=3e-5,
                 weight_decay=0.01, momentum=0.95, betas=(0.9, 0.95), eps=1e-8):
        self.momentum, self.betas, self.eps = momentum, betas, eps
        matrices, embedding, router, other, vectors, gates = {}, [], [], [], [], []
        for name, p in model.named_parameters():
            if "embed_tokens" in name or "lm_head" in name:
                embedding.append(p)
            elif name.endswith("gate.weight"):
                router.append(p)
            elif name.endswith(("A_log", "dt_bias")):
                gates.append(p)
            elif "res_proj" in name or "conv1d" in name or "pos_emb" in name:
                other.append(p)
            elif p.dim() >= 2:
                shape = tuple(p.shape[-2:]) if p.dim() < 4 else (len(p), p[0].numel())
                matrices.setdefault(shape, []).append(p)
            else:
                vectors.append(p)
        self.groups = [Group(params, shape, muon_lr, weight_decay) for shape, params in matrices.items()]
        self.groups += [Group(embedding, (), embedding_lr, weight_decay), Group(router, (), router_lr, weight_decay),
                         Group(other, (), other_lr, weight_decay), Group(vectors, (), other_lr, 0.0), Group(gates, (), gate_lr, 0.0)]
        experts = [b.numel() for n, b in model.named_buffers() if n.endswith("e_score_correction_bias")]
        sizes = [sum(p.numel() for p in group.params) for group in self.groups]
        self.flat = torch.zeros(sum(sizes) + sum(experts), device=p.device)
        *parts, loads = self.flat.split(sizes + [sum(experts)])
        self.grads = [part.view(-1, *group.shape) for part, group in zip(parts, self.groups)]
        self.loads = loads.view(len(experts), -1)
        self.factor = torch.ones((), device=p.device)
        self.count = torch.zeros((), device=p.device)
        self.skipped = torch.zeros((), device=p.device)

    def schedule(self, factor):
        """Scale every learning rate by `factor` from the next step on."""
        self.factor.fill_(factor)

    @torch.no_grad()
    def collect(self, loads):
        """Move the gradients, and beside them the loads of the experts [MoE layers, E], into the flat buffer."""
        for group, grads in zip(self.groups, self.grads):
            join([torch.zeros_like(p) if p.grad is None else p.grad for p in group.params], group.shape, out=grads)
            for p in group.params:
                p.grad = None
        self.loads.copy_(loads)

    @torch.no_grad()
    def step(self, clip=1.0):
        """Clip by the global norm and update.  A gradient that is not finite counts as zero and moves no parameter.
        Returns the norm before clipping."""
        norm = torch.stack([g.norm() for g in self.grads]).norm()
        finite = torch.isfinite(norm)
        scale = (clip / (norm + 1e-6)).clamp_max(1.0)
        self.count += 1
        self.skipped += ~finite
        for group, grad in zip(self.groups, self.grads):
            grad = torch.where(finite, grad * scale, 0.0)
            update = self.muon(group, grad) if group.shape else self.adamw(group, grad)
            change = (update + group.decay * join(group.params, group.shape)) * (self.factor * -group.lr)
            parts = torch.where(finite, change, 0.0).split(group.sizes)
            torch._foreach_add_(group.params, [part.reshape(p.shape) for part, p in zip(parts, group.params)])
        return norm

    def muon(self, group, grads):
        """Nesterov momentum, orthogonalised."""
        (moment,) = group.moments
        moment.mul_(self.momentum).add_(grads, alpha=1 - self.momentum)
        update = orthogonalize(self.momentum * moment + (1 - self.momentum) * grads)
        return update.float() * max(1.0, group.shape[0] / group.shape[1]) ** 0.5

    def adamw(self, group, grads):
        (first, second), (b1, b2) = group.moments, self.betas
        first.mul_(b1).add_(grads, alpha=1 - b1)
        second.mul_(b2).addcmul_(grads, grads, value=1 - b2)
        root = (second / (1 - b2 ** self.count)).sqrt() + self.eps
        return first / (1 - b1 ** self.count) / root

    def state_dict(self):
        return dict(count=self.count, moments=[m for group in self.groups for m in group.moments])

    @torch.no_grad()
    def load_state_dict(self, state):
        self.count.copy_(state["count"])
        for mine, theirs in zip([m for group in self.groups for m in group.moments], state["moments"]):
            mine.copy_(theirs)
