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
        self.assertEqual(model["state"]["checkpoint_bytes"], 464633856)
        self.assertEqual(sum(part["bytes"] for part in model["parts"]), model["weight_bytes"])
        self.assertFalse(model["has_weights"])

    def test_text_has_units_and_no_control_codes(self):
        done = pal("show", TINY, "--context", 4096)
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("9: 6 KDA and 3 MLA", "822.0 KiB", "Memory at 4,096 tokens", "1,020 tensors in 2 shards"):
            self.assertIn(part, done.stdout)
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_failures(self):
        embedded = pal("show")
        self.assertEqual(embedded.returncode, 0, embedded.stderr)
        self.assertRegex(embedded.stderr, r"^Model: .*/resources/nano \(embedded\)\n$")
        self.assertIn("KimiK3ForConditionalGeneration", embedded.stdout)
        missing = pal("show", "/no/such/model")
        self.assertEqual(missing.returncode, 1)
        self.assertEqual(missing.stderr, "pal: error: /no/such/model: no such file or folder\n")
        self.assertEqual(missing.stdout, "")


    def test_context(self):
        for text in ("-1", "0", "010", "0x10", "1e3", "", "99999999999999999999"):
            self.assertEqual(pal("show", TINY, f"--context={text}").returncode, 2, text)
        limit = json.loads(pal("show", TINY, "--json").stdout)["context_limit"]
        self.assertEqual(pal("show", TINY, "-c", limit).returncode, 0)
        beyond = pal("show", TINY, "-c", limit + 1)
        self.assertEqual(beyond.returncode, 2)
        self.assertIn(f"a context of {limit + 1} tokens is asked for, the model's limit is {limit}", beyond.stderr)

    def test_plan_for_a_gpu_that_is_not_here(self):
        config = f"{CONFIGS}/kimi-linear-48b.json"
        plain = ("--device", "cuda", "--cache-type", "bf16", "-c", 32768)
        given = (*plain, "--ram", "128GB", "--gpu-rate", "1TB", "--link-rate", "25GB")
        done = pal("show", config, *given, "--gpu-memory", "24GB", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        plan = json.loads(done.stdout)["placement"]
        layer = 256 * 3 * 1024 * 2304 * 2
        moved = plan["expert_layers_in_ram"]
        self.assertEqual(plan["expert_layers"], 26)
        self.assertEqual(plan["ram_bytes"], moved * layer)
        self.assertEqual(plan["gpu"]["expert_bytes"], (26 - moved) * layer)
        self.assertLessEqual(plan["gpu"]["total_bytes"], 24_000_000_000)
        token = plan["per_token"]
        self.assertEqual(token["link_bytes"], moved * layer // 32)
        self.assertAlmostEqual(token["link_seconds"], token["link_bytes"] / 25e9)
        self.assertAlmostEqual(token["tokens_per_second_at_most"], 1 / (token["gpu_bytes"] / 1e12 + token["link_bytes"] / 25e9))
        text = pal("show", config, *given, "--gpu-memory", "24GB").stdout
        self.assertIn(f"of {26 - moved} of 26 layers", text)
        self.assertIn(f"routed experts of {moved} layers", text)
        chosen = pal("show", config, *given, "--gpu-memory", "24GB", "--experts-in-ram", 26, "--json")
        self.assertEqual(json.loads(chosen.stdout)["placement"]["expert_layers_in_ram"], 26)
        for wrong, message in ((("--gpu-memory", "2GB"), "the GPU has room for 1.86 GiB, "),
                               (("--gpu-memory", "24GB", "--ram", "16GB"), "RAM has room for 14.9 GiB"),
                               (("--gpu-memory", "24GB", "--experts-in-ram", 27), "the model has 26 layers with experts")):
            failed = pal("show", config, *plain, *wrong)
            self.assertNotEqual(failed.returncode, 0)
            self.assertIn(message, failed.stderr)
        self.assertNotIn("placement", json.loads(pal("show", config, "--json").stdout))
        for flag, value in (("--gpu-memory", "24GB"), ("--experts-in-ram", 3), ("--ram", "64GB"), ("--gpu-rate", "1TB"), ("--link-rate", "25GB")):
            failed = pal("show", config, flag, value)
            self.assertEqual(failed.returncode, 2)
            self.assertIn(f"{flag}: needs --device cuda", failed.stderr)

    def test_paths_may_be_any_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, os.fsdecode(b"m\xff\x1b]0;title\x07"))
            shutil.copytree(TINY, copy)
            done = subprocess.run([PAL, "show", copy, "--json"], capture_output=True, check=True)
            self.assertTrue(json.loads(done.stdout)["folder"].endswith("m\ufffd\x1b]0;title\x07"))
            self.assertNotIn(b"\x1b", done.stdout)
            done = subprocess.run([PAL, "show", copy], capture_output=True, check=True)
            self.assertNotIn(b"\x1b", done.stdout)
            done = subprocess.run([PAL, "show", copy + "x"], capture_output=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertNotIn(b"\x1b", done.stderr)

    def test_names_from_files_cannot_move_the_cursor(self):
        with tempfile.TemporaryDirectory() as folder:
            config = json.loads(Path(CONFIGS, "t1-kl.json").read_text())
            config["architectures"] = ["Kimi\x1b[2J\u009b2J\x7f\rX"]
            Path(folder, "config.json").write_text(json.dumps(config))
            done = subprocess.run([PAL, "show", "config.json"], cwd=folder, capture_output=True, check=True)
            self.assertIn("Kimi\ufffd[2J\ufffd2J\ufffd\ufffdX", done.stdout.decode())
            self.assertIn("Folder        .\n", done.stdout.decode())
            done = subprocess.run([PAL, "show", "config.json", "--json"], cwd=folder, capture_output=True, check=True)
            self.assertEqual(json.loads(done.stdout)["architecture"], config["architectures"][0])
            self.assertNotIn("\u009b".encode(), done.stdout)

    def test_a_full_disk_is_a_failure(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PAL, "show", TINY], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)


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


    def test_everything_wrong_is_told_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "copy")
            self.assertEqual(pal("random", f"{CONFIGS}/t1.json", copy, "--shard-size", "1MiB").returncode, 0)
            shards = sorted(copy.glob("*.safetensors"))
            shards[0].unlink()
            shards[1].write_bytes(b"12345")
            config = json.loads((copy / "config.json").read_text())
            del config["text_config"]["hidden_size"]
            (copy / "config.json").write_text(json.dumps(config))
            (copy / "tiktoken.model").write_text("not a vocabulary\n")
            done = pal("verify", copy, "--json")
            self.assertEqual(done.returncode, 1)
            problems = json.loads(done.stdout)["problems"]
            for part in (f"shard {shards[0].name} is missing", "5 bytes are too few", "hidden_size is missing",
                         "tiktoken.model"):
                self.assertEqual(sum(part in problem for problem in problems), 1, (part, problems))
            self.assertEqual(len(problems), 4)

    def test_the_vocabulary_must_fit(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(TINY, Path(folder, "copy"))
            for name in ("tiktoken.model", "tokenizer_config.json"):
                shutil.copy(Path("resources/nano", name), copy)
            done = pal("verify", copy)
            self.assertEqual(done.returncode, 1)
            self.assertIn("make 4096 tokens, vocab_size is 512", done.stdout)

    def test_the_count_is_that_of_all_problems(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(TINY, Path(folder, "copy"))
            config = json.loads(Path(copy, "config.json").read_text())
            config["text_config"]["hidden_size"] = 256
            config["vision_config"]["text_hidden_size"] = 256
            Path(copy, "config.json").write_text(json.dumps(config))
            report = json.loads(pal("verify", copy, "--json").stdout)
            self.assertEqual(len(report["problems"]), 50)
            self.assertGreater(report["problem_count"], 50)
            self.assertIn(f"Not sound: {report['problem_count']} problems, 50 of them shown", pal("verify", copy).stdout)


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
        self.assertEqual(pal("random", f"{CONFIGS}/t1.json", self.out, "--layers", "02").returncode, 2)
        self.assertEqual(pal("random", f"{CONFIGS}/t1.json", self.out, "--seed", "-1").returncode, 2)
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
