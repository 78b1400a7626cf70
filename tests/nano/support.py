# SPDX-License-Identifier: Apache-2.0
"""Puts the training code on the path and, unless NANO_DATA names prepared data, makes a small set of it."""
import atexit
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NANO = ROOT / "resources" / "nano"
sys.path.insert(0, str(NANO / "train"))
NOUNS = ("harbor", "engine", "garden", "window", "letter", "river", "teacher", "market", "winter", "bridge")

# part of speech, category and the beginning of a definition, as lexicon.KINDS looks for them
SENSES = (("noun", 4, "doing something with a"), ("noun", 5, "an animal like a"), ("noun", 6, "a room for a"),
          ("noun", 9, "the study of a"),
          ("noun", 10, "a language of the"), ("noun", 13, "a meal with a"), ("noun", 15, "a town near the"),
          ("noun", 18, "someone who repairs a"),
          ("noun", 20, "a plant near a"), ("noun", 6, "a wind or music instrument and"), ("verb", 30, "to make a"),
          ("adj", 0, "like a"),
          ("noun", 6, "an object with a"))


def sentence(n):
    return (f"The {NOUNS[n % 10]} near the {NOUNS[n * 7 % 9]} was quiet, and {n} people waited for the "
            f"{NOUNS[n * 3 % 8]} until the evening came.")


def write_small_data(folder):
    """The files of prepare.py with invented content, and the installed fonts."""
    (folder / "fonts").symlink_to("/usr/share/fonts")
    with open(folder / "prose.jsonl", "w", encoding="utf-8") as file:
        for n in range(12):
            paragraphs = [[sentence(n * 97 + p * 7 + k) for k in range(p % 5 + 1)] for p in range(40)]
            file.write(json.dumps({"source": f"sqlite/page{n}", "split": "test" if n % 3 == 0 else "train",
                                   "paragraphs": paragraphs}) + "\n")
    with open(folder / "wordnet.jsonl", "w", encoding="utf-8") as file:
        for n in range(3000):
            pos, category, definition = SENSES[n % len(SENSES)]
            word = "".join("bdfgklmnprst"[n // 12 ** i % 12] + "aeiou"[(n + i) % 5] for i in range(3))
            row = {"word": word.capitalize() if category in (10, 15) else word, "pos": pos, "category": category,
                   "count": 3000 - n if n % 2 else 0, "split": "test" if n % 4 == 0 else "train",
                   "definition": f"{definition} {NOUNS[n % 7]} number {n}",
                   "examples": [f"he saw the {NOUNS[n % 10]} and went {n} times to the {NOUNS[n % 6]}"] if n % 8 < 2 else []}
            file.write(json.dumps(row) + "\n")
    fields = {"Geography / Area / total": "{} sq km", "People and Society / Population": "{},000 (July 2013 est.)",
              "Geography / Coastline": "{} km", "Government / Capital / name": "Town {}",
              "Economy / GDP - per capita (PPP)": "${} (2013 est.)", "Geography / Climate": "temperate, {} wet days",
              "Government / Country name / conventional short form": "Land {}"}
    data = {f"Land {n}": {key: value.format(n + 11) for key, value in fields.items()} for n in range(64)}
    (folder / "factbook.json").write_text(json.dumps(data), encoding="utf-8")
    (folder / "synonyms.json").write_text(json.dumps({noun: [NOUNS[n - 1]] for n, noun in enumerate(NOUNS)}), encoding="utf-8")


if not os.environ.get("NANO_DATA"):
    _folder = Path(tempfile.mkdtemp(prefix="nano-data-"))
    atexit.register(shutil.rmtree, _folder)
    write_small_data(_folder)
    os.environ["NANO_DATA"] = str(_folder)
