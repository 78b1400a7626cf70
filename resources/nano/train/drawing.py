# SPDX-License-Identifier: Apache-2.0
"""Anti-aliased drawing of simple shapes, backgrounds and text: the pixels behind the picture and clip tasks.

Shapes are drawn at twice the size and averaged down; text is drawn by FreeType at the final size. Coordinates are
pixels of the final picture, x to the right and y down. Fonts are files of Debian packages (FONTS); prepare.py copies
them next to the text sources (NANO_DATA/fonts), and that is where they are looked for if NANO_DATA is set.
"""
import functools
import io
import math
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from dialog import Split

SCALE = 2                    # supersampling of shapes
INSTALLED = Path("/usr/share/fonts")

# Debian packages: fonts-dejavu-core, fonts-dejavu-extra, and fonts- with liberation, hack, lato, roboto-unhinted,
# roboto-slab, jetbrains-mono, comic-neue, quicksand, crosextra-caladea, inconsolata, cantarell, ebgaramond, sil-andika,
# sil-charis, play, cabin, b612, clear-sans, inter, junction; the last two families (fonts-open-sans,
# fonts-crosextra-carlito) are kept for the test.
FONTS = {
    Split.TRAIN: ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSerif.ttf",
                  "DejaVuSerif-Bold.ttf", "LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf",
                  "LiberationSerif-Regular.ttf", "LiberationSerif-Bold.ttf", "LiberationMono-Regular.ttf",
                  "LiberationSansNarrow-Bold.ttf", "Hack-Regular.ttf", "Hack-Bold.ttf", "Lato-Regular.ttf",
                  "Lato-Bold.ttf", "Roboto-Regular.ttf", "Roboto-Bold.ttf", "RobotoCondensed-Regular.ttf",
                  "RobotoSlab-Regular.otf", "JetBrainsMono-Regular.ttf", "ComicNeue-Regular.otf", "ComicNeue-Bold.otf",
                  "Quicksand-Medium.ttf", "Caladea-Regular.ttf", "Caladea-Bold.ttf", "Inconsolata.otf",
                  "Cantarell-Regular.otf", "Cantarell-Bold.otf", "EBGaramond12-Regular.otf", "Andika-Regular.ttf",
                  "CharisSIL-Regular.ttf", "Play-Regular.ttf", "Cabin-Regular.otf", "Cabin-Bold.otf",
                  "B612-Regular.otf", "ClearSans-Regular.ttf", "ClearSans-Bold.ttf", "Inter-Regular.otf",
                  "Inter-SemiBold.otf", "Junction.otf"),
    Split.TEST: ("OpenSans-Regular.ttf", "OpenSans-Semibold.ttf", "Carlito-Regular.ttf", "Carlito-Bold.ttf"),
}

# Several usual values per name; `shade` adds a little jitter.
COLOURS = {
    "red": ((255, 0, 0), (215, 35, 35), (230, 50, 45)),
    "orange": ((255, 165, 0), (255, 140, 0), (245, 130, 25)),
    "yellow": ((255, 255, 0), (250, 225, 40), (255, 235, 80)),
    "green": ((0, 128, 0), (40, 165, 65), (0, 205, 0), (60, 215, 80)),
    "blue": ((0, 0, 255), (40, 80, 220), (30, 130, 245), (0, 0, 170)),
    "purple": ((128, 0, 128), (135, 55, 180), (150, 70, 220)),
    "pink": ((255, 182, 203), (255, 105, 180), (255, 145, 195)),
    "brown": ((139, 69, 19), (125, 78, 42), (105, 60, 30)),
    "black": ((0, 0, 0), (22, 22, 22)),
    "white": ((255, 255, 255), (246, 246, 246)),
    "gray": ((128, 128, 128), (115, 115, 118), (145, 145, 145)),
}

SHAPES = ("circle", "square", "triangle", "rectangle", "star", "diamond", "hexagon", "cross", "heart", "ring")
TURN = {"circle": 0, "square": 10, "triangle": 20, "rectangle": 12, "star": 36, "diamond": 8, "hexagon": 30,
        "cross": 12, "heart": 18, "ring": 0}    # largest rotation in degrees at which the name stays right


def _ngon(count, radius, start=-90.0):
    steps = (math.radians(start + 360.0 * k / count) for k in range(count))
    return [(radius * math.cos(a), radius * math.sin(a)) for a in steps]


def _star():
    outer, inner = _ngon(5, 1.0), _ngon(5, 0.42, -54.0)
    return [p for pair in zip(outer, inner) for p in pair]


def _heart():
    steps = [2 * math.pi * k / 36 for k in range(36)]
    return [(0.058 * 16 * math.sin(a) ** 3,
             -0.058 * (13 * math.cos(a) - 5 * math.cos(2 * a) - 2 * math.cos(3 * a) - math.cos(4 * a)) - 0.1)
            for a in steps]


