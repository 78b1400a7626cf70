# SPDX-License-Identifier: Apache-2.0
"""Worker processes that fill batches into shared memory ahead of the training loop.

A slot of the shared memory is free, being filled, ready, or in stock: already trained on, but kept, so that the loop
trains on an older batch once more instead of waiting when the workers fall behind.  Start the feed before CUDA is used.
"""
import mmap
import multiprocessing
import os
import queue
import signal
import time
import traceback
from collections import deque

import numpy as np

from batch import Packer


def fill(packer, source, r, complain):
    """Add samples of the source until nothing fits, or until several in a row did not fit or failed."""
    misses = 0
    while misses < 4:
        try:
            found = source.draw(r, packer)
            if found is None:
                break
            misses = 0 if packer.add(*found) else misses + 1
        except Exception:                                                    # one bad sample must not stop the feed
            complain(traceback.format_exc())
            misses += 1


class Feed:
    """make_source() -> an object with draw(r, packer) -> (sample, family number) or None when nothing fits, and
    longest(r, progress) -> the longest sequence of the next batch.  `stock`: slots kept for repeating;
    seed: a tuple of integers."""

    def __init__(self, capacity, config, make_source, workers, slots, stock, seed):
        self.capacity, self.config, self.make_source, self.seed = capacity, config, make_source, seed
        self.size = capacity.offsets()[1]
        self.memory = mmap.mmap(-1, slots * self.size)
        context = multiprocessing.get_context("fork")
        self.free, self.ready, self.problems = context.Queue(), context.Queue(), context.Queue()
        self.progress = context.Value("d", 0.0)
        for slot in range(slots):
            self.free.put(slot)
        self.stock, self.stock_limit, self.waiting = deque(), stock, {}
        self.repeated = self.fresh = 0
        self.waited = 0.0
        self.workers = [context.Process(target=self.work, args=(i,), daemon=True) for i in range(workers)]
        for worker in self.workers:
            worker.start()

    def slot_memory(self, slot):
        return memoryview(self.memory)[slot * self.size:(slot + 1) * self.size]

    def work(self, number):
        """A worker's life."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.nice(5)
        try:
            r, source = np.random.default_rng((*self.seed, number)), self.make_source()
        except Exception:
            self.problems.put(traceback.format_exc())
            return
        while True:
            slot = self.free.get()
            packer = Packer(self.capacity, self.config, source.longest(r, self.progress.value))
            fill(packer, source, r, self.problems.put)
            packer.write(self.capacity.arrays(self.slot_memory(slot)))
            self.ready.put((slot, packer.longest))

    def next(self, wanted=None):
        """(slot, longest sequence in it, whether it is new); the slot stays untouched until release().

        wanted: prefer a batch with this longest sequence; otherwise the kind comes first of which most are waiting."""
        self.gather(block=not self.stock and not any(self.waiting.values()))
        kinds = [longest for longest, slots in self.waiting.items() if slots]
        if not kinds:
            slot, longest = self.stock.popleft()
            self.repeated += 1
            return slot, longest, False
        longest = wanted if wanted in kinds else max(kinds, key=lambda kind: len(self.waiting[kind]))
        self.fresh += 1
        return self.waiting[longest].popleft(), longest, True

    def gather(self, block):
        """Take everything that is ready; with `block` wait for the first."""
        while True:
            try:
                begin = time.perf_counter()
                slot, longest = self.ready.get(timeout=1.0) if block else self.ready.get_nowait()
                self.waited += time.perf_counter() - begin
                self.waiting.setdefault(longest, deque()).append(slot)
                block = False
            except queue.Empty:
                if not block:
                    return
                self.waited += time.perf_counter() - begin
                if not any(worker.is_alive() for worker in self.workers):
                    raise RuntimeError("no worker is left: " + "\n".join(self.drain_problems())) from None

    def release(self, slot, longest):
        """Put a slot that was trained on into stock; the oldest beyond the limit is filled anew."""
        self.stock.append((slot, longest))
        if len(self.stock) > self.stock_limit:
            self.free.put(self.stock.popleft()[0])

    def drain_problems(self):
        """Tracebacks of the workers since the last call."""
        out = []
        while True:
            try:
                out.append(self.problems.get_nowait())
            except queue.Empty:
                return out

    def close(self):
        for worker in self.workers:
            worker.terminate()
