# SPDX-License-Identifier: Apache-2.0
"""The prepared texts (see prepare.py) as fragments that generators put together into documents.

The folder is named by the environment variable NANO_DATA.
"""
import bisect
import functools
import itertools
import json
import os
from pathlib import Path

from dialog import Prose, Split

PROSE_LETTERS, OTHER_LETTERS = 3.25, 2.8     # per token, measured; generators plan with them, the renderer counts exactly


def folder():
    path = os.environ.get("NANO_DATA")
    if not path:
        raise RuntimeError("set NANO_DATA to the folder that prepare.py wrote")
    return Path(path)


def tokens(text):
    """Estimated number of tokens; every digit is one."""
    return len(text) / (PROSE_LETTERS if isinstance(text, Prose) else OTHER_LETTERS) + 0.6 * sum(map(text.count,
                                                                                                     "0123456789"))


def rows(name):
    """The values of one JSON-lines file of the data folder"""
    with open(folder() / f"{name}.jsonl", encoding="utf-8") as file:
        yield from map(json.loads, file)


def fragments(sentences):
    """Sentences of a paragraph -> parts that meet at pre-token boundaries; the last one ends the paragraph."""
    parts = [Prose(("" if i == 0 else " ") + sentence) for i, sentence in enumerate(sentences)]
    parts[-1] = Prose(parts[-1] + "\n\n")
    return parts


# How often a letter of a source is read: the SQLite pages and example sentences are what texts of the TEST split are made of.
EMPHASIS = {"sqlite": 1.2, "book": 1.0, "text": 0.9, "postgresql": 0.8, "manual": 0.5, "wordnet": 0.6, "examples": 2.0}


@functools.lru_cache(maxsize=None)
def _sourced(split):
    """[(source, document)]; the books are TRAIN only, so that suites made of TEST texts may be published."""
    out = []
    for document in rows("prose"):
        source = document["source"].split("/")[0]
        if document["split"] == split.value and (split is Split.TRAIN or source != "book"):
            out.append((source, [fragments(sentences) for sentences in document["paragraphs"]]))
    return out + [("examples", document) for document in glossaries(split)]


@functools.lru_cache(maxsize=None)
def documents(split):
    """[[paragraph = [fragment, ...], ...], ...]"""
    return [document for _, document in _sourced(split)]


@functools.lru_cache(maxsize=None)
def _heights(split):
    """Running sums of how often each document is to be read."""
    return list(itertools.accumulate(EMPHASIS[source] * sum(len(part) for paragraph in document for part in paragraph)
                                     for source, document in _sourced(split)))


def pick_document(r, split):
    pool = documents(split)
    if split is Split.TRAIN:
        return pool[bisect.bisect(_heights(split), r.random() * _heights(split)[-1])]
    # Long pages by their length, or short ones would dominate.
    return max((r.choice(pool) for _ in range(3)), key=len) if r.random() < 0.8 else r.choice(pool)


@functools.lru_cache(maxsize=None)
def asked(split):
    """{sentence: [(question, answer), ...]} of the prose, by tag_sentences.mjs; empty without that file."""
    if not (folder() / "asked.jsonl").exists():
        return {}
    return {row["s"]: row["q"] for row in rows("asked") if row["split"] == split.value}


@functools.lru_cache(maxsize=None)
def senses(split, pos="noun"):
    """WordNet senses as dicts, most frequent words first."""
    return sorted((s for s in rows("wordnet") if s["split"] == split.value and s["pos"] == pos), key=lambda s: -s["count"])


def glossaries(split):
    """WordNet's example sentences and definitions of frequent words, bundled into plain paragraphs."""
    sentences = []
    for pos in ("noun", "verb", "adj"):
        for sense in senses(split, pos):
            for example in sense["examples"]:
                if 30 <= len(example) <= 160 and example.count(" ") >= 5:
                    sentence = example[0].upper() + example[1:].rstrip(".;, ")
                    sentences.append(sentence if sentence[-1] in "?!" else sentence + ".")
    sentences.sort(key=lambda s: hash_order(s))
    paragraphs = [fragments(sentences[i:i + 5]) for i in range(0, len(sentences) - 4, 5)]
    return [paragraphs[i:i + 40] for i in range(0, len(paragraphs), 40)]


def hash_order(text):
    """A fixed shuffle."""
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def filler(r, split, budget, short=False):
    """Paragraphs of running text of about `budget` tokens, contiguous where one document is long enough.

    short: leaves out paragraphs of more than 1200 characters.
    """
    out, left = [], budget
    while left > 0:
        document = pick_document(r, split)
        at = r.randrange(len(document))
        for paragraph in document[at:at + r.randint(8, 60)]:
            size = sum(map(len, paragraph)) / PROSE_LETTERS
            if short and size > 400:
                continue
            if size > left + 60 and out:
                return out
            out.append(paragraph)
            left -= size
            if left <= 0:
                return out
    return out


@functools.lru_cache(maxsize=None)
def synonyms():
    """{noun or adjective with hardly more than one meaning: other words for it}, by prepare.py"""
    return json.loads((folder() / "synonyms.json").read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def countries(split):
    """[(name, {field: value}), ...] of the World Factbook; one country in eight is a TEST country."""
    profiles = json.loads((folder() / "factbook.json").read_text(encoding="utf-8"))
    return [(name, fields) for name, fields in sorted(profiles.items())
            if (hash_order(name) % 8 == 0) == (split is Split.TEST)]