def _cross(arm=0.32, reach=0.95):
    a, b = arm, reach
    return [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a), (-a, -a)]


OUTLINES = {                 # polygons inside the unit circle; circle and ring are drawn as ellipses
    "square": [(-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)],
    "rectangle": [(-0.88, -0.46), (0.88, -0.46), (0.88, 0.46), (-0.88, 0.46)],
    "triangle": _ngon(3, 1.0),
    "star": _star(),
    "diamond": [(0.0, -1.0), (0.66, 0.0), (0.0, 1.0), (-0.66, 0.0)],
    "hexagon": _ngon(6, 0.95),
    "cross": _cross(),
    "heart": _heart(),
}
CIRCLE, RING_HOLE = 0.9, 0.52                                                  # radius; share of it that is the hole


@dataclass
class Shape:
    kind: str                # of SHAPES
    colour: str              # of COLOURS
    x: float                 # centre
    y: float
    radius: float            # of the circle around it
    size: str = "medium"     # small, medium, large: the word for radius in its picture
    angle: float = 0.0       # degrees
    rgb: tuple = (0, 0, 0)

    @property
    def name(self):
        return f"{self.colour} {self.kind}"


def shade(r, colour):
    """A colour value that people call by this name. r: random.Random."""
    jitter = 10
    return tuple(min(255, max(0, c + r.randint(-jitter, jitter))) for c in r.choice(COLOURS[colour]))


def distance(a, b):
    """Perceived difference of two colours, 0..765 (red mean formula, compuphase.com/cmetric.htm)."""
    mean = (a[0] + b[0]) / 2
    d = [(p - q) ** 2 for p, q in zip(a, b)]
    return math.sqrt((2 + mean / 256) * d[0] + 4 * d[1] + (2 + (255 - mean) / 256) * d[2])


def luma(rgb):
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]


@dataclass
class Background:
    """A plain colour, a gradient or a soft texture between two similar colours, with optional pixel noise."""
    first: tuple
    second: tuple
    style: str               # plain, gradient, texture
    noise: int = 0           # amplitude of the pixel noise

    def contrast(self, rgb):
        return min(distance(rgb, self.first), distance(rgb, self.second))


def background(r):
    """Mostly white or pale, sometimes dark, as people's drawings are."""
    kind = r.random()
    if kind < 0.45:
        base = (255, 255, 255)
    elif kind < 0.85:
        level = r.randint(205, 245)
        base = tuple(min(255, level + r.randint(-18, 18)) for _ in range(3))
    else:
        level = r.randint(15, 60)
        base = tuple(max(0, level + r.randint(-15, 15)) for _ in range(3))
    style = "plain" if kind < 0.3 else r.choice(("plain", "plain", "gradient", "texture"))
    other = base if style == "plain" else tuple(min(255, max(0, c + r.randint(-28, 28))) for c in base)
    return Background(base, other, style, r.choice((0, 0, 0, 0, 6, 14)))


def _random_bytes(r, *shape):
    return np.frombuffer(r.randbytes(math.prod(shape)), np.uint8).reshape(shape)


def _mix(r, style, width, height):
    """Share of the second colour per pixel, uint8 [h, w] as a picture."""
    if style == "gradient":
        small = Image.fromarray(np.array([[0, r.randint(60, 190)], [r.randint(60, 190), 255]], np.uint8))
    else:
        small = Image.fromarray(_random_bytes(r, r.randint(3, 9), r.randint(3, 9)))
    return small.resize((width, height), Image.Resampling.BILINEAR)


