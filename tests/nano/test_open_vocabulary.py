# SPDX-License-Identifier: Apache-2.0
"""What TRAIN and TEST may not share, and gold answers found again in the document by plain string search."""
import itertools
import re
import unittest

import numpy as np

import support
from dialog import Split
from tasks import (copying, facts, frames, hops, lexicon, lists, lookup, natural, numbers, persona, questions, tables, talk,
                   text_families)
from tasks.questions import UNKNOWN

FRAMES = {name: value for module in (copying, hops, lists, lookup, natural, numbers, questions, tables, talk)
          for name, value in vars(module).items() if name.isupper() and isinstance(value, tuple)
          and all(isinstance(item, str) and ("[" in item or "{" in item) for item in value)}
TAIL = re.compile("[, ]+(?:" + "|".join("".join(parts) for pattern in questions.TAILS if "{" not in pattern
                                          for parts in itertools.product(*frames._parts(pattern))) + ")$")
SAID = {answer for _, answer in persona.SMALL_TALK} | set(questions.READ)
MAIN = ("FULL", "NOUN_FULL", "SHORT", "BY_FACT", "BY_WORD", "BY_START", "REPEAT", "REVERSE", "CELL", "COUNT_WORD", "WHERE", "ASK",
        "CALCULATE")


def turns(family, split=Split.TRAIN, count=40, budget=900):
    """(document or "", question, turn) of many dialogs; the document is known where it was handed over before the questions."""
    rng = np.random.default_rng(29)
    for _ in range(count):
        document = ""
        for turn in text_families()[family](rng, split, budget).turns:
            question = "".join(turn.user)
            if turn.answer in questions.READ:
                document = question
            else:
                yield document, question, turn


class HeldOut(unittest.TestCase):
    def test_pools_do_not_meet(self):
        for kind in [*lexicon.KINDS, "verb", "adjective"]:
            train, test = (set(lexicon.pool(split, kind)) for split in Split)
            self.assertTrue(train and test, kind)
            self.assertFalse(train & test, kind)
        self.assertFalse(set(lexicon.first_names(Split.TRAIN)) & set(lexicon.first_names(Split.TEST)))
        self.assertGreater(len(lexicon.first_names(Split.TRAIN)), 6000)

    def test_words_of_answers_belong_to_the_split(self):
        """In tasks without running text every word of an answer was drawn; codes have no split."""
        for split in Split:
            checked = 0
            for family in ("reverse", "pairs", "count", "sort", "spell"):
                for _, question, turn in turns(family, split):
                    if turn.answer in SAID:
                        continue
                    for item in re.split(r",? ", turn.answer if family != "spell" else re.findall(r"\w+", question)[0]):
                        if family == "spell" or re.search(r"[\d/:#]", item) or re.fullmatch(r"[A-Za-z]{4}|.",
                                                            item) or turn.answer == UNKNOWN:
                            continue
                        for word in re.split(r"[-_]", item):
                            self.assertTrue(lexicon.fits(word, split), (family, split, word, turn.answer))
                            checked += 1
            self.assertGreater(checked, 2000)

    def test_wordings(self):
        """Each main question has thousands of wordings, and none of the TEST ones can come up in TRAIN."""
        self.assertGreater(len(FRAMES), 40)
        for name in MAIN:
            self.assertGreater(frames.wordings(FRAMES[name]), 60, name)
            self.assertGreater(frames.wordings(FRAMES[name]) * frames.wordings(frames.OPENERS), 3000, name)
        import random
        for name, patterns in FRAMES.items():
            r = random.Random(4)
            train, test = ({frames.frame(r, split, patterns) for _ in range(600)} for split in Split)
            self.assertFalse(train & test, name)


class Gold(unittest.TestCase):
    def test_quotations_are_unique(self):
        found = dict.fromkeys(("word", "next word", "start"), 0)
        for document, question, turn in turns("quote", count=500):
            flat = re.sub(r"\s+", " ", document)
            quoted = re.search(r'"([^"]+)"', question)
            if not document or not quoted or turn.answer in (UNKNOWN, "Yes.", "No."):
                continue
            x, answer = quoted.group(1).removesuffix(" ..."), re.sub(r"\s+", " ", turn.answer)
            self.assertIn(answer, flat)
            if x in answer and " " not in x:                        # the only sentence with that word
                self.assertEqual(flat.lower().count(x.lower()), answer.lower().count(x.lower()), question)
                found["word"] += 1
            elif answer.startswith(x):
                self.assertEqual(flat.count(x), 1, question)
                found["start"] += 1
            elif " " not in answer:
                self.assertRegex(flat, re.escape(x) + r"\W+" + re.escape(answer))
                found["next word"] += 1
        self.assertGreater(min(found["word"], found["start"], found["next word"]), 2, found)

    def test_unanswerable_twins_have_no_answer(self):
        """No line of a list of facts names both the attribute and the thing of a question that is to be declined."""
        checked = answered = 0
        for document, question, turn in turns("unanswerable", count=600):
            match = re.search(r"[Ww]hat (?:is )?the ([\w ]+?) (?:of|for|at|in|on) ([\w -]+?)(?: is)?[?.]",
                              question.splitlines()[-1])
            if not match or not document or "SQL" in document or "\n" in question:
                continue
            attribute, thing = match.groups()
            thing = TAIL.sub("", thing).removesuffix(" is")                              # words behind a request are no part of the thing
            both = [line for line in re.split(r"\n|\. ", document) if re.search(rf"\b{re.escape(attribute)}\b", line, re.I)
                    and re.search(rf"\b{re.escape(thing)}(?! \w*\d)\b", line, re.I)]
            if turn.answer == UNKNOWN:
                self.assertFalse([line for line in both if re.search(rf"the {re.escape(attribute)} (?:of|for|at|in|on) {re.escape(thing)} is ", line, re.I)],
                                 question)
                checked += 1
            else:
                self.assertTrue(both, question)
                answered += 1
        self.assertGreater(min(checked, answered), 10, (checked, answered))

    def test_tails_are_told_from_things(self):
        for text, thing in (("flight Tubabe to be sure", "flight Tubabe"), ("clock, if you can", "clock"), ("Bureau of the report", "Bureau of the report"),
                            ("the clock for my boss", "the clock")):
            self.assertEqual(TAIL.sub("", text), thing)

    def test_pairs(self):
        for document, question, turn in turns("pairs", count=200):
            if turn.answer != UNKNOWN and document and turn.answer not in SAID:
                self.assertIn(turn.answer, document)

    def test_sort_keys_are_the_first_letters(self):
        for _, question, turn in turns("sort"):
            keys = re.findall(r"([a-z]) ([a-z]) ([a-z]) (\w+)", turn.think)
            for *letters, word in keys:
                self.assertEqual("".join(letters), word[:3])

    def test_regular_verbs(self):
        self.assertEqual(facts.regular("carry")[0], "carried")
        self.assertEqual(facts.regular("store")[0], "stored")
        self.assertEqual(facts.regular("destroy")[0], "destroyed")
        self.assertEqual(facts.plural("box"), "boxes")
        self.assertEqual(facts.plural("city"), "cities")


if __name__ == "__main__":
    unittest.main()
