# SPDX-License-Identifier: Apache-2.0
"""Lines of alternatives, cut where patterns of frames.py allow it."""


def fields(line, count=None):
    """The parts of a line between bars, at most `count`; bars inside brackets belong to a pattern's alternatives."""
    out, depth, part = [], 0, ""
    for letter in line:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth and (count is None or len(out) < count - 1):
            out.append(part.strip())
            part = ""
        else:
            part += letter
    return out + [part.strip()]
