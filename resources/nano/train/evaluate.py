# SPDX-License-Identifier: Apache-2.0
"""Score a packed checkpoint: python3 evaluate.py --checkpoint FOLDER --suites FOLDER --data FOLDER --out eval.json

Suites (suites.py) are scored twice, as `pal eval` does.  "exact": every token of the reply, of its think trace too, is the
most likely one after the gold prefix.  "right": the reply that the model writes greedily, after the gold history, equals
the gold answer or another accepted one; a think trace may take any way to it.  An exact reply is right; after prompts
beyond WRITTEN tokens every other one counts as wrong.

Also: blindness controls, held-out prose in bits per byte, and what the mechanisms do (experts, depth, half-lives,
what breaks without attention).
"""
import argparse
import json
import math
import multiprocessing
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import config as configuration
import export
import greedy
import suites
import tasks
from batch import Batch, Capacity, Packer, padded
from dialog import Split
from model import K3
from operators import wide
from render import PROSE, render
from text import MLA
from tokenizer import Tokenizer

ANSWER_WEIGHT = 0.5
LONGEST = (2048, 8192, 32768, 65536)
WRITTEN, NEW_TOKENS, ROWS = 2560, 200, 1024   # longest prompt and reply, in tokens, and how many are written at once
CONTROLS = {"img-attribute": suites.grey_images, "img-where": suites.grey_images,
            "video-direction": lambda dialog: suites.shuffled_frames(dialog, 1)}


def replies(weights, thinking):
    """[(first, last)] of every scored reply: runs of answer weight, two of them (think, response) in thinking mode."""
    edge = np.flatnonzero(np.diff((weights > ANSWER_WEIGHT).astype(np.int8), prepend=0, append=0))
    runs = list(zip(edge[::2], edge[1::2]))
    if not thinking:
        return [[run] for run in runs]
    return [list(pair) for pair in zip(runs[::2], runs[1::2])]


class Scorer:
    """Runs a model on samples of any length, many at a time."""

    def __init__(self, model, device, capacity=Capacity()):
        self.model, self.device, self.capacity = model, device, capacity

    def batches(self, samples):
        """Packs samples, similar lengths together: (indices, places, batch)."""
        order = sorted(range(len(samples)), key=lambda i: len(samples[i].ids))
        memory = np.zeros(self.capacity.offsets()[1], np.uint8)
        arrays = self.capacity.arrays(memory)
        while order:
            longest = next(l for l in LONGEST if l >= padded(len(samples[order[-1]].ids)))
            packer, taken = Packer(self.capacity, self.model.config, longest), []
            while order and packer.add(samples[order[-1]], 0):
                taken.append(order.pop())
            if not taken:
                raise ValueError(f"a sample of {len(samples[order[-1]].ids)} tokens does not fit into an empty batch")
            places = packer.write(arrays)
            views = self.capacity.tensors(torch.from_numpy(memory.copy()).to(self.device))
            yield taken, places, Batch.of(views, longest, self.capacity.sequence_limit(longest))

    @torch.no_grad()
    def run(self, samples, look=None, batches=None):
        """For each sample (most likely token after each prefix, loss of each next token in nats); entry i belongs to
        predicting ids[i + 1].  look(final hidden, loads) sees every batch.  batches: list(self.batches(samples)), where
        the same samples are run several times."""
        out = [None] * len(samples)
        for taken, places, batch in batches or self.batches(samples):
            final, loads, _ = self.model(batch)
            logits = wide(F.linear(final, self.model.language_model.lm_head.weight.to(final.dtype)))
            losses = F.cross_entropy(logits, batch.targets.long(), reduction="none").cpu().numpy()
            best = logits.argmax(-1).cpu().numpy()
            if look:
                look(final, loads)
            for i, (a, b) in zip(taken, places):
                out[i] = best[a:b - 1], losses[a:b - 1]
        return out

    def embeddings(self, samples):
        """What enters the first layer for each sample, [length, hidden]."""
        out = [None] * len(samples)
        with torch.no_grad():
            for taken, places, batch in self.batches(samples):
                rows = self.model.embed(batch)
                for i, (a, b) in zip(taken, places):
                    out[i] = rows[a:b].clone()
        return out

    def forced(self, items, look=None):
        """Scores of items under teacher forcing alone."""
        return self.scored(items, self.run([item.sample for item in items], look))

    @staticmethod
    def scored(items, outcomes):
        """outcomes: what run() gives for the items."""
        score = Score(items)
        for number, (item, (best, _)) in enumerate(zip(items, outcomes)):
            hit = np.concatenate(([True], best == item.sample.ids[1:]))
            for reply, turn in zip(replies(item.sample.weights, item.thinking), item.turns):
                score.count(number, reply[0][0], turn, np.concatenate([hit[a:b] for a, b in reply]))
        return score

    def write(self, scores, tokenizer):
        """Let the model write the replies that teacher forcing missed, and count those that are right."""
        for score in scores:
            score.written = 0
        missed = sorted(((length, score, number, turn) for score in scores for number, length, turn in score.missed
                         if length <= WRITTEN), key=lambda m: m[0])
        for at in range(0, len(missed), ROWS):
            part = missed[at:at + ROWS]
            keys = list({(id(score), number): (score, number) for _, score, number, _ in part}.items())
            rows = dict(zip((key for key, _ in keys), self.embeddings([s.items[n].sample for _, (s, n) in keys])))
            found = greedy.continuations(self.model, [rows[id(s), n][:length] for length, s, n, _ in part], NEW_TOKENS,
                                         configuration.END_OF_MESSAGE)
            for ids, (_, score, _, turn) in zip(found, part):
                score.written += suites.right(response(tokenizer.decode(ids)), turn)


