#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The embedded model answers through the program's own engine, and damaged copies of it do not.

  smoke_test.py PAL             from the root of the source tree; the floors are in smoke.json beside it
  smoke_test.py PAL --measure   what the model and its damaged copies reach
  smoke_test.py PAL --update    writes smoke.json anew, after the weights or the suites changed

The copies: random weights, two layers loaded in each other's place, and matrices cut to one bit of mantissa.
"""
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PAL = sys.argv[1]
MODEL = Path("resources/nano")
FLOORS = Path("tests/nano/smoke.json")
SUITES = json.loads(FLOORS.read_text())["suites"]
KEPT_BITS = bytes(byte & 0xC0 for byte in range(256))  # of a bfloat16's low byte: the last exponent bit and one of mantissa
FILES = ("config.json", "tiktoken.model", "tokenizer_config.json", "generation_config.json", "preprocessor_config.json",
         "model.safetensors.index.json")


def evaluate(model, suite):
    run = subprocess.run([PAL, "eval", model, "--suites", "tests/eval", "--suite", suite, "--limit",
                          str(SUITES[suite]["questions"]), "--json"], capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return json.loads(run.stdout)["suites"][suite]


def rewrite(target, change):
    """Copies the model with change(name, entry, data) applied to every tensor: a new name or None, data a bytearray."""
    target.mkdir()
    for name in FILES:
        shutil.copy(MODEL / name, target)
    for shard in MODEL.glob("*.safetensors"):
        raw = shard.read_bytes()
        size, = struct.unpack("<Q", raw[:8])
        header, data = json.loads(raw[8:8 + size]), bytearray(raw[8 + size:])
        out = {}
        for name, entry in header.items():
            out[change(name, entry, data) if name != "__metadata__" else name] = entry
        text = json.dumps(out).encode()
        (target / shard.name).write_bytes(struct.pack("<Q", len(text)) + text + data)
    index = json.loads((MODEL / "model.safetensors.index.json").read_text())
    index["weight_map"] = {change(name, None, None): file for name, file in index["weight_map"].items()}
    (target / "model.safetensors.index.json").write_text(json.dumps(index))
    return target


def swapped_layers(target):
    """Layers 1 and 2 in each other's place: both have the same tensors."""
    first, second = ".layers.1.", ".layers.2."

    def change(name, entry, data):
        for a, b in ((first, second), (second, first)):
            if a in name and "vision" not in name:
                return name.replace(a, b)
        return name
    return rewrite(target, change)


def rounded(target):
    """bfloat16 matrices cut to one bit of mantissa."""
    def change(name, entry, data):
        if entry is not None and entry["dtype"] == "BF16" and len(entry["shape"]) == 2:
            begin, end = entry["data_offsets"]
            data[begin:end:2] = data[begin:end:2].translate(KEPT_BITS)
        return name
    return rewrite(target, change)


def untrained(target):
    run = subprocess.run([PAL, "random", MODEL, target, "--tokenizer", MODEL / "tiktoken.model"], capture_output=True,
                         text=True, timeout=300)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    for name in FILES[2:5]:
        shutil.copy(MODEL / name, target)
    return target


DAMAGES = {"untrained": untrained, "swapped": swapped_layers, "rounded": rounded}


class Smoke(unittest.TestCase):
    def test_the_model_answers(self):
        for suite, floor in SUITES.items():
            score = evaluate(MODEL, suite)
            self.assertEqual(score["questions"], floor["questions"])
            self.assertGreaterEqual(score["right"], floor["least"], (suite, score))

    def test_damaged_copies_do_not(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, damage in DAMAGES.items():
                model = damage(Path(folder, name))
                notices = any(evaluate(model, suite)["right"] < SUITES[suite]["least"] for suite in SUITES)
                self.assertTrue(notices, f"no floor notices the copy: {name}")


def measure():
    with tempfile.TemporaryDirectory() as folder:
        models = {"the model": MODEL} | {name: damage(Path(folder, name)) for name, damage in DAMAGES.items()}
        for name, model in models.items():
            for suite in SUITES:
                score = evaluate(model, suite)
                print(f"{name:12} {suite:16} {score['right']:3} of {score['questions']:3} right, {score['exact']:3} exact, "
                      f"{score['seconds']:.1f} s", flush=True)


def update():
    """Floors lie 15 % of the questions under what is measured: room for the rounding of another machine."""
    document = json.loads(FLOORS.read_text())
    for suite, floor in document["suites"].items():
        floor["measured"] = evaluate(MODEL, suite)["right"]
        floor["least"] = max(0, floor["measured"] - max(1, round(0.15 * floor["questions"])))
    lines = ",\n".join(f'  "{suite}": {json.dumps(floor)}' for suite, floor in document["suites"].items())
    FLOORS.write_text(f'{{\n "about": {json.dumps(document["about"])},\n "suites": {{\n{lines}\n }}\n}}\n')


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    elif "--measure" in sys.argv:
        measure()
    else:
        unittest.main(argv=sys.argv[:1])
