# SPDX-License-Identifier: Apache-2.0
"""Gold answers worked out again from the question's text alone, by other means than the generator's."""
import datetime
import re
import unittest

import numpy as np

import support
from dialog import Split
from tasks import names, text_families


def turns(family, count=40, budget=900, split=Split.TRAIN):
    rng = np.random.default_rng(17)
    for _ in range(count):
        dialog = text_families()[family](rng, split, budget)
        for turn in dialog.turns:
            yield "".join(part for part in turn.user if isinstance(part, str)), turn


class Arithmetic(unittest.TestCase):
    def test_results_and_traces(self):
        checked = 0
        for family in ("add", "mul"):
            for question, turn in turns(family):
                match = re.fullmatch(r"(\d+) (\+|-|\*|x|times) (\d+) = (\d+)", turn.answer)
                if not match:
                    continue
                a, sign, b, y = match.groups()
                self.assertIn(f"{a} {sign} {b}", question)
                self.assertEqual({"+": int(a) + int(b), "-": int(a) - int(b)}.get(sign, int(a) * int(b)), int(y))
                written = re.findall(r"[Ww]rite (\d)", turn.think)
                self.assertEqual(int("".join(reversed(written))), int(y), turn.think)
                for step in re.findall(r"(?:^|[.,] )(\d[\d +*-]*) = (-?\d+)", turn.think):
                    self.assertEqual(eval(step[0]), int(step[1]), turn.think)
                checked += 1
        self.assertGreater(checked, 400)

    def test_stories(self):
        for question, turn in turns("add", 60):
            found = list(map(int, re.findall(r"\d+", question)))
            if "How many" in question:
                a, b = found
                self.assertIn(int(re.search(r"\d+", turn.answer).group()), (a + b, abs(a - b), a * b))


def falls(question):
    """Whether a request to sort numbers wants the largest first: by its word for the direction, or by which end it names first."""
    question = re.sub(r"\bone more\b", "", question)               # said before the request
    if re.search(r"descending|falling|decreasing|shrinking|downward|down from|counting down|ending with the smallest", question, re.I):
        return True
    if re.search(r"ascending|rising|increasing|growing|upward|up from|counting up|ending with the largest", question, re.I):
        return False
    large = re.search(r"\b(large|bigg?|high|great|most|more|much|top|heavy|maximum)", question, re.I)
    small = re.search(r"\b(small|littl|low|least|less|tin|bottom|light|minimum)", question, re.I)
    return bool(large) and (not small or large.start() < small.start())


