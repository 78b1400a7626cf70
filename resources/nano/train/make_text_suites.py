# SPDX-License-Identifier: Apache-2.0
"""Writes the text suites: NANO_DATA=FOLDER python3 make_text_suites.py tests/eval [SUITE ...]. Same seed, same files.

Names, wordings and texts are those of the TEST split, without the books. A long document is asked many questions in one
conversation, one about each fact, with the gold answers as the history.
"""
import random
import re
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import suites
from dialog import Split
from render import render
from tasks import copying, corpus, drills, hops, language, lists, lookup, numbers, pages, tables, talk
from tasks.persona import ABOUT_ME, SMALL_TALK, TOO_SMALL
from tasks.questions import READ, UNKNOWN, family
from tokenizer import Tokenizer

SEED = 20261129
VERBATIM = ("copy-200", "reverse-30", "line", "pairs", "sort-10", "quote-2k", "quote-16k", "dialogue-format")  # the form counts
NOT_ASKED = {TOO_SMALL, *READ, *(answer for _, answer in ABOUT_ME + SMALL_TALK)}


@dataclass
class Suite:
    make: object                # (random.Random or Generator, Split, budget) -> Dialog
    dialogs: int
    budget: int                 # tokens
    thinking: object = None     # True or False: only dialogs of that mode
    scored: object = None       # (turn) -> whether it counts


def plain(make, thinking=0.35):
    """A generator that is no family of its own, with the family decorator's modes."""
    return family("suite", thinking)(make)


def answered(turn):
    return UNKNOWN not in turn.answer and turn.answer not in NOT_ASKED


# Other ways to say the same: (form of the gold answer, what is accepted too)
ALSO = ((r"(?:in|on|at|because) (.+)", r"\1"), (r"(?:in |on |at )?the (.+)", r"\1"), (r"(\d+): .+", r"\1"),
        (r"\S+ \S+ \S+ = (\d+)", r"\1"),
        (r"The total is (\d+)\.", r"\1"), (r"(\d+) days?", r"\1"), (r"[^.]+? is in ([^.]+)\.", r"\1"),
        (r"(\d+) is larger\.", r"\1"))


def accepted(answer):
    return [re.sub(form, other, answer) for form, other in ALSO if re.fullmatch(form, answer) and "\n" not in answer]


def links(count):
    """Turns whose trace has exactly that many links."""
    return lambda turn: turn.think.count(". ") + 1 == count


def table(*kinds, rows=10):
    return plain(partial(conversation, kinds=kinds, rows=rows), None)


def conversation(r, split, budget, kinds, rows):
    return tables.conversation(r, split, budget, kinds, rows)


def only(turn_of, **options):
    """Independent questions of one kind, answered in thinking mode."""
    def make(r, split, budget):
        return lists.Dialog(lists.until_full(r, split, budget, lambda: turn_of(r, split, **options), True), thinking=True)
    return plain(make, None)


