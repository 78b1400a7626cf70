# SPDX-License-Identifier: Apache-2.0
"""The text suites on disk: complete, readable, held out, and not to be passed by a constant reply."""
import collections
import unittest

from support import NANO, ROOT
import make_text_suites
import suites
from render import render
from tasks import names
from tokenizer import Tokenizer

EVAL = ROOT / "tests" / "eval"


class TextSuites(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.loaded = {suite: suites.load(EVAL, suite) for suite in make_text_suites.SUITES}

    def scored(self, suite):
        return [turn for item, _ in self.loaded[suite] for turn in item["turns"] if turn["scored"]]

    def test_every_suite_is_complete_and_its_gold_is_right(self):
        for name, suite in make_text_suites.SUITES.items():
            self.assertEqual(len(self.loaded[name]), suite.dialogs, name)
            self.assertGreaterEqual(len(self.scored(name)), 80, name)
            for item, dialog in self.loaded[name]:
                self.assertEqual(dialog.turns[-1].answer, item["turns"][-1]["answer"])
                self.assertTrue(suite.thinking is None or item["thinking"] == suite.thinking)
                for turn in item["turns"]:
                    self.assertTrue(suites.right(turn["answer"], turn))

    def test_a_constant_reply_fails(self):
        for name in make_text_suites.SUITES:
            if name == "unanswerable":              # one right reply by definition; `answerable` is its counterpart
                continue
            answers = collections.Counter(suites.normal(turn["answer"]) for turn in self.scored(name))
            limit = {"verify": 0.6, "count-think": 0.25}.get(name, 0.2)
            self.assertLess(answers.most_common(1)[0][1] / len(self.scored(name)), limit, name)

    def test_documents_have_the_length_of_their_name(self):
        tokenizer = Tokenizer.load(NANO)
        for name, low, high in (("kv-2k", 1000, 2048), ("needle-2k", 1500, 2048), ("needle-8k", 6500, 8192),
                                ("needle-32k", 26000, 32768), ("quote-16k", 13000, 16384), ("multi-needle-8k", 6000, 8192)):
            for _, dialog in self.loaded[name]:
                self.assertTrue(low <= len(render(dialog, tokenizer).ids) <= high, name)

    def test_lookup_uses_held_out_names_only(self):
        known = {name for name in names.WORD + names.LAST if not names.is_test(name)}
        for name in ("kv-2k", "hop2-think", "multi-needle-8k"):
            for turn in self.scored(name):
                words = set(turn["answer"].replace(".", " ").replace(",", " ").split())
                self.assertFalse((words - {color.capitalize() for color in names.COLOR}) & known, (name, turn["answer"]))

    def test_needles_are_asked_once(self):
        """No answer stands in an earlier question or reply."""
        for name in ("kv-2k", "needle-2k", "needle-8k", "needle-32k"):
            for item, _ in self.loaded[name]:
                said = [turn["answer"] for turn in item["turns"] if turn["scored"] and "\n" not in turn["answer"]]
                self.assertEqual(len(said), len(set(said)), item["id"])


if __name__ == "__main__":
    unittest.main()
