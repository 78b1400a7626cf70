# SPDX-License-Identifier: Apache-2.0
"""What picture and clip tasks share: questions, wordings and words with their split, and dialogs that fill a budget."""
import functools
import json
import os
import random
import zlib
from dataclasses import dataclass
from pathlib import Path

from dialog import Dialog, Split, Turn
from tasks.wordings import CLOSINGS, OPENINGS

THINKING = 0.25              # share of dialogs in thinking mode
TOGETHER = 0.35              # share of pictures whose questions come in one message: more answers per token
MARKUP = 34                  # tokens that a turn costs beside its text and media (upper estimate)


@dataclass
class Question:
    text: str
    answer: str         # text copied from the picture verbatim, everything else as `say` writes it
    think: str = ""
    also: tuple = ()    # other answers that are right


def say(text):
    return text[0].upper() + text[1:] + "."


def source(rng):
    """Python's generator for the many small decisions of one dialog (10 times faster than numpy's for scalars)."""
    return random.Random(int(rng.integers(1 << 62)))


def wording(r, split, frames, **fields):
    """One of the split's sentences, filled in. Spells colour both ways; in training some are written as carelessly as
    people write."""
    chosen = r.choice(r.choice(frames.train)) if split is Split.TRAIN else r.choice(frames.test)
    chosen = chosen if r.random() < 0.5 else chosen.replace("colour", "color")
    if split is Split.TRAIN and r.random() < 0.35:
        chosen = carelessly(r, chosen)
    return chosen.format(**fields)


def carelessly(r, sentence):
    """The sentence with an opening or a closing, without its capital or its mark, or in few words."""
    if r.random() < 0.5:
        sentence = sentence.replace("What is", "What's").replace("Where is", "Where's")
    choice = r.random()
    if choice < 0.4:
        return r.choice(OPENINGS) + sentence
    if choice < 0.55:
        return sentence + r.choice(CLOSINGS)
    if choice < 0.9 and sentence[0] != "{":
        return sentence[0].lower() + sentence[1:].rstrip("?.")
    return sentence


def held_out(text, share=10):
    """Whether a word or number is kept for the test (one in `share`)."""
    return zlib.crc32(text.encode()) % share == 0


@functools.lru_cache(maxsize=2)
def words(split):
    """Frequent words of up to seven letters."""
    lines = (Path(__file__).parent / "words.txt").read_text().splitlines()
    found = [w for line in lines if not line.startswith("#") for w in line.split()]
    return [w for w in found if held_out(w) == (split is Split.TEST)]


@functools.lru_cache(maxsize=1)
def rare_words():
    """Training words beyond `words`: what WordNet lists, where prepare.py's data is there; hash-split alike."""
    path = Path(os.environ.get("NANO_DATA", "")) / "wordnet.jsonl"
    if not path.is_file():
        return words(Split.TRAIN)
    found = {json.loads(line)["word"] for line in path.read_text(encoding="utf-8").splitlines()}
    plain = (w for w in found if 3 <= len(w) <= 10 and w.isascii() and w.isalpha() and w.islower())
    return sorted(w for w in plain if not held_out(w))


@functools.lru_cache(maxsize=1)
def letter_pairs():
    """{two letters: the letters that follow them in training words}, with "^" before and "$" after a word."""
    follow = {}
    for word in words(Split.TRAIN):
        text = f"^^{word.lower()}$"
        for a, b, c in zip(text, text[1:], text[2:]):
            follow.setdefault(a + b, []).append(c)
    return follow


def invented_word(r):
    """Letters that follow each other as in English: has to be read, cannot be guessed."""
    while True:
        text = "^^"
        while text[-1] != "$" and len(text) < 12:
            text += r.choice(letter_pairs()[text[-2:]])
        if text[-1] == "$" and 6 <= len(text) <= 12 and not held_out(text[2:-1]):
            return text[2:-1]


def media_tokens(media):
    """Tokens of the media block of one Media: pads (28x28 pixels each) and the words around them."""
    return -(-media.width // 28) * -(-media.height // 28) + (16 if media.kind == "image" else 20)


def together(r, questions):
    """Several questions as one, answered as a numbered list."""
    number = lambda texts: "\n".join(f"{i}. {text}" for i, text in enumerate(texts, 1))
    head = r.choice(("Answer these questions:", "Please answer the following questions.", "Some questions:", "Answer each question."))
    return Question(f"{head}\n{number(q.text for q in questions)}", number(q.answer for q in questions),
                    " ".join(q.think for q in questions if q.think))


def _turns(media, questions, ahead):
    """ahead: True puts the media before the words of the first question."""
    first, *rest = questions
    user = [*media, first.text] if ahead else [first.text, *media]
    return [Turn(user, first.answer, first.think)] + [Turn([q.text], q.answer, q.think) for q in rest]


def _cost(turn):
    text = sum(len(part) for part in turn.user if isinstance(part, str)) + len(turn.answer) + len(turn.think)
    return MARKUP + text // 3 + sum(media_tokens(m) for m in turn.user if not isinstance(m, str))


def fill(rng, split, budget, family, episode):
    """Dialog of pictures or clips, each with several questions, as many as fit `budget`; for the test one question.

    episode(r, split) -> (list of Media, list of Question with the family's own question first).
    """
    r = source(rng)
    if split is Split.TEST:
        media, questions = episode(r, split)
        return Dialog(_turns(media, questions[:1], True), family=family)
    turns, left, refused = [], budget, 0
    while True:
        media, questions = episode(r, split)
        if len(questions) > 2 and r.random() < TOGETHER and not any("\n" in q.answer for q in questions):
            questions = [together(r, questions)]
        new = _turns(media, questions, media[0].kind == "video" or r.random() < 0.8)
        costs = [_cost(turn) for turn in new]
        if not turns and costs[0] > left and refused < 8:                       # a small budget: try for a smaller picture
            refused += 1
            continue
        if turns and sum(costs) > left:
            break
        while len(new) > 1 and sum(costs) > left:
            new.pop(), costs.pop()
        turns, left = turns + new, left - sum(costs)
    return Dialog(turns, r.random() < THINKING, family=family)
