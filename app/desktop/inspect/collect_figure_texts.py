#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collects the English texts of app/inspect for translators.

  collect_figure_texts.py       writes figure_texts_generated.cpp beside this file, which lupdate reads; run it before lupdate

Figures know no Qt: their texts are the patterns given to Words::say() and marked with PAL_TEXT.
"""
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
LITERAL = r'"(?:[^"\\]|\\.)*"'
TEXT = re.compile(rf'(?:\bsay\(|\bPAL_TEXT\()\s*({LITERAL}(?:\s*{LITERAL})*)')
PUNCTUATION = ("{}.", "{}, {}", "“{}” {}")  # other scripts have other signs


def main():
    texts = {}
    for folder in (HERE.parents[1] / "inspect", HERE.parents[1] / "composition"):
        for path in sorted(folder.glob("*.cpp")):
            for match in TEXT.finditer(path.read_text(encoding="utf-8")):
                parts = re.findall(LITERAL, match.group(1))
                text = "".join(part[1:-1] for part in parts)
                if re.search(r"[A-Za-z]", re.sub(r"\{[^}]*\}|\\.", "", text)) or text in PUNCTUATION:
                    texts.setdefault(text, None)
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             "// Made by collect_figure_texts.py: what lupdate finds of the figures' texts. Not compiled.", "// clang-format off", ""]
    lines += [f'QT_TRANSLATE_NOOP("Figure", "{text}")' for text in sorted(texts)]
    (HERE / "figure_texts_generated.cpp").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(texts)} texts")


if __name__ == "__main__":
    main()
