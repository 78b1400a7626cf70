# SPDX-License-Identifier: Apache-2.0
"""Shares of tokens among the text families, by context length, among pictures and among clips; normalised when drawn."""

SHORT = {       # up to 4K tokens
    "free": 0.10, "topic": 0.05, "natural": 0.07, "page": 0.02, "kv": 0.075, "pairs": 0.035, "needle": 0.12,
    "unanswerable": 0.03, "verify": 0.015, "multi": 0.10,
    "quote": 0.24, "copy": 0.04, "reverse": 0.025, "line": 0.03, "spell": 0.012, "hop2": 0.03, "hop3": 0.025,
    "table-cell": 0.05, "table-extreme": 0.05, "table-count": 0.04, "table-sum": 0.03, "card": 0.01,
    "count": 0.03, "sort": 0.07, "pick": 0.012, "state": 0.028, "add": 0.025, "mul": 0.015, "dates": 0.028,
    "dialogue": 0.05, "format": 0.022, "glossary": 0.012, "define": 0.013, "prose": 0.13,
}
LONG = {        # 8K tokens and more: what needs a long document
    "free": 0.08, "topic": 0.03, "kv": 0.04, "pairs": 0.03, "needle": 0.24, "unanswerable": 0.035, "verify": 0.015,
    "multi": 0.22, "quote": 0.28, "hop2": 0.03, "hop3": 0.025, "natural": 0.05, "prose": 0.06,
}
IMAGES = {      # reading and charts need the most practice
    "ocr-words": 0.17, "ocr-digits": 0.06, "img-label": 0.09, "chart-largest": 0.07, "chart-value": 0.12,
    "chart-describe": 0.07,
    "img-attribute": 0.08, "img-where": 0.05, "img-edge": 0.01, "img-count": 0.10, "img-relation": 0.05, "img-inside": 0.04,
    "img-nearest": 0.02,
    "img-same": 0.03, "img-more": 0.02, "img-describe": 0.04, "img-missing": 0.01, "img-declined": 0.015,
    "img-absent": 0.005,
}
VIDEO = {
    "video-direction": 0.26, "video-first": 0.16, "video-blinks": 0.14, "video-colours": 0.12, "video-faster": 0.22,
    "video-meet": 0.10,
}


def shares(length):
    return LONG if length >= 8192 else SHORT