class Lists(unittest.TestCase):
    def test_directions_are_told_apart(self):
        for question, down in (("Here is one more: Order from low to high: 1 2", False), ("One more: Order from high to low: 1 2", True),
                               ("Sort these, large first, small last: 1 2", True), ("Sort these, small first, large last: 1 2", False)):
            self.assertEqual(falls(question), down, question)

    def test_sort(self):
        for question, turn in turns("sort"):
            joint = ", " if ", " in turn.answer else " "
            items = turn.answer.split(joint)
            self.assertTrue(any(sorted(items) == sorted(part.split(joint)) for part in re.split(r"[:?.] |\n|^[*>-] |^a\) ",
                                                            question)), question)
            if items[0].isdigit():
                values = list(map(int, items))
                self.assertEqual(values, sorted(values, reverse=falls(question)), question)
            else:
                self.assertEqual(items, sorted(items))

    def test_count(self):
        for question, turn in turns("count"):
            word = next((found for found in re.finditer(r'"(.+?)"', question) if ", " not in found.group(1)), None)
            quoted = next((found.group(1) for found in re.finditer(r'"(.+?)"', question) if ", " in found.group(1)), question)
            listed = max((part.removesuffix("?").split(", ") for part in
                          re.split(r": |\n|[?.] |^[*>-] |^a\) |I see |Somebody wrote ", quoted)), key=len)
            self.assertEqual(int(turn.answer), listed.count(word.group(1)) if word else len(listed), question)
            hits = re.findall(r"\+ (\d+)(?=[,.])", turn.think) if word else [str(len(turn.think.split(", ")))]
            self.assertEqual(hits[-1] if hits else "0", turn.answer, turn.think)

    def test_reverse_and_copy(self):
        for question, turn in turns("reverse"):
            joint = ", " if ", " in turn.answer else " "
            self.assertIn(joint.join(reversed(turn.answer.split(joint))), question)
            steps = re.findall(r"(\d+): (.+?)(?:, (?=\d+: )|\. (?=\d+: )|\.$)", turn.think)
            forwards, backwards = steps[:len(steps) // 2], steps[len(steps) // 2:]
            self.assertEqual(forwards, backwards[::-1], turn.think)
            self.assertEqual(joint.join(item for _, item in backwards), turn.answer)
        for question, turn in turns("copy"):
            self.assertIn(turn.answer, question)

    def test_state(self):
        """The last sentence that names the thing says where it is."""
        for thinking in (False, True):
            text = ""
            for question, turn in turns("state", 30):
                story, _, asked = question.rpartition("\n\n")
                text = story or text
                found = re.fullmatch(r"(.+?) is in (.+)\.", turn.answer)
                if not found:                                   # where it was before
                    continue
                thing, place = found.groups()
                last = [s for s in re.split(r"\.\s", text) if re.search(rf"\b{re.escape(thing)}\b", s, re.I)][-1]
                self.assertIn(place, last)


class Dates(unittest.TestCase):
    def test_days(self):
        month = {name: i for i, name in enumerate(names.MONTH, 1)}
        day = lambda text: datetime.date(2023, month[text.split()[0]], int(text.split()[1]))
        checked = 0
        for question, turn in turns("dates", 60):
            stated = re.findall(r"(?:%s) \d+(?!\d|, \d\d\d\d)" % "|".join(month), question)
            count = re.search(r"(\d+) days", question)
            if re.fullmatch(r"\d+ days", turn.answer):
                self.assertEqual(int(turn.answer.split()[0]), (day(stated[1]) - day(stated[0])).days, question)
                checked += 1
            elif count and turn.answer in names.WEEKDAY:
                asked = re.sub(r".* sent me this on \w+\.", "", question)         # small talk in front of it (requests.chatter)
                today = next(d for d in names.WEEKDAY if d in asked)
                self.assertEqual(turn.answer, names.WEEKDAY[(names.WEEKDAY.index(today) + int(count.group(1))) % 7])
                checked += 1
            elif count and stated:
                self.assertEqual(day(turn.answer), day(stated[0]) + datetime.timedelta(days=int(count.group(1))), question)
                checked += 1
        self.assertGreater(checked, 200)


class Tables(unittest.TestCase):
    def test_sums_and_extremes(self):
        """Recomputed from the document's own text when it is a CSV table."""
        checked = 0
        for family in ("table-sum", "table-extreme"):
            rows = None
            for question, turn in turns(family, 80):
                lines = [line.split(",") for line in question.splitlines() if line.count(",") >= 2 and ", " not in line]
                if "\n" in question:
                    rows = {line[0]: dict(zip(lines[0], line)) for line in lines[1:]} if lines else None
                if not rows:
                    continue
                best = re.fullmatch(r"(.+) has the (highest|lowest) (.+), (\d+)\.", turn.answer)
                total = re.search(r"The total is (\d+)\.$", turn.answer)
                if best:
                    name, which, column, value = best.groups()
                    values = {key: int(row[column]) for key, row in rows.items()}
                    self.assertEqual(values[name], int(value))
                    self.assertEqual(int(value), (max if which == "highest" else min)(values.values()))
                    checked += 1
                elif total:
                    asks = " ".join(line for line in question.splitlines() if line.split(",") not in lines)
                    column = max((c for c in next(iter(rows.values())) if re.search(rf"\b{re.escape(c)}\b", asks)), key=len)
                    asked = [row for key, row in rows.items() if re.search(rf"\b{re.escape(key)}\b", asks)]
                    self.assertEqual(sum(int(row[column]) for row in asked), int(total.group(1)), question)
                    checked += 1
        self.assertGreater(checked, 60)


if __name__ == "__main__":
    unittest.main()
