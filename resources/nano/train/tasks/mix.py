# SPDX-License-Identifier: Apache-2.0
"""Shares of tokens among the text families, by context length, among pictures and among clips; normalised when drawn."""

SHORT = {       # up to 4K tokens
    "kv": 0.07, "needle": 0.11, "unanswerable": 0.05, "verify": 0.03, "multi": 0.05, "quote": 0.08, "copy": 0.04,
    "reverse": 0.015, "line": 0.015, "hop2": 0.06,
    "hop3": 0.04, "table-cell": 0.04, "table-extreme": 0.025, "table-count": 0.025, "table-sum": 0.025, "card": 0.02,
    "count": 0.02, "sort": 0.025, "pick": 0.015,
    "state": 0.02, "add": 0.025, "mul": 0.015, "dates": 0.025, "dialogue": 0.05, "format": 0.03, "prose": 0.05,
    "define": 0.02, "glossary": 0.025, "natural": 0.06,
}
LONG = {        # 8K tokens and more: what needs a long document
    "kv": 0.05, "needle": 0.34, "unanswerable": 0.11, "verify": 0.03, "multi": 0.13, "quote": 0.17, "hop2": 0.07,
    "hop3": 0.04, "natural": 0.05, "prose": 0.04,
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
