#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes unicode_class_generated.cpp from the Unicode Character Database.

  generate_unicode_class.py [UCD_FOLDER] > unicode_class_generated.cpp

UCD_FOLDER holds UnicodeData.txt, Scripts.txt and PropList.txt; the default is where Debian's package unicode-data (15.0.0) puts them.
"""
import sys
from pathlib import Path

BLOCK = 128  # code points per block of the two-stage table; unicode_class.h relies on it
HAN, UPPER, LOWER, LETTER, NUMBER, SPACE, NEWLINE, PYTHON_SPACE = (1 << bit for bit in range(8))  # as in unicode_class.h
UPPER_CATEGORIES = {"Lu", "Lt", "Lm", "Lo", "Mn", "Mc", "Me"}
LOWER_CATEGORIES = {"Ll", "Lm", "Lo", "Mn", "Mc", "Me"}


def categories(folder):
    found = {}
    first = 0
    for line in (folder / "UnicodeData.txt").read_text().splitlines():
        code, name, category = line.split(";")[:3]
        code = int(code, 16)
        if name.endswith(", First>"):
            first = code
        elif name.endswith(", Last>"):
            found.update((c, category) for c in range(first, code + 1))
        else:
            found[code] = category
    return found


def property_set(file, name):
    found = set()
    for line in file.read_text().splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) == 2 and fields[1] == name:
            first, _, last = fields[0].partition("..")
            found.update(range(int(first, 16), int(last or first, 16) + 1))
    return found


def class_bits(code, category, han, space):
    bits = 0
    if code in han:
        bits |= HAN
    else:
        bits |= UPPER if category in UPPER_CATEGORIES else 0
        bits |= LOWER if category in LOWER_CATEGORIES else 0
    bits |= LETTER if category.startswith("L") else 0
    bits |= NUMBER if category.startswith("N") else 0
    bits |= SPACE | PYTHON_SPACE if code in space else 0
    bits |= PYTHON_SPACE if 0x1C <= code <= 0x1F else 0
    bits |= NEWLINE if code in (0x0A, 0x0D) else 0
    return bits


def print_array(type_name, name, values):
    print(f"const {type_name} {name}[{len(values)}] = {{")
    for start in range(0, len(values), 32):
        print("    " + ", ".join(str(v) for v in values[start:start + 32]) + ",")
    print("};")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode")
    category = categories(folder)
    han = property_set(folder / "Scripts.txt", "Han")
    space = property_set(folder / "PropList.txt", "White_Space")
    blocks, index = {}, []
    for start in range(0, 0x110000, BLOCK):
        block = tuple(class_bits(c, category.get(c, "Cn"), han, space) for c in range(start, start + BLOCK))
        index.append(blocks.setdefault(block, len(blocks)))
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Written by generate_unicode_class.py from the Unicode Character Database 15.0.0; do not edit.")
    print("// clang-format off")
    print('#include "engine/text/unicode_class.h"\n\nnamespace pal::unicode {\n')
    print_array("uint8_t", "kBlockOfCodePoint", index)
    print()
    print_array("uint8_t", "kClassInBlock", [bits for block in blocks for bits in block])
    print("\n}  // namespace pal::unicode")


if __name__ == "__main__":
    main()
