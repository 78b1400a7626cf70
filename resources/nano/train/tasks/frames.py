# SPDX-License-Identifier: Apache-2.0
"""Wordings by composition: "[Can|Could] you [please |]tell me {x}?" stands for every choice of its alternatives.

A list of frames makes some hundred wordings. The last two frames of each list are TEST only.
"""
import functools
import re

from dialog import Split

HELD_OUT = 2
_CHOICE = re.compile(r"\[([^\]]*)\]")


@functools.lru_cache(maxsize=None)
def _parts(pattern):
    """The alternatives of each piece of a pattern, in order"""
    return tuple(tuple(piece.split("|")) if i % 2 else (piece,) for i, piece in enumerate(_CHOICE.split(pattern)))


def expand(r, pattern):
    """One wording of a pattern; its {slots} stay open."""
    return "".join(options[int(r.random() * len(options))] for options in _parts(pattern)).strip(" ")


def frame(r, split, frames):
    """One wording of the split's frames."""
    return expand(r, r.choice(frames[:-HELD_OUT] if split is Split.TRAIN else frames[-HELD_OUT:]))


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
