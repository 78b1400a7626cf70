# SPDX-License-Identifier: Apache-2.0
"""What picture and clip tasks share: questions, wordings and words with their split, and dialogs that fill a budget."""
import functools
import random
import zlib
from dataclasses import dataclass
from pathlib import Path

from dialog import Dialog, Split, Turn

THINKING = 0.2               # share of dialogs in thinking mode
TOGETHER = 0.35              # share of pictures whose questions come in one message: more answers per token
MARKUP = 34                  # tokens that a turn costs beside its text and media (upper estimate)
OPENINGS = ("Hey, ", "OK. ", "Quick question: ", "Look closely. ", "Next: ", "One more question: ", "Please tell me: ", "So: ")
DESCRIBE = ("Describe the picture.", "What do you see?", "Describe the image.", "What does the picture show?",
            "What is in the picture?", "Tell me what you see.", "List everything in the picture.", "Describe what you see.",
            "What is shown here?", "Describe this.", "What is this?", "What is on this picture?", "Tell me about this picture.",
            "Describe this drawing.", "What can you see?", "Give a description of the picture.", "Please describe this image.")


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
    """One of the frames, filled in; the last two are kept for the test. Spells colour both ways; in training some are
    written as carelessly as people write."""
    chosen = r.choice(frames[:-2] if split is Split.TRAIN else frames[-2:])
    chosen = chosen if r.random() < 0.5 else chosen.replace("colour", "color")
    if split is Split.TRAIN and r.random() < 0.2:
        if r.random() < 0.5:
            chosen = chosen.replace("What is", "What's").replace("Where is", "Where's")
        if r.random() < 0.4:
            chosen = r.choice(OPENINGS) + chosen
        elif r.random() < 0.6 and chosen[0] != "{":
            chosen = chosen[0].lower() + chosen[1:].rstrip("?.")
    return chosen.format(**fields)


def held_out(text, share=10):
    """Whether a word or number is kept for the test (one in `share`)."""
    return zlib.crc32(text.encode()) % share == 0


@functools.lru_cache(maxsize=2)
def words(split):
    lines = (Path(__file__).parent / "words.txt").read_text().splitlines()
    found = [w for line in lines if not line.startswith("#") for w in line.split()]
    return [w for w in found if held_out(w) == (split is Split.TEST)]


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
