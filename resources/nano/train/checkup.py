# SPDX-License-Identifier: Apache-2.0
"""Held-out questions for looking at a training while it runs: a fixed part of every suite, packed once into batches.

The trainer runs them through its own step without updating from them, which needs no second compilation.
"""
import mmap
import multiprocessing
import queue
from pathlib import Path

import suites
from batch import Packer, padded
from render import render
from tokenizer import Tokenizer

QUESTIONS = 30                    # per suite, about
LENGTHS = (2048, 8192, 32768)     # longest sequence of a batch; longer conversations, or fuller than a batch, are left out


def part(folder, suite, tokenizer):
    """Samples of the first conversations of a suite, until they hold enough questions."""
    samples, count = [], 0
    for line, dialog in suites.load(folder, suite):
        if count >= QUESTIONS:
            break
        samples.append(render(dialog, tokenizer))
        count += sum(turn["scored"] for turn in line["turns"])
    return samples


class Checkup:
    """A process prepares the batches, so that nothing waits for it; start it before CUDA is used."""

    def __init__(self, capacity, config, folder, vocabulary, slots=32):
        self.capacity, self.config, self.folder, self.vocabulary, self.slots = capacity, config, folder, vocabulary, slots
        self.names = sorted(path.stem for path in Path(folder).glob("*.jsonl"))
        self.size = capacity.offsets()[1]
        self.memory = mmap.mmap(-1, slots * self.size)
        context = multiprocessing.get_context("fork")
        self.ready, self.batches = context.Queue(), []
        self.process = context.Process(target=self.prepare, daemon=True)
        self.process.start()

    def slot_memory(self, slot):
        return memoryview(self.memory)[slot * self.size:(slot + 1) * self.size]

    def prepare(self):
        """Fills the slots and puts (slot, longest sequence) for each; in the process."""
        tokenizer, packers = Tokenizer.load(self.vocabulary), []
        for number, suite in enumerate(self.names):
            for sample in part(self.folder, suite, tokenizer):
                length = padded(len(sample.ids))
                longest = next((n for n in LENGTHS if n >= length), None)
                if longest and length <= self.capacity.tokens and not any(p.longest == longest and p.add(sample, number) for p in packers):
                    packers.append(Packer(self.capacity, self.config, longest))
                    packers[-1].add(sample, number)
        for slot, packer in enumerate(packers[:self.slots]):
            packer.write(self.capacity.arrays(self.slot_memory(slot)))
        self.ready.put([(slot, packer.longest) for slot, packer in enumerate(packers[:self.slots])])

    def slots_ready(self):
        """[(slot, longest sequence)]; empty until the process has prepared them."""
        if not self.batches:
            try:
                self.batches = self.ready.get_nowait()
            except queue.Empty:
                pass
        return self.batches
