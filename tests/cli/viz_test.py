#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal viz` without a display: every view of a stored session as SVG, CSV and JSON that say the same.

  viz_test.py PAL
"""
import base64
import csv
import io
import json
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

PAL = sys.argv.pop(1)
SVG = "{http://www.w3.org/2000/svg}"


def pal(*arguments, code=0):
    done = subprocess.run([PAL, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise AssertionError(f"pal {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def number(text):
    """A number as figures write it: 0.139, or 3.1·10⁻⁷."""
    mantissa, power, exponent = text.rpartition("10⁻")
    if not power:
        return float(text)
    return float(mantissa.rstrip("·") or 1) * 10.0 ** -int(exponent.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))


def png(width, height, colour):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in colour(x, y)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def pixels_of(data):
    """Width, height and a function of x and y of an RGB PNG whose rows have no filter, as figures embed."""
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    rows = zlib.decompress(packed)
    line = 1 + 3 * width
    return width, height, lambda x, y: rows[y * line + 1 + 3 * x:y * line + 4 + 3 * x]


class VizTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.data = str(Path(cls.folder.name, "data"))
        pal("run", "--data-dir", cls.data, "--session", "clock", "--temp", "0", "-n", "12", "--think", "off",
            "Anna repaired the clock in May. Peter bought a boat in June. Who repaired the clock?")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def viz(self, view, *arguments, ending="csv", code=0):
        out = Path(self.folder.name, f"out.{ending}")
        done = pal("viz", "clock", "--data-dir", self.data, "--view", view, "--out", str(out), *arguments, code=code)
        return out.read_text(encoding="utf-8") if code == 0 else done.stderr

    def test_lists_every_view_in_three_sentences(self):
        lines = pal("viz", "--list").stdout.splitlines()
        names = [line.split()[0] for line in lines if not line.startswith(" ")]
        self.assertIn("context", names)
        self.assertEqual(len(lines), 4 * len(names))

    def test_every_view_is_drawn(self):
        for view in ("layers", "tokens", "context", "attention", "half-life", "writes", "gates", "depth", "routing", "state",
                     "model"):
            with self.subTest(view=view):
                root = ElementTree.fromstring(self.viz(view, ending="svg"))
                self.assertEqual(root.tag, f"{SVG}svg")
                self.assertGreater(len(root.findall(f"{SVG}rect")), 3)
                self.assertGreater(len(root.findall(f"{SVG}text")), 3)

    def test_csv_and_json_are_the_same_cells(self):
        for view in ("depth", "routing"):
            rows = list(csv.DictReader(io.StringIO(self.viz(view))))
            cells = [cell for panel in json.loads(self.viz(view, ending="json"))["panels"] for cell in panel["cells"]]
            self.assertEqual(len(rows), len(cells))
            for row, cell in zip(rows, cells):
                self.assertEqual(row["row"], cell["row"])
                self.assertAlmostEqual(float(row["value"]), cell["value"], places=6)

    def test_depth_weights_sum_to_one(self):
        sums = {}
        for row in csv.DictReader(io.StringIO(self.viz("depth"))):
            sums[row["row"]] = sums.get(row["row"], 0) + float(row["value"])
        self.assertGreater(len(sums), 10)
        for name, total in sums.items():
            self.assertAlmostEqual(total, 1, places=5, msg=name)

    def test_attention_rows_of_a_raw_window_sum_to_one(self):
        sums = {}
        text = self.viz("attention", "--layer", "3", "--head", "2", "--raw", "--token", "20", "--count", "8")
        for row in csv.DictReader(io.StringIO(text)):
            if row["panel"] == "attention":
                sums[row["token_begin"]] = sums.get(row["token_begin"], 0) + float(row["value"])
        self.assertEqual(sorted(map(int, sums)), list(range(20, 28)))
        for token, total in sums.items():
            self.assertAlmostEqual(total, 1, places=4, msg=token)

    def test_reads_are_checked_against_the_layer(self):
        text = self.viz("reads", "--layer", "1", "--raw", "--token", "10", "--count", "30", ending="json")
        caption = " ".join(json.loads(text)["caption"])
        error = number(caption.split("own read within ")[1].split(".  ")[0].rstrip(". ").split(" ")[0].rstrip("."))
        self.assertLess(error, 1e-5)

    def test_png_is_the_drawing_at_one_to_four_pixels(self):
        for scale in (1, 2, 4):
            out = Path(self.folder.name, "out.png")
            pal("viz", "clock", "--data-dir", self.data, "--view", "layers", "--width", "640", "--height", "400",
                "--scale", str(scale), "--out", str(out))
            data = out.read_bytes()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", data[16:24]), (640 * scale, 400 * scale))
            self.assertGreater(len(data), 5000 * scale)  # there is something on it

    def test_two_tokens_are_compared(self):
        cells = json.loads(self.viz("compare", "--compare", "gates", "--token", "20", "--with", "24", ending="json"))
        first, second, change = (panel["cells"] for panel in cells["panels"])
        self.assertGreater(len(change), 8)
        for a, b, difference in zip(first, second, change):
            self.assertAlmostEqual(b["value"] - a["value"], difference["value"], places=5)
        self.assertTrue(any(abs(cell["value"]) > 0 for cell in change))

    def test_states_at_two_places_are_compared(self):
        text = self.viz("compare", "--compare", "state", "--layer", "0", "--head", "1", "--raw", "--token", "8", "--with",
                        "26", ending="json")
        first, second, change = (panel["cells"] for panel in json.loads(text)["panels"])
        self.assertEqual(len(first), len(second))
        self.assertTrue(any(abs(cell["value"]) > 1e-4 for cell in change))
        for a, b, difference in zip(first, second, change):
            self.assertAlmostEqual(b["value"] - a["value"], difference["value"], places=5)

    def test_branches_are_compared(self):
        # The same question asked again in other words: another branch, whose answer is compared with the first one's.
        shown = json.loads(pal("sessions", "show", "clock", "--data-dir", self.data, "--json").stdout)
        question, message = (entry["id"] for entry in shown["tree"][-2:])
        pal("run", "--data-dir", self.data, "--session", "clock", "--temp", "0", "-n", "6", "--think", "off", "--edit",
            str(question), "Anna repaired the clock in May. Peter bought a boat in June. Who bought a boat?")
        shown = json.loads(pal("sessions", "show", "clock", "--data-dir", self.data, "--json").stdout)
        other = shown["tree"][-1]["id"]
        self.assertNotEqual(message, other)
        text = self.viz("compare", "--compare", "layers", "--message", str(message), "--with-message", str(other),
                        ending="json")
        first, second, change = (panel["cells"] for panel in json.loads(text)["panels"])
        self.assertGreater(len(change), 10)
        self.assertTrue(any(abs(cell["value"]) > 1e-4 for cell in change))

    def test_a_picture_stands_behind_what_was_looked_at(self):
        # Left red, right blue, twice as wide as high.
        picture = Path(self.folder.name, "halves.png")
        picture.write_bytes(png(224, 112, lambda x, _y: (230, 30, 30) if x < 112 else (30, 30, 230)))
        pal("run", "--data-dir", self.data, "--session", "halves", "--temp", "0", "-n", "4", "--think", "off", "--image",
            str(picture), "Which colour is on the left?")
        out = Path(self.folder.name, "overlay.svg")
        pal("viz", "halves", "--data-dir", self.data, "--view", "overlay", "--out", str(out))
        images = ElementTree.parse(out).getroot().findall(f"{SVG}image")
        self.assertEqual(len(images), 1)
        width, height, pixel = pixels_of(base64.b64decode(images[0].get("{http://www.w3.org/1999/xlink}href").split(",")[1]))
        self.assertEqual(width, 2 * height)
        for x, strong, weak in ((width // 4, 0, 2), (3 * width // 4, 2, 0)):
            self.assertGreater(pixel(x, height // 2)[strong], 200)
            self.assertLess(pixel(x, height // 2)[weak], 60)

    def test_says_what_is_wrong(self):
        self.assertIn("nothing", self.viz("nothing", code=2))
        self.assertIn("tokens", self.viz("context", "--token", "100000", code=2))
        self.assertIn("no picture", self.viz("overlay", code=1))
        pal("viz", code=2)
        self.assertIn('".bmp"', self.viz("depth", ending="bmp", code=2))
        self.assertIn("--layer", self.viz("reads", "--raw", code=2))
        said = self.viz("depth", "--layer", "99", code=2)
        self.assertRegex(said, r"99.* \d+ layers")
        self.assertRegex(self.viz("gates", "--head", "77", code=2), r"77.* \d+ heads")
        self.assertIn("pixels", self.viz("depth", "--width", "8000", "--height", "8000", "--scale", "4", ending="png", code=2))


if __name__ == "__main__":
    unittest.main()
