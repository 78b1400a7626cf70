# SPDX-License-Identifier: Apache-2.0
"""Picture families: coloured shapes (attributes, places, counts, relations, comparison, description), pictures that
cannot be read, and, from reading.py and charts.py, digits, words, labels and bar charts.

A picture gets the question of its family first and then others that its content allows; each question maker returns a
Question, or None where the picture gives no clear answer.
"""
from functools import partial

import drawing
from dialog import Dialog, Media, Split, Turn
from drawing import COLOURS, SHAPES
from tasks import charts, reading, scenes, wordings
from tasks.media import Question, fill, say, source, wording
from tasks.scenes import article, cell_of, distinct, layout, pair, place_phrase, reference, target

ABSENT = "There is no picture in our conversation yet."
DECLINED = "I can only read simple drawings, digits, words and bar charts."
SIZES = ("small", "medium", "large")


# ----------------------------------------------------------------------------- questions about a scene

def yes(true):
    return "Yes." if true else "No."


def ask_colour(r, split, scene, shape):
    if len(scene.shapes) == 1 and r.random() < 0.5:
        return Question(wording(r, split, wordings.COLOUR_OF_ONLY), say(shape.colour))
    if sum(s.kind == shape.kind for s in scene.shapes) == 1:
        return Question(wording(r, split, wordings.COLOUR_OF, it=shape.kind), say(shape.colour))


def ask_kind(r, split, scene, shape):
    if len(scene.shapes) == 1 and r.random() < 0.5:
        return Question(wording(r, split, wordings.KIND_OF_ONLY), say(article(shape.kind)))
    if sum(s.colour == shape.colour for s in scene.shapes) == 1:
        return Question(wording(r, split, wordings.KIND_OF, it=shape.colour), say(article(shape.kind)))


def ask_size(r, split, scene, shape):
    it = reference(r, scene, shape)
    return it and Question(wording(r, split, wordings.SIZE_OF, it=it), say(shape.size))


def ask_attribute(r, split, scene, shape):
    return r.choice((ask_colour, ask_colour, ask_kind, ask_kind, ask_size))(r, split, scene, shape)


def ask_where(r, split, scene, shape):
    it = reference(r, scene, shape)
    if it and scenes.in_one_cell(scene, shape):
        return Question(wording(r, split, wordings.WHERE, it=it), say(place_phrase(scene, shape)))


def ask_edge(r, split, scene, shape):
    gaps = {"left": shape.x, "right": scene.width - shape.x, "top": shape.y, "bottom": scene.height - shape.y}
    (first, near), (_, second) = sorted(gaps.items(), key=lambda item: item[1])[:2]
    it = reference(r, scene, shape)
    if it and second > 1.5 * near + 6:
        return Question(wording(r, split, wordings.EDGE, it=it), say(f"the {first} edge"))


def enumerate_shapes(shapes):
    """Counting from left to right, as a trace."""
    order = sorted(shapes, key=lambda s: s.x)
    return ", ".join(f"{i} {s.name}" for i, s in enumerate(order, 1)) + "." if order else "none."


def ask_count(r, split, scene, shape):
    choice = r.random()
    if choice < 0.4:
        return Question(wording(r, split, wordings.COUNT_ALL), say(str(len(scene.shapes))), enumerate_shapes(scene.shapes))
    colour = r.choice(tuple(COLOURS)) if r.random() < 0.08 else shape.colour
    if choice < 0.7:
        chosen, what = [s for s in scene.shapes if s.colour == colour], f"{colour} shapes"
    elif choice < 0.9:
        chosen, what = [s for s in scene.shapes if s.kind == shape.kind], plural(shape.kind)
    else:
        chosen, what = [s for s in scene.shapes if s.name == shape.name], plural(shape.name)
    frames = wordings.COUNT_SHAPES if what.endswith("shapes") else wordings.COUNT_SOME
    return Question(wording(r, split, frames, what=what), say(str(len(chosen))), enumerate_shapes(chosen))


def plural(name):
    return name + ("es" if name.endswith("ss") else "s")


