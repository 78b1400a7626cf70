#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal show`, `pal verify` and `pal random`: exit codes, JSON, messages, Ctrl-C.

  model_commands_test.py PAL      run in the source tree
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PAL = sys.argv[1]
TINY = "tests/golden/tiny-k3/checkpoint"
CONFIGS = "tests/data/configs"


def pal(*args):
    return subprocess.run([PAL, *map(str, args)], capture_output=True, text=True)


class Show(unittest.TestCase):
    def test_json_of_a_config_alone(self):
        done = pal("show", f"{CONFIGS}/kimi-k3.json", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        model = json.loads(done.stdout)
        self.assertEqual(model["parameters"], 2779931837184)
        self.assertEqual(model["weight_bytes"], 1560860324864)
        self.assertEqual(model["state"]["checkpoint_bytes"], 449372160)
        self.assertEqual(sum(part["bytes"] for part in model["parts"]), model["weight_bytes"])
        self.assertFalse(model["has_weights"])

    def test_text_has_units_and_no_control_codes(self):
        done = pal("show", TINY, "--context", 4096)
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("9: 6 KDA and 3 MLA", "795.0 KiB", "Memory at 4,096 tokens", "1,020 tensors in 2 shards"):
            self.assertIn(part, done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_failures(self):
        self.assertEqual(pal("show").returncode, 2)
        missing = pal("show", "/no/such/model")
        self.assertEqual(missing.returncode, 1)
        self.assertEqual(missing.stderr, "pal: error: /no/such/model: no such file or folder\n")
        self.assertEqual(missing.stdout, "")


class Verify(unittest.TestCase):
    def test_sound(self):
        done = pal("verify", TINY, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["problems"], [])

    def test_not_sound(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(TINY, Path(folder, "copy"))
            shard = Path(copy, "model-00002-of-00002.safetensors")
            shard.write_bytes(shard.read_bytes()[:-100])
            done = pal("verify", copy, "--json")
            self.assertEqual(done.returncode, 1)
            self.assertIn("model-00002-of-00002.safetensors", json.loads(done.stdout)["problems"][0])


class Random(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = Path(self.folder.name, "model")

    def tearDown(self):
        self.folder.cleanup()

    def test_makes_a_sound_model(self):
        done = pal("random", f"{CONFIGS}/t1.json", self.out, "--shard-size", "1MiB", "--experts", 4, "--layers", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(pal("verify", self.out).returncode, 0)
        model = json.loads(pal("show", self.out, "--json").stdout)
        self.assertEqual((model["layers"]["all"], model["experts"]["all"]), (3, 4))
        self.assertGreater(model["shards"], 1)

    def test_wrong_use(self):
        self.assertEqual(pal("random", f"{CONFIGS}/t1.json", self.out, "--layers", 7).returncode, 2)
        self.assertEqual(pal("random", f"{CONFIGS}/t1.json", self.out, "--shard-size", "much").returncode, 2)
        self.assertFalse(self.out.exists())

    def test_interrupt_leaves_nothing(self):
        work = subprocess.Popen([PAL, "random", f"{CONFIGS}/kimi-linear-48b.json", str(self.out), "--layers", "2",
                                 "--experts", "8"], stderr=subprocess.PIPE, text=True)
        part = Path(str(self.out) + ".part")
        while work.poll() is None and not (part / "model.safetensors.part").exists():
            time.sleep(0.01)
        work.send_signal(signal.SIGINT)
        _, err = work.communicate(timeout=60)
        self.assertEqual(work.returncode, 130, err)
        self.assertIn("stopped after", err)
        self.assertEqual(os.listdir(self.folder.name), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
