# SPDX-License-Identifier: Apache-2.0
"""Greedy replies of PyTorch and of the program's engine to the same questions.

    python3 answers.py pick tests/eval QUESTIONS/           writes QUESTIONS/same.jsonl: 200 questions, some of every suite
    python3 answers.py write QUESTIONS/ CHECKPOINT FILE     replies of PyTorch in float32, as JSON
    pal eval CHECKPOINT --suites QUESTIONS --misses 2> MISSES
    python3 answers.py compare FILE MISSES                  how many replies are the same, letter by letter

A mark behind the gold answer makes every reply differ from it, so `pal eval --misses` prints them all.
"""
import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import torch

import config as configuration
import export
import greedy
import suites
from batch import Capacity
from evaluate import Scorer, replies, response
from model import K3
from render import render
from tokenizer import Tokenizer

COUNT, LONGEST, NEW_TOKENS, MARK = 200, 1100, 260, "@@"       # questions, tokens of a prompt and of a reply


def last_prompt(sample, thinking):
    """Tokens before the last reply, its think trace included."""
    return int(replies(sample.weights, thinking)[-1][0][0])


def cut(line, number):
    """The conversation up to a turn, which alone is scored and whose gold answer no reply equals."""
    turns = [dict(turn, scored=False) for turn in line["turns"][:number]]
    asked = line["turns"][number]
    asked = dict(asked, answer=f"{asked['answer']} {MARK}", accept=[], scored=True)
    return dict(line, id=f"{line['id']}-{number}", turns=turns + [asked])


def pick(folder, out):
    """Every suite in turn gives the first scored question of its next conversation, until there are enough."""
    tokenizer, out = Tokenizer.load(Path(__file__).parent.parent), Path(out)
    names, chosen = sorted(path.stem for path in Path(folder).glob("*.jsonl")), []
    lines = {name: suites.load(folder, name) for name in names}
    for k in range(max(map(len, lines.values()))):
        for name in names:
            if k < len(lines[name]) and len(chosen) < COUNT:
                line, dialog = lines[name][k]
                number = next(i for i, turn in enumerate(line["turns"]) if turn["scored"])
                dialog.turns = dialog.turns[:number + 1]
                if last_prompt(render(dialog, tokenizer), dialog.thinking) <= LONGEST:
                    chosen.append(cut(line, number))
    suites.save(out, "same", chosen)
    (out / "floors.json").write_text("{}\n")
    for item in chosen:
        for part in (p for turn in item["turns"] for p in turn["user"] if isinstance(p, dict)):
            file = part.get("image") or part["video"]
            (out / file).parent.mkdir(exist_ok=True)
            shutil.copy(Path(folder) / file, out / file)
    print(f"{len(chosen)} questions")


@torch.no_grad()
def write(folder, checkpoint, out):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model, tokenizer = K3(configuration.NANO, torch.float32).to(device), Tokenizer.load(Path(__file__).parent.parent)
    export.load_tensors(model, export.read_checkpoint(checkpoint))
    lines = suites.load(folder, "same")
    samples = [render(dialog, tokenizer) for _, dialog in lines]
    scorer = Scorer(model, device, Capacity(tokens=8192, sequences=256, patches=8192, items=128, media_tokens=2048))
    starts = [last_prompt(sample, dialog.thinking) for sample, (_, dialog) in zip(samples, lines)]
    rows = [row[:start] for row, start in zip(scorer.embeddings(samples), starts)]
    found = greedy.continuations(model, rows, NEW_TOKENS, configuration.END_OF_MESSAGE)
    texts = {}
    for (line, _), sample, start, ids in zip(lines, samples, starts, found):
        most = 2 * (len(sample.ids) - start) + 32                # where `pal eval` stops
        texts[line["id"]] = response(tokenizer.decode(ids[:most]))
    Path(out).write_text(json.dumps(texts, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(texts)} replies")


def compare(file, misses):
    ours = json.loads(Path(file).read_text())
    parts = re.split(r'^(\S+) turn \d+: "', Path(misses).read_text(), flags=re.M)[1:]
    theirs = {name: text.rpartition('" instead of "')[0] for name, text in zip(parts[::2], parts[1::2])}
    same = [name for name in ours if theirs.get(name) == ours[name]]
    print(f"{len(same)} of {len(ours)} replies are the same ({100 * len(same) / len(ours):.1f} %), {len(theirs)} replies of the engine")
    for name in sorted(set(ours) - set(same)):
        print(f"{name}: PyTorch {ours[name]!r}, engine {theirs.get(name)!r}")


if __name__ == "__main__":
    {"pick": pick, "write": write, "compare": compare}[sys.argv[1]](*sys.argv[2:])