def direction(a, b, ratio=1.7):
    """left, right, above or below: where a lies seen from b, or None if it is neither clearly."""
    dx, dy = a.x - b.x, a.y - b.y
    if abs(dx) > ratio * abs(dy):
        return "left" if dx < 0 else "right"
    if abs(dy) > ratio * abs(dx):
        return "above" if dy < 0 else "below"


def ask_relation(r, split, scene, shape):
    others = [s for s in scene.shapes if s is not shape]
    if not others:
        return None
    other = r.choice(others)
    a, b, where = reference(r, scene, shape), reference(r, scene, other), direction(shape, other)
    if not (a and b and where):
        return None
    if split is Split.TEST or r.random() < 0.6:
        return Question(wording(r, split, wordings.RELATIVE, a=a, b=b), say(where if where in ("above", "below") else f"to the {where}"))
    claim = where if r.random() < 0.5 else r.choice([w for w in ("left", "right", "above", "below") if w != where])
    phrase = {"left": "to the left of", "right": "to the right of"}.get(claim, claim)
    return Question(wording(r, split, wordings.IS_RELATED, a=a, b=b, where=phrase), yes(claim == where))


def ask_nearest(r, split, scene, shape):
    others = sorted((s for s in scene.shapes if s is not shape), key=lambda s: (s.x - shape.x) ** 2 + (s.y - shape.y) ** 2)
    it = reference(r, scene, shape)
    if len(others) < 2 or not it:
        return None
    near, second = ((s.x - shape.x) ** 2 + (s.y - shape.y) ** 2 for s in others[:2])
    if second > 1.8 * near:
        return Question(wording(r, split, wordings.NEAREST, it=it), say(f"the {others[0].name}"))


def ask_same(r, split, scene, shape):
    what = r.choice(("colour", "shape", "size"))
    values = {"colour": lambda s: s.colour, "shape": lambda s: s.kind, "size": lambda s: s.size}
    if len(scene.shapes) == 2:
        one, two = scene.shapes
        same = values[what](one) == values[what](two)
        return Question(wording(r, split, wordings.SAME_TWO, what=what), yes(same),
                        f"{values[what](one)} and {values[what](two)}.")
    others = [s for s in scene.shapes if s is not shape]
    if not others:
        return None
    other, what = r.choice(others), r.choice(("colour", "size"))
    a, b = reference(r, scene, shape), reference(r, scene, other)
    if not (a and b) or (what == "colour" and " " in a + b):                    # the names would give it away
        return None
    same = values[what](shape) == values[what](other)
    return Question(wording(r, split, wordings.SAME, a=a, b=b, what=what), yes(same),
                    f"{values[what](shape)} and {values[what](other)}.")


def ask_more(r, split, scene, shape):
    groups = sorted({s.colour for s in scene.shapes}), sorted({s.kind for s in scene.shapes})
    values = r.choice(groups)
    if len(values) < 2:
        return None
    a, b = r.sample(values, 2)
    one, two = ([s for s in scene.shapes if v in (s.colour, s.kind)] for v in (a, b))
    name = (lambda v: f"{v} shapes") if values is groups[0] else plural
    return Question(wording(r, split, wordings.MORE, a=name(a), b=name(b)), yes(len(one) > len(two)),
                    f"{len(one)} and {len(two)}.")


def ask_exists(r, split, scene, shape):
    name = shape.name
    if r.random() < 0.5:                                                        # a near miss: one of both words is there
        name = r.choice((f"{shape.colour} {r.choice(SHAPES)}", f"{r.choice(tuple(COLOURS))} {shape.kind}"))
    there = any(s.name == name for s in scene.shapes)
    return Question(wording(r, split, wordings.EXISTS, a=article(name)), yes(there))


def ask_missing(r, split, scene, shape):
    """A question about something that is not there is answered by saying so; seldom asked beside other questions."""
    if r.random() < 0.6:
        return None
    kind = r.choice([k for k in SHAPES if all(s.kind != k for s in scene.shapes)])
    name = kind if r.random() < 0.6 else f"{r.choice(tuple(COLOURS))} {kind}"
    frames = r.choice((wordings.WHERE, wordings.SIZE_OF) if name != kind else (wordings.COLOUR_OF, wordings.WHERE, wordings.SIZE_OF))
    return Question(wording(r, split, frames, it=name), f"There is no {name} in the picture.")


