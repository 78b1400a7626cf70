# SPDX-License-Identifier: Apache-2.0
"""The suites on disk: complete, readable, held out, and scored as their gold answers say."""
import os
import random
import sys
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "resources" / "nano" / "train"))

import make_media_suites
import suites
from dialog import Media, Split
from tasks import scenes

EVAL = HERE.parent / "eval"


def media_of(dialog):
    return [part for turn in dialog.turns for part in turn.user if isinstance(part, Media)]


class MediaSuites(unittest.TestCase):
    def test_every_suite_loads_and_its_gold_is_right(self):
        for suite, count in make_media_suites.COUNTS.items():
            items = suites.load(EVAL, suite)
            self.assertEqual((len(items), len({item["id"] for item, _ in items})), (count, count))
            for item, dialog in items:
                turn = item["turns"][-1]
                self.assertTrue(turn["scored"] and suites.right(dialog.turns[-1].answer, turn))
                self.assertFalse(suites.right("The document does not say.", turn))
                for m in media_of(dialog):
                    t, h, w, _ = m.frames.shape
                    self.assertLessEqual(t * -(-h // 28) * -(-w // 28) * 4, scenes.PATCHES)

    def test_guessing_the_most_common_answer_fails(self):
        for suite, limit in {"img-attribute": 0.25, "img-where": 0.25, "img-count": 0.4, "img-relation": 0.4,
                             "chart-largest": 0.15, "chart-value": 0.3, "video-direction": 0.4, "video-blinks": 0.35}.items():
            items = [item["turns"][0] for item, _ in suites.load(EVAL, suite)]
            best = max(sum(suites.right(guess, turn) for turn in items) for guess in {turn["answer"] for turn in items})
            self.assertLessEqual(best / len(items), limit, suite)

    def test_files_are_those_of_the_generator(self):
        """Questions only: the edges of text differ between versions of FreeType."""
        try:
            for suite in make_media_suites.COUNTS:
                item = suites.load(EVAL, suite)[3][0]
                r = random.Random(f"{make_media_suites.SEED} {suite} 3")
                question = make_media_suites.EPISODES[suite](r, Split.TEST)[1][0]
                self.assertEqual((item["turns"][0]["user"][-1], item["turns"][0]["answer"]), (question.text, question.answer))
        except FileNotFoundError as missing:
            self.skipTest(str(missing))

    def test_answers_are_compared_by_content(self):
        turn = {"answer": "On the left.", "accept": ["left"]}
        for reply, expected in (("on the  left", True), ("Left.", True), ("On the right.", False), ("", False), ("top left", False)):
            self.assertEqual(suites.right(reply, turn), expected, reply)

    def test_blindness_controls_remove_what_they_name(self):
        _, dialog = suites.load(EVAL, "img-attribute")[0]
        before, after = media_of(dialog), media_of(suites.grey_images(dialog))
        self.assertEqual([m.frames.shape for m in before], [m.frames.shape for m in after])
        self.assertTrue(all((m.frames == 128).all() for m in after))
        for _, dialog in suites.load(EVAL, "video-direction")[:10]:
            before, after = media_of(dialog), media_of(suites.shuffled_frames(dialog, 1))
            self.assertEqual([m.stamp for m in before], [m.stamp for m in after])
            key = lambda media: sorted(frame.tobytes() for m in media for frame in m.frames)
            self.assertEqual(key(before), key(after))
            self.assertFalse(all(np.array_equal(a.frames, b.frames) for a, b in zip(before, after)))


if __name__ == "__main__":
    unittest.main()
