# SPDX-License-Identifier: Apache-2.0
import base64
import json
import os
import random
import unittest
from pathlib import Path

from support import NANO, ROOT
from tokenizer import SPLIT, Tokenizer, byte_order, cut_long_runs

SHARED = os.environ.get("PAL_SHARED")
GOLDEN = ROOT / "tests" / "data" / "nano" / "tokenizer_golden.json"


def slow_merge(ranks, data):
    """The definition: join the lowest-ranked neighbouring pair, leftmost first, until none is in the vocabulary."""
    parts = [data[i:i + 1] for i in range(len(data))]
    while True:
        found = [(ranks[a + b], i) for i, (a, b) in enumerate(zip(parts, parts[1:])) if a + b in ranks]
        if not found:
            return [ranks[p] for p in parts]
        _, i = min(found)
        parts[i:i + 2] = [parts[i] + parts[i + 1]]


class NanoVocabulary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tokenizer = Tokenizer.load(NANO)

    def test_layout(self):
        t = self.tokenizer
        self.assertEqual((t.base, t.size), (3840, 4096))
        self.assertEqual(t.bytes[:256], [bytes([b]) for b in byte_order()])
        for offset, name in ((0, "[BOS]"), (2, "<|end_of_msg|>"), (3, "<|open|>"), (5, "<|sep|>"), (18, "<|media_begin|>"),
                             (21, "<|media_pad|>"), (254, "[UNK]"), (255, "[PAD]"), (8, "<|reserved_token_3848|>")):
            self.assertEqual(t.controls[name], 3840 + offset)

    def test_digits_stand_alone(self):
        for token in self.tokenizer.bytes[:3840]:
            self.assertTrue(len(token) == 1 or not any(48 <= b <= 57 for b in token), token)

    def test_markup_words_are_single_tokens(self):
        for word in ("message", " role", '="', "user", "assistant", "system", "think", "response"):
            self.assertEqual(len(self.tokenizer.encode(word, False)), 1, word)

    def test_controls_only_where_allowed(self):
        text = "a<|open|>b[EOS]<|reserved_token_3900|>"
        self.assertEqual([i for i in self.tokenizer.encode(text, True) if i >= 3840], [3843, 3841, 3900])
        self.assertEqual([i for i in self.tokenizer.encode(text, False) if i >= 3840], [])

    def test_merging_equals_the_definition(self):
        r, t = random.Random(3), self.tokenizer
        alphabet = [b for token in r.sample(t.bytes[:3840], 40) for b in token]
        for _ in range(3000):
            data = bytes(r.choice(alphabet) for _ in range(r.randint(1, 24)))
            whole = t.ranks.get(data)
            self.assertEqual(t._merge(data), [whole] if whole is not None else slow_merge(t.ranks, data), data)

    def test_round_trip(self):
        r = random.Random(5)
        for _ in range(300):
            text = "".join(chr(r.choice((r.randint(9, 126), r.randint(160, 0x2FFF), r.randint(0x1F300, 0x1F6FF))))
                           for _ in range(r.randint(0, 60)))
            self.assertEqual(self.tokenizer.decode(self.tokenizer.encode(text, False)), text)

    @unittest.skipUnless(GOLDEN.exists(), "no golden file")
    def test_golden_file(self):
        cases = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]
        self.assertGreaterEqual(len(cases), 2000)
        for text, special, ids in cases:
            self.assertEqual(self.tokenizer.encode(text, bool(special)), ids, text)


class Rules(unittest.TestCase):
    def test_pieces(self):
        for text, pieces in (("HELLO", ["HELLO"]), ("ABCdef", ["ABCdef"]), ("helloWorld", ["hello", "World"]),
                             ("it's IT'S", ["it's", " IT'S"]), ("12345", ["123", "45"]), ("a  b", ["a", " ", " b"]),
                             ("x \n\n  y", ["x", " \n\n", " ", " y"]), ('.\n\n"Yes', [".\n\n", '"Yes']),
                             ("你好hello", ["你好", "hello"])):
            self.assertEqual(SPLIT.findall(text), pieces)

    def test_long_runs(self):
        self.assertEqual(cut_long_runs("abcdefghij", 4), ["abcd", "efgh", "ij"])
        self.assertEqual(cut_long_runs("ab  cd", 4), ["ab  cd"])

    @unittest.skipUnless(SHARED, "PAL_SHARED names no reference data")
    def test_published_vocabulary(self):
        shared = Path(SHARED)
        ranks = {base64.b64decode(line.split()[0]): int(line.split()[1])
                 for line in (shared / "vocab" / "tiktoken.model").read_bytes().splitlines()}
        golden = json.loads((shared / "golden" / "tokenizer.json").read_text(encoding="utf-8"))
        tokenizer = Tokenizer(ranks, {int(i): name for i, name in golden["named_specials"].items()})
        for case in golden["cases"]:
            self.assertEqual(tokenizer.encode(case["text"], not case.get("ordinary")), case["ids"], case["name"])


if __name__ == "__main__":
    unittest.main()
