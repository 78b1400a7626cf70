# SPDX-License-Identifier: Apache-2.0
"""Evaluation suites as files: SUITE.jsonl, one conversation a line, pictures and clips as PNG files beside it.

    {"id": "img-where-007", "system": "", "thinking": false, "effort": "",
     "turns": [{"user": ["text", {"image": "img-where/007.png"}, {"video": "video-first/007.png", "frames": 11, "rate": 8.0}],
                "think": "", "answer": "On the left.", "accept": ["left"], "scored": true}]}

A clip's frames lie below each other in its PNG. A reply is right if it equals `answer` or one of `accept` after
`normal`. Turns with "scored": false only lead up to the others: there the gold answer goes into the conversation.
"""
import json
import random
from pathlib import Path

import numpy as np
from PIL import Image

from dialog import Dialog, Media, Turn
from tasks.video import chunks


def normal(text):
    """What is compared: letters in lower case, single spaces, no full stop at the end, one spelling of gray."""
    words = text.strip().lower().replace("grey", "gray").replace("centre", "center").split()
    return " ".join(words).rstrip(".")


def right(reply, turn):
    """turn: of a suite's line."""
    return normal(reply) in {normal(text) for text in [turn["answer"], *turn["accept"]]}


def write_media(folder, name, media):
    """Stores one image or all chunks of one clip; returns its part of a `user` list. media: list of Media."""
    frames = np.concatenate([m.frames for m in media])
    path = folder / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(frames.reshape(-1, *frames.shape[2:])).save(path, optimize=True)
    if media[0].kind == "image":
        return {"image": f"{name}.png"}
    return {"video": f"{name}.png", "frames": len(frames), "rate": 8.0}


def read_media(folder, part):
    """The Media items of a part of a `user` list."""
    pixels = np.asarray(Image.open(folder / (part.get("image") or part["video"])).convert("RGB"))
    if "image" in part:
        return [Media("image", pixels[None])]
    return chunks(pixels.reshape(part["frames"], -1, *pixels.shape[1:]), part["rate"])


def line(identity, turns, thinking=False, system="", effort=""):
    """The JSON object of one conversation. turns: dicts as in the file; missing keys get their plain values."""
    full = [dict(user=t["user"], think=t.get("think", ""), answer=t["answer"], accept=t.get("accept", []),
                 scored=t.get("scored", True)) for t in turns]
    return dict(id=identity, system=system, thinking=thinking, effort=effort, turns=full)


def save(folder, suite, lines):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{suite}.jsonl").write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in lines))


def load(folder, suite):
    """[(line, Dialog)] of one suite."""
    folder, out = Path(folder), []
    for text in (folder / f"{suite}.jsonl").read_text().splitlines():
        item = json.loads(text)
        turns = []
        for turn in item["turns"]:
            user = [p for part in turn["user"] for p in ([part] if isinstance(part, str) else read_media(folder, part))]
            turns.append(Turn(user, turn["answer"], turn["think"], 1.0 if turn["scored"] else 0.0))
        dialog = Dialog(turns, item["thinking"], item["system"], suite)
        dialog.effort = item["effort"]
        out.append((item, dialog))
    return out


# ----------------------------------------------------------------------------- blindness controls

def grey_images(dialog):
    """The same conversation over uniform grey pictures of the same sizes: what is still right was guessed."""
    def grey(part):
        return part if isinstance(part, str) else Media(part.kind, np.full_like(part.frames, 128), part.stamp)
    return _with_parts(dialog, [[grey(p) for p in turn.user] for turn in dialog.turns])


def shuffled_frames(dialog, seed):
    """The same conversation over clips with their frames in random order, under the old time stamps."""
    r, users = random.Random(seed), []
    for turn in dialog.turns:
        media = [p for p in turn.user if not isinstance(p, str)]
        frames = np.concatenate([m.frames for m in media]) if media else ()
        order = r.sample(range(len(frames)), len(frames))
        users.append([])
        for part in turn.user:
            if not isinstance(part, str):
                taken, order = order[:len(part.frames)], order[len(part.frames):]
                part = Media(part.kind, frames[taken], part.stamp)
            users[-1].append(part)
    return _with_parts(dialog, users)


def _with_parts(dialog, users):
    twin = Dialog([Turn(user, t.answer, t.think, t.loss) for user, t in zip(users, dialog.turns)],
                  dialog.thinking, dialog.system, dialog.family)
    twin.effort = dialog.effort
    return twin
