#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal run` at a terminal when its GPU stops answering in the middle of an answer: it offers the CPU, gives the GPU back, and answers there.

  lost_gpu_test.py PAL_ON_PLAYED_GPU     from the root of the source tree
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from terminal_program import TerminalProgram

PAL = sys.argv[1]
# Enough to read the question and to begin the answer: six KDA layers and some fetches a step.
CALLS = "60"
ASK = ("run", "-d", "cuda", "--temp", "0", "-n", "12")
QUESTION = "Anna repaired the clock in May. Who repaired the clock?"
OFFER = r"The device does not answer any more\. Go on with the CPU\? \[Y/n\] "
LOSS = "finish on a test device: unspecified launch failure"


def on_terminal(*args):
    return TerminalProgram(PAL, *args, PAL_PLAYED_CALLS=CALLS)


class LostGpuTest(unittest.TestCase):
    def answers_on_the_cpu(self, program):
        """After "yes": the loss is told once, the GPU is given back, the answer comes."""
        rest = program.wait_for(r"first token after [^\n]*\n")
        self.assertEqual(rest.count(LOSS), 1, rest)
        self.assertLess(rest.index("Lost: "), rest.index("played GPU: given back"), rest)
        return rest

    def test_one_question(self):
        program = on_terminal(*ASK, QUESTION)
        before = program.wait_for(OFFER)
        self.assertIn("on played GPU", before)
        self.assertNotIn(LOSS, before)
        program.send("\n")
        rest = self.answers_on_the_cpu(program)
        self.assertRegex(rest[rest.index("given back"):], r"Loading ")  # not both at once
        self.assertEqual(program.exit_code(), 0)

    def test_no_is_the_end_and_says_why_once(self):
        program = on_terminal(*ASK, QUESTION)
        program.wait_for(OFFER)
        program.send("n\n")
        rest = program.wait_for(r"pal: error: .*\n")
        self.assertEqual(rest.count(LOSS), 1, rest)
        self.assertEqual(program.exit_code(), 1)

    def test_a_conversation_goes_on(self):
        program = on_terminal(*ASK)
        program.wait_for(r"\n> $")
        program.send(QUESTION + "\n")
        program.wait_for(OFFER)
        program.send("y\n")
        self.answers_on_the_cpu(program)
        program.wait_for(r"\n> $")
        program.send("And when?\n")
        rest = program.wait_for(r"first token after [^\n]*\n[^>]*> $")
        self.assertRegex(rest, r"\(\d+ reused\)")  # of the turn that was answered on the CPU
        program.send("\x04")
        self.assertEqual(program.exit_code(), 0)

    def test_a_stored_session_goes_on_from_what_was_stored(self):
        with tempfile.TemporaryDirectory() as data:
            program = on_terminal(*ASK, "--data-dir", data, "--session", "clock", QUESTION)
            program.wait_for(OFFER)
            program.send("\n")
            rest = self.answers_on_the_cpu(program)
            self.assertEqual(program.exit_code(), 0)
            self.assertRegex(rest, r"#\d+ ")
            shown = subprocess.run([PAL, "sessions", "show", "clock", "--data-dir", data], capture_output=True, text=True, timeout=60)
            self.assertEqual(shown.stdout.count(QUESTION), 1, shown.stdout + shown.stderr)

    def without_the_folder(self, *args, question=None):
        """The model's folder is gone when its owner wants to go on with the CPU: said, and there is nothing left to talk to."""
        with tempfile.TemporaryDirectory() as place:
            model = pathlib.Path(place, "model")
            model.mkdir()
            for file in pathlib.Path("resources/nano").iterdir():
                if file.is_file():
                    (model / file.name).symlink_to(file.resolve())
            program = on_terminal(*ASK, "-m", model, *(arg.format(data=pathlib.Path(place, "data")) for arg in args))
            if question:
                program.wait_for(r"\n> $")
                program.send(question + "\n")
            program.wait_for(OFFER)
            shutil.rmtree(model)
            program.send("y\n")
            rest = program.wait_for(r"pal: error: [^\n]*\n")
            self.assertIn(str(model), rest)
            self.assertEqual(program.exit_code(), 1)  # not killed by a signal

    def test_the_folder_is_gone_for_one_question(self):
        self.without_the_folder(QUESTION)

    def test_the_folder_is_gone_in_a_conversation(self):
        self.without_the_folder(question=QUESTION)

    def test_the_folder_is_gone_in_a_stored_conversation(self):
        self.without_the_folder("--data-dir", "{data}", "--session", "clock", question=QUESTION)

    def test_the_folder_is_gone_for_a_stored_question(self):
        self.without_the_folder("--data-dir", "{data}", "--session", "clock", QUESTION)

    def test_without_a_terminal_nobody_is_asked(self):
        done = subprocess.run([PAL, *ASK, QUESTION], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PAL_PLAYED_CALLS": CALLS})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("With -d cpu", done.stderr)
        self.assertEqual(len(re.findall(LOSS, done.stderr)), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
