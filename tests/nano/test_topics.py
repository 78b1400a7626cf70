# SPDX-License-Identifier: Apache-2.0
"""Pages of topics.txt with their questions, and the wordings that requests.py puts together."""
import random
import re
import unittest

import numpy as np

import support  # noqa: F401
import make_dev_suites
from dialog import Split
from tasks import copying, frames, natural, questions, requests, topics
from tasks.questions import UNKNOWN


class Topics(unittest.TestCase):
    def test_every_fact_can_be_told_and_asked(self):
        self.assertGreater(sum(len(topic.facts) for topic in topics.topics().values()), 150)
        r = random.Random(1)
        for kind, topic in topics.topics().items():
            for fact in topic.facts:
                self.assertGreaterEqual(len(fact.asked), 4, (kind, fact.value))
                self.assertTrue(all("{v}" in text for text in fact.stated), (kind, fact.stated))
                self.assertFalse([text for text in fact.asked if "{v}" in text], (kind, fact.asked))
                for pattern in fact.stated + fact.asked:
                    text = frames.expand(r, pattern).format(s="S", e="E", p="it", v="V")
                    self.assertFalse(set("{}[]|") & set(text), text)
                self.assertTrue(topics.VALUES[fact.value](r, Split.TRAIN))

    def test_answers_stand_in_the_text_and_questions_have_one(self):
        rng, asked = np.random.default_rng(2), 0
        for i in range(60):
            dialog = topics.topic(rng, (Split.TRAIN, Split.TEST)[i % 2], 1500)
            text, answers = "".join("".join(turn.user) for turn in dialog.turns).lower(), {}
            for turn in dialog.turns:
                asked += 1
                if turn.answer != UNKNOWN and " " in turn.answer and not turn.user[0].startswith("Quote"):
                    answers.setdefault("".join(turn.user)[-80:], set()).add(turn.answer)
                if re.fullmatch(r"[\d,]+\.", turn.answer):
                    self.assertIn(turn.answer[:-1], text)
            self.assertFalse([q for q, found in answers.items() if len(found) > 1], answers)
        self.assertGreater(asked, 300)

    def test_two_things_are_asked_for_by_name(self):
        rng = np.random.default_rng(3)
        for _ in range(40):
            r = random.Random(int(rng.integers(1 << 60)))
            pair = [topics.Subject(r, Split.TRAIN, "village") for _ in range(2)]
            for fact in pair[0].told:
                inquiry = pair[0].question(fact, False)
                if inquiry:
                    self.assertIn(pair[0].full, inquiry.direct)


class Requests(unittest.TestCase):
    LISTS = {questions.FULL: requests.FULL, questions.NOUN_FULL: requests.NOUN_FULL, questions.SHORT: requests.SHORT, questions.NOUN_SHORT: requests.NOUN_SHORT,
             questions.DOCUMENT: requests.DOCUMENT, copying.BY_WORD: requests.BY_WORD, copying.BY_START: requests.BY_START, copying.BY_NEXT: requests.BY_NEXT,
             copying.BY_FACT: requests.BY_FACT, copying.LINE: requests.LINE, copying.REPEAT: requests.REPEAT}

    def test_wordings_are_whole_and_many(self):
        r = random.Random(4)
        slots = dict(direct="who", Direct="Who", indirect="who", noun="the key", Noun="The key", x="X", n=7, document="D\n\n", question="Q")
        for everything, mine in self.LISTS.items():
            self.assertEqual(everything[:len(mine)], mine)
            self.assertGreater(frames.wordings(everything), 1000 if mine is not requests.DOCUMENT else 300)
            for pattern in mine:
                for _ in range(20):
                    text = frames.expand(r, pattern)
                    self.assertEqual(len(re.findall(r"\{\w+\}", text)), 2 if mine is requests.DOCUMENT else 1, text)
                    self.assertFalse(set("[]{}|") & set(text.format(**slots)) - set("[]"), text)

    def test_no_wording_is_shown_or_chosen_by(self):
        """None of the phrases by which tests/eval and make_dev_suites.py ask occurs among the parts."""
        for everything, mine in self.LISTS.items():
            theirs = [pattern for pattern in everything[-frames.HELD_OUT:]] + list(make_dev_suites.WORDINGS.get(everything, ()))
            r = random.Random(5)
            kept = {frames.expand(r, pattern) for pattern in theirs for _ in range(60)}
            made = {frames.frame(r, Split.TRAIN, everything) for _ in range(4000)}
            self.assertFalse(made & kept)

    def test_quotation_marks_vary(self):
        r = random.Random(6)
        made = {copying.requoted(r, Split.TRAIN, 'the line with "{x}"') for _ in range(400)}
        self.assertGreater(len(made), 6)
        self.assertTrue(all("{x}" in text for text in made))
        self.assertEqual(copying.requoted(r, Split.TEST, '"{x}"'), '"{x}"')


class OtherWords(unittest.TestCase):
    def test_one_word_is_exchanged(self):
        r = random.Random(7)
        self.assertEqual(natural.in_other_words(r, "What is xyzzy?"), "What is xyzzy?")
        found = natural.in_other_words(r, "Who saw the harbor?")
        self.assertRegex(found, r"Who saw the \w+\?")
        self.assertNotEqual(found, "Who saw the harbor?")


if __name__ == "__main__":
    unittest.main()
