#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the vision tower makes of the tests' pictures and of the beginning of a clip, by a float64 reference of the model.

  make_embeddings.py K3REF CHECKPOINT        run from its own folder, after make_images.py and make_clips.py

K3REF is the folder of the reference's k3ref.py, CHECKPOINT tests/golden/tiny-k3/checkpoint. The preprocessing here is written from the
published description with Pillow and numpy, apart from the program's own. Writes embeddings.safetensors: NAME.grid, NAME.embeds.
"""
import json
import math
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageOps

sys.path.insert(0, sys.argv[1])
import k3ref  # noqa: E402

PATCH, MERGE, SIDE = 14, 2, 512
CASES = [("rgba.png", 65536), ("colour.jpg", 65536), ("cmyk.jpg", 65536), ("exif6.jpg", 65536), ("colour.jpg", 5), ("rgba.png", 4)]


def plan(width, height, limit):
    scale = min(1, math.sqrt(limit / (max(1, width // PATCH) * max(1, height // PATCH))), SIDE * PATCH / width, SIDE * PATCH / height)
    return (min(max(1, int(width * scale)), SIDE * PATCH), min(max(1, int(height * scale)), SIDE * PATCH))


def over_board(image):
    if image.mode != "RGBA":
        return np.asarray(image.convert("RGB"))
    pixels = np.asarray(image).astype(np.float32)
    y, x = np.mgrid[:image.height, :image.width]
    board = np.where((y // 8 + x // 8) % 2 == 1, 180, 255).astype(np.float32)[..., None]
    alpha = pixels[..., 3:] / np.float32(255)
    return (alpha * pixels[..., :3] + (1 - alpha) * board).astype(np.uint8)


def patches(frames):
    square = PATCH * MERGE
    count, height, width, _ = frames.shape
    rows, columns = -(-height // square) * MERGE, -(-width // square) * MERGE
    canvas = np.zeros((count, rows * PATCH, columns * PATCH, 3), np.uint8)
    canvas[:, :height, :width] = frames
    values = ((canvas / 255.0).astype(np.float32) - np.float32(0.5)) * np.float32(2)
    cut = values.reshape(count, rows, PATCH, columns, PATCH, 3).transpose(0, 1, 3, 5, 2, 4)
    return cut.reshape(-1, 3, PATCH, PATCH), (count, rows, columns)


def picture(name, limit):
    with Image.open(Path("images") / name) as image:
        image = ImageOps.exif_transpose(image)
        image = image if image.mode in ("RGB", "RGBA") else image.convert("RGB")
        return over_board(image.resize(plan(*image.size, limit), Image.Resampling.BICUBIC))[None]


def clip(name, width, height, indices):
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", str(Path("clips") / name), "-f", "rawvideo", "-pix_fmt", "rgba", "-"],
                         check=True, capture_output=True).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width, 4)[indices][..., :3]


def main():
    checkpoint = Path(sys.argv[2])
    config = json.loads((checkpoint / "config.json").read_text())
    tower = k3ref.MoonViT(config, load(checkpoint))
    out = {}
    media = {f"{name}@{limit}": picture(name, limit) for name, limit in CASES}
    media["h264.mp4"] = clip("h264.mp4", 64, 48, [0, 4, 8, 12])
    for name, frames in media.items():
        values, grid = patches(frames)
        embeds = tower.encode(torch.from_numpy(values).double(), *grid)
        out[name + ".grid"] = ("I32", np.array(grid, np.int32))
        out[name + ".embeds"] = ("F32", embeds.numpy().astype(np.float32))
    write(Path("embeddings.safetensors"), out)


def load(folder):
    out = {}
    for path in sorted(folder.glob("*.safetensors")):
        data = path.read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        for name, entry in json.loads(data[8:8 + length]).items():
            if not name.startswith(("vision_tower.", "mm_projector.")):
                continue
            begin, end = (8 + length + o for o in entry["data_offsets"])
            if entry["dtype"] == "BF16":
                wide = np.frombuffer(data[begin:end], np.uint16).astype(np.uint32) << 16
                values = wide.view(np.float32)
            else:
                values = np.frombuffer(data[begin:end], {"F32": np.float32}[entry["dtype"]])
            out[name] = torch.from_numpy(values.reshape(entry["shape"]).copy()).double()
    return out


def write(path, tensors):
    header, body = {}, b""
    for name, (kind, values) in tensors.items():
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [len(body), len(body) + values.nbytes]}
        body += values.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


if __name__ == "__main__":
    main()
