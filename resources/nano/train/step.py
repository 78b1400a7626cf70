# SPDX-License-Identifier: Apache-2.0
"""The training step in two halves, launched kernel by kernel or replayed as CUDA graphs.

The first half ends with all gradients in the optimizer's flat buffer; the second updates the model from it.  Between
them several GPUs average that buffer; this exchange is not part of a graph.
"""
import torch


def backward_half(model, optimizer, batch):
    """-> loss and final hidden [N, hidden], on the device; nothing waits for the host."""
    final, loads, penalty = model(batch)
    loss = model.loss(final, batch)
    (loss + penalty).backward()
    optimizer.collect(loads)
    return loss.detach(), final.detach()


def update_half(model, optimizer):
    """-> gradient norm before clipping and loads [MoE layers, experts]."""
    norm = optimizer.step()
    model.balance(optimizer.loads)
    return norm, optimizer.loads


def train_step(model, optimizer, batch, exchange=lambda flat: None):
    """One optimizer step; returns loss, norm, final hidden and loads."""
    loss, final = backward_half(model, optimizer, batch)
    exchange(optimizer.flat)
    norm, loads = update_half(model, optimizer)
    return loss, norm, final, loads


class Graph:
    """A function without arguments as a CUDA graph.  Its results stay valid until a graph of the same pool runs."""

    def __init__(self, function, pool):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                function()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, pool=pool, capture_error_mode="thread_local"):
            self.results = function()

    def __call__(self):
        self.graph.replay()
        return self.results


class GraphedSteps:
    """train_step as graphs: one first half per batch layout, one second half for all.  Capturing trains nothing."""

    def __init__(self, model, optimizer, exchange):
        self.model, self.optimizer, self.exchange = model, optimizer, exchange
        self.pool, self.halves, self.update = torch.cuda.graph_pool_handle(), {}, None

    def prepare(self, layout, batch):
        """Capture what a step on this batch object needs; later its tensors are filled anew before each call."""
        if self.update is None:
            optimizer, balance = self.optimizer, self.model.state_dict()
            kept = {n: t.clone() for n, t in balance.items() if n.endswith("e_score_correction_bias")}
            factor = optimizer.factor.clone()
            optimizer.schedule(0.0)
            self.update = Graph(lambda: update_half(self.model, optimizer), torch.cuda.graph_pool_handle())
            optimizer.count.zero_()
            optimizer.factor.copy_(factor)
            for n, t in kept.items():
                balance[n].copy_(t)
        self.halves[layout] = Graph(lambda: backward_half(self.model, self.optimizer, batch), self.pool)

    def backward_half(self, layout, batch):
        """-> loss and final hidden; the model stays as it is."""
        if layout not in self.halves:
            self.prepare(layout, batch)
        return self.halves[layout]()

    def __call__(self, layout, batch):
        loss, final = self.backward_half(layout, batch)
        self.exchange(self.optimizer.flat)
        norm, loads = self.update()
        return loss, norm, final, loads
