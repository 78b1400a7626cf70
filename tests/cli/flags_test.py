#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Flags of `pal` that users of llama.cpp type without reading: what they do here, or what is there instead of them.

  flags_test.py PAL      run in the source tree
"""
import json
import subprocess
import sys
import unittest

PAL = sys.argv[1]
CONFIG = "tests/data/configs/kimi-linear-48b.json"
GIVEN = ("--gpu-memory", "24GB", "--ram", "128GB")
ANSWER = ("run", "-n", 2, "--think", "off", "--temp", 0)


def pal(*args):
    return subprocess.run([PAL, *map(str, args)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def plan(*args):
    done = pal("show", CONFIG, "--json", *args)
    assert done.returncode == 0, (args, done.stderr)
    return json.loads(done.stdout).get("placement")


class LlamaNames(unittest.TestCase):
    def refused(self, message, *args):
        done = pal(*args)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_names_with_one_dash_reach_their_options(self):
        answered = pal(*ANSWER, "-dev", "cpu", "-ngl", 0, "-sm", "none", "-fit", "on", "-ctk", "bf16", "-ctv", "bf16",
                       "-sys", "Be kind.", "-b", 256, "-c", 2048, "Hi")
        self.assertEqual(answered.returncode, 0, answered.stderr)
        same = pal(*ANSWER, "--device", "cpu", "--cache-type", "bf16", "--system-prompt", "Be kind.", "Hi")
        self.assertEqual(answered.stdout, same.stdout)

    def test_gpu_layers(self):
        for all_layers in ("all", 99, 28, 27):
            self.assertEqual(plan("-ngl", all_layers, *GIVEN)["expert_layers"], 26, all_layers)
        self.assertIsNone(plan("-ngl", 0))
        for layers in (1, 26):
            self.refused(f"--n-gpu-layers {layers}: the model has 27 layers, and either all or none of them (0) run on the GPU. "
                         "Routed experts without room there stay in RAM by themselves; --experts-in-ram",
                         "show", CONFIG, "-ngl", layers, *GIVEN)
        self.refused("the model has 27 layers", "bench", CONFIG, "-ngl", 5)
        self.refused("--n-gpu-layers: 0 is --device cpu, and --device cuda is given", "show", CONFIG, "-ngl", 0, "-d", "cuda")
        self.refused("--n-gpu-layers: 99 is --device cuda, and --device cpu is given", *ANSWER, "-ngl", 99, "-dev", "cpu", "Hi")
        for wrong in ("-1", "some", "1.5", ""):
            self.refused("--n-gpu-layers", "show", CONFIG, "-ngl", wrong)

    def test_experts_in_ram(self):
        self.assertEqual(plan("-dev", "cuda", "-ncmoe", 25, *GIVEN)["expert_layers_in_ram"], 25)
        self.refused("--experts-in-ram: needs --device cuda", "show", CONFIG, "-ncmoe", 20)

    def test_one_cache_type(self):
        def latents(*args):
            return plan("-ngl", "all", *GIVEN, *args)["gpu"]["latent_bytes"]

        half = latents("--cache-type", "bf16")
        self.assertEqual(latents(), 2 * half)
        for flags in (("-ctk", "bf16"), ("-ctv", "bf16"), ("-ctk", "bf16", "-ctv", "bf16"), ("--cache-type-k", "bf16", "--cache-type", "bf16")):
            self.assertEqual(latents(*flags), half, flags)
        message = "f32 and bf16 are given, but keys and values are one latent, of one type"
        self.refused(message, *ANSWER, "-ctk", "f32", "-ctv", "bf16", "Hi")
        self.refused(message, *ANSWER, "--cache-type", "f32", "-ctv", "bf16", "Hi")
        self.refused("q8_0 not in {f32,bf16}", *ANSWER, "-ctk", "q8_0", "Hi")

    def test_what_there_is_not(self):
        one_gpu = "a model runs on one GPU; --experts-in-ram and --gpu-memory divide it between GPU and RAM"
        self.refused(f"--split-mode: row is not there: {one_gpu}", *ANSWER, "-sm", "row", "Hi")
        self.refused("--tensor-split: a model runs on one GPU; --gpu-memory and --experts-in-ram", *ANSWER, "-ts", "3,1", "Hi")
        self.refused("--fit: off is not there", *ANSWER, "--fit", "off", "Hi")
        self.refused("--fit-target: no margin is set here; --gpu-memory", *ANSWER, "--fit-target", 1024, "Hi")
        self.refused("--checkpoint-min-step: states are kept at the ends of messages", *ANSWER, "--checkpoint-min-step", 64, "Hi")

    def test_checkpoints_in_ram(self):
        with_some = pal(*ANSWER, "--ctx-checkpoints", 3, "Hi")
        self.assertEqual(with_some.returncode, 0, with_some.stderr)
        self.assertEqual(with_some.stdout, pal(*ANSWER, "--ctx-checkpoints", 0, "Hi").stdout)
        self.refused("--ctx-checkpoints", "bench", CONFIG, "--ctx-checkpoints", 3)
        self.refused("--ctx-checkpoints: -1 is not a whole number", *ANSWER, "--ctx-checkpoints=-1", "Hi")


unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
