#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents, pictures and clips from the terminal: `pal extract`, `pal tokens --attach`, `pal run --file --image --video`.

  attachments_test.py PAL     from the root of the source tree
"""
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib
from pathlib import Path

PAL = sys.argv[1]
ONCE = ["--think", "off", "--temp", "0", "-n", "2"]


def pal(*args, stdin=""):
    return subprocess.run([PAL, *map(str, args)], input=stdin, capture_output=True, text=True, timeout=300)


def pdf(pages):
    """A PDF with a line of text on each page; nothing on a page that is empty."""
    count = len(pages)
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>",
               b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, b" ".join(b"%d 0 R" % (4 + 2 * i) for i in range(count))),
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for i, text in enumerate(pages):
        stream = b"BT /F1 18 Tf 72 700 Td (%s) Tj ET" % text.encode() if text else b"0.5 g 100 100 200 300 re f"
        objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F1 "
                       b"3 0 R >> >> >>" % (5 + 2 * i))
        objects.append(b"<< /Length %d >> stream\n%s\nendstream" % (len(stream), stream))
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    at = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % o for o in offsets)
    return bytes(out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, at))


def png(width, height, pixel):
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def avi(width, height, fps, frames):
    """Uncompressed frames of one grey value each."""
    size = width * height * 3
    chunk = lambda kind, data: kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    listed = lambda kind, data: chunk(b"LIST", kind + data)
    main = struct.pack("<14I", 1000000 // fps, size * fps, 0, 0x10, len(frames), 0, 1, size, width, height, 0, 0, 0, 0)
    stream = b"vidsDIB " + struct.pack("<10I4H", 0, 0, 0, 1, fps, 0, len(frames), size, 0xFFFFFFFF, 0, 0, 0, width, height)
    picture = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, size, 0, 0, 0, 0)
    head = chunk(b"avih", main) + listed(b"strl", chunk(b"strh", stream) + chunk(b"strf", picture))
    data = [chunk(b"00db", bytes([grey]) * size) for grey in frames]
    index, at = b"", 4
    for entry in data:
        index += b"00db" + struct.pack("<3I", 0x10, at, size)
        at += len(entry)
    body = b"AVI " + listed(b"hdrl", head) + listed(b"movi", b"".join(data)) + chunk(b"idx1", index)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def tensors(path):
    raw = Path(path).read_bytes()
    size = int.from_bytes(raw[:8], "little")
    letters = {"F32": "f", "F64": "d", "I32": "i", "I64": "q"}
    out = {}
    for name, entry in json.loads(raw[8:8 + size]).items():
        begin, end = entry["data_offsets"]
        data = raw[8 + size + begin:8 + size + end]
        code = letters[entry["dtype"]]
        out[name] = (entry["shape"], struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))
    return out


class Attachments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        cls.pdf = cls.path / "report.pdf"
        cls.pdf.write_bytes(pdf(["The first page speaks of 4711.", "", "The third page speaks of 1789."]))
        cls.png = cls.path / "picture.png"
        cls.png.write_bytes(png(60, 45, lambda x, y: (255, 0, 0) if x < 28 else (0, 0, 255)))
        cls.avi = cls.path / "clip.avi"
        cls.avi.write_bytes(avi(56, 28, 8, [10 * i for i in range(16)]))
        cls.text = cls.path / "notes.txt"
        cls.text.write_text("Anna repaired the clock in May.\n")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def count(self, *args):
        run = pal("tokens", "--json", *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_a_document_is_printed_with_marks(self):
        run = pal("extract", self.pdf)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.split("\n")[0], "[file 1: report.pdf, 3 pages]")
        for words in ("[file 1, page 1]\nThe first page speaks of 4711.", "[file 1, page 3]\nThe third page"):
            self.assertIn(words, run.stdout)
        self.assertRegex(run.stderr, r"report.pdf, page 2: has no text; shown as a picture it would take \d+ tokens")
        self.assertNotIn("4711", pal("extract", self.pdf, "--page", 3).stdout)
        self.assertIn("1789", pal("extract", self.pdf, "--pages", "2-3").stdout)

    def test_json_has_pages_warnings_and_map(self):
        out = json.loads(pal("extract", self.pdf, "--json").stdout)
        self.assertEqual((out["kind"], out["format"], out["page_count"]), ("document", "pdf", 3))
        self.assertEqual([p["picture_only"] for p in out["pages"]], [False, True, False])
        line = out["pages"][0]["map"][0]
        self.assertEqual(out["pages"][0]["text"].encode()[slice(*line["bytes"])].decode().strip(),
                         "The first page speaks of 4711.")
        self.assertAlmostEqual(line["box"][0], 72, delta=3)
        self.assertEqual(out["picture_pages"], [2])

    def test_page_images_are_written_and_shown(self):
        images = self.path / "images"
        self.assertEqual(pal("extract", self.pdf, "--images", images).returncode, 0)
        self.assertEqual(sorted(p.name for p in images.iterdir()), ["page-1.png", "page-2.png", "page-3.png"])
        again = json.loads(pal("extract", images / "page-2.png", "--json").stdout)
        page = json.loads(pal("extract", self.pdf, "--json", "--page", 2).stdout)["pages"][0]
        self.assertEqual(again["media"][0]["size"], page["image_pixels"])
        hidden, shown = self.count("--attach", self.pdf), self.count("--attach", self.pdf, "--page-images")
        self.assertEqual((hidden["image"], hidden["attachments"][0]["picture_tokens"]), (0, shown["image"]))
        self.assertGreater(shown["image"], 0)

    def test_a_picture_becomes_patches(self):
        out = self.path / "picture.safetensors"
        run = pal("extract", self.png, "--patches", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("<|media_begin|>image 60x45<|media_content|>", run.stdout)
        made = tensors(out)
        self.assertEqual(made["vision.0.grid"][1], (1, 4, 6))
        shape, pixels = made["vision.0.pixels"]
        self.assertEqual(shape, [24, 3, 14, 14])
        at = lambda patch, channel, y, x: pixels[((patch * 3 + channel) * 14 + y) * 14 + x]
        self.assertEqual([at(0, c, 0, 0) for c in range(3)], [1, -1, -1])
        self.assertEqual([at(2, c, 5, 0) for c in range(3)], [-1, -1, 1])
        self.assertEqual([at(23, c, 13, 13) for c in range(3)], [-1, -1, -1], "padding is black")

    def test_a_clip_becomes_chunks_with_their_times(self):
        out = self.path / "clip.safetensors"
        run = pal("extract", self.avi, "--patches", out, "--video-fps", 4)
        self.assertEqual(run.returncode, 0, run.stderr)
        made = tensors(out)
        self.assertEqual([made[f"vision.{n}.grid"][1] for n in range(2)], [(4, 2, 4), (4, 2, 4)])
        frames = made["vision.0.frames"][1] + made["vision.1.frames"][1]
        self.assertEqual(len(frames), 8)
        seconds = made["vision.0.seconds"][1] + made["vision.1.seconds"][1]
        for index, second in zip(frames, seconds):
            self.assertAlmostEqual(second, index / 8, places=3)
        pixels = made["vision.1.pixels"][1]
        for k, index in enumerate(made["vision.1.frames"][1]):
            self.assertAlmostEqual(pixels[k * 8 * 588], (10 * index / 255 - 0.5) * 2, delta=0.03)
        described = json.loads(pal("extract", self.avi, "--json", "--video-fps", 4).stdout)
        self.assertEqual(described["video"]["tokens"], sum(m["tokens"] for m in described["media"]))
        self.assertEqual([f["index"] for m in described["media"] for f in m["frames"]], list(frames))

    def test_patches_feed_the_dump(self):
        out, dump = self.path / "dumped.safetensors", self.path / "ids.safetensors"
        self.assertEqual(pal("extract", self.png, "--patches", dump).returncode, 0)
        raw = dump.read_bytes()
        size = int.from_bytes(raw[:8], "little")
        header, data = json.loads(raw[8:8 + size]), raw[8 + size:]
        ids = struct.pack("<3i", 1, 3861, 2)  # one placeholder stands for all rows
        header["ids"] = {"dtype": "I32", "shape": [3], "data_offsets": [len(data), len(data) + len(ids)]}
        text = json.dumps(header).encode()
        dump.write_bytes(struct.pack("<Q", len(text)) + text + data + ids)
        run = pal("dump", "resources/nano", "--ids", dump, "--out", out)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(tensors(out)["vision.0.embeds"][0][0], 6)

    def test_counts_are_those_of_the_prompt(self):
        args = ["--image", self.png, "--video", self.avi]
        counted = self.count("--attach", self.pdf, "--attach", self.text, *args)
        self.assertEqual([a["kind"] for a in counted["attachments"]], ["document", "document", "image", "video"])
        self.assertEqual(counted["image"], 6)
        self.assertEqual(counted["tokens"], sum(counted[k] for k in ("text", "image", "video", "markup")))
        run = pal("run", "-f", self.pdf, "-f", self.text, *args, "--temp", 0, "-n", 1, "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        answer = json.loads(run.stdout)
        self.assertEqual(answer["prompt_tokens_by_kind"], {k: counted[k] for k in ("text", "image", "video", "markup")})
        self.assertEqual(answer["prompt_tokens"], counted["tokens"])

    def test_every_number_of_many_documents_is_in_the_prompt(self):
        files = []
        for i in range(13):
            files.append(self.path / f"page{i}.pdf")
            files[-1].write_bytes(pdf([f"The number of this page is {1000 + 37 * i}."]))
        attach = [a for f in files for a in ("--attach", f)]
        counted = self.count(*attach)
        self.assertEqual(len(counted["attachments"]), 13)
        self.assertTrue(all(a["text"] >= 8 for a in counted["attachments"]))
        for i, file in enumerate(files):
            self.assertIn(f"The number of this page is {1000 + 37 * i}.", pal("extract", file).stdout)

    def test_a_run_over_real_files_and_a_second_turn(self):
        run = pal("run", "-f", self.pdf, "--image", self.png, "--video", self.avi, "--video-fps", 2, "What is this?", *ONCE)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.strip())
        self.assertRegex(run.stderr, r"\d+ prompt tokens, 6 of pictures, \d+ of clips")

    def test_what_does_not_fit_is_refused_with_the_numbers(self):
        long = self.path / "long.txt"
        long.write_text("The quick brown fox jumps over the lazy dog. " * 400)
        run = pal("run", "-f", long, "--image", self.png, "Why?", "-c", 1000, *ONCE)
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r"the prompt has [\d]+ tokens \(\d+ text, 6 image, 0 video, \d+ markup\), the context holds "
                                     r"1000 with the answer: \d+ too many; what would help: less of long.txt \(\d+ tokens\), "
                                     r"a smaller picture.png \(6 tokens\)")

    def test_smaller_pictures_and_fewer_frames_cost_less(self):
        big = self.path / "big.png"
        big.write_bytes(png(400, 300, lambda x, y: (x % 256, y % 256, 0)))
        whole = self.count("--image", big)["image"]
        less = self.count("--image", big, "--image-tokens", 9)["image"]
        self.assertTrue(0 < less <= 9 < whole, (less, whole))
        whole = self.count("--video", self.avi)["video"]
        self.assertGreater(whole, self.count("--video", self.avi, "--video-frames", 4)["video"])
        self.assertTrue(0 < self.count("--video", self.avi, "--video-tokens", whole - 1)["video"] < whole)

    def book(self, chapters, pictures):
        """An epub of these chapters, by name, and pictures."""
        book = self.path / "book.epub"
        with zipfile.ZipFile(book, "w") as archive:
            archive.writestr("mimetype", "application/epub+zip")
            archive.writestr("META-INF/container.xml", '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
                             '<rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles>'
                             '</container>')
            items = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in chapters)
            archive.writestr("b.opf", f'<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest>{items}</manifest><spine>'
                             + "".join(f'<itemref idref="{name}"/>' for name in chapters) + "</spine></package>")
            for name, body in chapters.items():
                archive.writestr(f"{name}.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>')
            for name, data in pictures.items():
                archive.writestr(name, data)
        return book

    def test_a_damaged_picture_in_a_document_costs_nothing_but_itself(self):
        whole = self.png.read_bytes()
        cut = whole[:len(whole) // 2]
        book = self.book({"a": '<p>Two plates.</p><img src="cut.png"/><img src="p.png"/>', "b": '<p>One.</p><img src="p.png"/>'},
                         {"p.png": whole, "cut.png": cut})
        run = pal("extract", book, "--page-images", "--patches", self.path / "plates.safetensors", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([m["page"] for m in json.loads(run.stdout)["media"]], [1, 2])
        self.assertRegex(run.stdout, r"book.epub, page 1: cut.png: ")
        alone = self.count("--image", self.png)["image"]
        self.assertEqual(self.count("--attach", book, "--page-images")["image"], 2 * alone)
        answer = pal("run", "-f", book, "--page-images", "-n", 1, "What is it?")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("Note: book.epub, page 1: cut.png", answer.stderr)

    def test_pictures_are_those_of_the_pages_asked_for(self):
        book = self.book({"a": '<img src="p.png"/>', "b": '<p>One.</p><img src="p.png"/>'}, {"p.png": self.png.read_bytes()})
        images = self.path / "second"
        self.assertEqual(pal("extract", book, "--pages", 2, "--images", images).returncode, 0)
        self.assertEqual([file.name for file in images.iterdir()], ["page-2-1.png"])

    def test_a_chapter_of_pictures_alone_is_told(self):
        book = self.book({"a": '<img src="p.png" alt=""/>'}, {"p.png": self.png.read_bytes()})
        run = pal("extract", book)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"book.epub, page 1: has no text; shown as a picture it would take \d+ tokens")
        shown = json.loads(pal("extract", book, "--page-images", "--json").stdout)
        self.assertEqual([m["page"] for m in shown["media"]], [1])
        cost = self.count("--attach", book, "--page-images")
        self.assertEqual(cost["image"], self.count("--image", self.png)["image"])
        images = self.path / "plates"
        self.assertEqual(pal("extract", book, "--images", images).returncode, 0)
        self.assertEqual((images / "page-1-1.png").read_bytes(), self.png.read_bytes())

    def test_standard_input_may_have_any_encoding(self):
        chinese = "第一章\n山里的水磨坊每年春天都要修理一次。磨坊主说，河水太急，木轮常常被石头打坏。\n" * 4
        japanese = "第一章\n山の水車小屋は毎年春に修理されます。川の流れが速いので、木の輪がよく石で壊れます。\n" * 4

        def counted(data):
            run = subprocess.run([PAL, "tokens", "--json", "--attach", "-"], input=data, capture_output=True, timeout=60)
            self.assertEqual(run.returncode, 0, run.stderr)
            return json.loads(run.stdout)

        for text, encodings in ((chinese, ("gb18030", "hz", "utf-16-le", "utf-16")), (japanese, ("iso2022_jp", "shift_jis", "euc_jp"))):
            expected = counted(text.encode())
            for encoding in encodings:
                self.assertEqual(counted(text.encode(encoding)), expected, encoding)
        run = subprocess.run([PAL, "tokens", "--attach", "-"], input=self.pdf.read_bytes(), capture_output=True, text=False, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"standard input: a document, not text", run.stderr)
        run = subprocess.run([PAL, "run", "-n", "1"], input=b"\0\0\0", capture_output=True, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"standard input: no text: ", run.stderr)

    def test_a_document_cannot_command_the_terminal(self):
        hostile = self.path / "hostile.txt"
        hostile.write_text("before \x1b]0;title\x07 \u009b2J after\n")
        master, slave = pty.openpty()
        run = subprocess.run([PAL, "extract", hostile], stdout=slave, stderr=subprocess.DEVNULL, timeout=60)
        os.close(slave)
        shown = os.read(master, 65536)
        os.close(master)
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"before", shown)
        self.assertNotIn(b"\x1b", shown)
        self.assertNotIn(b"\xc2\x9b", shown)

    def test_failures_name_the_file(self):
        broken = self.path / "broken.png"
        broken.write_bytes(self.png.read_bytes()[:60])
        old = self.path / "letter.rtf"
        old.write_bytes(b"{\\rtf1 " + bytes(range(1, 256)))
        noise = self.path / "noise.bin"
        noise.write_bytes(bytes(range(256)) * 40)
        for args, words in ((["extract", broken, "--patches", self.path / "x"], "broken.png"), (["extract", noise], "noise.bin"),
                            (["run", "-f", "/no/such.pdf", "x"], "/no/such.pdf"),
                            (["extract", self.path], "a folder"), (["extract", old], "an RTF document"),
                            (["extract", self.text, "--patches", self.path / "x"], "has no pictures"),
                            (["extract", self.pdf, "--page", "9"], "report.pdf")):
            run = pal(*args)
            self.assertIn(run.returncode, (1, 2), (args, run.stderr))
            self.assertIn(words, run.stderr)
        self.assertEqual(pal("extract", self.pdf, "--pages", "3-1").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
