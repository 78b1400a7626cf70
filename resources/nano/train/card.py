# SPDX-License-Identifier: Apache-2.0
"""Fills the table of measured figures in the model card: python3 card.py EVAL.json FLOORS.json README.md

Between the card's two marker lines stands one row per suite of eval.json (evaluate.py), with the floor below which a
skill is not promised (tests/eval/floors.json) and a mark where the figure is below it.  The figure is the share of right
replies where the model has written them, and of exact ones elsewhere.
"""
import json
import sys
from pathlib import Path

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def percent(share):
    return f"{100 * share:.1f} %"


def rows(result, floors):
    """Table lines; a control (grey pictures, shuffled frames) stands beside its suite."""
    out = ["| suite | questions | right | floor | |", "|---|---|---|---|---|"]
    for suite, score in sorted(result["suites"].items()):
        floor, notes, share = floors.get(suite, {}), [], score.get("right", score["exact"])
        if "right" in score:
            notes.append("written")
        if "floor" in floor and 100 * share < floor["floor"]:
            notes.append("**below the floor: not promised**")
        if suite in result.get("controls", {}):
            control = result["controls"][suite]
            seen = control.get("right", control["exact"])
            notes.append(f"blind: {percent(seen)}" + (f" (at most {floor['blind']} %)" if "blind" in floor else ""))
        limit = f"{floor['floor']} %" if "floor" in floor else "-"
        out.append(f"| {suite} | {score['questions']} | {percent(share)} | {limit} | {'; '.join(notes)} |")
    if "prose bits per byte" in result:
        out += ["", f"Held-out prose: {result['prose bits per byte']:.2f} bits per byte (limit 2.0)."]
    return out


def fill(card, lines):
    """The card's text with the part between the markers replaced."""
    before, rest = card.split(BEGIN)
    _, after = rest.split(END)
    return "\n".join([before + BEGIN, *lines, END + after])


def main():
    result, floors = (json.loads(Path(name).read_text()) for name in sys.argv[1:3])
    card = Path(sys.argv[3])
    card.write_text(fill(card.read_text(), rows(result, floors)))


if __name__ == "__main__":
    main()
