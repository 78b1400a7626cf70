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