needle = lambda share: plain(partial(lookup.hidden, asked=share, open_share=0, once=True))
SUITES = {
    "kv-2k": Suite(plain(partial(lookup.listed, open_share=0, once=True)), 20, 2048, scored=answered),
    "needle-2k": Suite(needle(0.25), 30, 2048, scored=answered),
    "needle-8k": Suite(needle(0.12), 12, 8192, scored=answered),
    "needle-32k": Suite(needle(0.06), 4, 32768, scored=answered),
    "unanswerable": Suite(lookup.unanswerable, 25, 2048, scored=lambda turn: turn.answer == UNKNOWN),
    "answerable": Suite(lookup.unanswerable, 12, 2048, scored=answered),
    "verify": Suite(lookup.verify, 12, 1500, scored=answered),
    "multi-needle-8k": Suite(lookup.multi, 12, 8192, scored=lambda turn: answered(turn) and not turn.answer[0].isdigit()),
    "hop2-think": Suite(hops.hop2, 30, 1500, True, links(2)),
    "hop3-think": Suite(hops.hop3, 30, 1500, True, links(3)),
    "hop2-direct": Suite(hops.hop2, 20, 1500, False, links(2)),
    "quote-2k": Suite(copying.quote, 25, 2048, scored=answered),
    "quote-16k": Suite(copying.quote, 4, 16384, scored=answered),
    "copy-200": Suite(copying.copy, 40, 1500),
    "reverse-30": Suite(copying.reverse, 40, 1000, True),
    "pairs": Suite(drills.pairs, 12, 1500, scored=answered),
    "line": Suite(copying.line, 12, 1500),
    "count-think": Suite(lists.count, 25, 1000, True),
    "sort-10": Suite(lists.sort, 35, 1000, True),
    "pick": Suite(lists.pick, 12, 800),
    "state-12": Suite(lists.state, 30, 1000, True),
    "add-4": Suite(only(numbers.sum_turn, digits=4), 25, 1000),
    "mul-1x3": Suite(only(numbers.product_turn, digits=3), 25, 1000),
    "dates": Suite(numbers.dates, 30, 800, True),
    "table-cell": Suite(table(tables.cell, tables.back, rows=30), 25, 1500, scored=answered),
    "table-argmax": Suite(table(tables.extreme), 40, 1000, True),
    "table-filter-count": Suite(table(tables.count), 35, 1000, True),
    "table-sum": Suite(table(tables.total), 35, 1000, True),
    "card": Suite(tables.card, 12, 1500, scored=answered),
    "dialogue-slots": Suite(talk.dialogue, 30, 800),
    "dialogue-format": Suite(talk.output_format, 25, 1000, scored=answered),
    "glossary": Suite(language.glossary, 12, 1500, scored=answered),
    "page": Suite(pages.page, 20, 700, scored=answered),
    "define": Suite(language.define, 10, 800),
}


def conversations(suite, name, tokenizer):
    rng, lines = generator(name), []
    while len(lines) < suite.dialogs:
        dialog = suite.make(rng, Split.TEST, suite.budget)
        turns = dialog.turns[:render(dialog, tokenizer, suite.budget).turns]
        if suite.thinking is not None and dialog.thinking != suite.thinking:
            continue
        counts = [turn.answer not in NOT_ASKED and (suite.scored is None or suite.scored(turn)) if name != "dialogue-slots" else True
                  for turn in turns]
        if not any(counts):
            continue
        last = max(i for i, counted in enumerate(counts) if counted)
        rows = [dict(user=["".join(turn.user)], think=turn.think if dialog.thinking else "", answer=turn.answer,
                     accept=accepted(turn.answer) if name not in VERBATIM else [], scored=counted)
                for turn, counted in zip(turns[:last + 1], counts)]
        lines.append(suites.line(f"{name}-{len(lines):03d}", rows, dialog.thinking, dialog.system, dialog.effort))
    return lines


def generator(name):
    return np.random.default_rng(random.Random(f"{SEED} {name}").getrandbits(60))


def prose_passages(r, count=60, letters=2000):
    """Held-out running text, for bits per byte; passages are separated by a form feed."""
    passages = []
    while len(passages) < count:
        text = "".join(part for paragraph in corpus.filler(r, Split.TEST, letters / 3) for part in paragraph)
        passages.append(text[:letters].strip())
    return passages


def main():
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    tokenizer = Tokenizer.load(Path(__file__).parent.parent)
    (folder / "prose.txt").write_text("\f".join(prose_passages(random.Random(SEED))) + "\n", encoding="utf-8")
    for name, suite in SUITES.items():
        if wanted and name not in wanted:
            continue
        lines = conversations(suite, name, tokenizer)
        suites.save(folder, name, lines)
        questions = sum(turn["scored"] for line in lines for turn in line["turns"])
        print(f"{name:20} {len(lines):4} conversations {questions:5} questions {(folder / f'{name}.jsonl').stat().st_size / 1e3:7.0f} KB")


if __name__ == "__main__":
    main()
