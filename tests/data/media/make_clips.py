#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the clips of the tests. Run from its own folder; needs the program ffmpeg (made with 5.1) and numpy.

Every frame carries its number: twelve squares in the top row, bit 0 first, white for 1; below them a square that moves to the right.
"""
import subprocess
from pathlib import Path

import numpy as np

OUT = Path("clips")
BIT = 5                                         # pixels of a square


def frames(count, width, height):
    out = np.zeros((count, height, width, 3), np.uint8)
    out[..., 2] = 64
    for n in range(count):
        for bit in range(12):
            out[n, :BIT, bit * BIT:(bit + 1) * BIT] = 255 * (n >> bit & 1)
        x = n * (width - 12) // max(1, count - 1)
        out[n, 20:32, x:x + 12] = (230, 40, 20)
    return out


def encode(name, pixels, rate, *options, inputs=()):
    height, width = pixels.shape[1:3]
    command = ["ffmpeg", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate),
               "-i", "-", *inputs, "-fflags", "+bitexact", "-flags", "+bitexact", "-map_metadata", "-1", *options, str(OUT / name)]
    subprocess.run(command, input=pixels.tobytes(), check=True)


def convert(source, name, *options, before=()):
    subprocess.run(["ffmpeg", "-y", "-v", "error", *before, "-i", str(OUT / source), "-c", "copy", "-fflags", "+bitexact",
                    *options, str(OUT / name)], check=True)


def main():
    OUT.mkdir(exist_ok=True)
    for old in OUT.iterdir():
        old.unlink()
    x264 = ("-c:v", "libx264", "-crf", "24", "-g", "24", "-bf", "2", "-pix_fmt", "yuv420p", "-threads", "1")
    sound = ("-f", "lavfi", "-i", "sine=frequency=440:duration=3")
    clip = frames(90, 64, 48)
    encode("h264.mp4", clip, 30, *x264, "-c:a", "aac", "-b:a", "32k", "-shortest", "-movflags", "+faststart", inputs=sound)
    convert("h264.mp4", "h264.mov", "-an")
    encode("h264.avi", clip, 30, *x264)                         # no presentation times in it
    convert("h264.mp4", "h264.mkv")
    convert("h264.mp4", "moov_last.mp4", "-an")
    # Thirty frames at 30 a second, then thirty at 7.5.
    encode("vfr.mkv", clip[:60], 30, *x264, "-vf", "setpts='if(lt(N,30),N,30+(N-30)*4)/30/TB'", "-vsync", "vfr")
    encode("vfr.mp4", clip[:60], 30, *x264, "-vf", "setpts='if(lt(N,30),N,30+(N-30)*4)/30/TB'", "-vsync", "vfr")
    encode("hevc.mp4", clip[:30], 24, "-c:v", "libx265", "-x265-params", "log-level=none:pools=1", "-pix_fmt", "yuv420p")
    encode("vp9.webm", clip[:30], 25, "-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p")
    encode("av1.mkv", clip[:20], 25, "-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "30", "-pix_fmt", "yuv420p")
    encode("mjpeg.avi", clip[:40], 10, "-c:v", "mjpeg", "-q:v", "6", "-pix_fmt", "yuvj420p")
    encode("odd.webm", frames(16, 61, 47), 16, "-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p")
    convert("h264.mov", "turned.mp4", "-metadata:s:v:0", "rotate=90")
    convert("h264.mov", "edit_list.mp4", before=("-ss", "0.5"))  # begins inside a group: frames in front of it are hidden
    encode("one_frame.mp4", clip[5:6], 30, *x264)
    encode("long_groups.mp4", frames(300, 64, 48), 30, *x264, "-g", "60", "-x264-params", "open-gop=1")
    subprocess.run(["ffmpeg", "-y", "-v", "error", *sound, "-c:a", "aac", "-b:a", "16k", "-t", "0.3", "-fflags", "+bitexact",
                    str(OUT / "sound_only.mp4")], check=True)
    subprocess.run(["ffmpeg", "-y", "-v", "error", "-f", "lavfi", "-i", "color=navy:size=1920x1080:rate=30:duration=90", "-c:v",
                    "libx264", "-preset", "fast", "-g", "300", "-bf", "3", "-crf", "40", "-fflags", "+bitexact", "-flags",
                    "+bitexact", str(OUT / "long_1080p.mp4")], check=True)
    # A track without a sample: what is left of a recording that was stopped at once.
    convert("h264.mov", "no_frames.mp4", "-movflags", "empty_moov+frag_keyframe")
    whole = (OUT / "no_frames.mp4").read_bytes()
    (OUT / "no_frames.mp4").write_bytes(whole[:whole.index(b"moof") - 4])


if __name__ == "__main__":
    main()