class Score:
    """Counts of one suite.  missed: (number of the item, tokens before the reply, turn) of every turn that is not right
    under teacher forcing; written: how many of them were right when the model wrote freely, None before that."""

    def __init__(self, items):
        self.items, self.missed, self.questions, self.tokens, self.right_tokens, self.written = items, [], 0, 0, 0, None

    def count(self, number, length, turn, marks):
        self.questions, self.tokens, self.right_tokens = (self.questions + 1, self.tokens + len(marks),
                                                          self.right_tokens + int(marks.sum()))
        if not marks.all():
            self.missed.append((number, length, turn))

    def result(self):
        exact, share = self.questions - len(self.missed), lambda n, of: round(n / max(of, 1), 4)
        out = dict(questions=self.questions, exact=share(exact, self.questions), tokens=share(self.right_tokens, self.tokens))
        if self.written is not None:
            out["right"] = share(exact + self.written, self.questions)
        return out


def response(text):
    """The response channel of what the model wrote after a prompt that opened its first channel."""
    return text.split("<|open|>response<|sep|>")[-1].split("<|close|>")[0]


@dataclass
class Item:
    sample: object
    thinking: bool
    turns: list             # the scored turns, as in the suite's file


def load_suite(arguments):
    """(suite, [Item], the same for its blindness control or None); runs in a worker."""
    folder, suite, vocabulary = arguments
    tokenizer, found = Tokenizer.load(vocabulary), suites.load(folder, suite)

    def items(change):
        return [Item(render(change(d), tokenizer), d.thinking, [t for t in line["turns"] if t["scored"]]) for line, d in found]
    control = CONTROLS.get(suite)
    return suite, items(lambda d: d), items(control) if control else None


def prose_samples(data, tokenizer, count=120, budget=2000):
    """Held-out running text inside documents."""
    os.environ["NANO_DATA"] = str(data)
    prose, r = tasks.text_families()["prose"], np.random.default_rng(7)
    return [render(prose(r, Split.TEST, budget), tokenizer, 2048) for _ in range(count)]


def prose_bits(scorer, samples, tokenizer):
    """Bits per byte of the running text in samples of prose_samples()."""
    nats = size = 0.0
    for sample, (_, losses) in zip(samples, scorer.run(samples)):
        text = np.flatnonzero((sample.weights == np.float32(PROSE)) & (sample.ids < tokenizer.base))
        nats += float(losses[text - 1].sum())
        size += sum(len(tokenizer.bytes[i]) for i in sample.ids[text])
    return nats / math.log(2) / size


