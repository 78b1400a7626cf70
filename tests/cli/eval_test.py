#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal eval`: counting, floors, formats, interruption.

  eval_test.py PAL     from the root of the source tree
"""
import json

import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PAL = sys.argv[1]
MODEL = "resources/nano"


def pal(*args):
    return subprocess.run([PAL, *map(str, args)], capture_output=True, text=True, timeout=300)


def turn(user, answer, accept=(), think="", scored=True):
    return {"user": user, "think": think, "answer": answer, "accept": list(accept), "scored": scored}


def conversation(name, turns, thinking=False):
    return {"id": name, "system": "", "thinking": thinking, "effort": "", "turns": turns}


class Eval(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def suite(self, name, *conversations):
        (self.path / f"{name}.jsonl").write_text("".join(json.dumps(c) + "\n" for c in conversations))

    def scores(self, *args):
        run = pal("eval", MODEL, "--suites", self.path, "--json", *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)["suites"]

    def reply(self, *question):
        run = pal("run", MODEL, *question, "--think", "off", "--temp", "0", "-n", "40", "--json")
        return json.loads(run.stdout)["content"]

    def test_counts_what_the_model_itself_says(self):
        question = "Repeat: the red lamp"
        said = self.reply(question)
        self.assertTrue(said.strip())
        self.suite("own", conversation("a", [turn([question], said)]))
        self.suite("accepted", conversation("a", [turn([question], "nothing like it", ["  " + said.rstrip(".").upper() + "."])]))
        self.suite("other", conversation("a", [turn([question], "Zebras, quite different ones.")]))
        scores = self.scores()
        self.assertEqual({n: (s["questions"], s["right"], s["exact"]) for n, s in scores.items()},
                         {"own": (1, 1, 1), "accepted": (1, 1, 0), "other": (1, 0, 0)})

    def test_only_scored_turns_count_and_gold_answers_lead_on(self):
        said = self.reply("Repeat: the red lamp")
        turns = [turn(["Hello."], "The weather is fine.", scored=False), turn(["Repeat: the red lamp"], said),
                 turn(["And?"], "Yes.")]
        self.suite("turns", conversation("a", turns), conversation("b", turns))
        self.assertEqual(self.scores()["turns"]["questions"], 4)
        self.assertEqual(self.scores("--limit", 3)["turns"]["questions"], 3)

    def test_floors_are_compared(self):
        said = self.reply("Hello")
        self.suite("good", conversation("a", [turn(["Hello"], said)]))
        self.suite("bad", conversation("a", [turn(["Hello"], "Zebras.")]))
        (self.path / "floors.json").write_text(json.dumps({"good": {"floor": 90, "expected": 95},
                                                           "bad": {"floor": 10, "expected": 20}}))
        scores = self.scores()
        self.assertEqual((scores["good"]["below_floor"], scores["bad"]["below_floor"]), (False, True))
        table = pal("eval", MODEL, "--suites", self.path).stdout
        self.assertRegex(table, r"bad +0 of +1 right .* floor 10, expected 20: under its floor")
        self.assertNotIn("good  .*under its floor", table)

    def test_pictures_and_clips_are_read_as_in_training(self):
        for suite in ("img-attribute", "video-direction"):
            run = pal("eval", MODEL, "--suites", "tests/eval", "--suite", suite, "--limit", 6, "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            score = json.loads(run.stdout)["suites"][suite]
            self.assertEqual(score["questions"], 6)
            self.assertGreaterEqual(score["right"], 4, f"{suite}: {score}")

    # The chance of guessing right: one of eight attributes, one of four directions.
    def test_a_blinded_model_loses_what_it_knew(self):
        for suite, blind, most in (("img-attribute", "grey", 4), ("video-direction", "grey", 8), ("video-direction", "shuffled", 9)):
            run = pal("eval", MODEL, "--suites", "tests/eval", "--suite", suite, "--limit", 16, "--blind", blind, "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            score = json.loads(run.stdout)["suites"][suite]
            self.assertEqual(score["questions"], 16)
            self.assertLessEqual(score["right"], most, f"{suite} {blind}: {score}")
            self.assertNotIn("floor", score)
        self.assertEqual(pal("eval", MODEL, "--suites", "tests/eval", "--blind", "no").returncode, 2)

    def test_errors_name_file_and_line(self):
        self.suite("broken", conversation("a", [turn(["x"], "y")]))
        with open(self.path / "broken.jsonl", "a") as file:
            file.write("{\n")
        for args, words in ((["--suites", self.path], "broken.jsonl:2: "),
                            (["--suites", self.path, "--suite", "none"], "none.jsonl"),
                            (["--suites", "/no/folder"], "/no/folder"), ):
            run = pal("eval", MODEL, *args)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(words, run.stderr)
        self.assertEqual(pal("eval", MODEL).returncode, 2)

    def test_ctrl_c_keeps_what_was_counted(self):
        run = subprocess.Popen([PAL, "eval", MODEL, "--suites", "tests/eval", "--suite", "needle-8k", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 130, err)
        result = json.loads(out)
        self.assertFalse(result["complete"])
        self.assertLess(result["suites"]["needle-8k"]["questions"], 148)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
