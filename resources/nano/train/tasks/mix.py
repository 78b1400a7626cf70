# SPDX-License-Identifier: Apache-2.0
"""Shares of tokens among the text families, by context length, among pictures and among clips; normalised when drawn."""

SHORT = {       # up to 4K tokens
    "kv": 0.055, "pairs": 0.035, "needle": 0.085, "unanswerable": 0.05, "verify": 0.025, "multi": 0.04, "quote": 0.08,
    "natural": 0.055, "page": 0.04,
    "copy": 0.035, "reverse": 0.03, "line": 0.02, "spell": 0.015, "hop2": 0.05, "hop3": 0.035,
    "table-cell": 0.04, "table-extreme": 0.03, "table-count": 0.03, "table-sum": 0.03, "card": 0.015,
    "count": 0.025, "sort": 0.03, "pick": 0.015, "state": 0.03, "add": 0.03, "mul": 0.015, "dates": 0.03,
    "dialogue": 0.045, "format": 0.035, "glossary": 0.02, "define": 0.015, "prose": 0.11,
}
LONG = {        # 8K tokens and more: what needs a long document
    "kv": 0.04, "pairs": 0.03, "needle": 0.30, "unanswerable": 0.11, "verify": 0.03, "multi": 0.13, "quote": 0.17, "hop2": 0.07,
    "hop3": 0.04, "natural": 0.05, "prose": 0.06,
}
IMAGES = {      # reading and charts need the most practice
    "ocr-words": 0.17, "ocr-digits": 0.06, "img-label": 0.06, "chart-largest": 0.07, "chart-value": 0.12,
    "chart-describe": 0.07,
    "img-attribute": 0.08, "img-where": 0.05, "img-edge": 0.01, "img-count": 0.10, "img-relation": 0.05, "img-inside": 0.04,
    "img-nearest": 0.02,
    "img-same": 0.03, "img-more": 0.02, "img-describe": 0.04, "img-missing": 0.01, "img-declined": 0.015,
    "img-absent": 0.005,
}
VIDEO = {
    "video-direction": 0.30, "video-first": 0.18, "video-blinks": 0.16, "video-colours": 0.14, "video-faster": 0.12,
    "video-meet": 0.10,
}


def shares(length):
    return LONG if length >= 8192 else SHORT
