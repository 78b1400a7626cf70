# SPDX-License-Identifier: Apache-2.0
"""Train the embedded model: python3 train.py --data FOLDER --vocabulary FOLDER --out FOLDER --minutes 20 [--gpus 2]

--start CHECKPOINT trains an earlier model further instead of a new one.  FOLDER/log.jsonl gets a line every few seconds
and, with --suites, the share of held-out questions that are right every two minutes; FOLDER/state.pt the whole training
state every 90 seconds (a new start with the same --out goes on from there), FOLDER/packed the finished checkpoint,
FOLDER/master the same weights before the rounding of the experts, for training further.
"""
import argparse
import json
import math
import mmap
import multiprocessing
import os
import sys
import threading
import time

import numpy as np
import torch

import config as configuration
import export
import mixture
from batch import Batch, Capacity
from checkup import Checkup
from feed import Feed
from model import K3, lengthen_memories
from muon import MuonAdamW
from step import GraphedSteps, backward_half, train_step

WARM_UP_STEPS, LAST_FACTOR = 100, 0.01
LOG_SECONDS, SAVE_SECONDS, CHECKUP_SECONDS = 4.0, 90.0, 120.0
FEED_SECONDS = 25.0               # after which the speed of the generating processes is printed
ANSWER_WEIGHT = 0.5               # positions that count more than this belong to an answer


def learning_rate(step, progress, flat):
    """Factor of every learning rate: linear warm-up, flat until that progress, then linear down."""
    down = 1.0 if progress < flat else (1.0 - progress) / (1.0 - flat)
    return min(1.0, (step + 1) / WARM_UP_STEPS) * max(down, LAST_FACTOR)


def answer_accuracy(predicted, arrays, names):
    """{family: (answers fully right, answers)} of one batch under teacher forcing.  predicted [N] greedy tokens."""
    counts = arrays["weights"] > ANSWER_WEIGHT
    right = (predicted == arrays["targets"]) | ~counts
    edge = np.flatnonzero(np.diff(counts.astype(np.int8), prepend=0, append=0))
    first, last = edge[::2], edge[1::2]
    if not len(first):
        return {}
    exact = np.array([right[a:b].all() for a, b in zip(first, last)])
    sequence = np.searchsorted(arrays["starts"], first, side="right") - 1
    family, out = arrays["family"][sequence], {}
    for number in np.unique(family):
        mine = exact[family == number]
        out[names[number]] = (int(mine.sum()), len(mine))
    return out


class Board:
    """What rank 0 tells the others before each step: progress, learning-rate factor, whether to stop, and the longest
    sequence of its batch, so that all ranks take about equally long.  Memory shared between the processes; rows are
    reused after `rows` steps."""

    rows = 4096

    def __init__(self):
        self.values = np.frombuffer(mmap.mmap(-1, self.rows * 5 * 8), np.float64).reshape(self.rows, 5)
        self.values[:, 0] = -1

    def write(self, step, *values):
        row = self.values[step % self.rows]
        row[1:] = values
        row[0] = step

    def read(self, step):
        row = self.values[step % self.rows]
        while row[0] != step:
            time.sleep(5e-5)
        return row[1:].tolist()


