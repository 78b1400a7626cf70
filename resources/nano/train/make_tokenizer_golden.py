# SPDX-License-Identifier: Apache-2.0
"""Writes strings with their ids, against which the program's tokenizer is tested:

    NANO_DATA=FOLDER python3 make_tokenizer_golden.py tests/data/nano/tokenizer_golden.json

{"cases": [[text, 1 if control strings count, ids], ...]}: pieces of tasks and documentation, rendered markup and media
blocks, and random text of many scripts. Same seed, same file.
"""
import json
import random
import sys
from pathlib import Path

import numpy as np

from dialog import Split
from render import assistant_message, effort_message, media_prompt, message, plain
from tasks import corpus, text_families
from tokenizer import Tokenizer

SEED, COUNT = 20261129, 2000
PLACES = ((0x20, 0x7E), (0xA1, 0x17F), (0x370, 0x3FF), (0x400, 0x45F), (0x5D0, 0x5EA), (0x627, 0x64A), (0x905, 0x939),
          (0xE01, 0xE2E), (0x3041, 0x3096),
          (0x4E00, 0x4FFF), (0xAC00, 0xACFF), (0x300, 0x30F), (0x2010, 0x2030), (0x2200, 0x2260), (0x1F600, 0x1F64F),
          (0x1D400, 0x1D433))
EDGES = ("", " ", "  ", "\n", " \n", "\n ", "\r\n", "a\r\n\r\nb", "\t\tx", "a \t b", "   end", "end   ", "HELLO", "ABCdef",
         "helloWorld", "it's", "IT'S", "don't've", "I'\u017fs", "it\u2019s", "naïve café über",
         "e\u0301 a\u0300", "1234567890", "3.14159", "a1b22c333d4444", "x=1;y=2", "你好世界", "你好hello", "hello你好world",
         "日本語のテキスト", "🚀🔥", "a\0b\x01c", "<|not_a_real_token|>", "<|open|>message<|sep|>",
         "[EOS][BOS]", "<|reserved_token_3850|>", "<|reserved_token_4095|>", "[PAD]", "before<|sep|>after", "<think>",
         "a\u00a0b", "\u3000x", "a\u2028b", "\x1c\x1d", "¼½", "Ⅷ", "ǅ", "ʰ", "\u200d", "\ufeffx", "a" * 300,
         " " * 70 + "x", "=" * 90, "_" * 33, "ab" * 150, "The quick brown fox.\n\n\n\nNext", "(a) [b] {c} <d>",
         "'quoted' \"text\" `code`", "C:\\path\\file.txt", "https://example.org/a?b=c&d=%20", "user@example.org")


def wild(r):
    out = []
    for _ in range(r.randint(1, 8)):
        low, high = r.choice(PLACES)
        out.append("".join(chr(r.randint(low, high)) for _ in range(r.randint(1, 6))))
        out.append(r.choice(("", "", " ", "  ", "\n", " \n\n", "\t", "'s ", ", ", "<|sep|>", "7", "42 ")))
    return "".join(out)


def markup(r, texts):
    text = lambda: r.choice(texts)[:120]
    kind = r.randrange(4)
    if kind == 0:
        parts = message("user", plain(text()))
    elif kind == 1:
        parts = assistant_message(text(), text() if r.random() < 0.5 else "", r.random() < 0.5)
    elif kind == 2:
        parts = effort_message(r.choice(("low", "high", "max")))
    else:
        media = lambda: None
        media.kind, media.width, media.height = r.choice(("image", "video")), r.randint(1, 1999), r.randint(1, 1999)
        media.stamp = f"00:{r.randint(0, 59):02}:{r.randint(0, 59):02}.{r.randint(0, 999):03}"
        parts = [(media_prompt(media, r.randint(1, 16)), True)]
    return "".join(part for part, _ in parts)


def cases():
    r, rng = random.Random(SEED), np.random.default_rng(SEED)
    texts = []
    for make in text_families().values():
        for _ in range(12):
            for turn in make(rng, Split.TEST, 600).turns[:6]:
                texts += [str(turn.user[-1]), turn.answer, turn.think]
    for document in corpus.documents(Split.TEST):
        texts += ["".join(paragraph) for paragraph in document]
    texts = sorted({text[:300] for text in texts if text})
    yield from ((text, special) for text in EDGES for special in (0, 1))
    for _ in range(COUNT - 2 * len(EDGES)):
        kind = r.random()
        if kind < 0.5:
            text, special = r.choice(texts), 0
            start = r.randrange(len(text))
            text = text[start if r.random() < 0.5 else 0:][:r.randint(1, 160)]
        elif kind < 0.8:
            text, special = wild(r), r.randrange(2)
        else:
            text, special = markup(r, texts), int(r.random() < 0.8)
        yield text, special


def main():
    path = Path(sys.argv[1])
    tokenizer = Tokenizer.load(Path(__file__).parent.parent)
    rows = [json.dumps([text, special, tokenizer.encode(text, bool(special))], ensure_ascii=True, separators=(",", ":"))
            for text, special in cases()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"cases": [\n' + ",\n".join(rows) + "\n]}\n")
    print(f"{len(rows)} cases, {path.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
