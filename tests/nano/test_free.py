# SPDX-License-Identifier: Apache-2.0
"""Free questions: answers are words of the page, a question has one answer there, and what is declined is not stated."""
import random
import unittest

import support
from dialog import Split
from support import ROOT
import suites
from tasks import clauses, free, relations, synonyms, verbs
from tasks.facts import capital, stop


class Pages(unittest.TestCase):
    def pages(self, count=150):
        for seed in range(count):
            r = random.Random(seed)
            cast = clauses.Cast(r, Split.TRAIN)
            yield cast, free.statements(cast, r.choice((60, 200, 600)))

    def test_answers_stand_in_their_sentence(self):
        checked = 0
        for _, said in self.pages():
            for statement in said:
                for inquiry in statement.asked:
                    self.assertIn(inquiry.answer.lower(), statement.text.lower(), inquiry)
                    self.assertTrue(inquiry.direct or inquiry.noun)
                    checked += 1
                self.assertFalse([q for q in statement.left if q.answer])
        self.assertGreater(checked, 5000)

    def test_one_question_has_one_answer(self):
        for _, said in self.pages():
            found = {}
            for statement in said:
                for q in statement.asked:
                    if q.key:
                        self.assertEqual(found.setdefault(q.key, q.answer), q.answer, q)

    def test_what_is_open_was_not_stated(self):
        checked = 0
        for cast, said in self.pages():
            stated = {q.direct for statement in said for q in statement.asked if q.direct}
            for _ in range(10):
                q = free.missing(cast)
                if q and q.direct:
                    self.assertNotIn(q.direct, stated)
                    checked += 1
        self.assertGreater(checked, 300)

    def test_test_wordings_are_held_out(self):
        """The last question of a relation belongs to TEST."""
        train, test = set(), set()
        for relation in relations.RELATIONS:
            if len(relation.asked) > 3:
                train.update(relation.asked[:-1])
                test.add(relation.asked[-1])
        self.assertFalse(train & test)


class Words(unittest.TestCase):
    def test_verb_forms(self):
        for base, forms in {"repair": ("repaired", "repairs", "repairing"), "carry": ("carried", "carries", "carrying"), "bake": ("baked", "bakes", "baking"),
                            "buy": ("bought", "buys", "buying"), "put off": ("put off", "puts off", "putting off"), "plan": ("planned", "plans", "planning"),
                            "catch": ("caught", "catches", "catching"), "see": ("saw", "sees", "seeing")}.items():
            v = verbs.verb(base)
            self.assertEqual((v.past, v.third, v.ing), forms)
        self.assertEqual(verbs.active(verbs.verb("sell"), "must"), ("has to sell", "does", "have to sell"))
        self.assertEqual(verbs.passive(verbs.verb("sell"), "perfect", True), ("have been sold", "have", "been sold"))

    def test_synonyms_leave_slots_alone(self):
        r = random.Random(1)
        found = {synonyms.varied(r, "Tell me {the list}, find the text.", 1.0) for _ in range(50)}
        self.assertGreater(len(found), 10)
        self.assertTrue(all("{the list}" in text for text in found))


class Suite(unittest.TestCase):
    def test_gold_stands_on_the_page(self):
        lines = [item for item, _ in suites.load(ROOT / "tests" / "eval", "free")]
        self.assertEqual(len(lines), 83)
        for item in lines:
            (turn,) = item["turns"]
            page = turn["user"][0].lower()
            if turn["answer"] not in ("The document does not say.", "No."):
                self.assertIn(turn["answer"].rstrip(".").lower(), page)
            self.assertTrue(suites.right(turn["answer"], turn))
            self.assertEqual(turn["answer"], stop(capital(turn["answer"])))


if __name__ == "__main__":
    unittest.main()
