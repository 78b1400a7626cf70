# SPDX-License-Identifier: Apache-2.0
"""Picture families with text: numbers of 1 to 5 digits, words of 3 to 7 letters, several lines, and labelled shapes."""
from functools import partial

import numpy as np

import drawing
from dialog import Split
from drawing import COLOURS, FONTS
from tasks import scenes, wordings
from tasks.media import Question, held_out, invented_word, rare_words, say, words, wording

CLEAR_LETTERS = "ABCDEFGHKLMNPRSTUVXYZ"                                         # without I, J, O, Q, W: too alike or too wide
SMALLEST_TEXT, LARGEST_TEXT = 13, 64                                           # pixels per em


def number(r, split):
    """A number of 1 to 5 digits; those of three and more are split between training and test."""
    digits = r.randint(1, 5)
    while True:
        text = "".join(r.choice("0123456789") for _ in range(digits))
        if (digits == 1 or text[0] != "0") and (digits < 3 or held_out(text) == (split is Split.TEST)):
            return text


def word(r, split):
    """A real word, or in training often a made-up one or a code, so that letters are read rather than guessed."""
    kind = r.random() if split is Split.TRAIN else 0.0
    if kind < 0.35:
        text = r.choice(words(split))
    elif kind < 0.6:
        text = r.choice(rare_words())
    elif kind < 0.9:
        text = invented_word(r)
    else:
        return "".join(r.choice(CLEAR_LETTERS + "23456789") for _ in range(r.randint(3, 5)))
    return r.choice((text, text, text.capitalize(), text.upper()))


def ink(r, scene):
    """Name and value of a text colour that stands out from the background; mostly black or white."""
    while True:
        dark = sum(scene.ground.first) < 240
        name = r.choice(tuple(COLOURS)) if r.random() < 0.4 else "white" if dark else "black"
        rgb = drawing.shade(r, name)
        apart = min(abs(drawing.luma(rgb) - drawing.luma(v)) for v in (scene.ground.first, scene.ground.second))
        if scene.ground.contrast(rgb) >= 190 and apart >= 60:
            return name, rgb


