# SPDX-License-Identifier: Apache-2.0
"""Shares of tokens among the text families, by context length, among pictures and among clips; normalised when drawn."""

SHORT = {       # up to 4K tokens
    "free": 0.17, "natural": 0.10, "page": 0.02, "kv": 0.06, "pairs": 0.02, "needle": 0.085, "unanswerable": 0.025, "verify": 0.015, "multi": 0.035,
    "quote": 0.085, "copy": 0.02, "reverse": 0.04, "line": 0.02, "spell": 0.012, "hop2": 0.03, "hop3": 0.022,
    "table-cell": 0.055, "table-extreme": 0.05, "table-count": 0.04, "table-sum": 0.045, "card": 0.01,
    "count": 0.035, "sort": 0.05, "pick": 0.015, "state": 0.03, "add": 0.045, "mul": 0.025, "dates": 0.025,
    "dialogue": 0.045, "format": 0.025, "glossary": 0.015, "define": 0.01, "prose": 0.11,
}
LONG = {        # 8K tokens and more: what needs a long document
    "free": 0.16, "kv": 0.04, "pairs": 0.02, "needle": 0.27, "unanswerable": 0.05, "verify": 0.02, "multi": 0.13, "quote": 0.17, "hop2": 0.04,
    "hop3": 0.03, "natural": 0.06, "prose": 0.05,
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
