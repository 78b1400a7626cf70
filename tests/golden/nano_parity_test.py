#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The engine against the trainer on the embedded model: logits of the last tokens and the routing of every layer for text, thinking, picture
and clip prompts, as PyTorch computed them in float32 from the packed weights (resources/nano/train/parity.py).

  nano_parity_test.py PAL MODEL PARITY_FOLDER
"""
import array
import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PAL, MODEL, PARITY = sys.argv[1:4]
# Both sides compute in float32 in different orders; a wrong rounding, gate or norm moves logits by far more.
LARGEST_ERROR = 1e-5
CODES = {"F32": "f", "I32": "i", "U8": "B"}


def read(path):
    """{name: (shape, values)} of a safetensors file."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    out = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            out[name] = (entry["shape"], array.array(CODES[entry["dtype"]], data[8 + length + begin:8 + length + end]))
    return out


def write(path, tensors):
    header, body = {}, b""
    for name, (shape, values) in tensors.items():
        raw = values.tobytes()
        dtype = {v: k for k, v in CODES.items()}[values.typecode]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


def prompt_of(parity, name, placeholder):
    """What `pal dump` reads: one placeholder per medium, pixels and grids."""
    ids, tensors = list(parity[f"{name}.ids"][1]), {}
    if f"{name}.grid" not in parity:
        return {"ids": ([len(ids)], array.array("i", ids))}
    flat = parity[f"{name}.grid"][1]
    grids = [flat[i:i + 3] for i in range(0, len(flat), 3)]
    (_, width), patches = parity[f"{name}.patches"]
    level = array.array("f", [(array.array("f", [v / 255])[0] - 0.5) * 2 for v in range(256)])
    at, first, short = 0, 0, []
    for n, (t, h, w) in enumerate(grids):
        count = t * h * w
        pixels = array.array("f", [level[v] for v in patches[at * width:(at + count) * width]])
        tensors[f"vision.{n}.pixels"] = ([count, 3, 14, 14], pixels)
        tensors[f"vision.{n}.grid"] = ([3], array.array("i", [t, h, w]))
        at += count
        run = ids.index(placeholder, first)
        short += ids[first:run + 1]
        first = run + h * w // 4
    short += ids[first:]
    return {"ids": ([len(short)], array.array("i", short)), **tensors}


def dumped(tensors):
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/in.safetensors", f"{folder}/out.safetensors"
        write(source, tensors)
        done = subprocess.run([PAL, "dump", MODEL, "--ids", source, "--out", target], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return read(target)


class Parity(unittest.TestCase):
    def test_every_prompt(self):
        parity = read(f"{PARITY}/parity.safetensors")
        config = json.loads(Path(MODEL, "config.json").read_text())
        names = sorted({name.split(".")[0] for name in parity})
        self.assertGreaterEqual(len(names), 6)
        for name in names:
            with self.subTest(name):
                self.check(parity, name, config["media_placeholder_token_id"])

    def check(self, parity, name, placeholder):
        out = dumped(prompt_of(parity, name, placeholder))
        (rows, columns), expected = parity[f"{name}.logits"]
        logits = out["logits"][1][-rows * columns:]
        error = math.sqrt(sum((a - b) ** 2 for a, b in zip(logits, expected)) / sum(b * b for b in expected))
        self.assertLess(error, LARGEST_ERROR)
        for row in range(rows):
            part = slice(row * columns, (row + 1) * columns)
            self.assertEqual(max(range(columns), key=logits[part].__getitem__),
                             max(range(columns), key=expected[part].__getitem__))
        (layers, tokens, picks), routing = parity[f"{name}.routing"]
        first = min(int(key.split(".")[1]) for key in out if key.startswith("moe.") and key.endswith(".index"))
        for layer in range(layers):
            got = out[f"moe.{first + layer}.index"][1][-tokens * picks:]
            want = routing[layer * tokens * picks:(layer + 1) * tokens * picks]
            for t in range(tokens):
                part = slice(t * picks, (t + 1) * picks)
                self.assertEqual(sorted(got[part]), sorted(want[part]), f"layer {layer}, token {t}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
