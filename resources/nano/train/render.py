# SPDX-License-Identifier: Apache-2.0
"""Dialog -> ids, loss weights and patches, by K3's chat format: a list of segments, each encoded on its own.

Only structural segments may yield control ids; text of users and documents never does.

Loss weights: answers and think traces Turn.loss (1), the `<|close|>` that ends them too (when to stop is part of the
answer); the markup the model writes after it 0.1; Prose in user messages 0.3; everything else, such as questions,
codes in documents and markup in front of the model's turn, 0.
"""
import functools
from dataclasses import dataclass

import numpy as np

from dialog import Media, Prose

ANSWER, MARKUP, PROSE = 1.0, 0.1, 0.3
PATCH, MERGE = 14, 2
EFFORT_TEXT = ("`thinking_effort` guides on how much to think in your thinking channel (not including the response "
               "channel), supported values include `low`, `medium`, `high`, and `max`.\n"
               "Now the system is invoked with `thinking_effort={}`.")


@dataclass
class Sample:
    ids: np.ndarray         # uint16 [n]
    weights: np.ndarray     # float32 [n]: weight of predicting ids[i] from ids[:i]
    media: list             # one (patches float32 [t*h*w, 588], (t, h, w)) per run of media_pad ids, in order
    turns: int              # turns that fitted


# ---- segments: (text, may hold control strings) -------------------------------------------------------------------

def control(text):
    return [(text, True)]


def plain(text):
    return [(text, False)] if text else []


def open_tag(tag, **attributes):
    out = control("<|open|>") + plain(tag)
    for key, value in attributes.items():
        value = value.replace("&", "&amp;").replace('"', "&quot;")
        out += plain(" " + key) + plain('="') + plain(value) + plain('"')
    return out + control("<|sep|>")


def close_tag(tag):
    return control("<|close|>") + plain(tag) + control("<|sep|>")


END = close_tag("message") + control("<|end_of_msg|>")


def message(role, content, **attributes):
    """content: segments of the body"""
    return open_tag("message", role=role, **attributes) + content + END


def effort_message(effort):
    return message("system", plain(EFFORT_TEXT.format(effort)), type="thinking-effort")


def assistant_head(thinking):
    return open_tag("message", role="assistant") + open_tag("think" if thinking else "response")


def assistant_message(answer, think, thinking):
    out = open_tag("message", role="assistant")
    if thinking:
        out += open_tag("think") + (plain(think) if think.strip() else []) + close_tag("think")
    return out + open_tag("response") + plain(answer) + close_tag("response") + END


def media_prompt(media, pads):
    """One segment per image or video chunk; pads: how many media_pad ids its projector rows fill."""
    what = "video" if media.kind == "video" else f"image {media.width}x{media.height}"
    stamp = media.stamp if media.kind == "video" else ""
    return f"{stamp}<|media_begin|>{what}<|media_content|>" + "<|media_pad|>" * pads + "<|media_end|>"


def merged(parts):
    """User parts with neighbouring texts joined, as the program sends them."""
    out = []
    for part in parts:
        if isinstance(part, str) and out and isinstance(out[-1], str):
            out[-1] = str(out[-1]) + part
        else:
            out.append(part)
    return out


def segments(dialog, turns=None):
    """The whole dialog (its first `turns` turns) as segments: the definition that render() follows."""
    out = []
    if dialog.thinking and dialog.effort:
        out += effort_message(dialog.effort)
    if dialog.system:
        out += message("system", plain(dialog.system))
    for turn in dialog.turns[:turns]:
        body = []
        for part in merged(turn.user):
            body += control(media_prompt(part, pad_count(part))) if isinstance(part, Media) else plain(part)
        out += message("user", body) + assistant_message(turn.answer, turn.think, dialog.thinking)
    return out


# ---- pictures -----------------------------------------------------------------------------------------------------

