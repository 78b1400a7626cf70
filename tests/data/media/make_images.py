#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of the tests and what Pillow makes of them. Run from its own folder; needs Pillow and numpy (made with Pillow 9.4).

  images/NAME.EXT         one picture per kind of file
  images/NAME.EXT.pam     its upright pixels as Pillow decodes them, RGBA
  resized/NAME.pam        a picture, RGB or RGBA
  resized/NAME_WxH.pam    Image.resize((W, H), BICUBIC) of it
"""
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

IMAGES, RESIZED = Path("images"), Path("resized")
SIZES = [(33, 20), (67, 20), (21, 45), (100, 80), (1, 1), (66, 44), (5, 45), (67, 3), (300, 7)]


def picture(width, height, channels, seed):
    """Smooth colours, hard edges and noise; with 4 channels any alpha, with runs of 0 and 255."""
    r = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    out = np.empty((height, width, channels))
    for c in range(channels):
        out[..., c] = 127 + 90 * np.sin(x / (5 + 3 * c) + c) * np.cos(y / (7 - c)) + 40 * ((x // 9 + y // 6) % 2)
    out += r.normal(0, 25, out.shape)
    if channels == 4:
        out[..., 3] = r.integers(0, 256, (height, width))
        out[: height // 4, :, 3] = 0
        out[-height // 4:, :, 3] = 255
    return np.clip(out, 0, 255).astype(np.uint8)


def write_pam(path, pixels):
    height, width, depth = pixels.shape
    kind = {3: "RGB", 4: "RGB_ALPHA"}[depth]
    head = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {depth}\nMAXVAL 255\nTUPLTYPE {kind}\nENDHDR\n"
    path.write_bytes(head.encode() + pixels.tobytes())


def resized():
    for name, channels in ("rgb", 3), ("rgba", 4):
        source = picture(67, 45, channels, channels)
        write_pam(RESIZED / f"{name}.pam", source)
        for size in SIZES:
            out = Image.fromarray(source).resize(size, Image.Resampling.BICUBIC)
            write_pam(RESIZED / f"{name}_{size[0]}x{size[1]}.pam", np.asarray(out))


# ---- kinds of files that Pillow does not write --------------------------------------------------------------------

def png_file(width, height, bits, colour, rows, extra=b"", interlace=0):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlace))
            + extra + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def png_chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def unfiltered(pixels):
    return b"".join(b"\0" + row.tobytes() for row in pixels)


def special_pngs(save):
    rgb, rgba = picture(37, 29, 3, 11), picture(37, 29, 4, 12)
    wide = (rgb.astype(np.uint16) * 257 + np.arange(29 * 37 * 3, dtype=np.uint16).reshape(rgb.shape) % 200).astype(">u2")
    save("rgb16.png", png_file(37, 29, 16, 2, unfiltered(wide)), opaque(wide.astype(np.uint16) >> 8))
    grey = wide[..., :1]
    save("grey16.png", png_file(37, 29, 16, 0, unfiltered(grey)), opaque(np.repeat(grey.astype(np.uint16) >> 8, 3, 2)))
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = b"".join(unfiltered(rgba[y::dy, x::dx]) for x, y, dx, dy in passes if rgba[y::dy, x::dx].size)
    save("interlaced.png", png_file(37, 29, 8, 6, rows, interlace=1), rgba)
    key = rgb.copy()
    key[5:20, 7:30] = (10, 20, 30)
    hole = opaque(key)
    hole[(key == (10, 20, 30)).all(2), 3] = 0
    save("colour_key.png", png_file(37, 29, 8, 2, unfiltered(key), png_chunk(b"tRNS", struct.pack(">HHH", 10, 20, 30))), hole)
    one = (rgb[..., 0] > 127)
    save("bilevel.png", png_file(37, 29, 1, 0, unfiltered(np.packbits(one, 1))), opaque(np.repeat(one[..., None] * 255, 3, 2)))


def special_bmps(save):
    rgba = picture(13, 9, 4, 21)
    width, height = 13, 9
    def header(bits, compression, size, masks=b"", height=height, colours=0):
        info = struct.pack("<IiiHHIIiiII", 40 if not masks else 108, width, height, 1, bits, compression, size, 0, 0, colours, 0)
        return info + (masks + bytes(108 - 40 - len(masks)) if masks else b"")
    def file(info, palette, body):
        return b"BM" + struct.pack("<IHHI", 14 + len(info + palette + body), 0, 0, 14 + len(info + palette)) + info + palette + body
    pixels = rgba[::-1, :, [2, 1, 0, 3]].tobytes()
    save("alpha.bmp", file(header(32, 3, len(pixels), struct.pack("<IIII", 0xff0000, 0xff00, 0xff, 0xff000000)), b"", pixels), rgba)
    down = b"".join(row.tobytes() + b"\0" for row in rgba[:, :, [2, 1, 0]])
    save("top_down.bmp", file(header(24, 0, len(down), height=-height), b"", down), opaque(rgba[..., :3]))
    five = rgba[..., :3].astype(np.uint16) >> 3
    words = (five[..., 0] << 10 | five[..., 1] << 5 | five[..., 2])[::-1]
    body = b"".join(row.astype("<u2").tobytes() + b"\0\0" for row in words)
    save("bits16.bmp", file(header(16, 0, len(body)), b"", body), opaque(five * 255 // 31))
    palette = np.stack([np.arange(16) * 17, 255 - np.arange(16) * 17, np.arange(16) * 5, np.zeros(16)], 1).astype(np.uint8)
    index = (np.add.outer(np.arange(height), np.arange(width)) // 3 % 16).astype(np.uint8)
    runs = b""
    for y in range(height - 1, -1, -1):
        line, x = index[y], 0
        while x < width:
            n = next((k for k in range(x, width) if line[k] != line[x]), width) - x
            runs, x = runs + bytes([n, line[x]]), x + n
        runs += b"\0\0"
    colours = opaque(palette[index][..., [2, 1, 0]])
    save("runs8.bmp", file(header(8, 1, len(runs), colours=16), palette.tobytes(), runs + b"\0\1"), colours)
    literal = b""
    for line in index[::-1]:
        high, low = line[0::2], np.append(line[1::2], 0)
        literal += bytes([0, width]) + (high << 4 | low).astype(np.uint8).tobytes() + b"\0" + b"\0\0"
    save("runs4.bmp", file(header(4, 2, len(literal), colours=16), palette.tobytes(), literal + b"\0\1"), colours)


def tiled_tiff(save):
    rgb, tile = picture(37, 29, 3, 31), 16
    tiles = []
    for y in range(0, 29, tile):
        for x in range(0, 37, tile):
            block = np.zeros((tile, tile, 3), np.uint8)
            part = rgb[y:y + tile, x:x + tile]
            block[:part.shape[0], :part.shape[1]] = part
            tiles.append(block.tobytes())
    n = len(tiles)
    entries = [(256, 4, 1, 37), (257, 4, 1, 29), (258, 3, 3, 8), (259, 3, 1, 1), (262, 3, 1, 2), (277, 3, 1, 3),
               (322, 4, 1, tile), (323, 4, 1, tile), (324, 4, n, 0), (325, 4, n, 0)]
    end = 8 + 2 + 12 * len(entries) + 4
    places = {258: end, 324: end + 6, 325: end + 6 + 4 * n}
    first = end + 6 + 8 * n
    directory = struct.pack("<H", len(entries)) + b"".join(
        struct.pack("<HHII", tag, kind, count, places.get(tag, value)) for tag, kind, count, value in entries) + bytes(4)
    extra = struct.pack("<HHH", 8, 8, 8) + b"".join(struct.pack("<I", first + i * len(tiles[0])) for i in range(n))
    extra += struct.pack("<I", len(tiles[0])) * n
    save("tiled.tif", b"II*\0" + struct.pack("<I", 8) + directory + extra + b"".join(tiles), opaque(rgb))


# ---- everything else ----------------------------------------------------------------------------------------------

def opaque(rgb):
    rgb = np.asarray(rgb).astype(np.uint8)
    return np.concatenate([rgb, np.full_like(rgb[..., :1], 255)], 2)


def by_pillow(path):
    with Image.open(path) as image:
        return np.asarray(ImageOps.exif_transpose(image).convert("RGBA"))


def images():
    def save(name, data, pixels):
        (IMAGES / name).write_bytes(data)
        write_pam(IMAGES / f"{name}.pam", np.ascontiguousarray(pixels))

    def pillow(name, image, **options):
        image.save(IMAGES / name, **options)
        write_pam(IMAGES / f"{name}.pam", by_pillow(IMAGES / name))

    rgb = Image.fromarray(picture(37, 29, 3, 1))
    rgba = Image.fromarray(picture(37, 29, 4, 2))
    palette = rgb.quantize(40)
    clear = palette.copy()
    clear.info["transparency"] = 3
    pillow("rgb.png", rgb)
    pillow("rgba.png", rgba)
    pillow("grey.png", rgb.convert("L"))
    pillow("grey_alpha.png", rgba.convert("LA"))
    pillow("palette.png", palette)
    pillow("palette_alpha.png", palette, transparency=bytes(range(0, 200, 5)))
    pillow("palette4.png", rgb.quantize(13), bits=4)
    special_pngs(save)
    smooth = Image.fromarray(picture(77, 53, 3, 3)).resize((61, 43))
    pillow("colour.jpg", smooth, quality=85)
    pillow("full_chroma.jpg", smooth, quality=90, subsampling=0)
    pillow("progressive.jpg", smooth, quality=80, progressive=True)
    pillow("grey.jpg", smooth.convert("L"))
    pillow("cmyk.jpg", smooth.convert("CMYK"), quality=90)
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        pillow(f"exif{orientation}.jpg", smooth.crop((0, 0, 24, 16)), quality=90, exif=exif)
    pillow("lossy.webp", smooth, quality=80)
    pillow("lossless.webp", rgb, lossless=True)
    pillow("alpha.webp", rgba, lossless=True, exact=True)
    pillow("animated.webp", rgb, save_all=True, append_images=[rgba.convert("RGB")], lossless=True)
    pillow("first.gif", palette)
    pillow("clear.gif", clear, transparency=3)
    pillow("animated.gif", palette, save_all=True, append_images=[rgb.rotate(90).quantize(8)])
    pillow("rgb.bmp", rgb)
    pillow("palette.bmp", palette)
    pillow("bilevel.bmp", rgb.convert("1"))
    special_bmps(save)
    pillow("rgb.tif", rgb)
    pillow("lzw.tif", rgb, compression="tiff_lzw")
    pillow("deflate_alpha.tif", rgba, compression="tiff_adobe_deflate")
    pillow("grey.tif", rgb.convert("L"))
    pillow("palette.tif", palette)
    pillow("cmyk.tif", rgb.convert("CMYK"))
    turned = Image.Exif()
    turned[0x0112] = 6
    pillow("turned.tif", rgb, exif=turned)
    write_pam(IMAGES / "turned.tif.pam", np.ascontiguousarray(np.rot90(opaque(rgb), -1)))  # Pillow leaves it as stored
    tiled_tiff(save)


if __name__ == "__main__":
    for folder in IMAGES, RESIZED:
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
    resized()
    images()
