# SPDX-License-Identifier: Apache-2.0
"""Text to ids by the rules of Kimi K3: tiktoken ranks, K3's split pattern, control strings only where allowed.

The vocabulary is a file of lines "base64(bytes) rank"; the 256 ids after the last rank are control slots, named by
`added_tokens_decoder` of tokenizer_config.json or else "<|reserved_token_{id}|>".
"""
import base64
import heapq
import json
from pathlib import Path

import regex

CONTROL_SLOTS = 256
BLOCK, LONGEST_RUN = 400_000, 25_000      # code points; cuts made before anything else
_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
SPLIT = regex.compile("|".join((
    r"[\p{Han}]+",
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_ENDING}",
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_ENDING}",
    r"\p{N}{1,3}",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"\s*[\r\n]+",
    r"\s+(?!\S)",
    r"\s+")), regex.V1)


def byte_order():
    """The 256 single bytes in the order of their ids: printable ones first, as in K3's vocabulary."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    return printable + [b for b in range(256) if b not in printable]


def cut_long_runs(text, cap):
    """Cuts where a run of blanks, or of anything else, would exceed `cap` code points."""
    if len(text) <= cap:
        return [text]
    slices, start, run, kind = [], 0, 0, text[0].isspace()
    for i, c in enumerate(text):
        if c.isspace() != kind:
            run, kind = 1, not kind
        else:
            run += 1
            if run > cap:
                slices.append(text[start:i])
                start, run = i, 1
    return slices + [text[start:]]


class Tokenizer:
    """ranks: {bytes: id}, dense from 0; names: {id: control string} for the named slots."""

    def __init__(self, ranks, names):
        self.ranks, self.base = ranks, len(ranks)
        self.size = self.base + CONTROL_SLOTS
        self.controls = {names.get(i, f"<|reserved_token_{i}|>"): i for i in range(self.base, self.size)}
        self.bytes = [token for token, _ in sorted(ranks.items(), key=lambda item: item[1])]
        self.bytes += [name.encode() for name in self.controls]
        self._control = regex.compile("|".join(map(regex.escape, self.controls)))
        self._pieces = {}

    @classmethod
    def load(cls, folder):
        """folder with tiktoken.model and tokenizer_config.json"""
        ranks = {}
        for line in (Path(folder) / "tiktoken.model").read_bytes().splitlines():
            token, rank = line.split()
            ranks[base64.b64decode(token)] = int(rank)
        config = json.loads((Path(folder) / "tokenizer_config.json").read_text(encoding="utf-8"))
        return cls(ranks, {int(i): token["content"] for i, token in config["added_tokens_decoder"].items()})

    def encode(self, text, allow_special):
        """The full rule, for any text; `allow_special`: control strings become control ids."""
        out = []
        for at in range(0, len(text), BLOCK):
            for part in cut_long_runs(text[at:at + BLOCK], LONGEST_RUN):
                start = 0
                for match in self._control.finditer(part) if allow_special else ():
                    out += self.encode_ordinary(part[start:match.start()])
                    out.append(self.controls[match.group()])
                    start = match.end()
                out += self.encode_ordinary(part[start:])
        return out

    def encode_ordinary(self, text):
        """Without cuts and control strings; every piece is merged once and then looked up."""
        out, pieces = [], self._pieces
        for piece in SPLIT.findall(text):
            ids = pieces.get(piece)
            if ids is None:
                ids = self._merge(piece.encode())
                if len(pieces) >= 500_000:
                    pieces.clear()
                pieces[piece] = ids
            out += ids
        return out

    def decode(self, ids):
        return b"".join(self.bytes[i] for i in ids).decode("utf-8", errors="replace")

    def _merge(self, data):
        """Joins the neighbouring pair whose concatenation has the lowest rank, leftmost first, until none is left."""
        whole = self.ranks.get(data)
        if whole is not None:
            return [whole]
        parts = [data[i:i + 1] for i in range(len(data))]       # None: merged into its left neighbour
        right = list(range(1, len(data) + 1))
        left = list(range(-1, len(data) - 1))
        queue = []

        def offer(i):
            if i >= 0 and right[i] < len(parts):
                rank = self.ranks.get(parts[i] + parts[right[i]])
                if rank is not None:
                    heapq.heappush(queue, (rank, i, parts[i], parts[right[i]]))

        for i in range(len(parts)):
            offer(i)
        while queue:
            _, i, first, second = heapq.heappop(queue)
            j = right[i]
            if parts[i] is not first or j == len(parts) or parts[j] is not second:
                continue
            parts[i], parts[j], right[i] = first + second, None, right[j]
            if right[j] < len(parts):
                left[right[j]] = i
            offer(left[i])
            offer(i)
        return [self.ranks[part] for part in parts if part is not None]