def grid(media):
    """(t, h, w) in patches after padding to whole 28-pixel squares"""
    square = PATCH * MERGE
    up = lambda pixels: -(-pixels // square) * MERGE
    return media.frames.shape[0], up(media.height), up(media.width)


def pad_count(media):
    _, h, w = grid(media)
    return (h // MERGE) * (w // MERGE)


def patches(media):
    """float32 [t*h*w, 588] in [-1, 1]; patch order frame, row, column; within a patch channel, y, x."""
    t, h, w = grid(media)
    canvas = np.zeros((t, h * PATCH, w * PATCH, 3), np.uint8)
    canvas[:, :media.height, :media.width] = media.frames
    values = ((canvas / 255.0).astype(np.float32) - np.float32(0.5)) * np.float32(2)
    cut = values.reshape(t, h, PATCH, w, PATCH, 3).transpose(0, 1, 3, 5, 2, 4)
    return np.ascontiguousarray(cut).reshape(t * h * w, 3 * PATCH * PATCH)


# ---- rendering ----------------------------------------------------------------------------------------------------

def encode_segments(tokenizer, parts):
    return [i for text, special in parts for i in tokenizer.encode(text, special)]


class Renderer:
    """Renders dialogs with one tokenizer; keeps the constant markup and the ids of prose encoded."""
    KEPT_PROSE = 400_000                        # pieces of prose whose ids are kept

    def __init__(self, tokenizer):
        self._tokenizer = tokenizer
        encode = lambda parts: encode_segments(tokenizer, parts)
        self._user_open = encode(open_tag("message", role="user"))
        self._end = encode(END)
        self._assistant = encode(open_tag("message", role="assistant"))
        self._open = {tag: encode(open_tag(tag)) for tag in ("think", "response")}
        self._close = {tag: encode(close_tag(tag)) for tag in ("think", "response")}
        self._prose = {}

    def __call__(self, dialog, limit=None):
        """limit: most ids; turns that would exceed it are left out (Sample.turns says how many remain)."""
        ids, weights, media = [], [], []
        if dialog.thinking and dialog.effort:
            ids += encode_segments(self._tokenizer, effort_message(dialog.effort))
        if dialog.system:
            ids += encode_segments(self._tokenizer, message("system", plain(dialog.system)))
        weights += [0.0] * len(ids)
        count = 0
        for turn in dialog.turns:
            before, shown = len(ids), len(media)
            self._user(turn, ids, weights, media)
            self._reply(turn, dialog.thinking, ids, weights)
            if limit is not None and len(ids) > limit:
                del ids[before:], weights[before:], media[shown:]
                break
            count += 1
        return Sample(np.array(ids, np.uint16), np.array(weights, np.float32),
                      [(patches(m), grid(m)) for m in media], count)

    def _user(self, turn, ids, weights, media):
        ids += self._user_open
        weights += [0.0] * len(self._user_open)
        for part in turn.user:
            if isinstance(part, Media):
                tokens = self._tokenizer.encode(media_prompt(part, pad_count(part)), allow_special=True)
                media.append(part)
                weight = 0.0
            elif isinstance(part, Prose):
                tokens, weight = self._prose.get(part), PROSE
                if tokens is None:
                    tokens = self._tokenizer.encode_ordinary(part)
                    if len(self._prose) >= self.KEPT_PROSE:
                        self._prose.clear()
                    self._prose[part] = tokens
            else:
                tokens, weight = self._tokenizer.encode_ordinary(part), 0.0
            ids += tokens
            weights += [weight] * len(tokens)
        ids += self._end
        weights += [0.0] * len(self._end)

    def _reply(self, turn, thinking, ids, weights):
        ids += self._assistant
        weights += [0.0] * len(self._assistant)
        channels = [("think", turn.think)] if thinking else []
        markup = 0.0                            # the first channel is opened by the prompt, later ones by the model
        for tag, text in channels + [("response", turn.answer)]:
            tokens = self._tokenizer.encode_ordinary(text) if text.strip() or tag == "response" else []
            ids += self._open[tag] + tokens + self._close[tag]
            weights += [markup] * len(self._open[tag])
            weights += [ANSWER * turn.loss] * (len(tokens) + 1) + [MARKUP * turn.loss] * (len(self._close[tag]) - 1)
            markup = MARKUP * turn.loss
        ids += self._end
        weights += [MARKUP * turn.loss] * len(self._end)


@functools.lru_cache(maxsize=4)
def renderer(tokenizer):
    return Renderer(tokenizer)


def render(dialog, tokenizer, limit=None):
    return renderer(tokenizer)(dialog, limit)
