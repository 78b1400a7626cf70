# SPDX-License-Identifier: Apache-2.0
"""Pictures and clips: what the gold answers say is what the pixels show, and nothing of the test leaks into training."""
import math
import os
import random
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "resources", "nano", "train"))

import drawing
from dialog import Media, Split
from drawing import COLOURS, SHAPES
from tasks import charts, images, mix, reading, scenes, video, wordings
from tasks.media import invented_word, media_tokens, words

ALL = {**images.FAMILIES, **video.FAMILIES}


def setUpModule():
    try:
        for name in drawing.FONTS[Split.TRAIN] + drawing.FONTS[Split.TEST]:
            drawing.font(name, 12)
    except FileNotFoundError as missing:
        raise unittest.SkipTest(str(missing))


def nearest_colour(rgb):
    return min(COLOURS, key=lambda name: min(drawing.distance(rgb, v) for v in COLOURS[name]))


def components(mask):
    """Number of 8-connected regions."""
    left, count = set(zip(*np.nonzero(mask))), 0
    while left:
        count, stack = count + 1, [left.pop()]
        while stack:
            y, x = stack.pop()
            near = {(y + i, x + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & left
            left -= near
            stack += near
    return count


def on_plain_ground(make, r):
    """A scene on a plain background without outlines, and its pixels."""
    while True:
        scene = make(r, Split.TRAIN)
        if scene.ground.style == "plain" and not scene.ground.noise and not scene.outline and not scene.hollow:
            return scene, scenes.render(r, scene).pixels()


def visible(film, pixels):
    """bool [frames, h, w]: where a frame differs from the empty stage."""
    empty = drawing.Canvas(random.Random(0), film.scene.width, film.scene.height, film.scene.ground).pixels()
    return np.abs(pixels.astype(int) - empty).sum(-1) > 60


def films(make, count, split=Split.TRAIN, **more):
    """(film, pixels) pairs on plain backgrounds."""
    seed, out = 0, []
    while len(out) < count:
        r = random.Random(seed)
        film, seed = make(r, split, **more), seed + 1
        if film.scene.ground.style == "plain":
            out.append((film, video.shoot(r, film)))
    return out


class Dialogs(unittest.TestCase):
    def test_every_family_fills_its_budget_with_valid_media(self):
        for name, make in ALL.items():
            for split in Split:
                for seed in range(5):
                    dialog = make(np.random.default_rng(seed), split, 600)
                    self.assertEqual(dialog.family, name)
                    media = [m for turn in dialog.turns for m in turn.user if isinstance(m, Media)]
                    self.assertEqual(bool(media), name != "img-absent" or split is Split.TRAIN)
                    for m in media:
                        t, h, w, channels = m.frames.shape
                        self.assertEqual((m.frames.dtype, channels), (np.uint8, 3))
                        self.assertLessEqual(t * -(-h // 28) * -(-w // 28) * 4, scenes.PATCHES)
                        self.assertTrue(t == 1 if m.kind == "image" else 1 <= t <= 4)
                    for turn in dialog.turns:
                        self.assertTrue(turn.answer and not re.search(r"[{}]|None", turn.answer + turn.user[-1 if isinstance(turn.user[-1], str) else 0]))
                    if len(dialog.turns) > 1:
                        text = sum(len(p) for turn in dialog.turns for p in turn.user + [turn.answer] if isinstance(p, str))
                        self.assertLess(sum(map(media_tokens, media)) + text / 4, 600)

    def test_the_mix_names_every_family(self):
        self.assertEqual(set(mix.IMAGES), set(images.FAMILIES))
        self.assertEqual(set(mix.VIDEO), set(video.FAMILIES))

    def test_same_seed_same_dialog(self):
        for name, make in ALL.items():
            a, b = (make(np.random.default_rng(5), Split.TRAIN, 900) for _ in range(2))
            self.assertEqual([t.answer for t in a.turns], [t.answer for t in b.turns])
            self.assertTrue(all(np.array_equal(p.frames, q.frames) for s, t in zip(a.turns, b.turns)
                                for p, q in zip(s.user, t.user) if isinstance(p, Media)))

    def test_wordings_of_the_test_are_never_trained(self):
        def texts(split):
            strip = lambda t: re.sub("color", "colour", t)
            return {strip(p) for make in ALL.values() for seed in range(12)
                    for turn in make(np.random.default_rng(seed), split, 700).turns for p in turn.user if isinstance(p, str)}
        self.assertFalse(texts(Split.TRAIN) & texts(Split.TEST))

    def test_wordings_are_split_and_complete_sentences(self):
        for name, frames in vars(wordings).items():
            if isinstance(frames, wordings.Frames):
                train = {s for group in frames.train for s in group}
                self.assertFalse(train & set(frames.test), name)
                self.assertGreaterEqual(len(frames.test), 2, name)
                for sentence in train | set(frames.test):
                    self.assertRegex(sentence, r"^[A-Z{][^()|]*[?.}]$", name)
                    fields = [set(re.findall(r"{(\w+)}", s)) for s in (sentence, frames.test[0])]
                    self.assertLessEqual(fields[0], fields[1] | {"it", "what"}, sentence)

    def test_invented_words_look_like_words_and_are_no_test_words(self):
        r = random.Random(4)
        made = {invented_word(r) for _ in range(500)}
        self.assertGreater(len(made), 450)
        self.assertFalse(made & set(words(Split.TEST)))
        self.assertTrue(all(3 <= len(w) <= 9 and w.isalpha() for w in made))

    def test_words_fonts_and_pairs_are_split(self):
        self.assertFalse(set(words(Split.TRAIN)) & set(words(Split.TEST)))
        self.assertFalse(set(drawing.FONTS[Split.TRAIN]) & set(drawing.FONTS[Split.TEST]))
        self.assertEqual({c for c, _ in scenes.HELD_PAIRS}, set(COLOURS))
        self.assertEqual({k for _, k in scenes.HELD_PAIRS}, set(SHAPES))
        for make in (images.few, images.crowd, images.two_alike, images.nested):
            for seed in range(150):
                shown = {(s.colour, s.kind) for s in make(random.Random(seed), Split.TRAIN).shapes}
                self.assertFalse(shown & scenes.HELD_PAIRS, make)
        for make in (video.direction_film, video.first_film, video.colours_film, video.meet_film):
            for seed in range(100):
                film = make(random.Random(seed), Split.TRAIN)
                shown = {(s.colour, s.kind) for shapes in film.frames for s in shapes}
                self.assertFalse(shown & scenes.HELD_PAIRS, make)


class Pictures(unittest.TestCase):
    def test_named_colour_is_at_the_named_place(self):
        r = random.Random(1)
        for _ in range(200):
            scene = images.few(r, Split.TRAIN)
            scene.ground.noise = scene.hollow = 0
            pixels = scenes.render(r, scene).pixels()
            for s in scene.shapes:
                x = s.x + (0.75 * drawing.CIRCLE * s.radius if s.kind == "ring" else 0)
                self.assertEqual(nearest_colour(pixels[int(s.y), int(x)]), s.colour, s)
                column, row = scenes.cell_of(scene, s)
                words_ = scenes.place_words(scene, s)
                self.assertEqual("left" in words_, column == 0)
                self.assertEqual("bottom" in words_, row == 2)

    def test_count_is_the_number_of_separate_regions(self):
        r = random.Random(2)
        for _ in range(40):
            scene, pixels = on_plain_ground(images.crowd, r)
            ground = np.array(scene.ground.first, int)
            self.assertEqual(components(np.abs(pixels - ground).sum(-1) > 45), len(scene.shapes))
            questions = iter(lambda: images.ask_count(r, Split.TRAIN, scene, scene.shapes[0]), None)
            answer = next(q for q in questions if q.think.count(",") == len(scene.shapes) - 1)
            self.assertEqual(answer.answer, f"{len(scene.shapes)}.")

    def test_relation_and_size_match_the_geometry(self):
        r = random.Random(3)
        for _ in range(300):
            scene = images.few(r, Split.TEST, low=2)
            shape = scene.shapes[0]
            question = images.ask_relation(r, Split.TEST, scene, shape)
            if question:
                named = [s for s in scene.shapes if re.search(rf"\b{s.kind}\b", question.text)]
                other = next(s for s in named if s is not shape)
                dx, dy = shape.x - other.x, shape.y - other.y
                self.assertEqual(question.answer, {(0, 1): "To the right.", (0, -1): "To the left.", (1, 1): "Below.", (1, -1): "Above."}[
                    (0, np.sign(dx)) if abs(dx) > abs(dy) else (1, np.sign(dy))])
            for s in scene.shapes:
                share = s.radius / scene.side
                self.assertEqual(s.size, "small" if share < 0.11 else "medium" if share < 0.19 else "large", (share, s))

    def test_bars_are_as_high_as_their_values(self):
        r = random.Random(4)
        done = 0
        while done < 25:
            chart = charts.invent(r, Split.TRAIN)
            pixels = charts.plot(r, Split.TRAIN, chart)
            if pixels is None or chart.printed or chart.colour not in ("red", "green", "blue", "purple"):
                continue
            values, index = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
            bar = np.array([nearest_colour(v.tolist()) == chart.colour for v in values])[index].reshape(pixels.shape[:2])
            columns = bar.sum(0)
            inside = np.nonzero(columns > 3)[0]
            runs = np.split(inside, np.nonzero(np.diff(inside) > 2)[0] + 1)
            heights = [np.median(columns[run]) for run in runs if len(run) > 5]
            self.assertEqual(len(heights), len(chart.values), chart)
            scale = max(heights) / max(chart.values)
            for height, value in zip(heights, chart.values):
                self.assertLess(abs(height - scale * value), 3.0, (heights, chart))
            done += 1

    def test_text_is_inside_and_large_enough(self):
        r = random.Random(5)
        for _ in range(60):
            media, colour = reading.page(r, Split.TEST, [reading.word(r, Split.TEST)])
            pixels = media.frames[0].astype(int)
            edge = np.concatenate((pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))
            ink = np.abs(pixels - np.median(edge, 0)).sum(-1) > 150
            self.assertGreater(ink.sum(), 30)
            self.assertLess(np.concatenate((ink[:, 0], ink[:, -1])).mean(), 0.2)
            rows = np.nonzero(ink.any(1))[0]
            self.assertGreaterEqual(rows[-1] - rows[0] + 1, 6)


class Clips(unittest.TestCase):
    def test_direction_is_that_of_the_pixels(self):
        for film, pixels in films(video.direction_film, 60, Split.TEST):
            seen = visible(film, pixels)
            first, last = (np.array([axis.mean() for axis in np.nonzero(frame)]) for frame in (seen[0], seen[-1]))
            dy, dx = last - first
            way = ("Right." if dx > 0 else "Left.") if abs(dx) > abs(dy) else ("Down." if dy > 0 else "Up.")
            self.assertEqual(film.questions[0].answer, way)

    def test_shapes_that_jump_show_the_places_of_a_motion_in_another_order(self):
        jumping = [f for f, _ in films(video.direction_film, 150) if f.questions[0].answer == "It jumps about."]
        self.assertGreater(len(jumping), 10)
        for film in jumping:
            track = [(f[-1].x, f[-1].y) for f in film.frames]
            self.assertNotIn(track, (sorted(track), sorted(track, reverse=True)))
            steps = sorted(track)
            along = {round(math.dist(a, b), 3) for a, b in zip(steps, steps[1:])}
            self.assertLessEqual(max(along) - min(along), 0.002, "places of one even motion")

    def test_flashes_are_rising_edges(self):
        for film, pixels in films(video.blink_film, 60):
            on = visible(film, pixels).any((1, 2)).astype(int)
            self.assertEqual(film.questions[0].answer, f"{(np.diff(on) > 0).sum()}.")
            self.assertEqual((on[0], on[-1]), (0, 0))

    def test_first_shape_has_the_first_colour(self):
        for leaves in (False, True):
            for film, pixels in films(video.first_film, 30, leaves=leaves):
                seen = visible(film, pixels)
                area = seen.sum((1, 2))
                if leaves:
                    at = int(np.nonzero(area < area[0])[0][0])
                    where = seen[0] & ~seen[at]
                    rgb = np.median(pixels[0][where], 0)
                else:
                    at = int(np.nonzero(area)[0][0])
                    rgb = np.median(pixels[at][seen[at]], 0)
                self.assertIn(nearest_colour(rgb), film.questions[0].answer)

    def test_colours_follow_in_order(self):
        for film, pixels in films(video.colours_film, 40):
            seen, order = visible(film, pixels), []
            for frame, where in zip(pixels, seen):
                name = nearest_colour(np.median(frame[where], 0))
                order += [name] if order[-1:] != [name] else []
            self.assertEqual(film.questions[0].answer.lower(), ", ".join(order) + ".")

    def test_faster_shape_goes_farther(self):
        for seed in range(60):
            film = video.faster_film(random.Random(seed), Split.TRAIN)
            way = {a.name: abs(a.x - b.x) + abs(a.y - b.y) for a, b in zip(film.frames[0], film.frames[-1])}
            quick = max(way, key=way.get)
            self.assertEqual(film.questions[0].answer, f"The {quick}.")
            self.assertGreater(way[quick], 1.5 * min(way.values()))

    def test_bounce_ends_where_it_began_and_pass_does_not(self):
        for seed in range(60):
            film = video.meet_film(random.Random(seed), Split.TRAIN)
            moved = sum(abs(a.x - b.x) + abs(a.y - b.y) for a, b in zip(film.frames[0], film.frames[-1]))
            self.assertEqual(film.questions[0].answer, "They bounce." if moved < 1 else "They pass.")

    def test_chunks_and_stamps(self):
        frames = np.zeros((10, 28, 28, 3), np.uint8)
        parts = video.chunks(frames)
        self.assertEqual([len(p.frames) for p in parts], [4, 4, 2])
        self.assertEqual([p.stamp for p in parts], ["00:00:00.000", "00:00:00.500", "00:00:01.000"])
        self.assertEqual(video.stamp(3723.6259), "01:02:03.625")
        self.assertEqual(video.chunks(frames, 6.0)[1].stamp, "00:00:00.666")


if __name__ == "__main__":
    unittest.main()
