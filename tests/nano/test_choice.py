# SPDX-License-Identifier: Apache-2.0
"""The suites that checkpoints are chosen by, the rule of the choice, and what compares and explains the chosen one."""
import contextlib
import io
import random
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import nano_setup  # noqa: F401: torch and triton as the other modules want them
import support  # noqa: F401
import answers
import choose
import make_dev_suites
import mechanisms
from dialog import Split
from tasks import frames, lists


class Wordings(unittest.TestCase):
    def test_no_wording_is_trained_or_shown(self):
        for choices, mine in make_dev_suites.WORDINGS.items():
            r = random.Random(3)
            trained = {frames.frame(r, Split.TRAIN, choices) for _ in range(1500)} | frames._held_out(choices)
            self.assertFalse(trained & {frames.expand(r, text) for text in mine for _ in range(20)}, mine)
        for choices, mine in make_dev_suites.PICTURES.items():
            self.assertFalse({*choices.test, *sum(choices.train, ())} & set(mine), mine)

    def test_directions_share_their_words(self):
        """Every rising way to go from one end to the other has its falling twin, so no word tells the direction."""
        rising, falling = (set(lists.courses(way).split("|")) for way in (False, True))
        self.assertGreater(len(falling), 250)
        self.assertFalse(rising & falling)
        for a, b in lists.ENDS:
            for course in lists.COURSES.split("|"):
                up, down = course.format(a=b, b=a), course.format(a=a, b=b)
                self.assertEqual(up in rising, down in falling, (up, down))
        r = random.Random(5)
        asked = [lists.sort_turn(r, Split.TRAIN)[0].lower() for _ in range(3000)]
        self.assertFalse([text for text in asked if "from large to small" in text])


class Rule(unittest.TestCase):
    def test_rank(self):
        start = {"quote-2k": 90.0, "sort-10": 70.0, "line": 90.0}
        better = {"quote-2k": 95.0, "sort-10": 90.0, "line": 88.0}
        self.assertEqual(choose.rank(start, start), 80.0)
        self.assertEqual(choose.rank(better, start), 92.5)                       # 2 points are within what is allowed
        self.assertAlmostEqual(choose.rank({**better, "line": 67.0}, start), 90.5)

    def test_spread(self):
        self.assertAlmostEqual(choose.spread({"quote-2k": 90.0, "line": 50.0}, {"quote-2k": 100, "line": 1}), 3.0)


class Comparison(unittest.TestCase):
    def test_replies_with_line_breaks_are_compared_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = Path(folder) / "a.json", Path(folder) / "b"
            ours.write_text('{"s-1-0": "One.\\nTwo.", "s-2-1": "A \\"b\\".", "s-3-0": "C."}')
            theirs.write_text('s-1-0 turn 0: "One.\nTwo." instead of "One.\nTwo. @@"\ns-2-1 turn 1: "A "b"." instead of "A. @@"\n'
                              's-3-0 turn 0: "D." instead of "C. @@"\n')
            shown = io.StringIO()
            with contextlib.redirect_stdout(shown):
                answers.compare(ours, theirs)
        self.assertTrue(shown.getvalue().startswith("2 of 3 replies are the same (66.7 %), 3 replies of the engine"), shown.getvalue())

    def test_a_question_is_cut_after_its_turn(self):
        line = dict(id="x-001", turns=[dict(user=["a"], think="", answer="b", accept=[], scored=True),
                                       dict(user=["c"], think="t", answer="d", accept=["e"], scored=True), dict(user=["f"])])
        cut = answers.cut(line, 1)
        self.assertEqual([turn["answer"] for turn in cut["turns"]], ["b", "d " + answers.MARK])
        self.assertEqual([turn["scored"] for turn in cut["turns"]], [False, True])


class Needles(unittest.TestCase):
    def test_the_sentence_of_the_value(self):
        stop, close = 1, 2
        document = [5, 6, 7, stop, 8, 9, 10, 11, 12, stop, 13, 14, stop]          # the value is 10 11 12
        reply = [20, 10, 11, 12, stop, close]
        ids = np.array(document + [30, 31] + reply)
        weights = np.array([0.0] * (len(document) + 2) + [1.0] * len(reply))
        (position, first, last), = mechanisms.needle_places(SimpleNamespace(ids=ids, weights=weights), {stop})
        self.assertEqual((first, last), (4, 10))
        self.assertEqual(ids[position + 1], 10)


if __name__ == "__main__":
    unittest.main()