class Mechanisms:
    """Counts what the experts and the depth attention do while a scorer runs."""

    def __init__(self, model):
        self.model, self.loads, self.depth = model, 0, {}
        self.mix, self.calls = model.language_model.model.mix, 0

    def __enter__(self):
        self.model.language_model.model.mix = self.watch
        return self

    def __exit__(self, *_):
        self.model.language_model.model.mix = self.mix

    def watch(self, current, blocks, norm_weight, query, eps):
        """depth_mix that also notes the mean total variation from the uniform mix."""
        sources = torch.stack([wide(s) for s in blocks + [current]], 1)
        keys = sources * torch.rsqrt(sources.pow(2).mean(-1, keepdim=True) + eps) * norm_weight
        probs = (keys @ query[0]).softmax(-1)
        away = (probs - 1.0 / probs.shape[1]).abs().sum(-1).mean() / 2
        self.depth.setdefault(self.calls % self.sites(), []).append(away.item())
        self.calls += 1
        return self.mix(current, blocks, norm_weight, query, eps)

    def sites(self):
        """Mixing sites in one forward pass: two per layer but the first, which has one, and one at the end."""
        return 2 * len(self.model.layers)

    def look(self, final, loads):
        self.loads = self.loads + loads.double().cpu()

    def report(self):
        share = self.loads / self.loads.sum(1, keepdim=True)
        entropy = -(share * share.clamp_min(1e-12).log()).sum(1) / math.log(share.shape[1])
        lives = self.model.half_lives()
        return dict(load_entropy=[round(e, 3) for e in entropy.tolist()],
                    dead_experts=int((share < 0.01 / share.shape[1]).sum()),
                    depth_variation=[round(float(np.mean(v)), 3) for _, v in sorted(self.depth.items())],
                    half_lives_over_256=round((lives > 256).float().mean().item(), 3),
                    half_lives_under_8=round((lives < 8).float().mean().item(), 3))


def without_attention(model):
    """Silence the MLA layers; returns a function that restores them."""
    kept = [(layer.self_attn.o_proj.weight, layer.self_attn.o_proj.weight.detach().clone())
            for layer in model.layers if isinstance(layer.self_attn, MLA)]
    with torch.no_grad():
        for weight, _ in kept:
            weight.zero_()

    def restore():
        with torch.no_grad():
            for weight, value in kept:
                weight.copy_(value)
    return restore


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True, help="folder of the packed model")
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--suites", required=True)
    parser.add_argument("--data", required=True, help="folder written by prepare.py")
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", nargs="*", help="names of suites")
    parser.add_argument("--forced", action="store_true", help="teacher forcing alone; `pal eval` scores the written replies")
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--tokens", type=int, default=Capacity.tokens)
    args = parser.parse_args()
    names = args.only or sorted(p.stem for p in Path(args.suites).glob("*.jsonl"))
    work = [(args.suites, name, args.vocabulary) for name in names]
    with multiprocessing.get_context("fork").Pool(args.workers) as pool:     # before CUDA is used
        found = pool.imap_unordered(load_suite, work)
        cuda = torch.cuda.is_available()
        device = torch.device("cuda" if cuda else "cpu")
        model = K3(configuration.NANO, torch.bfloat16 if cuda else torch.float32)
        export.load_tensors(model, export.read_checkpoint(args.checkpoint))
        scorer, tokenizer = Scorer(model.to(device), device, Capacity(tokens=args.tokens)), Tokenizer.load(args.vocabulary)
        result, scores = dict(suites={}, controls={}, mechanisms={}), dict(suites={}, controls={})

        def store():
            for kind, by_suite in scores.items():
                result[kind] = {suite: score.result() for suite, score in by_suite.items()}
            with open(args.out, "w") as f:
                json.dump(result, f, indent=1, sort_keys=True)

        everything = Mechanisms(model)
        for suite, items, control in found:
            scores["suites"][suite] = scorer.forced(items, everything.look)
            if control:
                scores["controls"][suite] = scorer.forced(control)
            print(f"{suite:24s} {scores['suites'][suite].result()}", flush=True)
            if suite == "needle-8k":
                restore = without_attention(model)
                result["mechanisms"]["needle-8k without attention"] = scorer.forced(items).result()
                restore()
            if suite in ("needle-2k", "img-attribute"):
                with Mechanisms(model) as mechanisms:
                    scorer.run([item.sample for item in items[:100]], mechanisms.look)
                result["mechanisms"][suite] = mechanisms.report()
            store()
        result["mechanisms"]["all suites"] = everything.report()
        store()
        if not args.forced:
            scorer.write([score for by_suite in scores.values() for score in by_suite.values()], tokenizer)
        result["prose bits per byte"] = round(prose_bits(scorer, prose_samples(args.data, tokenizer), tokenizer), 4)
        store()
        for kind, by_suite in scores.items():
            for suite, score in sorted(by_suite.items()):
                print(f"{kind:9s} {suite:24s} {score.result()}")
        print("prose bits per byte", result["prose bits per byte"], flush=True)


if __name__ == "__main__":
    main()
