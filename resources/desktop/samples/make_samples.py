#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the document, the picture and the clip of the window's first run. The files are committed; run it only to change them.

  make_samples.py     on Debian 12 with: python3-reportlab python3-pil ffmpeg

Everything in them is invented and drawn here, so they are under the project's licence; the document uses fonts that every reader has.
The embedded model answers the questions of app/desktop/frame/samples.cpp about them: ask again after a change (tests/gui/first_run_test.cpp).
"""
import subprocess
from pathlib import Path

from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen import canvas

HERE = Path(__file__).parent
RED, GREEN, BLUE, PAPER = (230, 50, 45), (40, 165, 65), (40, 80, 220), (245, 245, 240)
FINER = 4                                       # shapes are drawn larger and averaged down

PAGES = (
    ("The lighthouse of Merrow Point", (
        "The lighthouse of Merrow Point stands on a rock in the north of the bay. It was built in 1871. The architect of the lighthouse "
        "was Edith Calloway. The height of the lighthouse is 38 meters. A stair of 164 steps leads to the lamp.",
        "The keeper of the lighthouse is Tobias Green. He lives in the white house beside the tower.",
        "The lighthouse is closed on Monday. On other days we open at 10 a.m. A ticket costs $4.50. Children are welcome, too.")),
    ("The lamp", (
        "The color of the lamp is green. The lamp was repaired by Anna Marsh in March 2019. A new lens was delivered by the Harbor Glass "
        "company. The weight of the lens is 240 kg.",)),
    ("The storm", (
        "In the great storm of 1903 the old bell fell into the sea. Peter Vale found the bell in 1950. The bell is now in the museum of "
        "Port Ellen.",
        "The phone number is 555-0173.")),
)


def document():
    width, height = A5
    pdf = canvas.Canvas(str(HERE / "lighthouse.pdf"), pagesize=A5, invariant=1)
    pdf.setTitle("The lighthouse of Merrow Point")
    for number, (title, paragraphs) in enumerate(PAGES, 1):
        pdf.setFont("Times-Bold", 17)
        pdf.drawString(50, height - 70, title)
        y = height - 105
        pdf.setFont("Times-Roman", 11)
        for paragraph in paragraphs:
            line = ""
            for word in paragraph.split():
                if pdf.stringWidth(f"{line} {word}", "Times-Roman", 11) > width - 100:
                    pdf.drawString(50, y, line)
                    line, y = word, y - 16
                else:
                    line = f"{line} {word}".strip()
            pdf.drawString(50, y, line)
            y -= 28
        pdf.drawCentredString(width / 2, 40, str(number))
        pdf.showPage()
    pdf.save()


def drawn(side, *shapes):
    image = Image.new("RGB", (side * FINER, side * FINER), PAPER)
    draw = ImageDraw.Draw(image)
    for shape, x, y, radius, colour in shapes:
        x, y, r = x * FINER, y * FINER, radius * FINER
        if shape == "triangle":
            draw.polygon([(x, y - r), (x + r, y + r * 3 / 4), (x - r, y + r * 3 / 4)], fill=colour)
        else:
            (draw.ellipse if shape == "circle" else draw.rectangle)([x - r, y - r, x + r, y + r], fill=colour)
    return image.resize((side, side), Image.LANCZOS)


def picture():
    drawn(336, ("square", 90, 90, 52, BLUE), ("circle", 246, 96, 50, RED), ("triangle", 168, 250, 58, GREEN)).save(
        HERE / "shapes.png", optimize=True)


def clip(count=16, side=224):
    frames = (drawn(side, ("circle", 40 + n * (side - 80) / (count - 1), side / 2, 26, RED)).tobytes() for n in range(count))
    command = ["ffmpeg", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{side}x{side}", "-r", "8", "-i", "-",
               "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-threads", "1", "-fflags", "+bitexact", "-flags", "+bitexact",
               str(HERE / "motion.mp4")]
    subprocess.run(command, input=b"".join(frames), check=True)


if __name__ == "__main__":
    document()
    picture()
    clip()
