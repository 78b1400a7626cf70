# SPDX-License-Identifier: Apache-2.0
"""Scenes of coloured shapes: how they are laid out and drawn, and how one shape in them is named or located."""
from dataclasses import dataclass, field

import drawing
from drawing import COLOURS, SHAPES, Shape
from dialog import Media, Split

PATCHES = 256                # largest picture: padded height x width in patches of 14 pixels
RADIUS = {"small": (0.065, 0.085), "medium": (0.125, 0.155), "large": (0.215, 0.25)}   # shares of the shorter side
SMALLEST = 8.0               # radius in pixels at which a shape is still told from the others
CONTRAST = 120               # of a shape to its background, drawing.distance
LONGEST = 2.2                # ratio of the sides of a picture
ROWS, COLUMNS = ("top", "", "bottom"), ("left", "", "right")

# Colour and shape pairs of the test: every colour and every shape occurs, none of the pairs in training.
HELD_PAIRS = frozenset((colour, SHAPES[(3 * i + 4) % len(SHAPES)]) for i, colour in enumerate(COLOURS))


@dataclass
class Scene:
    width: int
    height: int
    ground: drawing.Background
    shapes: list = field(default_factory=list)
    outline: tuple = None    # colour of all edges
    hollow: int = 0          # width of the lines where shapes are not filled

    @property
    def side(self):
        return min(self.width, self.height)


