# SPDX-License-Identifier: Apache-2.0
"""One training step's data in buffers of fixed size, so that a CUDA graph can be replayed on it.

Conversations of any length lie one after the other, each padded to a multiple of CHUNK; the longest come first, since
they keep their multiprocessors busy longest.  What is left over is padding that forms sequences of its own.
"""
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from kda import CHUNK

LONGEST_ITEM = 256            # patches of one image or of one chunk of frames
PATCH_BYTES = 3 * 14 * 14
ALIGNMENT = 256


@dataclass(frozen=True)
class Capacity:
    """Sizes of the buffers: tokens, sequences, patches, media items, media tokens."""
    tokens: int = 65536
    sequences: int = 640
    patches: int = 40960
    items: int = 640
    media_tokens: int = 8192

    def sequence_limit(self, longest):
        """Sequences of a batch; fewer where they may be long, since kernels start blocks for the longest of each."""
        return max(96, min(self.sequences, (1 << 21) // longest))

    def fields(self):
        """{name: (shape, dtype)} in storage order."""
        t, s, p, i, m = self.tokens, self.sequences, self.patches, self.items, self.media_tokens
        f4, i4, i2, u1 = np.float32, np.int32, np.int16, np.uint8
        return dict(ids=((t,), i4), targets=((t,), i4), weights=((t,), f4), pos=((t,), i4), starts=((s + 1,), i4),
                    pixels=((p, PATCH_BYTES), u1), place=((p, 2), i2), cells=((p, 4), i2), cell_weights=((p, 4), f4),
                    frame=((p,), i2), quarter=((p,), i4), share=((p,), f4), item_starts=((i + 1,), i4),
                    target=((m,), i4), family=((s,), i2), head=((4,), i4))

    def offsets(self):
        """{name: (byte offset, shape, dtype)} and the total size in bytes."""
        at, out = 0, {}
        for name, (shape, dtype) in self.fields().items():
            out[name] = (at, shape, dtype)
            at += -(-int(np.prod(shape)) * np.dtype(dtype).itemsize // ALIGNMENT) * ALIGNMENT
        return out, at

    def arrays(self, memory):
        """numpy views of a writable buffer."""
        return {name: np.frombuffer(memory, dtype, int(np.prod(shape)), at).reshape(shape)
                for name, (at, shape, dtype) in self.offsets()[0].items()}

    def tensors(self, memory):
        """torch views of a flat uint8 tensor."""
        kinds = {np.float32: torch.float32, np.int32: torch.int32, np.int16: torch.int16, np.uint8: torch.uint8}
        return {name: memory[at:at + int(np.prod(shape)) * np.dtype(dtype).itemsize].view(kinds[dtype]).reshape(shape)
                for name, (at, shape, dtype) in self.offsets()[0].items()}


@dataclass
class Layout:
    starts: torch.Tensor
    pos: torch.Tensor
    longest: int


@dataclass
class Patches:
    """pixels [P, 588] uint8 (c, y, x); place [P, 2] row and column; cells, cell_weights [P, 4] of the learned grid;
    frame [P] (the table's last row for still images); quarter [P] = 4 * token + corner; share [P] = 1 / frames;
    starts [I + 1]; target [M] position of each media token in the text."""
    pixels: torch.Tensor
    place: torch.Tensor
    cells: torch.Tensor
    cell_weights: torch.Tensor
    frame: torch.Tensor
    quarter: torch.Tensor
    share: torch.Tensor
    starts: torch.Tensor
    target: torch.Tensor
    longest: int = LONGEST_ITEM


@dataclass
class Batch:
    """targets[i] is the token after ids[i], weights[i] what predicting it counts."""
    ids: torch.Tensor
    targets: torch.Tensor
    weights: torch.Tensor
    layout: Layout
    media: Patches

    @staticmethod
    def of(t, longest, sequences):
        """t: tensors by field name; sequences: how many edges are in use, at most (Capacity.sequence_limit)."""
        media = Patches(t["pixels"], t["place"], t["cells"], t["cell_weights"], t["frame"], t["quarter"], t["share"],
                        t["item_starts"], t["target"])
        return Batch(t["ids"], t["targets"], t["weights"], Layout(t["starts"][:sequences + 1], t["pos"], longest),
                     media)


@lru_cache(maxsize=1024)
def grid_cells(h, w, rows, columns):
    """Bilinear interpolation of a rows x columns grid at h x w patches (half-pixel centres): cells and weights
    [h*w, 4]."""
    def axis(count, size):
        s = np.clip((np.arange(count) + 0.5) * size / count - 0.5, 0, size - 1)
        low = np.floor(s).astype(np.int64)
        return low, np.minimum(low + 1, size - 1), s - low

    (y0, y1, fy), (x0, x1, fx) = axis(h, rows), axis(w, columns)
    cells = np.stack([y[:, None] * columns + x[None] for y in (y0, y1) for x in (x0, x1)], -1)
    weights = np.stack([a[:, None] * b[None] for a in (1 - fy, fy) for b in (1 - fx, fx)], -1)
    return cells.reshape(-1, 4).astype(np.int16), weights.reshape(-1, 4).astype(np.float32)


@lru_cache(maxsize=1024)
def quarters(t, h, w):
    """4 * token + corner of every patch of an item, frame-major: [t*h*w]."""
    y, x = np.mgrid[:h, :w]
    one = ((y // 2) * (w // 2) + x // 2) * 4 + (y % 2) * 2 + x % 2
    return np.tile(one.reshape(-1), t).astype(np.int32)


def padded(length):
    return -(-length // CHUNK) * CHUNK


class Packer:
    """Collects samples until the buffers are full, then writes them.

    A sample has ids uint16 [n], weights float32 [n] (of predicting ids[i] from its past) and media: a list of
    (patches float32 [t*h*w, 588] in [-1, 1], (t, h, w)), one per run of placeholder ids."""

    def __init__(self, capacity, config, longest):
        vision = config["vision_config"]
        self.capacity, self.longest = capacity, longest
        self.grid = vision["init_pos_emb_height"], vision["init_pos_emb_width"]
        self.still = vision["init_pos_emb_time"]
        self.pad, self.media_pad = config["pad_token_id"], config["media_placeholder_token_id"]
        self.samples = []
        self.room = capacity.tokens
        self.patches, self.items, self.media_tokens = capacity.patches, capacity.items, capacity.media_tokens
        # every buffer keeps enough sequences to cut its padding into pieces of the longest length
        self.items -= capacity.patches // LONGEST_ITEM + 1
        self.sequences = capacity.sequence_limit(longest) - capacity.tokens // longest - 1

    def media_fits(self):
        """Whether there is room for one conversation with a few media items."""
        return self.patches >= 8 * LONGEST_ITEM and self.items >= 8 and self.media_tokens >= 2 * LONGEST_ITEM

    def add(self, sample, family):
        """Take a sample if there is room for it; family: its number in the log."""
        length = len(sample.ids)
        if length > self.longest:
            raise ValueError(f"a sample of {length} tokens, but this batch holds at most {self.longest} each")
        sizes = [t * h * w for _, (t, h, w) in sample.media]
        if sizes and max(sizes) > LONGEST_ITEM:
            raise ValueError(f"a media item of {max(sizes)} patches, limit {LONGEST_ITEM}")
        tokens = sum(h * w // 4 for _, (_, h, w) in sample.media)
        pads = int((sample.ids == self.media_pad).sum())
        if pads != tokens:
            raise ValueError(f"{pads} media placeholders for {tokens} media tokens")
        need = padded(length), sum(sizes), len(sizes), tokens
        if not self.sequences or any(n > have for n, have in
                                     zip(need, (self.room, self.patches, self.items, self.media_tokens))):
            return False
        self.room, self.patches = self.room - need[0], self.patches - need[1]
        self.items, self.media_tokens = self.items - need[2], self.media_tokens - need[3]
        self.sequences -= 1
        self.samples.append((sample, family))
        return True

    def write(self, out):
        """Fill the arrays of `out`.  Returns the range of positions of every sample, in the order they were added."""
        order = sorted(range(len(self.samples)), key=lambda i: -len(self.samples[i][0].ids))
        out["ids"].fill(self.pad), out["targets"].fill(self.pad), out["weights"].fill(0)
        at, places = 0, [None] * len(order)
        edges = [0]
        for n, i in enumerate(order):
            sample, family = self.samples[i]
            end, length = at + padded(len(sample.ids)), len(sample.ids)
            out["ids"][at:at + length] = sample.ids
            out["targets"][at:at + length - 1] = sample.ids[1:]
            out["weights"][at:at + length - 1] = sample.weights[1:]
            out["pos"][at:end] = np.arange(end - at)
            out["family"][n] = family
            places[i] = (at, at + length)
            edges.append(end)
            at = end
        out["family"][len(order):] = -1
        fill_edges(out["starts"], edges, self.longest, len(out["ids"]))
        out["pos"][at:] = np.arange(len(out["pos"]) - at) % self.longest
        self.write_media(out, places)
        out["head"][:] = self.longest, len(order), at, self.capacity.patches - self.patches
        return places

    def write_media(self, out, places):
        """Fill the arrays of the media; unused patches belong to no token, unused tokens to no position."""
        patch, token, edges = 0, 0, [0]
        for (sample, _), (start, _) in zip(self.samples, places):
            if not sample.media:
                continue
            slots = np.flatnonzero(sample.ids == self.media_pad) + start
            out["target"][token:token + len(slots)] = slots
            for pixels, (t, h, w) in sample.media:
                here = slice(patch, patch + t * h * w)
                cells, weights = grid_cells(h, w, *self.grid)
                out["pixels"][here] = np.rint((pixels + 1.0) * 127.5)
                out["cells"][here], out["cell_weights"][here] = np.tile(cells, (t, 1)), np.tile(weights, (t, 1))
                out["place"][here] = np.tile(np.stack(np.mgrid[:h, :w], -1).reshape(-1, 2), (t, 1))
                out["frame"][here] = np.repeat(np.arange(t), h * w) if t > 1 else self.still
                out["quarter"][here] = quarters(t, h, w) + 4 * token
                out["share"][here] = 1.0 / t
                patch, token = here.stop, token + h * w // 4
                edges.append(patch)
        for name in ("pixels", "place", "cells", "cell_weights", "frame", "quarter", "share"):
            out[name][patch:] = 0
        fill_edges(out["item_starts"], edges, LONGEST_ITEM, len(out["share"]))
        unused = len(out["target"]) - token
        out["target"][token:] = len(out["ids"]) + token + np.arange(unused)


def fill_edges(starts, edges, piece, total):
    """Edges of the sequences, then of the padding up to `total` in pieces, then of empty sequences."""
    edges = edges + list(range(edges[-1] + piece, total, piece))
    starts[:len(edges)] = edges
    starts[len(edges):] = total
