# SPDX-License-Identifier: Apache-2.0
"""What a task produces and the renderer consumes: a conversation about a document, pictures or clips.

Each task module in tasks/ offers FAMILIES: dict[str, Callable[[np.random.Generator, Split, int], Dialog]];
the arguments are the random generator, the split and the budget in tokens that the rendered dialog should fill at most.
"""
from dataclasses import dataclass
from enum import Enum

import numpy as np


class Split(Enum):
    """TEST uses names, question frames, fonts and colour pairs that TRAIN never shows."""
    TRAIN = "train"
    TEST = "test"


class Prose(str):
    """A part of a user message that is natural text and worth predicting; plain str parts carry no loss.

    Neighbouring str parts of a message are one text. Parts meet where no pre-token crosses: after a line break, or
    in front of a blank that follows another character.
    """


@dataclass
class Media:
    kind: str           # "image" or "video"
    frames: np.ndarray  # uint8 [t, h, w, 3]; t = 1 for an image, 1..4 for one video chunk; original size, not padded
    stamp: str = ""     # video chunk: "HH:MM:SS.mmm" of its first frame

    @property
    def width(self):
        return self.frames.shape[2]

    @property
    def height(self):
        return self.frames.shape[1]


@dataclass
class Turn:
    user: list          # str | Media, in order
    answer: str         # response channel
    think: str = ""     # think channel, used only when the dialog is in thinking mode
    loss: float = 1.0   # weight of this turn's answer


@dataclass
class Dialog:
    turns: list         # of Turn
    thinking: bool = False
    system: str = ""
    family: str = ""    # task family, e.g. "kv", "hop2", "img-attribute"
    effort: str = ""    # "low", "high" or "max": the thinking-effort message in front; only in thinking mode
