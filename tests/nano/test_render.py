# SPDX-License-Identifier: Apache-2.0
import json
import os
import unittest
from pathlib import Path

import numpy as np

from support import NANO
import render as xtml
from dialog import Dialog, Media, Prose, Turn
from render import encode_segments, render, segments
from tokenizer import Tokenizer

SHARED = os.environ.get("PAL_SHARED")


def from_request(request):
    """Segments of a plain conversation, built from this module's own pieces; None if it needs tools and the like."""
    if set(request) - {"messages", "thinking", "thinking_effort", "add_generation_prompt", "image_prompts"}:
        return None
    thinking, prompts = request.get("thinking", True), list(request.get("image_prompts") or ())
    out = xtml.effort_message(request["thinking_effort"]) if thinking and request.get("thinking_effort") else []
    for m in request["messages"]:
        name = {"name": m["name"]} if m.get("name") else {}
        parts = m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"] or ""}]
        if m["role"] not in ("user", "system", "assistant") or m.get("tools") or m.get("tool_calls") or \
                any(p["type"] != "text" for p in parts) and not prompts:
            return None
        body = []
        for part in parts:
            body += xtml.plain(part["text"]) if part["type"] == "text" else xtml.control(prompts.pop(0))
        if m["role"] == "assistant":
            if name or len(parts) != 1:
                return None
            out += xtml.assistant_message(parts[0]["text"], m.get("reasoning_content") or m.get("reasoning") or "",
                                          thinking)
        else:
            out += xtml.message(m["role"], body, **name)
    return out + (xtml.assistant_head(thinking) if request.get("add_generation_prompt", True) else [])


class Rendering(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tokenizer = Tokenizer.load(NANO)
        frames = np.arange(30 * 57 * 3, dtype=np.uint8).reshape(1, 30, 57, 3)
        clip = np.full((4, 28, 28, 3), 255, np.uint8)
        cls.dialog = Dialog([
            Turn(["Text:\n\n", Prose("It rained."), " The code is 481.", Prose(" All was well.\n\n"), "Which code?"],
                 "481"),
            Turn(["What is in ", Media("image", frames), "?"], "Nothing.", "I look at it.", loss=0.5),
            Turn([Media("video", clip, "00:00:00.500"), "Say <|open|>[EOS]."], "No."),
        ], thinking=True, system="Be brief.", effort="low")

    def test_ids_are_those_of_the_segments(self):
        for thinking in (True, False):
            self.dialog.thinking = thinking
            sample = render(self.dialog, self.tokenizer)
            self.assertEqual(sample.ids.tolist(), encode_segments(self.tokenizer, segments(self.dialog)))
            self.assertEqual(len(sample.weights), len(sample.ids))

    def test_weights_by_role(self):
        self.dialog.thinking = False
        sample = render(self.dialog, self.tokenizer)
        text = lambda weight: self.tokenizer.decode(sample.ids[np.isclose(sample.weights, weight)])
        self.assertEqual(text(0.3), "It rained. All was well.\n\n")
        self.assertEqual(text(1.0), "481<|close|>No.<|close|>")
        self.assertEqual(text(0.5), "Nothing.<|close|>")
        self.assertEqual(text(0.05), "response<|sep|><|close|>message<|sep|><|end_of_msg|>")
        self.assertNotIn("code", text(0.1))

    def test_trace_counts_as_answer(self):
        self.dialog.thinking = True
        sample = render(self.dialog, self.tokenizer)
        self.assertIn("I look at it.<|close|>", self.tokenizer.decode(sample.ids[np.isclose(sample.weights, 0.5)]))

    def test_limit_keeps_whole_turns(self):
        self.dialog.thinking = False
        whole = render(self.dialog, self.tokenizer)
        cut = render(self.dialog, self.tokenizer, len(whole.ids) - 1)
        self.assertEqual((cut.turns, len(cut.media)), (2, 1))
        self.assertEqual(cut.ids.tolist(), whole.ids[:len(cut.ids)].tolist())

    def test_media(self):
        sample = render(self.dialog, self.tokenizer)
        (image, grid), (clip, clip_grid) = sample.media
        self.assertEqual((image.shape, grid), ((24, 588), (1, 4, 6)))
        self.assertEqual((clip.shape, clip_grid), ((16, 588), (4, 2, 2)))
        self.assertEqual((sample.ids == self.tokenizer.controls["<|media_pad|>"]).sum(), 6 + 1)
        pixels = self.dialog.turns[1].user[1].frames[0]
        self.assertAlmostEqual(image[0][1 * 196 + 3 * 14 + 5], pixels[3, 5, 1] / 255 * 2 - 1, places=6)
        self.assertAlmostEqual(image[6 + 1][0], pixels[14, 14, 0] / 255 * 2 - 1, places=6)
        self.assertEqual(image[5].reshape(3, 14, 14)[0, 0, 0], -1.0)         # column 70 is padding

    def test_published_image_example(self):
        red = np.zeros((1, 16, 30, 3), np.uint8)
        red[0, :, :15, 0], red[0, :, 15:, 2] = 255, 255
        values = xtml.patches(Media("image", red)).reshape(8, 3, 14, 14)
        self.assertEqual(values[0, :, 0, 0].tolist(), [1, -1, -1])
        self.assertEqual(values[2, 2, 0].tolist(), [1, 1] + [-1] * 12)

    @unittest.skipUnless(SHARED, "PAL_SHARED names no reference data")
    def test_published_conversations(self):
        cases = json.loads((Path(SHARED) / "golden" / "chat.json").read_text(encoding="utf-8"))["cases"]
        checked = 0
        for case in cases:
            mine = from_request(case["request"])
            if mine is not None:
                self.assertEqual([list(s) for s in mine], case["segments"], case["name"])
                checked += 1
        self.assertGreaterEqual(checked, 10)


if __name__ == "__main__":
    unittest.main()