def fitting(r, split, lines, width, height):
    """A random font of the split and size at which all lines fit into the box; None if only tiny text would."""
    name = r.choice(FONTS[split])
    probe = drawing.font(name, 32)                                             # sizes are in proportion
    room = min(32 * width / max(drawing.text_width(probe, line) for line in lines), 32 * height / (len(lines) * 40))
    largest = int(min(room, LARGEST_TEXT))
    return drawing.font(name, r.randint(max(SMALLEST_TEXT, largest // 2), largest)) if largest >= SMALLEST_TEXT else None


def page(r, split, lines):
    """A picture of one to four lines at random places; returns (Media, colour name of the text)."""
    while True:
        scene = scenes.blank(r, split, 42, 200)
        if len(lines) > 1:
            scene.width, scene.height = r.randint(112, 252), r.randint(28, 38) * len(lines)
        elif r.random() < 0.6:                                                  # text is usually wider than high
            scene.width, scene.height = r.randint(84, 252), r.randint(34, 84)
        face = fitting(r, split, lines, scene.width - 12, scene.height - 10)
        if face is None:
            continue
        name, rgb = ink(r, scene)
        canvas = scenes.render(r, scene)
        canvas.flatten()
        band = scene.height / len(lines)
        for i, line in enumerate(lines):
            half = drawing.text_width(face, line) / 2 + 4
            free = max(0.0, band / 2 - face.size * 0.62)
            canvas.text(r.uniform(half, scene.width - half) if r.random() < 0.5 else scene.width / 2,
                        (i + 0.5) * band + r.uniform(-free, free), line, face, rgb)
        return scenes.photograph(r, split, canvas.pixels()), name


def several_lines(r, split):
    """Two to four lines of one or two words or numbers: many characters per picture."""
    item = lambda: r.choice((word, word, number))(r, split)
    while True:
        lines = [item() if r.random() < 0.6 else f"{item()} {item()}" for _ in range(r.randint(2, 4))]
        if len(set(lines)) == len(lines):
            return lines


def seen(lines, colour):
    """The description of a picture of text."""
    return f"Text in {colour}: " + ", ".join(f'"{line}"' for line in lines) + "."


def read_episode(make, frames, r, split):
    """One word or number, or in training often several lines with questions about the first and the last."""
    if split is Split.TRAIN and r.random() < 0.45:
        lines = several_lines(r, split)
        media, colour = page(r, split, lines)
        questions = [Question(wording(r, split, wordings.LINE, place=place), line)
                     for place, line in (("top", lines[0]), ("bottom", lines[-1]))]
        questions.append(Question(wording(r, split, wordings.DESCRIBE), seen(lines, colour)))
        return [media], [Question(wording(r, split, wordings.READ), "\n".join(lines))] + r.sample(questions, 1)
    text = make(r, split)
    media, colour = page(r, split, [text])
    questions = [Question(wording(r, split, frames), text)]
    if split is Split.TRAIN:
        more = [Question(wording(r, split, wordings.READ), text), Question(wording(r, split, wordings.INK), say(colour)),
                Question(wording(r, split, wordings.DESCRIBE), seen([text], colour))]
        if text.isdigit():
            more.append(Question(wording(r, split, wordings.LENGTH), say(str(len(text)))))
        questions += r.sample(more, 1)
    return [media], questions


def label_episode(r, split):
    """Shapes with a letter or a digit in them: which shape has it, what is in the shape."""
    digits = r.random() < 0.5
    what, alphabet = ("number", "123456789") if digits else ("letter", CLEAR_LETTERS)

    def wanted(r):
        count = r.randint(2, 4)
        pairs = [p for p in scenes.distinct(r, split, count)]
        kinds = r.sample(("circle", "square", "rectangle", "hexagon", "diamond", "heart"), count)
        return [(kind, colour, r.choice(("medium", "large")) if count < 3 else "medium", cell)
                for kind, (colour, _), cell in zip(kinds, pairs, scenes.cells(r, count))
                if split is Split.TEST or (colour, kind) not in scenes.HELD_PAIRS]
    scene = scenes.layout(r, split, 112, 224, wanted)
    scene.hollow = 0
    if len(scene.shapes) < 2:
        return label_episode(r, split)
    labels = r.sample(alphabet, len(scene.shapes))
    canvas = scenes.render(r, scene)
    canvas.flatten()
    name = r.choice(FONTS[split])
    for shape, label in zip(scene.shapes, labels):
        size = round(max(SMALLEST_TEXT, shape.radius * (0.75 if shape.kind in ("rectangle", "diamond") else 1.0)))
        light = drawing.luma(shape.rgb) > 130
        canvas.text(shape.x, shape.y, label, drawing.font(name, size), (0, 0, 0) if light else (255, 255, 255))
    questions = []
    for shape, label in r.sample(list(zip(scene.shapes, labels)), min(3, len(labels))):
        it = scenes.reference(r, scene, shape)
        questions.append(r.choice((Question(wording(r, split, wordings.LABELLED, what=what, label=label), say(f"the {shape.name}")),
                                   Question(wording(r, split, wordings.LABEL_OF, what=what, it=it), label))))
    if split is Split.TRAIN and r.random() < 0.5:
        questions.append(Question(wording(r, split, wordings.DESCRIBE), scenes.describe(scene, [f"the {what} {label}" for label in labels])))
    return [scenes.photograph(r, split, canvas.pixels())], questions


def small_print(r, split, width, height):
    """Pixels of a page of print that is too small to be read: a few lines in random order and place."""
    paper, grey, size = 250, r.randint(0, 70), r.randint(5, 7)
    plain = drawing.Background((paper,) * 3, (paper,) * 3, "plain")
    strips = []
    for _ in range(3):
        canvas = drawing.Canvas(r, 2 * width, size + r.randint(2, 3), plain)
        canvas.flatten()
        line = " ".join(r.choices(words(split), k=width // (size * 2)))
        canvas.text(0, canvas.height / 2, line, drawing.font(r.choice(FONTS[split]), size), (grey,) * 3, "lm")
        strips.append(canvas.pixels())
    sheet = np.full((height, width, 3), paper, np.uint8)
    y, margin = size, r.randint(3, 9)
    while y + size + 3 < height:
        strip, start, length = r.choice(strips), r.randint(0, width // 2), width - margin - r.choice((margin, margin, width // 3))
        sheet[y:y + len(strip), margin:length] = strip[:, start:start + length - margin]
        y += len(strip)
    return sheet


EPISODES = {
    "ocr-digits": partial(read_episode, number, wordings.NUMBER),
    "ocr-words": partial(read_episode, word, wordings.WORD),
    "img-label": label_episode,
}