def ask_describe(r, split, scene, shape):
    if len({cell_of(scene, s) for s in scene.shapes}) == len(scene.shapes):
        return Question(wording(r, split, wordings.DESCRIBE), scenes.describe(scene))


def ask_background(r, split, scene, shape):
    if scene.ground.style == "plain" and min(scene.ground.first) > 250:
        return Question(wording(r, split, wordings.BACKGROUND), "White.")
    if scene.ground.style == "plain" and max(scene.ground.first) < 25:
        return Question(wording(r, split, wordings.BACKGROUND), "Black.")


FURTHER = (ask_colour, ask_kind, ask_size, ask_where, ask_edge, ask_count, ask_relation, ask_nearest, ask_same, ask_more,
           ask_exists, ask_missing, ask_describe, ask_background)


# ----------------------------------------------------------------------------- scenes per family

def few(r, split, low=1, high=4, sizes=SIZES):
    """Shapes of different colour and kind in different cells of the grid; the first is the target."""
    count = r.randint(low, high)

    def wanted(r):
        where = scenes.cells(r, count)
        return [(kind, colour, r.choice(sizes) if count < 5 else r.choice(SIZES[:2]), cell)
                for (colour, kind), cell in zip(distinct(r, split, count), where)]
    scene = layout(r, split, 56 if count == 1 else 84, 224, wanted)
    if count == 1 and r.random() < 0.3:
        scenes.enlarge(r, scene)
    return scene


def crowd(r, split, low=1, high=10):
    """Up to ten shapes of few colours and kinds at free spots."""
    count = r.randint(low, high) if r.random() < 0.75 else r.randint(low, 6)

    def wanted(r):
        colour, kind = target(r, split)
        colours = (colour, *r.sample(tuple(COLOURS), r.randint(0, 3)))
        kinds = (kind, *r.sample(SHAPES, r.randint(0, 3)))
        rest = [pair(r, split, colours, kinds) for _ in range(count - 1)]
        sizes = SIZES[:2] if count > 3 else SIZES
        return [(kind, colour, r.choice(sizes), None) for colour, kind in [(colour, kind), *rest]]
    return layout(r, split, 84 if count < 5 else 126, 224, wanted)


def two_alike(r, split):
    """Two shapes that agree in colour, shape or size about half of the time each."""
    def wanted(r):
        colour, kind = target(r, split)
        size = r.choice(SIZES)
        other, form = pair(r, split, (colour,) if r.random() < 0.5 else None, (kind,) if r.random() < 0.5 else None)
        return [(kind, colour, size, None), (form, other, size if r.random() < 0.5 else r.choice(SIZES), None)]
    return layout(r, split, 84, 224, wanted)


def nested(r, split):
    """A small shape inside a large one, with another shape beside them sometimes; returns the scene and the question."""
    while True:
        scene = few(r, split, 2, 3, ("small", "medium"))
        scene.hollow = 0
        inner, outer = scene.shapes[:2]
        outer.kind, outer.angle = r.choice(("circle", "square", "ring", "hexagon")), 0.0
        outer.radius, outer.size, inner.size = scene.side * r.uniform(0.3, 0.4), "large", "small"
        inner.radius = max(scenes.SMALLEST, outer.radius * r.uniform(0.25, 0.36))
        outer.x = r.uniform(outer.radius + 2, scene.width - outer.radius - 2)
        outer.y = r.uniform(outer.radius + 2, scene.height - outer.radius - 2)
        inner.x, inner.y = outer.x, outer.y
        clear = drawing.distance(inner.rgb, outer.rgb) > scenes.CONTRAST or outer.kind == "ring"
        apart = all((s.x - outer.x) ** 2 + (s.y - outer.y) ** 2 > (s.radius + outer.radius + 3) ** 2 for s in scene.shapes[2:])
        allowed = split is Split.TEST or (outer.colour, outer.kind) not in scenes.HELD_PAIRS
        if clear and apart and allowed and len({s.kind for s in scene.shapes}) == len(scene.shapes):
            scene.shapes[:2] = outer, inner                                     # the inner one is drawn later
            return scene


