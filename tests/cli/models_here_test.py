#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal ls` and `pal load --estimate-only`: which models are here and what they would take.

  models_here_test.py PAL      run in the source tree
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PAL = sys.argv[1]
CONFIG = "tests/data/configs/kimi-linear-48b.json"
TINY = Path("tests/golden/tiny-linear/checkpoint").absolute()


def pal(*args, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "PALIMPSEST_MODEL"}
    return subprocess.run([PAL, *map(str, args)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**environment, **variables})


class Ls(unittest.TestCase):
    def setUp(self):
        self.cache = tempfile.TemporaryDirectory()
        self.addCleanup(self.cache.cleanup)

    def add(self, entry, target):
        snapshots = Path(self.cache.name, f"models--{entry}", "snapshots")
        snapshots.mkdir(parents=True)
        (snapshots / "0123abc").symlink_to(target)
        return snapshots.parent

    def test_the_cache_the_embedded_and_the_variable(self):
        self.add("moonshotai--Tiny", TINY)
        self.add("else--no-model", self.cache.name)
        done = pal("ls", "--json", HF_HUB_CACHE=self.cache.name, PALIMPSEST_MODEL=str(TINY))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        mine, embedded, cached = json.loads(done.stdout)
        self.assertEqual((mine["origin"], mine["name"]), ("PALIMPSEST_MODEL", "checkpoint"))
        self.assertEqual((embedded["origin"], embedded["name"]), ("embedded", "nano"))
        self.assertEqual((cached["origin"], cached["name"]), ("cache", "moonshotai/Tiny"))
        shown = json.loads(pal("show", cached["name"], "--json", HF_HUB_CACHE=self.cache.name).stdout)
        for key in ("parameters", "weight_bytes", "architecture", "folder"):
            self.assertEqual(cached[key], shown[key])
        self.assertEqual(mine["parameters"], cached["parameters"])

    def test_as_text(self):
        self.add("moonshotai--Tiny", TINY)
        done = pal("ls", HF_HUB_CACHE=self.cache.name)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        embedded, cached = done.stdout.splitlines()
        self.assertRegex(embedded, r"^nano +[\d.]+ M +[\d.]+ MiB  embedded$")
        self.assertRegex(cached, r"^moonshotai/Tiny +[\d.]+ \w +[\d.]+ MiB  cache$")

    def test_a_model_with_a_problem_is_listed_with_it(self):
        broken = Path(self.cache.name, "broken")
        broken.mkdir()
        (broken / "config.json").write_text("{}")
        self.add("org--broken", broken)
        listed = json.loads(pal("ls", "--json", HF_HUB_CACHE=self.cache.name).stdout)[-1]
        self.assertEqual(listed["name"], "org/broken")
        self.assertIn("config.json", listed["problem"])
        text = pal("ls", HF_HUB_CACHE=self.cache.name)
        self.assertEqual(text.returncode, 0)
        self.assertIn("  cannot be used: ", text.stdout)


class Load(unittest.TestCase):
    def test_the_estimate_is_that_of_show(self):
        for flags in ((), ("-c", 32768)):
            done = pal("load", CONFIG, "--estimate-only", "--json", *flags)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(json.loads(done.stdout)["memory"], json.loads(pal("show", CONFIG, "--json", *flags).stdout)["memory"])
        text = pal("load", CONFIG, "--estimate-only", "-c", 32768)
        self.assertEqual(text.returncode, 0)
        self.assertTrue(text.stdout.startswith("Memory at 32,768 tokens of context (estimate)\n  weights "))
        self.assertIn(text.stdout, pal("show", CONFIG, "-c", 32768).stdout)

    def test_the_estimate_counts_the_cache_type_and_refuses_other_steps(self):
        full, half = (json.loads(pal("load", CONFIG, "--estimate-only", "--json", "-c", 65536, *flags).stdout)["memory"]
                      for flags in ((), ("-ctk", "bf16")))
        state = json.loads(pal("show", CONFIG, "--json").stdout)["state"]
        latents = full["state_bytes"] - state["checkpoint_bytes"]
        self.assertEqual(latents, 65536 * state["latent_bytes_per_token"])
        for key in ("state_bytes", "total_bytes"):
            self.assertEqual(full[key] - half[key], latents // 2)
        shown = json.loads(pal("show", CONFIG, "--json", "-ctk", "bf16").stdout)["state"]
        self.assertEqual((shown["latent_type"], shown["latent_bytes_per_token"]), ("bf16", state["latent_bytes_per_token"] // 2))
        for command in (("load", CONFIG, "--estimate-only"), ("show", CONFIG)):
            done = pal(*command, "-b", 1024)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("--batch-size 1024: the estimate for the CPU is for prefill steps of 512 tokens", done.stderr)

    def test_on_a_gpu(self):
        flags = ("-ngl", "all", "--gpu-memory", "24GB", "--ram", "128GB")
        done = pal("load", CONFIG, "--estimate-only", "--json", *flags)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["placement"], json.loads(pal("show", CONFIG, "--json", *flags).stdout)["placement"])
        text = pal("load", CONFIG, "--estimate-only", *flags)
        self.assertTrue(text.stdout.startswith("On a GPU with room for 22.4 GiB, 32,768 tokens of context"))

    def test_without_estimate_only_it_says_who_loads(self):
        done = pal("load", CONFIG)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("pal load --estimate-only says what it takes", done.stderr)


unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
