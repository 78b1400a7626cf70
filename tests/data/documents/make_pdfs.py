#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the PDFs of this folder. The files are committed; run it only to change them.

  make_pdfs.py      (only the keys of the locked files differ from run to run) on Debian 12 with: python3-gi python3-gi-cairo gir1.2-pango-1.0 fonts-dejavu-core fonts-wqy-zenhei qpdf
"""
import subprocess
import zlib
from pathlib import Path

import cairo
import gi

gi.require_version("Pango", "1.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Pango, PangoCairo  # noqa: E402

HERE = Path(__file__).parent
A4 = (595, 842)


class Painter:
    """Pages of laid out text, as an office program prints them."""

    def __init__(self, name, size=A4):
        self.surface = cairo.PDFSurface(str(HERE / name), *size)
        self.surface.set_metadata(cairo.PDFMetadata.TITLE, Path(name).stem)
        self.surface.set_metadata(cairo.PDFMetadata.CREATE_DATE, "2024-01-01T00:00:00Z")  # files made twice are the same
        self.context = cairo.Context(self.surface)

    def text(self, x, y, width, text, font="DejaVu Serif 10"):
        layout = PangoCairo.create_layout(self.context)
        layout.set_font_description(Pango.FontDescription(font))
        layout.set_width(int(width * Pango.SCALE))
        layout.set_text(text, -1)
        self.context.move_to(x, y)
        PangoCairo.show_layout(self.context, layout)
        return y + layout.get_pixel_size()[1]

    def page(self):
        self.surface.show_page()

    def close(self):
        self.surface.finish()


RIVER = ("The river rises in the hills above Oldham and runs for ninety miles to the sea. Its first bridge was built of oak in 1412 and "
         "burned in the winter of 1531. Since then eleven others have carried the road, each a little higher than the one before, because "
         "the floods have never stopped growing.")
PASS = ("The mountain pass opens in May, when the snow has gone from the upper meadows. Shepherds from both valleys meet there on the first "
        "Sunday to count the flocks and to settle what the winter left unsettled. Nobody has ever written down the rules; everybody knows "
        "them.")


def two_columns():
    paper = Painter("two_columns.pdf")
    paper.text(50, 40, 495, "A heading across both columns", "DejaVu Sans Bold 14")
    end = paper.text(50, 80, 230, RIVER)
    paper.text(50, end + 20, 230, "The left column ends here.")
    end = paper.text(315, 80, 230, PASS)
    paper.text(315, end + 20, 230, "The right column ends here.")
    paper.close()


def table():
    rows = [("Year", "Exports", "Imports", "Balance"), ("1990", "1,234", "999", "235"), ("1991", "1,271", "1,050", "221"),
            ("1992", "1,308", "1,101", "207"), ("1993", "1,345", "1,152", "193"), ("1994", "", "1,203", "n/a"), ("Total", "5,158", "5,505", "")]
    paper = Painter("table.pdf")
    end = paper.text(50, 40, 495, "Trade of the harbour, in thousands. The numbers of 1994 are not complete, for the customs house burned down in June.")
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            paper.text(50 + 120 * column, end + 15 + 18 * row, 115, cell, "DejaVu Sans 10")
    paper.text(50, end + 160, 495, "Balance is exports less imports. What was smuggled is in no column of this table, as everybody in the town knew.")
    paper.close()


def scanned():
    """A page of text, a page that is a picture of text, an empty page, and a page of a few words under a picture."""
    paper = Painter("scanned.pdf")
    paper.text(50, 50, 495, "Page one is text. " + RIVER)
    paper.page()
    width, height = 420, 594
    image = cairo.ImageSurface(cairo.FORMAT_A8, width, height)
    draw = cairo.Context(image)
    layout = PangoCairo.create_layout(draw)
    layout.set_font_description(Pango.FontDescription("DejaVu Serif 14"))
    layout.set_width(360 * Pango.SCALE)
    layout.set_text("The secret number is 7391. " + PASS, -1)
    draw.move_to(30, 30)
    PangoCairo.show_layout(draw, layout)
    image.flush()
    paper.context.save()
    paper.context.scale(A4[0] / width, A4[1] / height)
    paper.context.mask_surface(image, 0, 0)
    paper.context.restore()
    paper.page()
    paper.page()
    paper.text(50, 50, 495, "Figure 3: the harbour")
    paper.context.set_source_rgb(0.2, 0.4, 0.7)
    paper.context.rectangle(50, 100, 495, 600)
    paper.context.fill()
    paper.close()


def scripts():
    paper = Painter("cjk.pdf")
    end = paper.text(50, 50, 300, "一九八四年，小红在长城上看到了龙。这是一个很长的句子，用来测试换行的时候会发生什么事情。", "WenQuanYi Zen Hei 14")
    end = paper.text(50, end + 30, 300, "日本語の文章もあります。東京タワーは高い。", "WenQuanYi Zen Hei 14")
    paper.text(50, end + 30, 300, "한국어 문장도 있습니다.", "WenQuanYi Zen Hei 14")
    paper.close()
    paper = Painter("arabic.pdf")
    end = paper.text(50, 50, 495, "هذا نص عربي مع رقم 1234 وكلمة English في الوسط.", "DejaVu Sans 14")
    end = paper.text(50, end + 20, 495, "السلام عليكم ورحمة الله، لا شيء مثل الأمل.", "DejaVu Sans 14")
    paper.text(50, end + 20, 495, "An English line with the word مرحبا inside.", "DejaVu Sans 14")
    paper.close()
    paper = Painter("hebrew.pdf")
    end = paper.text(50, 50, 495, "שלום עולם, זה טקסט בעברית עם מספר 5678 (ועוד 9).", "DejaVu Sans 14")
    paper.text(50, end + 20, 495, "The Hebrew word שלום means peace.", "DejaVu Sans 14")
    paper.close()


def ligatures():
    paper = Painter("ligatures.pdf")
    end = paper.text(50, 50, 495, "The o\uFB03ce \uFB01led a \uFB02at o\uFB00er; the ba\uFB04ed sta\uFB00 \uFB05ood by.", "DejaVu Sans 12")
    end = paper.text(50, end + 12, 495, "An efficient waffle; affine files.", "DejaVu Serif 12")
    # Divided words: "infor-mation" is one word, "well-known" keeps its hyphen because the page writes it so, soft hyphens go.
    for line in ("This para\u00ADgraph gives infor-", "mation about the well-", "known and well-known case of a sepa-", "rated word, 1990-", "1994."):
        paper.text(50, end + 20, 495, line, "DejaVu Serif 12")
        end += 16
    paper.text(50, end + 60, 495, "x² + ½ ① ™ … “quotes” 100\u00A0km", "DejaVu Sans 12")
    paper.close()


class RawPdf:
    """A PDF written object by object, for what no program would write on purpose."""

    def __init__(self):
        self.objects = [b"<< /Type /Catalog /Pages 2 0 R %s >>", b""]
        self.catalog = b""
        self.pages = []

    def add(self, body):
        self.objects.append(body)
        return len(self.objects)

    def stream(self, data, entries=b""):
        packed = zlib.compress(data, 9)
        return self.add(b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n" % (len(packed), entries) + packed + b"\nendstream")

    def font(self, characters=None):
        """A font without glyphs whose codes 1, 2, ... are the given texts; without them its codes mean nothing."""
        descendant = self.add(b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /None /DW 500 /CIDSystemInfo << /Registry (Adobe) "
                              b"/Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /None /Flags 4 "
                              b"/FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>")
        unicode = b""
        if characters is not None:
            lines = b"\n".join(b"<%04X> <%s>" % (code, text.encode("utf-16-be").hex().upper().encode())
                               for code, text in enumerate(characters, 1))
            cmap = (b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /C def /CMapType 2 def\n"
                    b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n%d beginbfchar\n%s\nendbfchar\nendcmap end end"
                    % (len(characters), lines))
            unicode = b"/ToUnicode %d 0 R" % self.stream(cmap)
        return self.add(b"<< /Type /Font /Subtype /Type0 /BaseFont /None /Encoding /Identity-H /DescendantFonts [%d 0 R] %s >>"
                        % (descendant, unicode))

    def page(self, content, fonts=b"", box=b"[0 0 595 842]"):
        number = self.stream(content)
        self.pages.append(self.add(b"<< /Type /Page /Parent 2 0 R /MediaBox %s /Contents %d 0 R /Resources << /Font << %s >> >> >>"
                                   % (box, number, fonts)))

    def write(self, path):
        self.objects[0] = self.objects[0] % self.catalog
        self.objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(self.pages), b" ".join(b"%d 0 R" % p for p in self.pages))
        out = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n"
        offsets = []
        for number, body in enumerate(self.objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(self.objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(self.objects) + 1, start)
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(out)


HELVETICA = b"/F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def coded(pdf, text, x=50, y=700, size=14):
    """Content that shows `text`, one code per character, and the resource of its font."""
    font = pdf.font(list(text))
    codes = b"".join(b"%04X" % code for code in range(1, len(text) + 1))
    return b"BT /F %d Tf %d %d Td <%s> Tj ET" % (size, x, y, codes), b"/F %d 0 R" % font


def radicals():
    """Page 1: radicals in place of ideographs, as some writers map glyphs. Page 2: Arabic presentation forms placed from left to right.
    Page 3: a font whose codes nobody knows. Page 4: private characters among words."""
    pdf = RawPdf()
    pdf.page(*coded(pdf, "\u2F00\u2F42\u2ED1\u2F84\u2EC5"))
    pdf.page(*coded(pdf, "\uFE92\uFE98\uFEDB \uFEFC\uFE91"))
    font = pdf.font()
    pdf.page(b"BT /F 14 Tf 50 700 Td <%s> Tj ET" % b"".join(b"%04X" % (500 + 3 * i) for i in range(40)), b"/F %d 0 R" % font)
    pdf.page(*coded(pdf, "\uF0B7 item \uE000\uE001\uE002 end"))
    pdf.write(HERE / "radicals.pdf")


def not_embedded():
    """A Chinese font that is not in the file, in the encoding GBK: reading it takes poppler's character maps."""
    pdf = RawPdf()
    descendant = pdf.add(b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) "
                         b"/Supplement 4 >> /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] "
                         b"/ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>")
    font = pdf.add(b"<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [%d 0 R] >>" % descendant)
    text = "这条河发源于山丘，流经九十英里入海。".encode("gbk").hex().encode()
    pdf.page(b"BT /F 14 Tf 50 700 Td <%s> Tj ET" % text, b"/F %d 0 R" % font)
    pdf.write(HERE / "not_embedded.pdf")