class Trainer:
    """One process with one GPU (or none).  `rank` 0 decides, writes the log and keeps the state."""

    def __init__(self, args, rank, board, feed, checkup=None):
        self.args, self.rank, self.board, self.feed, self.capacity = args, rank, board, feed, feed.capacity
        self.checkup = checkup
        cuda = torch.cuda.is_available()
        self.device = torch.device("cuda", rank) if cuda else torch.device("cpu")
        if cuda:
            torch.cuda.set_device(self.device)
        torch.manual_seed(args.seed)
        self.model = K3(feed.config, torch.bfloat16 if cuda else torch.float32).to(self.device)
        self.optimizer = MuonAdamW(self.model)
        self.graphs = None
        if cuda and not args.eager:
            from torch import _dynamo
            _dynamo.config.cache_size_limit = 64
            self.model.compile(dynamic=False)
            self.graphs = GraphedSteps(self.model, self.optimizer, self.exchange)
        self.buffer = torch.zeros(feed.size, dtype=torch.uint8, device=self.device)
        self.staging = [torch.zeros(feed.size, dtype=torch.uint8, pin_memory=cuda) for _ in range(2)]
        self.views, self.in_flight = self.capacity.tensors(self.buffer), []
        self.step, self.spent, self.peak, self.rounding = 0, 0.0, args.peak, False
        self.minutes = args.minutes
        self.log = open(os.path.join(args.out, "log.jsonl"), "a") if rank == 0 else None
        self.load()

    # ---- one step

    def exchange(self, flat):
        """Average gradients and loads over the GPUs."""
        if self.args.gpus > 1:
            torch.distributed.all_reduce(flat)
            flat.mul_(1.0 / self.args.gpus)

    def upload(self, memory):
        """Copy a slot's memory to the device; the previous use of the staging buffer has ended two steps ago."""
        staging = self.staging[self.step % 2]
        staging.copy_(torch.frombuffer(memory, dtype=torch.uint8))
        self.buffer.copy_(staging, non_blocking=True)
        return self.capacity.arrays(memory)

    def batch(self, longest):
        return Batch.of(self.views, longest, self.capacity.sequence_limit(longest))

    def run(self, longest):
        if self.graphs:
            return self.graphs(longest, self.batch(longest))
        return train_step(self.model, self.optimizer, self.batch(longest), self.exchange)

    def wait(self):
        """Stay at most one step ahead of the device, which also frees the older staging buffer."""
        if self.device.type == "cuda":
            self.in_flight.append(torch.cuda.Event())
            self.in_flight[-1].record()
            if len(self.in_flight) > 1:
                self.in_flight.pop(0).synchronize()

    # ---- the loop

    def decide(self, before, started):
        """The batch of this step, (slot, longest, fresh), or None at the end; sets the learning rate and rounding, which
        are the same on every rank."""
        if self.rank == 0:
            found = self.feed.next()
            self.spent = before + time.time() - started
            progress = self.spent / (self.minutes * 60.0)
            end = progress >= 1.0 or bool(self.args.steps) and self.step >= self.args.steps
            factor = self.peak * learning_rate(self.step, min(progress, 1.0), self.args.flat)
            self.board.write(self.step, progress, factor, end, found[1])
        progress, factor, end, longest = self.board.read(self.step)
        self.feed.progress.value = progress
        if progress >= self.args.round_from and not self.rounding:
            self.rounding = True
            self.model.round_experts(1.0)
        self.optimizer.schedule(factor)
        if end:
            return None
        return found if self.rank == 0 else self.feed.next(int(longest))

    def loop(self):
        """Train until the time is over; compiling and capturing graphs counts as time."""
        started, before = time.time(), self.spent
        logged = saved = checked = started
        steps_then = self.step
        while found := self.decide(before, started):
            slot, longest, fresh = found
            arrays = self.upload(self.feed.slot_memory(slot))
            results = self.run(longest)
            self.wait()
            self.step += 1
            now = time.time()
            if self.rank == 0 and now - logged >= LOG_SECONDS and (fresh or now - logged >= 4 * LOG_SECONDS):
                self.report(arrays, results, (self.step - steps_then) / (now - logged))
                logged, steps_then = now, self.step
            self.feed.release(slot, longest)
            if self.rank == 0 and now - saved >= SAVE_SECONDS:
                self.save()
                saved = time.time()
            if self.rank == 0 and os.path.exists(os.path.join(self.args.out, "export")):
                self.export("packed")
                os.remove(os.path.join(self.args.out, "export"))
            if self.checkup and now - checked >= CHECKUP_SECONDS:
                self.check_up()
                checked = time.time()
        if self.checkup:
            self.check_up()

    def check_up(self):
        """Score the held-out questions (rank 0; the others wait in the next exchange) and write a line of the log."""
        found = {}
        for slot, longest in self.checkup.slots_ready():
            arrays = self.upload(self.checkup.slot_memory(slot))
            half = self.graphs.backward_half if self.graphs else (lambda _, batch: backward_half(self.model, self.optimizer, batch))
            _, final = half(longest, self.batch(longest))
            for suite, (right, count) in answer_accuracy(self.predict(final), arrays, self.checkup.names).items():
                before = found.get(suite, (0, 0))
                found[suite] = before[0] + right, before[1] + count
        if found:
            print(json.dumps(dict(seconds=round(self.spent, 1), step=self.step, held_out=found)), file=self.log, flush=True)
            print(f"{self.spent:7.1f} s held-out questions: "
                  + " ".join(f"{k} {100 * a // b}" for k, (a, b) in sorted(found.items())), flush=True)

    @torch.no_grad()
    def predict(self, final):
        head = self.model.language_model.lm_head.weight.to(final.dtype)
        return torch.nn.functional.linear(final, head).argmax(-1).cpu().numpy()

    @torch.no_grad()
    def report(self, arrays, results, rate):
        """One line of the log.  Answers are scored on a batch before it was trained on.  The file `minutes` in the
        output folder overrides the planned time while the training runs."""
        override = os.path.join(self.args.out, "minutes")
        if os.path.exists(override):
            with open(override) as f:
                self.minutes = float(f.read())
        loss, norm, final, loads = results
        found = answer_accuracy(self.predict(final), arrays, mixture.NAMES)
        share = loads.float() / loads.sum(1, keepdim=True)
        entropy = -(share * share.clamp_min(1e-9).log()).sum(1) / math.log(share.shape[1])
        per_step = self.capacity.tokens * self.args.gpus
        row = dict(seconds=round(self.spent, 1), step=self.step, tokens=self.step * per_step,
                   factor=round(self.optimizer.factor.item(), 4),
                   longest=int(arrays["head"][0]), loss=round(loss.item(), 4),
                   norm=round(norm.item(), 3), entropy=[round(e, 3) for e in entropy.tolist()],
                   dead=int((share < 0.01 / share.shape[1]).sum()), rate=round(rate * per_step),
                   filled=round(int(arrays["head"][2]) / self.capacity.tokens, 3), patches=int(arrays["head"][3]),
                   repeated=self.feed.repeated, fresh=self.feed.fresh, waited=round(self.feed.waited, 2),
                   skipped=int(self.optimizer.skipped.item()), exact=found)
        problems = self.feed.drain_problems()
        if problems:
            row["problems"] = len(problems)
            print(problems[0], file=sys.stderr, flush=True)
        print(json.dumps(row), file=self.log, flush=True)
        print(f"{row['seconds']:7.1f} s step {row['step']:6d} {row['tokens'] / 1e6:7.1f}M len {row['longest']:5d}"
              f" loss {row['loss']:.4f} norm {row['norm']:.2f} entropy {min(row['entropy']):.2f} dead {row['dead']}"
              f" {row['rate'] / 1e6:.3f}M/s filled {row['filled']:.2f} patches {row['patches']}"
              f" repeated {row['repeated']}/{row['fresh']} skipped {row['skipped']}  "
              + " ".join(f"{k} {100 * a // b}" for k, (a, b) in sorted(found.items())), flush=True)
        if row["skipped"] >= 5:                              # too fast: go on more slowly
            self.peak *= 0.5
            self.optimizer.skipped.zero_()

    # ---- state

    def export(self, name):
        """Write FOLDER/packed or FOLDER/master; also while training, when the file `export` appears in the folder."""
        export.write_checkpoint(self.model, os.path.join(self.args.out, name), packed=name == "packed")

    def save(self):
        path = os.path.join(self.args.out, "state.pt")
        torch.save(dict(model=self.model.state_dict(), optimizer=self.optimizer.state_dict(), step=self.step,
                        spent=self.spent), path + ".new")
        os.replace(path + ".new", path)

    def load(self):
        path = os.path.join(self.args.out, "state.pt")
        if os.path.exists(path):
            state = torch.load(path, map_location=self.device)
            self.model.load_state_dict(state["model"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step, self.spent = state["step"], state["spent"]
        elif self.args.start:
            export.load_tensors(self.model, export.read_checkpoint(self.args.start))
            if self.args.lengthen:
                lengthen_memories(self.model)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder written by prepare.py")
    parser.add_argument("--vocabulary", required=True, help="folder with tiktoken.model and tokenizer_config.json")
    parser.add_argument("--out", required=True)
    parser.add_argument("--start", help="folder of a checkpoint to train further, packed or not")
    parser.add_argument("--suites", help="folder of held-out suites to score during the training")
    parser.add_argument("--minutes", type=float, default=20.0, help="wall time of the training, compiling included")
    parser.add_argument("--steps", type=int, default=0, help="stop after so many steps (0: no limit)")
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--workers", type=int, default=12, help="generating processes for each GPU")
    parser.add_argument("--slots", type=int, default=200)
    parser.add_argument("--tokens", type=int, default=Capacity.tokens, help="tokens in one step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peak", type=float, default=1.0, help="factor of all learning rates; less than 1 spares what an earlier training learned")
    parser.add_argument("--flat", type=float, default=0.35, help="progress from which the learning rates fall")
    parser.add_argument("--round-from", type=float, default=0.35, help="progress from which the routed experts are trained "
                        "through their MXFP4 rounding; 0 for a packed --start, whose experts are rounded already")
    parser.add_argument("--lengthen", action="store_true", help="give the slowest channels of --start longer memories")
    parser.add_argument("--eager", action="store_true", help="neither compile nor capture graphs")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    if os.path.exists(os.path.join(args.out, "rendezvous")):
        os.remove(os.path.join(args.out, "rendezvous"))      # of an earlier start
    context, board = multiprocessing.get_context("fork"), Board()
    others = [context.Process(target=train, args=(args, rank, board)) for rank in range(1, args.gpus)]
    for process in others:
        process.start()
    train(args, 0, board)
    for process in others:
        process.join()


def train(args, rank, board):
    """The whole work of one rank."""
    torch.set_num_threads(2)
    share = args.tokens / Capacity.tokens
    capacity = Capacity(args.tokens, *(max(128, int(n * share)) for n in (Capacity.sequences, Capacity.patches,
                                                                          Capacity.items, Capacity.media_tokens)))
    checkup = Checkup(capacity, configuration.NANO, args.suites, args.vocabulary) if args.suites and rank == 0 else None
    trainer = run_rank(args, rank, board, capacity, configuration.NANO, lambda: mixture.Source(args.data, args.vocabulary),
                       checkup)
    if rank == 0:
        feed = trainer.feed
        trainer.export("packed")
        trainer.export("master")
        trainer.save()
        print(f"{trainer.step} steps, {trainer.step * capacity.tokens * args.gpus / 1e6:.1f}M tokens; rank 0:"
              f" {feed.fresh} batches generated, {feed.repeated} repeated, {feed.waited:.1f} s waited", flush=True)


def run_rank(args, rank, board, capacity, config, make_source, checkup=None):
    """Train until the end; returns the trainer.  Nothing before the feed may use CUDA: its workers are forks."""
    feed = Feed(capacity, config, make_source, args.workers, args.slots, args.slots // 2, (args.seed, rank))
    timer = threading.Timer(FEED_SECONDS, lambda: print(
        f"rank {rank}: {feed.ready.qsize()} batches ready after {FEED_SECONDS:.0f} s, {args.workers} workers", flush=True))
    timer.daemon = True
    timer.start()
    try:
        if args.gpus > 1:
            torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo", rank=rank,
                                                 world_size=args.gpus,
                                                 init_method=f"file://{os.path.abspath(args.out)}/rendezvous")
        trainer = Trainer(args, rank, board, feed, checkup)
        trainer.loop()
        if args.gpus > 1:
            torch.distributed.destroy_process_group()
        return trainer
    finally:
        feed.close()


if __name__ == "__main__":
    main()
