# SPDX-License-Identifier: Apache-2.0
"""Task families of the embedded model; each module offers FAMILIES (see dialog.py)."""
import importlib

TEXT_MODULES = ("lookup", "copying", "hops", "tables", "lists", "drills", "pages", "numbers", "talk", "language", "natural", "free", "topics")
MEDIA_MODULES = ("images", "video")


def text_families():
    """{family: generator} of all text tasks"""
    families = {}
    for module in TEXT_MODULES:
        families.update(importlib.import_module(f"tasks.{module}").FAMILIES)
    return families


def media_families():
    """{family: generator} of all picture and clip tasks"""
    families = {}
    for module in MEDIA_MODULES:
        families.update(importlib.import_module(f"tasks.{module}").FAMILIES)
    return families
