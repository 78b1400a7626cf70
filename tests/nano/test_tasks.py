# SPDX-License-Identifier: Apache-2.0
import re
import unittest

import numpy as np

from support import NANO
from dialog import Dialog, Split
from render import encode_segments, render, segments
from tasks import corpus, lookup, mix, persona, text_families
from tasks.questions import UNKNOWN
from tokenizer import Tokenizer

PERSONA = {persona.TOO_SMALL} | {answer for _, answer in persona.ABOUT_ME + persona.SMALL_TALK}
BUDGETS = (400, 1024, 3000)


def text_of(turn):
    return "".join(part for part in turn.user if isinstance(part, str))


class EveryFamily(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tokenizer = Tokenizer.load(NANO)
        cls.families = text_families()

    def dialogs(self, count=2, budgets=BUDGETS):
        for name, make in self.families.items():
            for split in Split:
                rng = np.random.default_rng(11)
                for budget in budgets:
                    for _ in range(count):
                        yield name, budget, make(rng, split, budget)

    def test_fragments_meet_at_piece_boundaries(self):
        for name, _, dialog in self.dialogs():
            sample = render(dialog, self.tokenizer)
            self.assertEqual(sample.ids.tolist(), encode_segments(self.tokenizer, segments(dialog)), name)

    def test_well_formed(self):
        for name, budget, dialog in self.dialogs():
            self.assertIsInstance(dialog, Dialog)
            self.assertEqual(dialog.family, name)
            self.assertGreater(len(dialog.turns), 0, name)
            for turn in dialog.turns:
                for text in (text_of(turn), turn.answer, turn.think):
                    self.assertNotRegex(text, r"\{[a-zA-Z_]*\}", name)        # a template slot left open
                self.assertTrue(turn.answer and turn.answer == turn.answer.strip(), (name, turn.answer))
                self.assertTrue(text_of(turn).strip(), name)

    def test_some_turns_fit(self):
        fitting = {}
        for name, budget, dialog in self.dialogs(4, (1024, 3000)):
            fitting.setdefault(name, []).append(render(dialog, self.tokenizer, budget).turns > 0)
        for name, fits in fitting.items():
            self.assertGreaterEqual(np.mean(fits), 0.8, name)

    def test_mix_names_every_family(self):
        self.assertEqual(set(mix.SHORT), set(self.families))
        self.assertLessEqual(set(mix.LONG), set(self.families))

    def test_same_seed_same_dialog(self):
        for name, make in self.families.items():
            one, two = (make(np.random.default_rng(3), Split.TRAIN, 800) for _ in range(2))
            self.assertEqual([text_of(t) + t.think + t.answer for t in one.turns],
                             [text_of(t) + t.think + t.answer for t in two.turns])

    def test_splits_do_not_share_questions(self):
        """The two splits use other names and frames, so no question about a document occurs in both."""
        for name in ("kv", "needle", "unanswerable"):
            seen = {split: set() for split in Split}
            for split in Split:
                rng = np.random.default_rng(5)
                for _ in range(30):
                    seen[split].update(text_of(turn) for turn in self.families[name](rng, split, 700).turns)
            self.assertFalse(seen[Split.TRAIN] & seen[Split.TEST], name)


class Lookup(unittest.TestCase):
    def test_answers_stand_in_the_document(self):
        """The short value of every answerable question occurs in the document, and open questions exist."""
        for name in ("kv", "needle", "unanswerable", "multi"):
            make, rng, unknown, total = text_families()[name], np.random.default_rng(7), 0, 0
            for _ in range(60):
                dialog = make(rng, Split.TRAIN, 900)
                document = text_of(dialog.turns[0]) if len(dialog.turns) == 1 or len(text_of(dialog.turns[0])) > 200 else ""
                for turn in dialog.turns:
                    if turn.answer in PERSONA:                   # what the model says of itself stands in no document
                        continue
                    total += 1
                    unknown += UNKNOWN in turn.answer
                    numbers = re.findall(r"\b\d[\d,.:-]*\d\b", turn.answer)
                    for number in numbers if document else ():
                        self.assertIn(number, document, (name, turn.answer))
            if name == "unanswerable":
                self.assertTrue(0.3 < unknown / total < 0.65, unknown / total)
            elif name != "multi":
                self.assertTrue(0.05 < unknown / total < 0.3, (name, unknown / total))

    def test_one_question_one_answer(self):
        follow_ups = {text for texts in lookup.FOLLOW_UPS.values() for text in texts}
        for name in ("kv", "needle", "unanswerable"):
            rng = np.random.default_rng(9)
            for _ in range(80):
                answers = {}
                for turn in text_families()[name](rng, Split.TRAIN, 1500).turns[1:]:
                    if any(text in text_of(turn) for text in follow_ups):              # those mean the question before them
                        continue
                    self.assertEqual(answers.setdefault(text_of(turn), turn.answer), turn.answer)


class Corpus(unittest.TestCase):
    def test_test_split_has_no_books(self):
        parts = [p for d in corpus.documents(Split.TEST) for p in d]
        self.assertTrue(parts)
        for paragraph in parts:
            self.assertTrue(paragraph[-1].endswith("\n\n"))


if __name__ == "__main__":
    unittest.main()
