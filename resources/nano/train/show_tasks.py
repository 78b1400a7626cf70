# SPDX-License-Identifier: Apache-2.0
"""Prints random dialogs of task families, to be read by a person, or how fast one core generates and renders them.

    NANO_DATA=FOLDER python3 show_tasks.py needle hop2 --count 5 --budget 600 --split test
    NANO_DATA=FOLDER python3 show_tasks.py --speed
"""
import argparse
import time
from pathlib import Path

import numpy as np

from dialog import Split
from render import render
from tasks import text_families
from tokenizer import Tokenizer


def show(dialog):
    print(f"===== {dialog.family} thinking={dialog.thinking} effort={dialog.effort!r} system={dialog.system!r}")
    for turn in dialog.turns:
        print("USER:", "".join(part if isinstance(part, str) else f"<{part.kind}>" for part in turn.user))
        if dialog.thinking and turn.think:
            print("THINK:", turn.think)
        print("ANSWER:", turn.answer)


def measure(families, tokenizer, budget):
    total, spent = 0, 0.0
    for name, make in families.items():
        rng = np.random.default_rng(1)
        for _ in range(60):                                 # fills the caches
            render(make(rng, Split.TRAIN, budget), tokenizer, budget)
        begin, ids, answers, turns, shown, left_out = time.process_time(), 0, 0.0, 0, 0, 0
        dialogs = 0
        while time.process_time() - begin < 0.7:
            dialog = make(rng, Split.TRAIN, budget)
            sample = render(dialog, tokenizer, budget)
            dialogs += 1
            ids += len(sample.ids)
            answers += float((sample.weights == 1).sum())
            turns += sample.turns
            left_out += len(dialog.turns) - sample.turns
        seconds = time.process_time() - begin
        total, spent = total + ids, spent + seconds
        print(f"{name:16} {ids / seconds / 1e6:6.2f} M tokens/s  fill {ids / dialogs / budget:5.2f}  "
              f"answers {answers / max(ids, 1):5.2f}  turns {turns / dialogs:5.1f} (+{left_out / dialogs:.1f} cut)")
    print(f"all              {total / spent / 1e6:6.2f} M tokens/s at equal time per family")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("families", nargs="*")
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--budget", type=int, default=1024)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", choices=[s.value for s in Split], default="train")
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    families = text_families()
    if options.families:
        families = {name: families[name] for name in options.families}
    if options.speed:
        measure(families, Tokenizer.load(Path(__file__).parent.parent), options.budget)
        return
    rng = np.random.default_rng(options.seed)
    for make in families.values():
        for _ in range(options.count):
            show(make(rng, Split(options.split), options.budget))


if __name__ == "__main__":
    main()