def further(r, split, scene, first):
    """The family's question and two to five others, no text twice."""
    questions, wanted = [first], r.randint(2, 5)
    for ask in r.sample(FURTHER, len(FURTHER)):
        question = ask(r, split, scene, r.choice(scene.shapes))
        if question and all(question.text != q.text for q in questions):
            questions.append(question)
        if len(questions) > wanted:
            break
    return questions


def scene_episode(make, ask, r, split):
    """A scene for which the family's question has a clear answer about the target (or, in training, any shape)."""
    while True:
        scene = make(r, split)
        first = ask(r, split, scene, scene.shapes[0] if split is Split.TEST else r.choice(scene.shapes))
        if first:
            questions = [first] if split is Split.TEST else further(r, split, scene, first)
            return [scenes.photograph(r, split, scenes.render(r, scene).pixels())], questions


def ask_inside(r, split, scene, shape):
    outer, inner = scene.shapes[:2]
    return Question(wording(r, split, wordings.INSIDE, it=outer.name if r.random() < 0.5 else outer.kind), say(article(inner.name)))


def nested_episode(r, split):
    scene = nested(r, split)
    outer, inner = scene.shapes[:2]
    questions = [ask_inside(r, split, scene, outer), ask_colour(r, split, scene, outer), ask_kind(r, split, scene, inner),
                 ask_colour(r, split, scene, inner), ask_missing(r, split, scene, outer)]
    questions = [q for q in questions if q]
    return [scenes.photograph(r, split, scenes.render(r, scene).pixels())], questions[:1] + r.sample(questions[1:], 2)


def declined_episode(r, split):
    """Photographs and pages of small print are out of reach: say so, whatever was asked."""
    width, height = scenes.picture_size(r, 84, 224, 1.25)
    if r.random() < 0.7:
        pixels = drawing.photo_like(r, width, height)
    else:
        pixels = reading.small_print(r, split, max(width, 140), max(112, height // 28 * 28) if width < 140 else height)
    frames = [wordings.DESCRIBE, wordings.COUNT_ALL, wordings.KIND_OF_ONLY, wordings.COLOUR_OF_ONLY, wordings.READ]
    chosen = [wordings.DESCRIBE] + r.sample(frames[1:], r.randint(1, 3))
    pixels = drawing.jpeg(r, pixels) if split is Split.TRAIN and r.random() < 0.3 else pixels
    return [Media("image", pixels[None])], [Question(wording(r, split, f), DECLINED) for f in chosen]


EPISODES = {
    "img-attribute": partial(scene_episode, few, ask_attribute),
    "img-where": partial(scene_episode, few, ask_where),
    "img-edge": partial(scene_episode, few, ask_edge),
    "img-count": partial(scene_episode, crowd, ask_count),
    "img-relation": partial(scene_episode, partial(few, low=2), ask_relation),
    "img-inside": nested_episode,
    "img-nearest": partial(scene_episode, partial(few, low=3, high=5), ask_nearest),
    "img-same": partial(scene_episode, two_alike, ask_same),
    "img-more": partial(scene_episode, partial(crowd, low=3), ask_more),
    "img-describe": partial(scene_episode, partial(few, high=6), ask_describe),
    "img-missing": partial(scene_episode, few, ask_missing),
    "img-declined": declined_episode,
    **reading.EPISODES,
    **charts.EPISODES,
}

def absent(rng, split, budget):
    """Questions about a picture before there is one; in training one follows."""
    r = source(rng)
    lead = [Turn([wording(r, split, wordings.DESCRIBE_PICTURE)], ABSENT)]
    if split is Split.TEST:
        return Dialog(lead, family="img-absent")
    dialog = FAMILIES["img-attribute"](rng, split, budget)
    return Dialog(lead + dialog.turns, dialog.thinking, family="img-absent")


FAMILIES = {name: (lambda rng, split, budget, name=name: fill(rng, split, budget, name, EPISODES[name])) for name in EPISODES}
FAMILIES["img-absent"] = absent
