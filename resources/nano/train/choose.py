# SPDX-License-Identifier: Apache-2.0
"""Compares means of the two ends of a training: python3 choose.py --a MASTER --b START --shares 0 0.25 0.5 1 --vocabulary FOLDER --suites FOLDER --out FILE

For each share of B (average.py) the exact shares of all suites under teacher forcing.  The suites should be those of
make_dev_suites.py, so that the choice sees none of the suites that are shown.  `rank` is the rule of the choice; held-out
prose is measured as well (with --data), but plays no part in it.
"""
import argparse
import json
import multiprocessing
from pathlib import Path

import torch

import config as configuration
import export
from average import average
from batch import Capacity
from evaluate import Scorer, load_suite, prose_bits, prose_samples
from model import K3
from tokenizer import Tokenizer

# The mean over what the project demands most, less a tenth of what every other suite loses beyond ALLOWED points against B.
BARS = ("kv-2k", "needle-2k", "needle-8k", "needle-32k", "quote-2k", "quote-16k", "copy-200", "unanswerable", "answerable", "hop2-think", "hop3-think",
        "sort-10")
ALLOWED = 3.0


def exact(scorer, suites, batches):
    """{suite: share of exact replies in %}.  suites: {name: items}; batches: of all their samples in that order."""
    outcomes, at, found = scorer.run([item.sample for items in suites.values() for item in items], batches=batches), 0, {}
    for name, items in suites.items():
        found[name] = 100.0 * scorer.scored(items, outcomes[at:at + len(items)]).result()["exact"]
        at += len(items)
    return found


def rank(found, start):
    """The larger the better; found and start: {suite: %} of a mean and of B."""
    bars = [found[name] for name in BARS if name in found]
    lost = sum(max(0.0, start[name] - found[name] - ALLOWED) for name in found if name not in BARS)
    return sum(bars) / max(len(bars), 1) - lost / 10


def spread(found, questions):
    """Standard error of the mean over BARS, were the replies independent: what is closer together was not told apart."""
    bars = [name for name in BARS if name in found]
    return sum(found[name] * (100.0 - found[name]) / questions[name] for name in bars) ** 0.5 / max(len(bars), 1)


def load(folder):
    model = K3(configuration.NANO, torch.float32)
    export.load_tensors(model, export.read_checkpoint(folder))
    return model


def compare(args, device):
    """{share: {suite: %}}, {share: bits per byte of prose} and {suite: questions}"""
    work = [(args.suites, path.stem, args.vocabulary) for path in sorted(Path(args.suites).glob("*.jsonl"))]
    with multiprocessing.get_context("fork").Pool(args.workers) as pool:     # before CUDA is used
        suites = {name: items for name, items, _ in pool.map(load_suite, work, chunksize=1)}
    a, b = load(args.a), load(args.b)
    model = K3(configuration.NANO, torch.bfloat16 if device.type == "cuda" else torch.float32).to(device)
    model.round_experts(1.0)
    scorer = Scorer(model, device, Capacity(tokens=args.tokens))
    batches = list(scorer.batches([item.sample for items in suites.values() for item in items]))
    tokenizer, found, bits = Tokenizer.load(args.vocabulary), {}, {}
    texts = prose_samples(args.data, tokenizer, args.documents) if args.data else []
    for share in sorted({*args.shares, 1.0}, reverse=True):
        model.load_state_dict(a.state_dict())
        average(model, b.to(device), share)
        found[share] = exact(scorer, suites, batches)
        bits[share] = prose_bits(scorer, texts, tokenizer) if texts else 0.0
        print(f"share {share:.2f}: rank {rank(found[share], found[1.0]):.2f}, prose {bits[share]:.4f}  "
              + " ".join(f"{name} {value:.1f}" for name, value in sorted(found[share].items())), flush=True)
    return found, bits, {name: sum(len(item.turns) for item in items) for name, items in suites.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True, help="end of the training, not packed")
    parser.add_argument("--b", required=True, help="its start")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.15, 0.3, 0.5, 0.7])
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--suites", required=True)
    parser.add_argument("--data", help="folder written by prepare.py")
    parser.add_argument("--documents", type=int, default=120, help="of held-out prose")
    parser.add_argument("--out", required=True)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--tokens", type=int, default=Capacity.tokens)
    args = parser.parse_args()
    found, bits, questions = compare(args, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    ranks = {share: round(rank(values, found[1.0]), 3) for share, values in found.items()}
    best = max((share for share in found if share < 1.0), key=ranks.get)
    error = round(spread(found[best], questions), 3)
    with open(args.out, "w") as f:
        json.dump({"best": best, "ranks": ranks, "standard error": error, "questions": questions, "suites": found, "prose bits per byte": bits}, f, indent=1)
    print(f"best share {best} with rank {ranks[best]}, start {ranks[1.0]}, standard error of a rank {error}", flush=True)


if __name__ == "__main__":
    main()