def labels():
    pdf = RawPdf()
    pdf.catalog = b"/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /St 1 >> 4 << /P (A-) /S /D >>] >>"
    for text in (b"Preface", b"Contents", b"First", b"Second", b"Appendix"):
        pdf.page(b"BT /F 12 Tf 72 700 Td (%s) Tj ET" % text, HELVETICA)
    pdf.page(b"BT /F 12 Tf 0 1 -1 0 300 200 Tm (Turned text) Tj ET", HELVETICA, b"[0 0 400 600]")
    pdf.write(HERE / "labels.pdf")


def lines(x, y, texts, size=10):
    """Content that shows lines of Helvetica from (x, y) downwards."""
    return b"BT /F %d Tf %d %d Td " % (size, x, y) + b" ".join(b"(%s) Tj 0 -14 Td" % t.encode() for t in texts) + b" ET "


def figures():
    """A chart, nothing but text, a table with lines, a picture in a column, white words on blue, a box around text, wide margins."""
    words = RIVER.split()
    text = [" ".join(words[i % len(words)] for i in range(n, n + 14)) for n in range(0, 700, 14)]
    short = [" ".join(words[i % len(words)] for i in range(n, n + 6)) for n in range(0, 400, 6)]
    pdf = RawPdf()
    curve = b"90 420 m " + b" ".join(b"%d %d l" % (90 + 10 * i, 420 + (37 * i * i) % 160) for i in range(1, 40))
    labels = b"".join(b"BT /F 8 Tf %d 388 Td (%d) Tj ET " % (90 + 65 * i, 1900 + 10 * i) for i in range(7))
    pdf.page(lines(60, 780, text[:10]) + b"1 w 90 620 m 90 400 l 500 400 l S 0.5 w " + curve + b" S " + labels +
             lines(60, 350, text[10:30]), HELVETICA)
    pdf.page(lines(60, 780, text[:50]), HELVETICA)
    grid = b"".join(b"60 %d 480 22 re S " % (700 - 22 * i) for i in range(12)) + b"180 458 m 180 722 l 300 458 m 300 722 l S "
    cells = b"".join(lines(x, 707 - 22 * i, [f"{words[i]} {17 * i} of {words[i + 20]}"]) for i in range(12) for x in (64, 184, 304))
    pdf.page(lines(60, 780, text[:3]) + grid + cells + lines(60, 420, text[3:20]), HELVETICA)
    grey = bytes((x * 16 + y * 5) % 200 for y in range(16) for x in range(16))
    image = b"q 210 0 0 260 60 420 cm BI /W 16 /H 16 /CS /G /BPC 8 ID " + grey + b" EI Q "
    pdf.page(lines(60, 780, short[:6]) + image + lines(60, 400, short[6:24]) + lines(320, 780, short[24:66]), HELVETICA)
    pdf.page(b"0.1 0.2 0.5 rg 0 0 595 842 re f 1 1 1 rg " + lines(60, 700, text[:4], 14), HELVETICA)
    pdf.page(b"0.9 0.9 0.85 rg 50 500 500 300 re f 0 g " + lines(60, 780, text[:19]) + lines(60, 480, text[19:40]), HELVETICA)
    pdf.page(lines(150, 690, short[:38]), HELVETICA)
    pdf.write(HERE / "figures.pdf")


