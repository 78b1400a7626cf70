#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes cjk_radicals_generated.cpp from the Unicode Character Database (Debian: package unicode-data).

  generate_cjk_radicals.py [EquivalentUnifiedIdeograph.txt] > cjk_radicals_generated.cpp
"""
import re
import sys

LINE = re.compile(r"^([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*([0-9A-F]+)")


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode/EquivalentUnifiedIdeograph.txt"
    pairs = []
    with open(path, encoding="utf-8") as file:
        version = file.readline().strip("# \n")
        for match in filter(None, map(LINE.match, file)):
            first, last = int(match[1], 16), int(match[2] or match[1], 16)
            pairs += [(radical, int(match[3], 16)) for radical in range(first, last + 1) if 0x2E80 <= radical <= 0x2FDF]
    cells = [f"{{0x{radical:04X}, 0x{ideograph:04X}}}," for radical, ideograph in sorted(pairs)]
    print("// SPDX-License-Identifier: Apache-2.0")
    print(f"// Made by generate_cjk_radicals.py from {version}; do not edit.")
    print('#include "app/extract/cjk_radicals.h"\n')
    print("namespace pal::extract {\nnamespace {\n")
    print("// clang-format off")
    print(f"constexpr CjkRadical kRadicals[] = {{")
    for start in range(0, len(cells), 6):
        print("    " + " ".join(cells[start:start + 6]))
    print("};\n// clang-format on\n\n}  // namespace\n")
    print("std::span<const CjkRadical> cjkRadicals() {\n    return kRadicals;\n}\n\n}  // namespace pal::extract")


if __name__ == "__main__":
    main()
