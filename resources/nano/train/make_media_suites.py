# SPDX-License-Identifier: Apache-2.0
"""Writes the picture and clip suites: python3 make_media_suites.py FOLDER (tests/eval). Same seed, same files."""
import random
import re
import sys
from functools import partial
from pathlib import Path

import suites
from dialog import Split
from tasks import images, video

SEED = 20261130
COUNTS = {                   # conversations of a suite; families beside the promised suites have few
    "img-attribute": 120, "img-where": 120, "img-count": 120, "img-relation": 120, "img-describe": 120,
    "ocr-digits": 120, "ocr-words": 120, "chart-largest": 120, "chart-value": 120,
    "video-direction": 100, "video-first": 100, "video-colours": 100, "video-blinks": 100,
    "img-same": 40, "img-inside": 40, "img-label": 40, "img-missing": 40, "img-declined": 12,
    "video-faster": 40, "video-meet": 40,
}
THINKING = ("img-count", "chart-largest", "video-blinks")     # asked in thinking mode as well, as SUITE-think

EPISODES = {**images.EPISODES, **video.EPISODES,
            "video-direction": partial(video.clip_episode, partial(video.direction_film, ways=video.STRAIGHT)),
            "video-first": partial(video.clip_episode, partial(video.first_film, leaves=False))}


def accepted(question):
    """Shorter ways to say the answer: without the words around the thing that was asked for."""
    bare = re.sub(r"^(the|a|an|at the|on the|in the|to the|they) ", "", question.answer.lower().rstrip("."))
    bare = bare.removesuffix(" edge")
    also = {bare, f"a {bare}", f"an {bare}", f"the {bare}", *question.also}
    if "color" in question.text.lower() or "shape" in question.text.lower():
        also |= {f"it is {bare}", f"it is {question.answer.lower().rstrip('.')}"}
    return sorted(also - {question.answer})


def conversation(folder, suite, number):
    r = random.Random(f"{SEED} {suite} {number}")
    media, questions = EPISODES[suite](r, Split.TEST)
    part = suites.write_media(folder, f"{suite}/{number:03d}", media)
    question = questions[0]
    turn = dict(user=[part, question.text], think=question.think, answer=question.answer, accept=accepted(question))
    return suites.line(f"{suite}-{number:03d}", [turn])


def main():
    folder = Path(sys.argv[1])
    for suite, count in COUNTS.items():
        lines = [conversation(folder, suite, k) for k in range(count)]
        suites.save(folder, suite, lines)
        if suite in THINKING:
            suites.save(folder, f"{suite}-think", [dict(line, id=f"{line['id']}-think", thinking=True) for line in lines])


if __name__ == "__main__":
    main()