def picture_size(r, low, high, wide=1.0):
    """Width and height in pixels: half of them multiples of 28, half odd; wide > 1 allows longer than high pictures."""
    while True:
        height = r.randint(low, high)
        width = height if r.random() < 0.4 else r.randint(low, round(high * wide))
        if r.random() < 0.5:
            width, height = (max(28, round(v / 28) * 28) for v in (width, height))
        fits = -(-width // 28) * -(-height // 28) * 4 <= PATCHES
        if fits and max(width, height) <= LONGEST * min(width, height):
            return width, height


def blank(r, split, low, high):
    width, height = picture_size(r, low, high, 1.25)
    ground = drawing.background(r)
    if split is Split.TEST:                                                    # files of the suites stay small
        ground.noise = 0
    dark = sum(ground.first) < 240
    outline = ((235, 235, 235) if dark else (20, 20, 20)) if r.random() < 0.2 else None
    return Scene(width, height, ground, [], outline)


def place(r, scene, kind, colour, size, cell=None, gap=4):
    """Adds a shape at a free spot (of a cell (column, row) of the 3x3 grid, if given); False if there is none."""
    for _ in range(12):
        rgb = drawing.shade(r, colour)
        if scene.ground.contrast(rgb) >= CONTRAST and not (scene.outline and drawing.distance(rgb, scene.outline) < 150):
            break
    else:
        return False
    radius = max(SMALLEST, scene.side * r.uniform(*RADIUS[size]))
    for _ in range(20):
        if cell is None:
            x, y = (r.uniform(radius + 2, v - radius - 2) for v in (scene.width, scene.height))
        else:                                                                  # near the middle of the cell, but inside the picture
            x, y = ((c + 0.5 + r.uniform(-0.2, 0.2)) * v / 3 for c, v in zip(cell, (scene.width, scene.height)))
            x, y = (min(max(p, radius + 1), v - radius - 1) for p, v in zip((x, y), (scene.width, scene.height)))
        if all((x - s.x) ** 2 + (y - s.y) ** 2 > (radius + s.radius + gap) ** 2 for s in scene.shapes):
            turn = drawing.TURN[kind]
            scene.shapes.append(Shape(kind, colour, x, y, radius, size, r.uniform(-turn, turn), rgb))
            return True
    return False


def pair(r, split, colours=None, kinds=None):
    """A colour and a shape of the split's allowed pairs."""
    while True:
        chosen = r.choice(colours or tuple(COLOURS)), r.choice(kinds or SHAPES)
        if split is Split.TEST or chosen not in HELD_PAIRS:
            return chosen


def target(r, split):
    """Pair for the shape that the question is about: for the test one never seen in training."""
    return r.choice(sorted(HELD_PAIRS)) if split is Split.TEST else pair(r, split)


def distinct(r, split, count):
    """`count` pairs with pairwise different colours and shapes; the first is a target."""
    pairs = [target(r, split)]
    while len(pairs) < count:
        colour, kind = pair(r, split)
        if all(colour != c and kind != k for c, k in pairs):
            pairs.append((colour, kind))
    return pairs


def layout(r, split, low, high, wanted):
    """Draws layouts until one holds all shapes. wanted(r) -> list of (kind, colour, size, cell or None)."""
    while True:
        scene = blank(r, split, low, high)
        if all(place(r, scene, *item) for item in wanted(r)):
            if split is Split.TRAIN and r.random() < 0.12 and lines_suffice(scene):
                scene.hollow = 2 if scene.side < 120 else r.randint(2, 3)
            return scene


def lines_suffice(scene):
    """Whether the shapes can still be told from each other, and seen, when only their outlines are drawn."""
    ground = drawing.luma(scene.ground.first)
    return all(s.kind != "ring" and s.radius >= 12 and abs(drawing.luma(s.rgb) - ground) > 60 for s in scene.shapes)


def enlarge(r, scene):
    """The only shape grows to fill much of the picture, about its middle."""
    shape = scene.shapes[0]
    shape.size, shape.radius = "large", scene.side * r.uniform(0.25, 0.42)
    shape.x, shape.y = (v / 2 + min(0.1 * v, v / 2 - shape.radius - 1) * r.uniform(-1, 1) for v in (scene.width, scene.height))


def cells(r, count):
    """Different cells of the 3x3 grid."""
    return r.sample([(column, row) for row in range(3) for column in range(3)], count)


def render(r, scene):
    canvas = drawing.Canvas(r, scene.width, scene.height, scene.ground)
    for shape in scene.shapes:
        canvas.shape(shape, scene.outline, scene.hollow)
    return canvas


def photograph(r, split, pixels):
    """Finished pixels -> Media; a few training pictures went through JPEG."""
    if split is Split.TRAIN and r.random() < 0.06:
        pixels = drawing.jpeg(r, pixels)
    return Media("image", pixels[None])


# ----------------------------------------------------------------------------- words for shapes and places

def cell_of(scene, shape):
    return min(2, int(3 * shape.x / scene.width)), min(2, int(3 * shape.y / scene.height))


def in_one_cell(scene, shape):
    """Whether the centre keeps away from the borders of the 3x3 grid, so that its place has one clear name."""
    borders = [abs(p / v - b) for p, v in ((shape.x, scene.width), (shape.y, scene.height)) for b in (1 / 3, 2 / 3)]
    return min(borders) > 0.05


def place_words(scene, shape):
    column, row = cell_of(scene, shape)
    return " ".join(w for w in (ROWS[row], COLUMNS[column]) if w) or "center"


def place_phrase(scene, shape):
    """`at the top left`, `on the right`, `in the center`."""
    words = place_words(scene, shape)
    return {"left": "on the left", "right": "on the right", "center": "in the center"}.get(words, f"at the {words}")


def article(words):
    return ("an " if words[0] in "aeiou" else "a ") + words


def sized(shape):
    return shape.name if shape.size == "medium" else f"{shape.size} {shape.name}"


def reference(r, scene, shape):
    """A phrase without article that fits this shape alone (`circle`, `red circle`), or None."""
    same_kind = [s for s in scene.shapes if s.kind == shape.kind]
    if len(same_kind) == 1 and r.random() < 0.5:
        return shape.kind
    if sum(s.name == shape.name for s in scene.shapes) == 1:
        return shape.name
    return None


def describe(scene, marks=None):
    """All shapes in reading order of the 3x3 grid; shapes lie in different cells. marks: what is written in each."""
    notes = [f" with {mark}" for mark in marks] if marks else [""] * len(scene.shapes)
    order = sorted(zip(scene.shapes, notes), key=lambda item: cell_of(scene, item[0])[::-1])
    text = ", ".join(f"{article(sized(s))}{note} {place_phrase(scene, s)}" for s, note in order)
    return text[0].upper() + text[1:] + "."
