#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds of fuzz_documents and fuzz_extract_protocol from tests/data/documents: a byte that chooses the name, then the file.

  make_document_corpus.py [pal-extract]      with the program also the protocol's seeds
"""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data/documents"
CORPUS = ROOT / "tests/fuzz/corpus"
NAMES = ["pdf", "docx", "odt", "epub", "html", "csv", "txt", "md", "cpp", ""]  # as in fuzz_documents.cpp
SEEDS = ["damaged.pdf", "labels.pdf", "radicals.pdf", "locked.pdf", "numbers/07.pdf", "bridges.docx", "mill.odt", "book.epub", "page.html",
         "prices.csv", "readme.md", "hostile/deep.docx", "hostile/deep.odt", "hostile/entities.docx", "hostile/paths.epub",
         "hostile/damaged.docx", "hostile/cut_xml.docx", "encodings/gbk.txt", "encodings/shift_jis.txt", "encodings/utf16le.txt",
         "encodings/utf16_mark.txt", "encodings/utf8_errors.txt", "encodings/windows1252.txt", "encodings/hz.txt",
         "encodings/iso2022_jp.txt", "encodings/stray_zero.txt", "figures.pdf"]
INLINE = b"<p>x<img src='data:image/png;base64,iVBO Rw0KGg=='><img src='data:image/gif;base64,R0lG*'></p>"


def main():
    documents = CORPUS / "documents"
    documents.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS:
        path = DATA / seed
        name = NAMES.index(path.suffix[1:])
        (documents / seed.replace("/", "_")).write_bytes(bytes([name]) + path.read_bytes())
    (documents / "inline.html").write_bytes(bytes([NAMES.index("html")]) + INLINE)
    if len(sys.argv) < 2:
        return
    protocol = CORPUS / "extract_protocol"
    protocol.mkdir(parents=True, exist_ok=True)
    for seed, flags in (("numbers/07.pdf", ()), ("bridges.docx", ()), ("bridges.docx", ("--pictures", "2-2")), ("figures.pdf", ("--pages", "1-1")), ("locked.pdf", ())):
        with open(DATA / seed, "rb") as file:
            run = subprocess.run([sys.argv[1], "--name", seed, *flags], stdin=file, capture_output=True, check=False)
        (protocol / (seed.replace("/", "_") + "".join(flags))).write_bytes(run.stdout)


if __name__ == "__main__":
    main()
