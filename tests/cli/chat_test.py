#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal run`, `pal dump` and `pal bench` from outside: streams, exit codes, Ctrl-C in a real terminal.

  chat_test.py PAL     from the root of the source tree
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from terminal_program import TerminalProgram

PAL, ROOT = sys.argv[1], os.getcwd()
sys.path.insert(0, str(Path(ROOT, "resources/nano/train")))
import config as nano  # noqa: E402  the embedded model's sizes: K3 in small, with a vocabulary in the tree


def pal(*args, stdin="", **variables):
    return subprocess.run([PAL, *map(str, args)], input=stdin, capture_output=True, text=True, timeout=300,
                          env={**os.environ, **variables})


class RunTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        pattern = Path(cls.folder.name, "config.json")
        pattern.write_text(json.dumps(nano.NANO))
        cls.model = Path(cls.folder.name, "model")
        made = pal("random", pattern, cls.model, "--layers", 5, "--tokenizer", Path(ROOT, "resources/nano/tiktoken.model"))
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_answers_a_pipe_and_repeats_itself(self):
        runs = [pal("run", self.model, "--think", "off", "-n", 12, "--seed", 5, stdin="Hello") for _ in range(2)]
        self.assertEqual([r.returncode for r in runs], [0, 0], runs[0].stderr)
        self.assertTrue(runs[0].stdout.strip())
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertNotIn("\x1b", runs[0].stdout + runs[0].stderr)
        self.assertRegex(runs[0].stderr, r"\d+ prompt tokens at .* tokens/s, first token after .*, \d+ tokens")

    def test_json_counts_every_token_once(self):
        run = pal("run", self.model, "Hello", "--think", "off", "-n", 4, "--temp", 0, "--json")
        answer = json.loads(run.stdout)
        self.assertEqual(answer["tokens"], 4)
        self.assertEqual(answer["finish"], "length")
        self.assertGreater(answer["prompt_tokens"], 3)
        self.assertEqual(answer["reused_tokens"], 0)

    def test_a_file_becomes_part_of_the_prompt(self):
        text = Path(self.folder.name, "notes.txt")
        text.write_text("The quick brown fox jumps over the lazy dog. " * 40)
        short = json.loads(pal("run", self.model, "What?", "-n", 1, "--json").stdout)
        long = json.loads(pal("run", self.model, "What?", "-f", text, "-n", 1, "--json").stdout)
        before = json.loads(pal("run", "-m", self.model, "-f", text, "What?", "-n", 1, "--json").stdout)
        self.assertEqual(before["prompt_tokens"], long["prompt_tokens"], "-f takes one file, the question follows")
        self.assertGreater(long["prompt_tokens"], short["prompt_tokens"] + 300)

    def test_errors_name_the_thing_and_have_their_codes(self):
        bare = Path(ROOT, "tests/golden/tiny-k3/checkpoint")
        for args, code, words in (
                (["run", self.model, "x", "--temp", "200"], 2, "temperature is 200, allowed is 0 to 100"),
                (["run", self.model, "x", "-c", "10"], 2, "the context holds 10"),
                (["run", self.model], 2, "the prompt is empty"),
                (["run", self.model, "x", "--stop", ""], 2, "--stop"),
                (["run", "-m", self.model, "two", "questions"], 2, "quote the question"),
                (["run", "/no/model"], 1, "/no/model: no such file or folder"),
                (["run", "Org/Name"], 1, "models--Org--Name"),
                (["run", Path(self.folder.name, "none"), "x"], 1, "none"),
                (["run", bare, "x"], 1, "tiktoken.model"),
                (["run", self.model, "x", "-f", "/no/such/file"], 1, "/no/such/file"),
                (["run", self.model, "--think", "hard"], 2, "hard"),
                (["run"], 2, "the prompt is empty"),
                (["dump", bare, "--ids", "/no/ids", "--out", "/dev/null"], 1, "/no/ids"),
                (["run", self.model, "x", "-t", "100000"], 2, "100000 is not a whole number from 0 to 1024"),
                (["run", self.model, "x", "--parent", "3"], 2, "need --session"),
                (["bench", self.model, "-c", "0"], 2, "at least 1")):
            run = pal(*args)
            self.assertEqual(run.returncode, code, (args, run.stderr))
            self.assertIn(words, run.stderr)

    def test_a_word_that_was_no_model_is_told_how_it_was_read(self):
        folder, notes = Path(self.folder.name, "lone"), Path(self.folder.name, "lone.txt")
        folder.mkdir()
        notes.write_text("Some notes.")
        for args, words in ((["-f", notes, folder], f"{folder}/config.json: is missing"), (["Org/Name"], "models--Org--Name")):
            run = pal("run", *args)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(words, run.stderr)
            self.assertIn(f"pal run MODEL '{args[-1]}'", run.stderr)
        named = pal("run", "-m", folder, "x")
        self.assertNotIn("pal run MODEL", named.stderr, "nothing was guessed")

    def test_after_two_dashes_come_words_alone(self):
        flags = ["--think", "off", "-n", 3, "--temp", 0, "--json"]
        for before, after in (([self.model, *flags], ["-n is a flag"]), (flags, [self.model, "-n is a flag"]),
                              (["-m", self.model, *flags], ["-n is a flag"]), (["-m", self.model, *flags], ["-n"])):
            run = pal("run", *before, "--", *after)
            self.assertEqual(run.returncode, 0, run.stderr)
            piped = pal("run", self.model, *flags, stdin=after[-1])
            self.assertEqual(json.loads(run.stdout)["content"], json.loads(piped.stdout)["content"])
            self.assertEqual(json.loads(run.stdout)["prompt_tokens"], json.loads(piped.stdout)["prompt_tokens"])
        three = pal("run", "--", self.model, "two", "questions")
        self.assertEqual((three.returncode, "questions" in three.stderr), (2, True), three.stderr)

    def test_threads_that_cannot_be_started_are_an_error(self):
        stack = 1 << 45  # of each new thread: not even two fit the address space
        limit = lambda: resource.setrlimit(resource.RLIMIT_STACK, (stack, resource.getrlimit(resource.RLIMIT_STACK)[1]))
        run = subprocess.run([PAL, "run", str(self.model), "x", "-t", "9"], preexec_fn=limit, capture_output=True, text=True,
                             timeout=300)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("9 threads cannot be started", run.stderr)

    def test_a_data_folder_without_sessions_is_named(self):
        nothing, file = Path(self.folder.name, "nothing"), Path(self.folder.name, "a_file")
        file.write_text("x")
        for args, code, words in (
                (["list", "--data-dir", nothing], 0, f"there are no sessions in {nothing} yet"),
                (["search", "x", "--data-dir", nothing], 1, f"there are no sessions in {nothing} yet"),
                (["show", "x", "--data-dir", file], 1, f"{file}: this is a file, not a folder")):
            run = pal("sessions", *args)
            self.assertEqual(run.returncode, code, (args, run.stderr))
            self.assertIn(words, run.stderr)
        self.assertFalse(nothing.exists())

    def test_the_question_and_the_model_are_told_apart(self):
        flags = ["--think", "off", "-n", 3, "--temp", 0, "--json"]
        by_word = pal("run", self.model, "Hello", *flags)
        by_flag = pal("run", "-m", self.model, "Hello", *flags)
        by_pipe = pal("run", self.model, *flags, stdin="Hello")
        by_variable = pal("run", "Hello", *flags, PALIMPSEST_MODEL=str(self.model))
        answers = [json.loads(run.stdout)["content"] for run in (by_word, by_flag, by_pipe, by_variable)]
        self.assertEqual(answers, answers[:1] * 4)
        self.assertIn("(PALIMPSEST_MODEL)", by_variable.stderr)
        self.assertNotIn("Model:", by_word.stderr)

    def test_without_a_model_the_embedded_one_answers(self):
        run = pal("run", "What are you?", "--think", "off", "-n", 2, PALIMPSEST_MODEL="")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"Model: .*/resources/nano \(embedded\)\n")
        wrong = pal("run", "What are you?", PALIMPSEST_MODEL="/no/model")
        self.assertEqual((wrong.returncode, wrong.stderr),
                         (1, "pal: error: /no/model: no such file or folder (from PALIMPSEST_MODEL)\n"))

    def test_an_installed_program_finds_its_own_model(self):
        prefix = Path(self.folder.name, "prefix")
        (prefix / "bin").mkdir(parents=True)
        (prefix / "share/palimpsest").mkdir(parents=True)
        shutil.copy(PAL, prefix / "bin/pal")
        (prefix / "share/palimpsest/nano").symlink_to(self.model)
        run = subprocess.run([prefix / "bin/pal", "run", "Hello", "-n", "1"], capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, env={**os.environ, "PALIMPSEST_MODEL": ""}, timeout=120)
        self.assertIn(f"Model: {prefix}/share/palimpsest/nano (embedded)", run.stderr)

    def test_a_hub_name_is_found_in_its_cache(self):
        cache = Path(self.folder.name, "hub")
        (cache / "models--Org--Name/snapshots").mkdir(parents=True)
        (cache / "models--Org--Name/snapshots/1").symlink_to(self.model)
        run = pal("run", "Org/Name", "Hello", "-n", 1, "--json", HF_HUB_CACHE=str(cache))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(pal("show", "Org/Name", HF_HUB_CACHE=str(cache)).returncode, 0)

    def test_standard_input_that_stays_open_does_not_matter_beside_a_question(self):
        text = Path(self.folder.name, "open.txt")
        text.write_text("A file.")
        for more in ([], ["-f", text]):
            read, write = os.pipe()
            run = subprocess.run([PAL, "run", self.model, "Hello", "-n", "1", *map(str, more)], stdin=read,
                                 capture_output=True, timeout=60)
            os.close(read)
            os.close(write)
            self.assertEqual(run.returncode, 0)

    def test_standard_input_is_a_file_where_asked(self):
        flags = ["What?", "-n", 1, "--json"]
        count = lambda run: json.loads(run.stdout)["prompt_tokens"]
        piped = pal("run", self.model, *flags, "-f", "-", stdin="Some words of a text. " * 20)
        self.assertGreater(count(piped), count(pal("run", self.model, *flags, stdin="not read")) + 60)

    def test_an_answer_ends_before_a_stop_text(self):
        flags = ["--think", "off", "-n", 40, "--temp", 0]
        whole = json.loads(pal("run", self.model, "Hello", *flags, "--json").stdout)["content"]
        self.assertGreater(len(whole), 20)
        for first in range(3, 12):  # also texts that begin and end inside tokens
            stop = whole[first:first + 5]
            expected = whole[:whole.find(stop)]
            answer = json.loads(pal("run", self.model, "Hello", *flags, "--json", "--stop", "never", "--stop", stop).stdout)
            self.assertEqual((answer["content"], answer["finish"]), (expected, "stop"))
            self.assertLess(answer["tokens"], 40)
            shown = pal("run", self.model, "Hello", *flags, "--stop", stop)
            self.assertEqual((shown.returncode, shown.stdout.rstrip("\n")), (0, expected.rstrip("\n")))

    def test_dump_writes_what_it_promises(self):
        golden = Path(ROOT, "tests/golden/tiny-linear")
        out = Path(self.folder.name, "dump.safetensors")
        run = pal("dump", golden / "checkpoint", "--ids", golden / "golden.safetensors", "--out", out, "--split", "64,100",
                  "--greedy", 3, "--backend", "cpu", "--threads", 1)
        self.assertEqual(run.returncode, 0, run.stderr)
        raw = out.read_bytes()
        header = json.loads(raw[8:8 + int.from_bytes(raw[:8], "little")])
        self.assertEqual(header["logits"]["shape"], [157, 512])
        self.assertEqual(header["greedy"], {**header["greedy"], "dtype": "I32", "shape": [3]})
        self.assertEqual(header["state.0.state"]["shape"], [2, 128, 128])

    def test_ctrl_c_stops_an_answer_and_keeps_the_conversation(self):
        chat = TerminalProgram(PAL, "run", self.model, "--seed", 1, "--think", "low")
        chat.wait_for("> $")
        chat.send("first question\n")
        chat.wait_for("\x1b\\[2m\\S")  # thinking streams, dim
        chat.send("\x03")
        said = chat.wait_for("stopped")
        self.assertIn("\x1b[0m", said)
        chat.wait_for("> $")
        chat.send("second question\n")
        chat.wait_for("\\(\\d+ reused\\)")  # only what is new is read
        chat.send("\x03")
        chat.wait_for("stopped")
        chat.wait_for("> $")
        chat.send("\x03")  # at the prompt: leave
        self.assertEqual(chat.exit_code(), 130)

    def test_end_of_input_leaves_quietly(self):
        chat = TerminalProgram(PAL, "run", self.model)
        chat.wait_for("> $")
        chat.send("\x04")
        self.assertEqual(chat.exit_code(), 0)

    def test_interrupting_a_single_answer_is_130(self):
        long = Path(self.folder.name, "long.txt")
        long.write_text("a long text, read for many seconds. " * 3000)
        run = subprocess.Popen([PAL, "run", self.model, "Hello", "-f", long], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("context", run.stderr.readline())  # loaded
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
        self.assertEqual((run.returncode, out.strip()), (130, ""), err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
