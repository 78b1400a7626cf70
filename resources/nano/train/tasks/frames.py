# SPDX-License-Identifier: Apache-2.0
"""Wordings by composition: "[Can|Could] you [please |]tell me {x}?" stands for every choice of its alternatives.

A list of frames makes some hundred wordings. The last two frames of each list are TEST only.
"""
import functools
import itertools
import re

from dialog import Split
from tasks import requests
from tasks.synonyms import varied

HELD_OUT = 2
_CHOICE = re.compile(r"\[([^\]]*)\]")


@functools.lru_cache(maxsize=None)
def _parts(pattern):
    """The alternatives of each piece of a pattern, in order"""
    return tuple(tuple(piece.split("|")) if i % 2 else (piece,) for i, piece in enumerate(_CHOICE.split(pattern)))


def expand(r, pattern):
    """One wording of a pattern; its {slots} stay open."""
    return "".join(options[int(r.random() * len(options))] for options in _parts(pattern)).strip(" ")


@functools.lru_cache(maxsize=None)
def _held_out(frames):
    """All wordings of the TEST frames of a list."""
    found = set()
    for pattern in frames[-HELD_OUT:]:
        found.update("".join(parts).strip(" ") for parts in itertools.product(*_parts(pattern)))
    return found


def frame(r, split, frames):
    """One wording of the split's frames; in TRAIN half of them with words replaced."""
    if split is Split.TEST:
        return expand(r, r.choice(frames[-HELD_OUT:]))
    while True:
        text = expand(r, r.choice(frames[:-HELD_OUT]))
        if r.random() < 0.5:
            text = varied(r, text)
        if text not in _held_out(frames):
            return text


def orders(commands, things, how):
    """Frames that ask for a list {x} in some form: "Put the words backwards: {x}". Each argument: alternatives."""
    small = "|".join(command[0].lower() + command[1:] for command in commands.split("|"))
    large = "|".join(text[0].upper() + text[1:] for text in how.split("|"))
    return (f"[{commands}] [{things}] [{how}]: {{x}}", f"[{commands}] [{things}] [{how}][.|!|, please.]\n{{x}}",
            f"{{x}}\n[{commands}] [{things}] [{how}][.|!|, please.]", f"{{x}}\n\n[{commands}] [that|them|this|all of it] [{how}].",
            f"[Can|Could|Would|Will] you [please |kindly |][{small}] [{things}] [{how}]? {{x}}", f"[{large}][:|, please:] {{x}}",
            f"[I want|I need|I'd like|We need|I would like to have] [{things}] [{how}]: {{x}}", f"{{x}}\n[{large}][.|, please.|?]",
            f"[Please|Now|Next,|OK,|Then] [{small}] [{things}] [{how}]: {{x}}", f"[How do|What do] [these|they|the items] look [{how}]? {{x}}",
            f"[Your task|The task|Exercise]: [{small}] [{things}] [{how}]. {{x}}", f"[Take|Here is|Look at] [this list|the list|a list]: {{x}}\n[{commands}] it [{how}].")


def with_tail(r, text, tail):
    """The request with words at its end that are no part of what is asked for: "look up the owner of the clock for my
    boss".  A text of several sentences stays as it is."""
    body = text.rstrip(".?")
    if "\n" in text or len(text) - len(body) > 1 or any(mark in body for mark in (". ", "? ", "! ")) or body[-1] == "!":
        return text
    return f"{body}{',' if r.random() < 0.2 else ''} {tail}{text[len(body):]}"


# What people say around a question. Openers need no change of what follows, closers none of what stands before.
OPENERS = ("[OK|Good|Fine|Great|Right|Thanks|Sure|Hm|Well|Hello|Hi].",
           "[Now|Next|Then|And now|Here is] [a question|one more|another one|the next one|something else]:",
           "[I am|We are] [in a hurry|writing a report|curious|preparing a talk|checking something|new here].",
           "[My|Our] [boss|teacher|friend|client|colleague|mother] [asks|wants to know|needs this]:",
           "[Help me|Please help|I have a task|A small task|One thing].",
           "[Q|Question|Task|Request|Todo|Me]:", "[I need your help|Could you help me|Can you do this]:", "[-|>|*|a)]",
           "[Excuse me|Listen|Look].", "[Last one|Before I go]:")
CLOSERS = ("[Thanks|Thank you|Many thanks|Cheers|Thanks a lot][.|!]",
           "[It is|This is] [urgent|important|for a report|for school|for my boss].",
           "[Please|Kindly] [be exact|check carefully|be quick|look closely].", "[I am waiting|I trust you|Take your time].",
           "[Much appreciated|No rush].", "[I owe you one|That would be great].")


def spoken(r, split, question, close=True):
    """The question with something polite or hurried around it, now and then."""
    share = 0.25 if split is Split.TRAIN else 0.12
    if split is Split.TRAIN and r.random() < 0.06:
        question = f"{requests.chatter(r, split)} {question}"
    if r.random() < share:
        question = f"{frame(r, split, OPENERS)} {question}"
    if close and question[-1] in ".?!" and "\n" not in question and r.random() < share / 2:
        question = f"{question} {frame(r, split, CLOSERS)}"
    return question


@functools.lru_cache(maxsize=None)
def wordings(frames):
    """How many wordings the TRAIN frames of a list make."""
    total = 0
    for pattern in frames[:-HELD_OUT]:
        count = 1
        for options in _parts(pattern):
            count *= len(options)
        total += count
    return total
