# SPDX-License-Identifier: Apache-2.0
"""What the parts of the model do: python3 mechanisms.py --checkpoint FOLDER --vocabulary FOLDER --suites FOLDER --data FOLDER --out FILE

Attention on the needle: at 8K, the softmax mass that each head of each MLA layer puts, while it predicts the first token of
the value, on the sentence that states it (mean over the questions).  Knock-outs: needle-8k and prose without the MLA
layers and without each KDA layer.  Load entropy and dead experts on text and pictures, depth weights, half-lives of the decay as it
is (static) and as it happens on text (what the gate makes of it).
"""
import argparse
import json

import numpy as np
import torch

import config as configuration
import export
from batch import Capacity
from evaluate import Mechanisms, Scorer, load_suite, prose_bits, prose_samples, without_attention
from model import K3
from text import KDA, MLA
from tokenizer import Tokenizer

LEAST = 3                       # tokens of a value that must occur in the document once


def needle_places(sample, bounds):
    """[(position that predicts the value's first token, first and last + 1 token of the sentence)] of the replies that
    quote something from the first message.  bounds: ids that end a sentence."""
    ids, replies = sample.ids.tolist(), np.flatnonzero(np.diff((sample.weights > 0.5).astype(np.int8), prepend=0) == 1)
    found, document = [], ids[:replies[0]] if len(replies) else []
    for start in replies:
        end = start
        while end < len(ids) and sample.weights[end] > 0.5:
            end += 1
        for at in range(start, end - LEAST):                     # the longest end of the reply that the document has once
            piece = ids[at:end - 2]                              # without the full stop and the closing mark
            places = [i for i in range(len(document) - len(piece)) if document[i] == piece[0] and document[i:i + len(piece)] == piece]
            if len(piece) >= LEAST and len(places) == 1:
                first = last = places[0]
                while first > 0 and document[first - 1] not in bounds:
                    first -= 1
                while last < len(document) - 1 and document[last] not in bounds:
                    last += 1
                found.append((at - 1, first, last + 1))
                break
    return found


class Looks:
    """Notes where the MLA layers look from chosen positions.  Use around one forward pass of one batch."""

    def __init__(self, model):
        self.layers, self.seen = [(i + 1, x.self_attn) for i, x in enumerate(model.layers) if isinstance(x.self_attn, MLA)], {}

    def __enter__(self):
        for number, layer in self.layers:
            layer.before = self.wrap(number, layer.before)
        return self

    def __exit__(self, *_):
        for _, layer in self.layers:
            del layer.before

    def wrap(self, number, before):
        def watch(h, norm_weight):
            parts = before(h, norm_weight)
            self.seen[number] = parts[:2]
            return parts
        return watch

    def mass(self, start, position, first, last):
        """{layer: [mass of each head]} of the token at start + position on start + first .. start + last."""
        out = {}
        for number, (q, k) in self.seen.items():
            scores = torch.einsum("hd,khd->hk", q[start + position].float(), k[start:start + position + 1].float()) * q.shape[-1] ** -0.5
            out[number] = scores.softmax(-1)[:, first:last].sum(-1)
        return out


@torch.no_grad()
def needle_attention(scorer, items, tokenizer):
    """{layer: [mean mass of each head]} and the number of replies."""
    bounds = {i for i, raw in enumerate(tokenizer.bytes) if i < tokenizer.base and (b"." in raw or b"\n" in raw)}
    masses, samples = {}, [item.sample for item in items]
    for taken, places, batch in scorer.batches(samples):
        with Looks(scorer.model) as looks:
            scorer.model(batch)
        for i, (start, _) in zip(taken, places):
            for position, first, last in needle_places(samples[i], bounds):
                for number, mass in looks.mass(start, position, first, last).items():
                    masses.setdefault(number, []).append(mass.cpu())
    return {number: [round(x, 3) for x in torch.stack(rows).mean(0).tolist()] for number, rows in masses.items()}, \
        len(next(iter(masses.values()), []))


def silenced(layer):
    """Makes an attention layer add nothing; returns a function that restores it."""
    weight = layer.o_proj.weight
    kept = weight.detach().clone()
    with torch.no_grad():
        weight.zero_()
    return lambda: weight.data.copy_(kept)


@torch.no_grad()
def lives_on(scorer, samples):
    """Half-lives of all KDA channels over all tokens of some samples: shares under 8 and over 256 tokens."""
    counts, kept = np.zeros(3), []

    def wrap(before):
        def watch(h, norm_weight, pos):
            parts = before(h, norm_weight, pos)
            lives = -0.6931471805599453 / parts[3].float()
            counts[:] += [(lives < 8).sum().item(), (lives > 256).sum().item(), lives.numel()]
            return parts
        return watch
    for layer in scorer.model.layers:
        if isinstance(layer.self_attn, KDA):
            layer.self_attn.before = wrap(layer.self_attn.before)
            kept.append(layer.self_attn)
    scorer.run(samples)
    for layer in kept:
        del layer.before
    return dict(under_8=round(float(counts[0] / counts[2]), 3), over_256=round(float(counts[1] / counts[2]), 3))


def measure(scorer, folder, vocabulary, data, tokenizer, count, store):
    """Calls store(name, result) for each finding.  count: conversations of each suite, at most."""
    model = scorer.model
    take = lambda suite: load_suite((folder, suite, vocabulary))[1][:count]
    needles, short = take("needle-8k"), [item.sample for item in take("needle-2k")]
    masses, replies = needle_attention(scorer, needles, tokenizer)
    store("needle-8k, mass on the needle's sentence by layer and head", dict(replies=replies, heads=masses))
    for suite, limit in (("needle-2k", 60), ("img-attribute", 120)):
        with Mechanisms(model) as mechanisms:
            scorer.run([item.sample for item in take(suite)[:limit]], mechanisms.look)
        store(suite, mechanisms.report())
    store("half-lives on needle-2k", lives_on(scorer, short))
    texts = prose_samples(data, tokenizer, min(24, count))
    prose = lambda: {f"prose, {len(texts)} documents": round(prose_bits(scorer, texts, tokenizer), 4)}
    store("whole model", {"needle-8k": scorer.forced(needles).result(), **prose()})
    restore = without_attention(model)
    store("without the MLA layers", {"needle-8k": scorer.forced(needles).result()})
    restore()
    for number, layer in enumerate(model.layers, 1):
        if isinstance(layer.self_attn, KDA):
            restore = silenced(layer.self_attn)
            store(f"without KDA layer {number}", prose())
            restore()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--suites", required=True)
    parser.add_argument("--data", required=True, help="folder written by prepare.py")
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=400, help="conversations of each suite, at most")
    parser.add_argument("--tokens", type=int, default=Capacity.tokens)
    args = parser.parse_args()
    cuda, found = torch.cuda.is_available(), {}
    model = K3(configuration.NANO, torch.bfloat16 if cuda else torch.float32).to("cuda" if cuda else "cpu")
    export.load_tensors(model, export.read_checkpoint(args.checkpoint))

    def store(name, result):
        found[name] = result
        print(name, result, flush=True)
        with open(args.out, "w") as f:
            json.dump(found, f, indent=1, sort_keys=True)
    measure(Scorer(model, torch.device("cuda" if cuda else "cpu"), Capacity(tokens=args.tokens)), args.suites, args.vocabulary,
            args.data, Tokenizer.load(args.vocabulary), args.count, store)


if __name__ == "__main__":
    main()
