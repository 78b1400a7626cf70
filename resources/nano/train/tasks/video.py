# SPDX-License-Identifier: Apache-2.0
"""Clip families: direction of motion, who appears or leaves first, flashes, colour sequences, the faster of two, and
two shapes that bounce off or pass each other.

A clip is a list of chunks of up to 4 frames with the time of their first frame. A film is what is drawn: per frame the
list of visible shapes. Events last so long that sampling at 8 frames a second shows them.
"""
import copy
import math
from dataclasses import dataclass
from functools import partial

import numpy as np

import drawing
from dialog import Media, Split
from drawing import COLOURS
from tasks import scenes, wordings
from tasks.media import Question, fill, say, wording
from tasks.scenes import article, distinct, place

CHUNK = 4                    # frames that the tower sees together (init_pos_emb_time)
RATE = 8.0                   # highest sampled frames a second
JUMPING = 0.25               # up to here in 0..1 a shape rests or jumps about instead of moving
SIDES = (84, 112)            # pixels of a frame: 4 frames of 112 are 256 patches

STRAIGHT = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
SLANTED = {f"{v} and {h}": (x, y) for v, y in (("up", -1), ("down", 1)) for h, x in (("left", -1), ("right", 1))}


@dataclass
class Film:
    scene: scenes.Scene      # background and size; its shapes are the actors
    frames: list             # per frame the list of shapes to draw
    questions: list          # the family's own first
    summary: str


def stage(r, split, count, frames, sizes=("medium", "large")):
    """A background with `count` actors, all different, and the number of frames; actors get their places later."""
    side = r.choice(SIDES)
    while True:
        scene = scenes.Scene(side, side if r.random() < 0.6 else r.choice(SIDES), drawing.background(r))
        if scene.ground.style == "texture" or split is Split.TEST:              # files of the suites stay small
            scene.ground.style = "plain"
        scene.ground.noise = 0
        if all(place(r, scene, kind, colour, r.choice(sizes)) for colour, kind in distinct(r, split, count)):
            return scene, r.randint(*frames)


def the(shape):
    return say(f"the {shape.name}")


def moved(shape, x, y):
    twin = copy.copy(shape)
    twin.x, twin.y = x, y
    return twin


def span(length, radius):
    """First and last position of a centre along an axis of `length` pixels."""
    return radius + 1, length - radius - 1


def path(r, scene, shape, way, share):
    """Start and displacement for a straight motion over about `share` of the free way, all inside the picture."""
    start, total = [], []
    for length, sign in zip((scene.width, scene.height), way):
        low, high = span(length, shape.radius)
        reach = (high - low) * share * abs(sign)
        first = r.uniform(low, high - reach)
        start.append(first if sign >= 0 else first + reach)
        total.append(sign * reach)
    return start, total


def along(shape, start, total, k, count):
    f = k / (count - 1)
    return moved(shape, start[0] + total[0] * f, start[1] + total[1] * f)


def direction_film(r, split, ways=None):
    """One shape moves, in training sometimes beside another that rests.  Some training shapes rest, and some jump between
    the places of a motion in another order: single frames do not tell the direction."""
    extra = split is Split.TRAIN and r.random() < 0.35
    scene, count = stage(r, split, 1 + extra, (4, 16), ("small", "medium"))
    actor, *rest = scene.shapes
    ways = ways or (STRAIGHT if split is Split.TEST or r.random() < 0.65 else SLANTED)
    heading, kind = r.choice(tuple(ways)), r.random() if split is Split.TRAIN else 1.0
    answer, motion, way = say(heading), f"moves {heading}", ways[heading]
    if kind < 0.08:
        answer, motion, way = "It does not move.", "does not move", (0, 0)
    elif kind < JUMPING:
        answer, motion = "It jumps about.", "jumps about"
    while True:
        start, total = path(r, scene, actor, way, r.uniform(0.45, 1.0))
        tracks = [along(actor, start, total, k, count) for k in range(count)]
        if all(math.hypot(t.x - s.x, t.y - s.y) > t.radius + s.radius for t in tracks for s in rest):
            break
        place_again(r, scene, rest)
    if motion == "jumps about":
        tracks = disordered(r, tracks)
    frames = [rest + [t] for t in tracks]
    named = actor.kind if r.random() < 0.5 else actor.name
    summary = f"{article(actor.name)} {motion}" + "".join(f", {article(s.name)} does not move" for s in rest)
    own = Question(wording(r, split, wordings.WAY, it=named), answer)
    more = [Question(wording(r, split, wordings.WAY, it=s.name), "It does not move.") for s in rest]
    more += [Question(wording(r, split, wordings.PLACE, it=named, end=end), say(scenes.place_phrase(scene, t)))
             for end, t in (("start", tracks[0]), ("end", tracks[-1])) if scenes.in_one_cell(scene, t)]
    return Film(scene, frames, [own] + more, summary)


