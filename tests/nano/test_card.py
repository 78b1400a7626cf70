# SPDX-License-Identifier: Apache-2.0
"""The model card's table says what eval.json says."""
import json
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "resources" / "nano" / "train"))

import card


class Card(unittest.TestCase):
    def test_rows_and_marks(self):
        result = {"suites": {"kv-2k": {"questions": 200, "exact": 0.985}, "img-attribute": {"questions": 120, "exact": 0.9},
                             "new": {"questions": 5, "exact": 0.2, "right": 0.4}},
                  "controls": {"img-attribute": {"questions": 120, "exact": 0.11}}, "prose bits per byte": 1.95}
        lines = card.rows(result, {"kv-2k": {"floor": 95}, "img-attribute": {"floor": 95, "blind": 20}})
        self.assertEqual(lines[2], "| img-attribute | 120 | 90.0 % | 95 % | **below the floor: not promised**; blind: 11.0 % (at most 20 %) |")
        self.assertEqual(lines[3], "| kv-2k | 200 | 98.5 % | 95 % |  |")
        self.assertEqual(lines[4], "| new | 5 | 40.0 % | - | written |")

    def test_filling_keeps_the_rest_and_can_be_repeated(self):
        text = (ROOT / "resources" / "nano" / "README.md").read_text()
        once = card.fill(text, ["one", "two"])
        self.assertEqual(card.fill(once, ["one", "two"]), once)
        self.assertEqual(once.split(card.BEGIN)[0], text.split(card.BEGIN)[0])
        self.assertEqual(once.split(card.END)[1], text.split(card.END)[1])

    def test_floors_name_the_media_suites(self):
        floors = json.loads((ROOT / "tests" / "eval" / "floors.json").read_text())
        for suite in floors:
            if suite.startswith(("img-", "ocr-", "chart-", "video-")):
                self.assertTrue((ROOT / "tests" / "eval" / f"{suite}.jsonl").exists(), suite)


if __name__ == "__main__":
    unittest.main()