def numbers():
    for i in range(1, 14):
        pdf = RawPdf()
        pdf.page(b"BT /F 12 Tf 72 700 Td (The number of file %d is %d.) Tj ET" % (i, 10007 * i), HELVETICA)
        pdf.write(HERE / "numbers" / f"{i:02}.pdf")


def broken():
    whole = (HERE / "two_columns.pdf").read_bytes()
    (HERE / "truncated.pdf").write_bytes(whole[:len(whole) // 2])
    pdf = RawPdf()
    pdf.page(b"BT /F 12 Tf 72 700 Td (Good page) Tj ET", HELVETICA)
    pdf.page(b"BT /F 12 Tf 72 700 Td (Start of a damaged page) Tj ET BT /Missing 12 Tf (lost) Tj ET <<<< >> 1 0 0", HELVETICA)
    pdf.page(b"BT /F 12 Tf 72 700 Td (A page as large as a town) Tj ET", HELVETICA, b"[0 0 14400000 900000]")
    pdf.page(b"q 400 0 0 400 50 200 cm BI /W 64 /H 64 /CS /RGB /BPC 8 /F /DCT ID no JPEG at all EI Q")
    pdf.write(HERE / "damaged.pdf")
    for name, user, plain in (("locked.pdf", "open sesame", "numbers/07.pdf"), ("owner_locked.pdf", "", "numbers/07.pdf"),
                              ("locked_scan.pdf", "open sesame", "scanned.pdf")):
        subprocess.run(["qpdf", "--static-id", "--static-aes-iv", "--encrypt", user, "owner", "256", "--extract=n",
                        "--", str(HERE / plain), str(HERE / name)], check=True, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    two_columns()
    table()
    scanned()
    scripts()
    ligatures()
    radicals()
    not_embedded()
    labels()
    figures()
    numbers()
    broken()