def disordered(r, items):
    """The items in an order that is neither theirs nor the reverse."""
    while True:
        order = r.sample(range(len(items)), len(items))
        if order not in (sorted(order), sorted(order, reverse=True)):
            return [items[k] for k in order]


def place_again(r, scene, shapes):
    for s in shapes:
        s.x, s.y = (r.uniform(*span(v, s.radius)) for v in (scene.width, scene.height))


def first_film(r, split, leaves=None):
    """Two shapes appear, or leave, at different times."""
    scene, count = stage(r, split, 2, (6, 16))
    leaves = r.random() < 0.35 if leaves is None else leaves
    early = r.randint(0 if not leaves else 1, count - 4)
    late = r.randint(early + 2, count - 1)
    one, two = scene.shapes if r.random() < 0.5 else scene.shapes[::-1]
    if leaves:
        frames = [([one] if k < early else []) + ([two] if k < late else []) for k in range(count)]
        questions = [Question(wording(r, split, wordings.LEAVES), the(one))]
        summary = f"{article(one.name)} disappears, then {article(two.name)} disappears"
    else:
        frames = [([one] if k >= early else []) + ([two] if k >= late else []) for k in range(count)]
        questions = [Question(wording(r, split, wordings.FIRST), the(one)), Question(wording(r, split, wordings.LAST), the(two))]
        summary = f"{article(one.name)} appears, then {article(two.name)} appears"
    return Film(scene, frames, questions, summary)


def blink_film(r, split):
    """One shape is seen 1 to 6 times, each time for one to three frames; dark before, between and after."""
    scene, _ = stage(r, split, 1, (1, 1))
    actor = scene.shapes[0]
    times = r.randint(1, 6)
    while True:
        on = [r.choice((1, 1, 1, 2, 3)) for _ in range(times)]
        off = [r.choice((1, 1, 2, 3)) for _ in range(times + 1)]
        if sum(on) + sum(off) <= 16:
            break
    seen = [False] * off[0]
    for a, b in zip(on, off[1:]):
        seen += [True] * a + [False] * b
    frames = [[actor] if s else [] for s in seen]
    trace = ", ".join(str(i) for i in range(1, times + 1)) + "."
    question = Question(wording(r, split, wordings.FLASHES, it=actor.kind if r.random() < 0.5 else actor.name), say(str(times)), trace)
    return Film(scene, frames, [question], f"{article(actor.name)} flashes {times} time{'s' if times > 1 else ''}")


def colours_film(r, split):
    """One shape changes its colour two to four times; every colour stays for two frames or more."""
    scene, _ = stage(r, split, 1, (1, 1))
    actor, wanted = scene.shapes[0], r.randint(2, 4)
    while True:
        sequence = [actor.colour] + r.sample([c for c in COLOURS if c != actor.colour], wanted - 1)
        allowed = split is Split.TEST or all((c, actor.kind) not in scenes.HELD_PAIRS for c in sequence)
        shades = [actor.rgb] + [drawing.shade(r, c) for c in sequence[1:]]
        if allowed and all(scene.ground.contrast(rgb) >= scenes.CONTRAST for rgb in shades):
            break
    frames = []
    for colour, rgb in zip(sequence, shades):
        twin = copy.copy(actor)
        twin.colour, twin.rgb = colour, rgb
        frames += [[twin]] * r.randint(2, 4)
    text = ", ".join(sequence)
    questions = [Question(wording(r, split, wordings.SEQUENCE, it=actor.kind), say(text))]
    for end, colour in (("start", sequence[0]), ("end", sequence[-1])):
        questions.append(Question(wording(r, split, wordings.END_COLOUR, it=actor.kind, end=end), say(colour), text + "."))
    return Film(scene, frames, questions, f"{article(actor.kind)} changes its colour: {text}")


