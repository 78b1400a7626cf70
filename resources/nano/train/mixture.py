# SPDX-License-Identifier: Apache-2.0
"""What the model is trained on: the share of every task family and how long the conversations are, over the training."""
import os

import numpy as np

import tasks
from dialog import Split
from render import PROSE, render
from tasks import mix
from tokenizer import Tokenizer

KINDS = {"text": 0.765, "images": 0.185, "video": 0.05}        # shares of the trained tokens; of families: tasks/mix.py

# (until this progress, {longest sequence of a batch: share of the batches})
STAGES = ((0.50, {2048: 0.64, 8192: 0.27, 32768: 0.09}),
          (1.01, {2048: 0.59, 8192: 0.28, 32768: 0.13}))
SHORT, SHORTEST = 2048, 160      # conversations that are not meant to be long; less room than SHORTEST stays empty
LONG_PART = 0.6                  # share of the tokens of a long batch that goes to long conversations
MEDIA_BUDGET = 640
PROSE_SHARE = 0.15               # samples that train on the running text of their documents; with 0.45 it was learned by heart

FAMILIES = {**tasks.text_families(), **tasks.media_families()}
NAMES = sorted(FAMILIES)


class Diet:
    """Picks names so that each gets its share of the tokens."""

    def __init__(self, shares):
        total = sum(shares.values())
        self.shares = {name: share / total for name, share in shares.items()}
        self.eaten = dict.fromkeys(shares, 0.0)              # tokens so far / share

    def pick(self, names=None):
        return min(names or self.eaten, key=self.eaten.get)

    def eat(self, name, tokens):
        self.eaten[name] += tokens / self.shares[name]


class Source:
    """Draws samples by the shares.  One per process."""

    def __init__(self, data, vocabulary, split=Split.TRAIN):
        os.environ["NANO_DATA"] = str(data)
        self.tokenizer, self.split = Tokenizer.load(vocabulary), split
        self.kinds = Diet(KINDS)
        self.diets = {"text": Diet(mix.shares(SHORT)), "long": Diet(mix.shares(32768)),
                      "images": Diet(mix.IMAGES), "video": Diet(mix.VIDEO)}

    @staticmethod
    def longest(r, progress):
        """The longest sequence of a batch at this progress of the training (0..1)."""
        lengths = next(shares for until, shares in STAGES if progress < until)
        return int(r.choice(list(lengths), p=np.array(list(lengths.values())) / sum(lengths.values())))

    def draw(self, r, packer):
        """A sample for what is left of the packer's room and the number of its family, or None if little is left."""
        if packer.room < SHORTEST:
            return None
        long = packer.longest > SHORT and packer.room > (1 - LONG_PART) * packer.capacity.tokens
        kind = "text" if long or not packer.media_fits() else self.kinds.pick()
        diet = self.diets["long" if long else kind]
        name, limit = diet.pick(), min(packer.longest, packer.room)
        dialog = FAMILIES[name](r, self.split, int(self.budget(r, kind, long, limit)))
        sample = render(dialog, self.tokenizer, limit)
        if name != "prose" and r.random() >= PROSE_SHARE:
            sample.weights[sample.weights == np.float32(PROSE)] = 0.0
        self.kinds.eat(kind, max(len(sample.ids), SHORTEST))
        diet.eat(name, max(len(sample.ids), SHORTEST))
        return (sample, NAMES.index(name)) if sample.turns else self.draw(r, packer)

    @staticmethod
    def budget(r, kind, long, limit):
        """Tokens that a conversation should have."""
        if long:
            return r.uniform(0.4, 1.0) * limit
        top = min(limit, SHORT if kind == "text" else MEDIA_BUDGET)
        return np.exp(r.uniform(np.log(min(256, top)), np.log(top)))
