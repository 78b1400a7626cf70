#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What holds for every command of `pal`: its log, --json, --list-devices, words that are no command.

  program_test.py PAL      run in the source tree
"""
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PAL = sys.argv[1]
SECRET = "Zanzibar"
ANSWER = ("run", "-n", 3, "--think", "off", "--temp", 0)
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d"


def pal(*args, stdin=""):
    return subprocess.run([PAL, *map(str, args)], capture_output=True, text=True, input=stdin)


def commands(*path):
    """All commands that --help lists, those below others too."""
    text = pal(*path, "--help").stdout
    listed = re.search(r"Subcommands:\n((?:  .*\n)+)", text)
    if not listed:
        return [path]
    return [below for line in listed[1].splitlines() if line[2] != " " for below in commands(*path, line.split()[0])]


class Log(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.text, self.lines = Path(self.folder.name, "a.log"), Path(self.folder.name, "a.jsonl")

    def test_says_what_was_done_and_not_what_was_said(self):
        plain = pal(*ANSWER, f"Where is {SECRET}?", "-sys", SECRET)
        logged = pal(*ANSWER, "--log-file", self.text, "--log-jsonl", self.lines, f"Where is {SECRET}?", "-sys", SECRET)
        self.assertEqual((logged.returncode, logged.stdout), (0, plain.stdout))
        text = self.text.read_text()
        lines = text.splitlines()
        for line, kind in zip(lines, ("program pal .*: run", "model .*nano", "model KimiK3.* on .*, .* threads, context .* tokens",
                                      "turn .* prompt tokens at .* tokens/s.*", "program exit code 0 after .* s"), strict=True):
            self.assertRegex(line, f"^{TIME} info {kind}$")
        events = [json.loads(line) for line in self.lines.read_text().splitlines()]
        self.assertEqual([" ".join(event[key] for key in ("time", "level", "category", "message")) for event in events], lines)
        for secret in (SECRET, plain.stdout.strip()):
            self.assertNotIn(secret, text)
        for file in (self.text, self.lines):
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)

    def test_is_added_to_by_any_command_before_or_after_its_name(self):
        pal("--log-file", self.text, "ls")
        pal("sessions", "list", "--data-dir", self.folder.name, "--log-file", self.text)
        pal("show", "/no/such/model", "--log-file", self.text)
        text = self.text.read_text()
        self.assertRegex(text, ": ls\n.*exit code 0 .*\n.*: sessions list\n.*exit code 0 .*\n.*: show\n")
        self.assertRegex(text, f"{TIME} error program /no/such/model: no such file or folder\n.*exit code 1 ")

    def test_verbose_is_the_same_on_standard_error(self):
        loud = pal("ls", "-v")
        self.assertEqual(loud.stdout, pal("ls").stdout)
        self.assertRegex(loud.stderr, f"^{TIME} info program pal .*: ls\n{TIME} info program exit code 0 after .* s\n$")
        self.assertNotIn("\x1b", loud.stderr)

    def test_a_log_that_cannot_be_written_is_told(self):
        nowhere = pal("ls", "--log-file", "/no/such/folder/a.log")
        self.assertEqual((nowhere.returncode, nowhere.stdout), (1, ""))
        self.assertEqual(nowhere.stderr, "pal: error: /no/such/folder/a.log: No such file or directory\n")
        if os.path.exists("/dev/full"):
            full = pal("ls", "--log-jsonl", "/dev/full")
            self.assertEqual((full.returncode, full.stderr), (1, "pal: error: /dev/full: No space left on device\n"))
            self.assertEqual(full.stdout, pal("ls").stdout)


class EveryCommand(unittest.TestCase):
    def test_takes_json_and_what_belongs_to_the_program(self):
        listed = commands()
        self.assertGreater(len(listed), 20)
        for command in listed:
            text = pal(*command, "--help").stdout
            for flag in ("--json", "--log-file", "--log-jsonl", "--verbose", "--offline"):
                self.assertRegex(text, rf"(?m)^ .*{flag}\b", command)

    def test_offline_changes_nothing(self):
        self.assertEqual(pal("ls", "--offline").stdout, pal("--offline", "ls").stdout)

    def test_json_of_those_that_write_files(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder, "model")
            made = json.loads(pal("random", "tests/data/configs/t1-kl.json", model, "--json").stdout)
            self.assertEqual(made["folder"], str(model))
            shown = json.loads(pal("show", model, "--json").stdout)
            self.assertEqual((made["parameters"], made["tensors"]), (shown["parameters"], shown["tensors"]))
            out = Path(folder, "out.safetensors")
            ids = "tests/golden/tiny-linear/golden.safetensors"
            dumped = pal("dump", "tests/golden/tiny-linear/checkpoint", "--ids", ids, "--out", out, "--json")
            self.assertEqual(dumped.returncode, 0, dumped.stderr)
            self.assertEqual(json.loads(dumped.stdout), {"out": str(out)})
            self.assertTrue(out.exists())

    def test_json_of_the_views(self):
        views = json.loads(pal("viz", "--list", "--json").stdout)
        self.assertIn("attention", [view["name"] for view in views])
        self.assertEqual({len(view["explanation"]) for view in views}, {3})


class Devices(unittest.TestCase):
    def test_each_with_what_it_is_or_why_not(self):
        text = pal("--list-devices")
        self.assertEqual((text.returncode, text.stderr), (0, ""))
        cpu, cuda = text.stdout.splitlines()
        self.assertRegex(cpu, r"^cpu   .*\d+ threads$")
        self.assertRegex(cuda, r"^cuda  (not usable: no CUDA backend: .+|.+, [\d.]+ .?i?B of [\d.]+ .?i?B free)$")
        first, second = json.loads(pal("--list-devices", "--json").stdout)
        self.assertEqual((first["device"], first["usable"]), ("cpu", True))
        self.assertEqual(second["device"], "cuda")
        self.assertEqual("reason" in second, not second["usable"])
        if not second["usable"]:
            self.assertIn(second["reason"], cuda)
            failed = pal(*ANSWER, "-d", "cuda", "Hi")
            self.assertEqual((failed.returncode, failed.stdout), (1, ""))
            self.assertIn(second["reason"], failed.stderr)

    def test_json_alone_is_no_command(self):
        self.assertEqual(pal("--json").returncode, 2)


class NoCommand(unittest.TestCase):
    def test_each_is_refused_with_a_sentence(self):
        for args, message in (((), "which command? `pal --help` lists them; `pal run` starts a chat"),
                              (("sing",), "there is no command 'sing'; `pal --help` lists them"),
                              (("serve", "--host", "0.0.0.0"), "there is no command 'serve': this program has no server; `pal run` asks a model"),
                              (("ps",), "there is no command 'ps': a model is loaded for as long as the command that asks it, and none in between"),
                              (("-v", "stop"), "there is no command 'stop': a model is loaded for as long")):
            done = pal(*args)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertTrue(done.stderr.startswith(f"pal: error: {message}"), done.stderr)
        unknown = pal("--sing")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("The following argument was not expected: --sing", unknown.stderr)


class TokensOfAFile(unittest.TestCase):
    def test_a_single_word_is_a_file_if_there_is_one(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "text")
            file.write_text("Hello there")
            expected = pal("tokens", "--ids", stdin="Hello there").stdout
            for args in ((file,), ("-f", file), ("resources/nano", file), ("-m", "resources/nano", file),
                         ("--vocab", "resources/nano/tiktoken.model", file)):
                done = pal("tokens", *args, "--ids")
                self.assertEqual((done.returncode, done.stdout), (0, expected), done.stderr)
            ids = json.loads(pal("tokens", file, "--json").stdout)
            self.assertEqual(ids, {"tokens": len(expected.split()), "ids": list(map(int, expected.split()))})
            back = json.loads(pal("tokens", "--decode", "--json", stdin=expected).stdout)
            self.assertEqual(back, {**ids, "text": "Hello there"})
            for args, message in (((file, "-f", file), "two files are named"),
                                  (("resources/nano", file, "-m", "resources/nano"), "the vocabulary is named twice")):
                done = pal("tokens", *args)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(message, done.stderr)


class StoredStates(unittest.TestCase):
    def test_lie_where_slot_save_path_says(self):
        with tempfile.TemporaryDirectory() as folder:
            data, states = Path(folder, "data"), Path(folder, "states")
            flags = ("--data-dir", data, "--slot-save-path", states, "--session", "a", "--json")
            self.assertEqual(pal(*ANSWER, *flags, "Hi").returncode, 0)
            self.assertTrue((states / "states.db").exists())
            self.assertFalse(list(data.rglob("states.db")))
            again = json.loads(pal(*ANSWER, *flags, "And then?").stdout)
            self.assertGreater(again["restored_tokens"], 0)


unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