class Canvas:
    """One picture being drawn: shapes first, then `flatten`, then text, then `pixels`."""

    def __init__(self, r, width, height, ground):
        self.width, self.height, self.ground, self.random = width, height, ground, r
        big = (width * SCALE, height * SCALE)
        if ground.style == "plain":
            self.image = Image.new("RGB", big, ground.first)
        else:
            mix = _mix(r, ground.style, width, height)
            bands = [mix.point([p + (q - p) * k // 255 for k in range(256)]) for p, q in zip(ground.first, ground.second)]
            self.image = Image.merge("RGB", bands).resize(big, Image.Resampling.NEAREST)
        self.draw = ImageDraw.Draw(self.image)
        self.scale = SCALE

    def copy(self):
        """A second picture over the same background; only before `flatten`."""
        twin = object.__new__(Canvas)
        twin.__dict__.update(self.__dict__)
        twin.image = self.image.copy()
        twin.draw = ImageDraw.Draw(twin.image)
        return twin

    def shape(self, s, outline=None, hollow=0):
        """Draws a Shape; outline: colour of a thin edge, or None; hollow: width of its line where only that is drawn."""
        k, edge = self.scale, self.scale if outline else 0
        if s.kind in ("circle", "ring"):
            q = CIRCLE * s.radius
            box = [k * (s.x - q), k * (s.y - q), k * (s.x + q), k * (s.y + q)]
            if s.kind == "ring" or hollow:
                width = hollow or q * (1 - RING_HOLE)
                self.draw.ellipse(box, outline=s.rgb, width=max(2, round(k * width)))
            else:
                self.draw.ellipse(box, fill=s.rgb, outline=outline, width=edge)
            return
        c, n = math.cos(math.radians(s.angle)) * s.radius, math.sin(math.radians(s.angle)) * s.radius
        points = [(k * (s.x + c * u - n * v), k * (s.y + n * u + c * v)) for u, v in OUTLINES[s.kind]]
        if not hollow:
            self.draw.polygon(points, fill=s.rgb)
        if outline or hollow:
            self.draw.line(points + points[:2], fill=s.rgb if hollow else outline, width=k * hollow or edge, joint="curve")

    def rectangle(self, box, rgb):
        """box: left, top, right, bottom."""
        k = self.scale
        self.draw.rectangle([round(k * v) - e for v, e in zip(box, (0, 0, 1, 1))], fill=rgb)

    def flatten(self):
        """Down to the final size; from here on drawing happens at that size."""
        self.image = self.image.reduce(self.scale)
        self.draw = ImageDraw.Draw(self.image)
        self.scale = 1

    def text(self, x, y, words, font, rgb, anchor="mm"):
        """anchor: Pillow's two letters, l/m/r and t/m/s (baseline)/b."""
        self.draw.text((x, y), words, fill=rgb, font=font, anchor=anchor)

    def pixels(self):
        """uint8 [h, w, 3]."""
        if self.scale != 1:
            self.flatten()
        out = np.array(self.image)
        if self.ground.noise:
            grain = (_random_bytes(self.random, *out.shape).view(np.int8).astype(np.int16) * self.ground.noise) >> 7
            out = np.clip(out + grain, 0, 255).astype(np.uint8)
        return out


def jpeg(r, pixels):
    """The same picture with the traces of JPEG compression."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=r.randint(55, 92))
    return np.array(Image.open(buffer))


def _soft_noise(r, width, height):
    """Picture of noise at five scales around a base colour: light and shade, some tint, seldom gaudy."""
    base = np.array([r.randint(50, 200) for _ in range(3)], np.float32)
    colourful, strength, gain = r.uniform(0.1, 0.5) if r.random() < 0.8 else 1.0, r.uniform(0.4, 0.9), r.uniform(0.55, 0.85)
    cells, out = r.randint(2, 5), None
    for octave in range(5):
        n = cells << octave
        light, tint = _random_bytes(r, n, n, 1).astype(np.float32) - 127, _random_bytes(r, n, n, 3).astype(np.float32) - 127
        level = Image.fromarray(np.clip(base + strength * (light + colourful * tint), 0, 255).astype(np.uint8))
        out = Image.blend(out.resize((n, n), Image.Resampling.BICUBIC), level, 0.5 * gain ** octave) if out else level
    return out.resize((width, height), Image.Resampling.BICUBIC)


def photo_like(r, width, height):
    """Texture without any drawn object, as a blurred photograph looks, sometimes with areas of different texture."""
    out = _soft_noise(r, width, height)
    for _ in range(r.choice((0, 0, 1, 1, 2, 3))):
        mask = Image.new("L", (width, height))
        points = [(r.uniform(-0.2, 1.2) * width, r.uniform(-0.2, 1.2) * height) for _ in range(r.randint(4, 7))]
        ImageDraw.Draw(mask).polygon(points, fill=255)
        out.paste(_soft_noise(r, width, height), (0, 0), mask.filter(ImageFilter.BoxBlur(r.uniform(0.5, 5))))
    return np.array(out)


# ----------------------------------------------------------------------------- fonts

@functools.lru_cache(maxsize=1)
def _font_files():
    data = os.environ.get("NANO_DATA")
    return {path.name: path for path in (Path(data) / "fonts" if data else INSTALLED).rglob("*.[ot]tf")}


@functools.lru_cache(maxsize=2048)
def font(name, size):
    """A font file of FONTS at `size` pixels per em."""
    path = _font_files().get(name)
    if path is None:
        raise FileNotFoundError(f"font {name} is not in NANO_DATA/fonts (prepare.py) or, without NANO_DATA, below {INSTALLED}")
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@functools.lru_cache(maxsize=1 << 15)
def _advance(face, character):
    return face.getlength(character)


def text_width(face, words):
    """Width of `words` in pixels, without kerning. Keeps the width of each character: FreeType is slow to ask."""
    return sum(_advance(face, c) for c in words)


def collect_fonts(folder):
    """Copies the installed fonts to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in FONTS[Split.TRAIN] + FONTS[Split.TEST]:
        shutil.copy(next(INSTALLED.rglob(name)), folder / name)
