# SPDX-License-Identifier: Apache-2.0
"""Trains the byte-pair vocabulary: 3840 tokens in tiktoken format, followed by 256 control slots with K3's names.

    python3 vocabulary.py --data FOLDER --out ..       (FOLDER as written by prepare.py)

No token contains a digit together with anything else, so numbers fall apart into single digits: good for arithmetic
and for copying codes. Words of the chat markup weigh enough to become single tokens. The committed vocabulary is frozen:
after a change of texts or tasks this gives another one, which a trained checkpoint cannot use.
"""
import argparse
import base64
import collections
import heapq
import json
import os
from pathlib import Path

import numpy as np

from dialog import Split
from tokenizer import SPLIT, byte_order

BASE = 3840
CONTROL_NAMES = {0: "[BOS]", 1: "[EOS]", 2: "<|end_of_msg|>", 3: "<|open|>", 4: "<|close|>", 5: "<|sep|>",
                 6: "[start_header_id]", 7: "[end_header_id]", 9: "[EOT]", 18: "<|media_begin|>",
                 19: "<|media_content|>", 20: "<|media_end|>", 21: "<|media_pad|>", 65: "<osagent_mode>",
                 254: "[UNK]", 255: "[PAD]"}
NOT_SPECIAL = ("<|open|>", "<|close|>", "<|sep|>")     # shown by decoders that skip special tokens, as in K3
MARKUP = ("message", " role", " type", " name", " tool", " index", " key", '="', '"', "user", "system", "assistant",
          "tool", "think", "response", "tools", "call", "argument", "json", "string", "number", "boolean", "object",
          "array", "null", "thinking", "-effort", "image", "video", "low", "high", "max")
MARKUP_COUNT = 20_000
SAMPLES_PER_FAMILY = 60


def corpus_texts(data):
    """(text, weight) of everything the vocabulary should fit."""
    for line in open(data / "prose.jsonl", encoding="utf-8"):
        document = json.loads(line)
        if document["split"] == "train":
            for paragraph in document["paragraphs"]:
                yield " ".join(paragraph) + "\n\n", 2
    for line in open(data / "wordnet.jsonl", encoding="utf-8"):
        sense = json.loads(line)
        if sense["split"] == "train":
            yield f"{sense['word']}: {sense['definition']}. {' '.join(sense['examples'])}\n", 3 if sense["count"] else 1
    for name, fields in json.loads((data / "factbook.json").read_text(encoding="utf-8")).items():
        for field, value in fields.items():
            yield f"{name}, {field.split(' / ')[-1]}: {value}\n", 1
    yield from task_texts()


def task_texts():
    """Questions, answers and traces of all text tasks."""
    from tasks import text_families             # reads the data folder, named by NANO_DATA
    for name, make in sorted(text_families().items()):
        rng = np.random.default_rng(len(name))
        for _ in range(SAMPLES_PER_FAMILY):
            dialog = make(rng, Split.TRAIN, 1024)
            yield dialog.system, 3
            for turn in dialog.turns:
                yield "".join(part for part in turn.user if isinstance(part, str)), 3
                yield turn.think, 3
                yield turn.answer, 3


def count_pieces(texts):
    counts = collections.Counter()
    for text, weight in texts:
        for piece in SPLIT.findall(text):
            counts[piece] += weight
    for piece in MARKUP:
        counts[piece] += MARKUP_COUNT
    return counts


def train(counts, size):
    """Byte-pair merging, most frequent pair first (ties: smaller bytes first). Returns tokens in order of rank."""
    tokens = [bytes([b]) for b in byte_order()]
    number = {token[0]: i for i, token in enumerate(tokens)}
    words = [([number[b] for b in piece.encode()], count) for piece, count in sorted(counts.items())]
    pairs, where = collections.Counter(), collections.defaultdict(set)
    for w, (ids, count) in enumerate(words):
        for pair in zip(ids, ids[1:]):
            pairs[pair] += count
            where[pair].add(w)
    has_digit = [token.isdigit() for token in tokens]

    def entry(pair):
        return -pairs[pair], tokens[pair[0]] + tokens[pair[1]], pair

    queue = [entry(pair) for pair in pairs if not (has_digit[pair[0]] or has_digit[pair[1]])]
    heapq.heapify(queue)
    known = set(tokens)
    while len(tokens) < size:
        count, joined, pair = heapq.heappop(queue)
        if -count != pairs[pair] or joined in known:
            if joined not in known and pairs[pair] > 0:
                heapq.heappush(queue, entry(pair))
            continue
        new = len(tokens)
        tokens.append(joined)
        known.add(joined)
        has_digit.append(False)
        changed = set()
        for w in where.pop(pair):
            ids, weight = words[w]
            merged, i = [], 0
            while i < len(ids):
                if i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair:
                    merged.append(new)
                    i += 2
                else:
                    merged.append(ids[i])
                    i += 1
            for old in zip(ids, ids[1:]):
                pairs[old] -= weight
            for fresh in zip(merged, merged[1:]):
                pairs[fresh] += weight
                where[fresh].add(w)
                if new in fresh:
                    changed.add(fresh)
            words[w] = merged, weight
        for fresh in changed:
            if not (has_digit[fresh[0]] or has_digit[fresh[1]]):
                heapq.heappush(queue, entry(fresh))
    return tokens


def tokenizer_config():
    """The published form of K3's tokenizer_config.json, with this vocabulary's numbers."""
    added = {str(BASE + offset): {"content": name, "lstrip": False, "normalized": False, "rstrip": False,
                                  "single_word": False, "special": name not in NOT_SPECIAL}
             for offset, name in CONTROL_NAMES.items()}
    return {"added_tokens_decoder": added, "bos_token": "[BOS]", "eos_token": "[EOS]", "unk_token": "[UNK]",
            "pad_token": "[PAD]", "clean_up_tokenization_spaces": False, "model_max_length": 65536,
            "tokenizer_class": "TikTokenTokenizer"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    os.environ["NANO_DATA"] = str(options.data)
    counts = count_pieces(corpus_texts(options.data))
    print(f"{len(counts)} different pieces, {sum(counts.values())} in all")
    tokens = train(counts, BASE)
    lines = [base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens)]
    (options.out / "tiktoken.model").write_bytes(b"".join(lines))
    (options.out / "tokenizer_config.json").write_text(json.dumps(tokenizer_config(), indent=2) + "\n")
    split = [piece for piece in MARKUP if piece.encode() not in tokens]
    print(f"{len(tokens)} tokens written; markup words that are not single tokens: {split or 'none'}")


if __name__ == "__main__":
    main()