def faster_film(r, split):
    """Two shapes on lanes of their own; one goes at least 1.7 times as far in the same time."""
    scene, count = stage(r, split, 2, (6, 14), ("small", "medium"))
    quick, slow = scene.shapes if r.random() < 0.5 else scene.shapes[::-1]
    upright, ratio = r.random() < 0.5, r.uniform(1.7, 3.0)
    free = {s.name: (scene.height if upright else scene.width) - 2 * s.radius - 2 for s in (quick, slow)}
    far = r.uniform(0.65, 1.0) * min(free.values())                            # pixels that the quick one goes
    tracks = []
    for shape, lane in zip(r.sample((quick, slow), 2), (0.27, 0.73)):
        share = (far if shape is quick else far / ratio) / free[shape.name]
        sign = r.choice((-1, 1))
        start, total = path(r, scene, shape, (0, sign) if upright else (sign, 0), share)
        across = lane * (scene.width if upright else scene.height)
        start = [across, start[1]] if upright else [start[0], across]
        tracks.append([along(shape, start, total, k, count) for k in range(count)])
    frames = [list(pair) for pair in zip(*tracks)]
    questions = [Question(wording(r, split, wordings.FASTER), the(quick)), Question(wording(r, split, wordings.SLOWER), the(slow))]
    return Film(scene, frames, questions, f"the {quick.name} moves faster than the {slow.name}")


def meet_film(r, split):
    """Two shapes come towards each other and either turn round where they touch or go on."""
    scene, _ = stage(r, split, 2, (1, 1), ("small", "medium"))
    count = r.randint(8, 14)
    one, two = scene.shapes
    bounce, upright = r.random() < 0.5, r.random() < 0.5
    length, across = (scene.height, scene.width) if upright else (scene.width, scene.height)
    (a, _), (_, b) = span(length, one.radius), span(length, two.radius)
    middle, touch = (a + b) / 2, (one.radius + two.radius) * 0.5
    lane = across * r.uniform(0.4, 0.6)
    frames = []
    for k in range(count):
        f = k / (count - 1)
        if bounce:
            g = 2 * min(f, 1 - f)
            at = a + (middle - touch - a) * g, b + (middle + touch - b) * g
        else:
            at = a + (b - a) * f, b + (a - b) * f
        frames.append([moved(s, lane, p) if upright else moved(s, p, lane) for s, p in zip((one, two), at)])
    answer = "They bounce." if bounce else "They pass."
    summary = f"{article(one.name)} and {article(two.name)} " + ("bounce off each other" if bounce else "pass each other")
    return Film(scene, frames, [Question(wording(r, split, wordings.MEET), answer)], summary)


# ----------------------------------------------------------------------------- films to chunks

def further(r, split, film):
    """Other questions that every clip answers."""
    actor = r.choice(film.scene.shapes)
    steady = all(s.colour == actor.colour for shapes in film.frames for s in shapes if s.kind == actor.kind)
    more = film.questions[1:] + [Question(wording(r, split, wordings.DESCRIBE_CLIP), say(film.summary)),
                                 Question(wording(r, split, wordings.HOW_MANY), say(str(len(film.scene.shapes))))]
    if steady:
        more += [Question(wording(r, split, wordings.COLOUR_OF, it=actor.kind), say(actor.colour)),
                 Question(wording(r, split, wordings.KIND_OF, it=actor.colour), say(article(actor.kind)))]
    return r.sample(more, r.randint(1, min(3, len(more))))


def shoot(r, film):
    """uint8 [frames, h, w, 3]. Equal neighbours are drawn once."""
    base, out, last = drawing.Canvas(r, film.scene.width, film.scene.height, film.scene.ground), [], None
    for shapes in film.frames:
        if last is None or shapes != last:
            canvas = base.copy()
            for shape in shapes:
                canvas.shape(shape)
            pixels = canvas.pixels()
        out.append(pixels)
        last = shapes
    return np.stack(out)


def stamp(seconds):
    """HH:MM:SS.mmm, milliseconds truncated."""
    whole = int(seconds)
    return f"{whole // 3600 % 24:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}.{int((seconds - whole) * 1000):03d}"


def chunks(frames, rate=RATE):
    """Frames sampled at `rate` a second -> Media chunks in order."""
    return [Media("video", frames[k:k + CHUNK], stamp(k / rate)) for k in range(0, len(frames), CHUNK)]


def clip_episode(make, r, split):
    film = make(r, split)
    questions = film.questions[:1] + (further(r, split, film) if split is Split.TRAIN else [])
    rate = r.choice((4.0, 5.0, 6.0)) if split is Split.TRAIN and r.random() < 0.1 else RATE
    return chunks(shoot(r, film), rate), questions


EPISODES = {
    "video-direction": partial(clip_episode, direction_film),
    "video-first": partial(clip_episode, first_film),
    "video-blinks": partial(clip_episode, blink_film),
    "video-colours": partial(clip_episode, colours_film),
    "video-faster": partial(clip_episode, faster_film),
    "video-meet": partial(clip_episode, meet_film),
}

FAMILIES = {name: (lambda rng, split, budget, name=name: fill(rng, split, budget, name, EPISODES[name])) for name in EPISODES}
