#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stored sessions from outside: what is closed and opened again goes on as if it had never been closed.

  sessions_test.py PAL     from the root of the source tree
"""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

PAL, ROOT = sys.argv[1], os.getcwd()
sys.path.insert(0, str(Path(ROOT, "resources/nano/train")))
import config as nano  # noqa: E402  the embedded model's sizes: K3 in small, with a vocabulary in the tree

GREEDY = ("--temp", "0", "--think", "off")
CHARTS = ("001.png", "002.png")
CLIP = "tests/data/media/clips/h264.mp4"
QUESTIONS = ("Anna repaired the clock on Monday. Who repaired it?", "When did she do that?", "Tell me more about the clock.",
             "Is it large?", "Thank you. Who was it again?")


def pal(*args, stdin="", timeout=300):
    return subprocess.run([PAL, *map(str, args)], input=stdin, capture_output=True, text=True, timeout=timeout)


class Models:
    """Small models of both families, with the embedded model's vocabulary."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.k3 = self.random("k3", nano.NANO, "--layers", 5)
        linear = json.loads(Path(ROOT, "tests/golden/tiny-linear/checkpoint/config.json").read_text())
        linear.update(vocab_size=nano.BASE_TOKENS + 256, eos_token_id=nano.END_OF_MESSAGE)
        self.linear = self.random("linear", linear)

    def random(self, name, config, *args):
        pattern = self.folder / f"{name}.json"
        pattern.write_text(json.dumps(config))
        made = pal("random", pattern, self.folder / name, *args, "--tokenizer", Path(ROOT, "resources/nano/tiktoken.model"))
        assert made.returncode == 0, made.stderr
        return self.folder / name


class SessionsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.models = Models(cls.temporary.name)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.data = Path(self.temporary.name, self.id())

    def turn(self, model, prompt, *args, data=None, session="s", tokens=12):
        run = pal("run", model, "--data-dir", data or self.data, "--session", session, *GREEDY, "-n", tokens, "--json", *args, prompt)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def never_closed(self, model, lines, session="s", tokens=12):
        """The answers of one process that goes on all the time."""
        run = pal("sessions", "resume", session, "-m", model, "--create", "--data-dir", str(self.data) + "-open", *GREEDY,
                  "-n", tokens, "--json", stdin="\n".join(lines) + "\n")
        self.assertEqual(run.returncode, 0, run.stderr)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def same(self, closed, opened):
        for key in ("output_ids", "logits_xxh3", "prompt_tokens", "text"):
            self.assertEqual(closed[key], opened[key], key)

    def sessions(self, verb, *args, code=0):
        run = pal("sessions", verb, *args, "--data-dir", self.data)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def goes_on(self, model, tokens=12):
        opened = self.never_closed(model, QUESTIONS, tokens=tokens)
        before = 0
        for question, expected in zip(QUESTIONS, opened):
            answer = self.turn(model, question, tokens=tokens)
            self.same(answer, expected)
            self.assertEqual(answer["reused_tokens"], before, "every old token comes from the stored state")
            self.assertEqual(answer["computed_tokens"], answer["prompt_tokens"] - before, "only the new ones are computed")
            # The last drawn token was never read.
            before = answer["prompt_tokens"] + len(answer["output_ids"]) - 1

    def test_a_k3_session_goes_on_where_it_was(self):
        self.goes_on(self.models.k3)

    def test_a_kimi_linear_session_goes_on_where_it_was(self):
        self.goes_on(self.models.linear)

    def test_the_embedded_model_goes_on_where_it_was(self):
        self.goes_on(Path(ROOT, "resources/nano"), tokens=8)

    def test_fork_edit_and_again_go_on_from_their_branch(self):
        model = self.models.k3
        turns = [self.turn(model, question) for question in QUESTIONS]
        lines = [*QUESTIONS, f"/parent {turns[1]['message']} And then?", f"/edit {turns[2]['question']} Where is it?",
                 f"/again {turns[3]['question']}"]
        opened = self.never_closed(model, lines)
        self.assertEqual([t["message"] for t in opened[:5]], [t["message"] for t in turns], "both number alike")
        fork = self.turn(model, "And then?", "--parent", turns[1]["message"])
        edit = self.turn(model, "Where is it?", "--edit", turns[2]["question"])
        again = self.turn(model, "", "--again", turns[3]["question"])
        for answer, expected in zip((fork, edit, again), opened[5:]):
            self.same(answer, expected)
        self.assertEqual(fork["parent"], turns[1]["message"])
        self.assertEqual(edit["parent"], turns[2]["parent"])
        self.assertEqual(again["output_ids"], turns[3]["output_ids"])
        # The edited question is new, everything before it is not.
        kept = turns[1]["prompt_tokens"] + len(turns[1]["output_ids"]) - 1
        self.assertGreaterEqual(edit["reused_tokens"], kept)
        self.assertGreaterEqual(fork["reused_tokens"], kept)
        show = json.loads(self.sessions("show", "s", "--tree", "--json").stdout)
        parents = {m["id"]: m["parent"] for m in show["tree"]}
        self.assertEqual(len(parents), 5 * 2 + 2 + 2 + 1)
        self.assertEqual(parents[edit["question"]], parents[turns[2]["question"]], "an edit is a sibling")
        self.assertIn(turns[2]["question"], parents, "nothing is rewritten")

    def test_a_stop_text_ends_what_later_prompts_hold(self):
        model = Path(ROOT, "resources/nano")
        whole = self.turn(model, QUESTIONS[0], tokens=40)["text"]
        self.assertGreater(len(whole), 12)
        stop = whole[6:9]
        first, second = [], []
        for name in ("a", "b", "c"):
            first.append(self.turn(model, QUESTIONS[0], "--stop", stop, session=name, tokens=40))
            second.append(self.turn(model, "And then?", session=name, tokens=2))
        for turn in first:
            self.assertEqual((turn["text"], turn["finish"]), (whole[:whole.find(stop)], "stop"))
            self.assertEqual(turn["output_ids"], first[0]["output_ids"])
        said = self.without_session(model, QUESTIONS[0], "--stop", stop, tokens=40)["content"]
        self.assertEqual(said, first[0]["text"])
        for turn in second:
            self.assertEqual([turn[key] for key in ("prompt_tokens", "logits_xxh3")],
                             [second[0][key] for key in ("prompt_tokens", "logits_xxh3")])
        # What was drawn behind the stop text is in no prompt.
        self.assertEqual(second[0]["prompt_tokens"], self.turn(model, "And then?", "--parent", first[0]["message"], session="a",
                                                               tokens=2)["prompt_tokens"])

    def test_ten_switches_between_two_sessions_read_nothing_twice(self):
        model = self.models.k3
        before = {}
        for i in range(10):
            name = f"session {i % 2}"
            answer = self.turn(model, f"question {i}", session=name, tokens=3)
            self.assertEqual(answer["reused_tokens"], before.get(name, 0))
            before[name] = answer["prompt_tokens"] + len(answer["output_ids"]) - 1

    def test_a_document_is_kept_and_found_again(self):
        notes = Path(self.temporary.name, "notes.txt")
        notes.write_text("The clock was repaired by Anna. " * 200)
        first = self.turn(self.models.k3, "Who repaired it?", "-f", notes, tokens=4)
        notes.unlink()
        second = self.turn(self.models.k3, "Are you sure?", tokens=4)
        self.assertEqual(second["reused_tokens"], first["prompt_tokens"] + len(first["output_ids"]) - 1)
        other = Path(self.temporary.name, "copy.txt")
        other.write_text("The clock was repaired by Anna. " * 200)
        third = self.turn(self.models.k3, "Who repaired it?", "-f", other, session="another", tokens=4)
        self.assertEqual(third["computed_tokens"] + third["reused_tokens"], first["prompt_tokens"])
        self.assertGreater(third["reused_tokens"], first["prompt_tokens"] * 9 // 10, "the same document in another session")

    def test_pictures_and_clips_go_on_and_another_picture_is_another_prompt(self):
        model = Path(ROOT, "resources/nano")
        charts = [Path(self.temporary.name, f"{i}.png") for i in range(2)]
        for chart, name in zip(charts, CHARTS):
            shutil.copy(Path(ROOT, "tests/eval/chart-largest", name), chart)
        clip = Path(ROOT, CLIP)
        first = self.turn(model, "Which is largest?", "--image", charts[0], "--video", clip, tokens=4)
        moved = Path(self.temporary.name, "moved")
        moved.mkdir()
        charts = [chart.rename(moved / chart.name) for chart in charts]
        second = self.turn(model, "Are you sure?", tokens=4)
        before = first["prompt_tokens"] + len(first["output_ids"]) - 1
        self.assertEqual(second["reused_tokens"], before, "pictures come from the library, their state from the disk")
        lines = ["Which is largest?", "Are you sure?"]
        opened = pal("sessions", "resume", "s", "-m", model, "--create", "--data-dir", str(self.data) + "-open", *GREEDY, "-n", 4,
                     "--json", "--image", charts[0], "--video", clip, stdin="\n".join(lines))
        for closed, expected in zip((first, second), opened.stdout.splitlines(), strict=True):
            self.same(closed, json.loads(expected))
        edited = self.turn(model, "Which is the smallest?", "--edit", first["question"], tokens=1)
        kinds = edited["prompt_tokens_by_kind"]
        self.assertEqual([kinds[kind] for kind in ("image", "video")], [first["prompt_tokens_by_kind"][kind] for kind in ("image", "video")])
        # The same question about another picture of the same size shares only what stands before it.
        text = self.turn(model, "Which is largest?", session="no picture", tokens=1)
        other = self.turn(model, "Which is largest?", "--image", charts[1], "--video", clip, session="other", tokens=4)
        self.assertLess(other["reused_tokens"], text["prompt_tokens"])
        same = self.turn(model, "Which is largest?", "--image", charts[0], "--video", clip, session="same", tokens=4)
        self.assertEqual(same["output_ids"], first["output_ids"])
        self.assertGreater(same["reused_tokens"], first["prompt_tokens"] - 16, "the same picture in another session")

    def without_session(self, model, prompt, *args, tokens=4):
        run = pal("run", model, *GREEDY, "-n", tokens, "--json", *args, prompt)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_attachments_are_read_as_without_a_session_and_keep_their_order(self):
        model = Path(ROOT, "resources/nano")
        pdf, chart = Path(ROOT, "tests/data/documents/labels.pdf"), Path(ROOT, "tests/eval/chart-largest", CHARTS[0])
        given = {"pages": ("-f", pdf, "--pages", "2-3"),
                 "clip": ("--video", Path(ROOT, CLIP), "--video-fps", "1", "--video-start", "0.5", "--video-end", "1.5"),
                 "scan": ("-f", Path(ROOT, "tests/data/documents/scanned.pdf"), "--page-images", "--image-tokens", "32"),
                 "picture first": ("--image", chart, "-f", pdf), "picture last": ("-f", pdf, "--image", chart)}
        for session, flags in given.items():
            with self.subTest(session):
                stored = self.turn(model, "What is it?", *flags, session=session, tokens=4)
                expected = self.without_session(model, "What is it?", *flags)
                self.assertEqual(stored["prompt_tokens"], expected["prompt_tokens"])
                counts = stored["prompt_tokens_by_kind"]
                self.assertEqual(counts.pop("earlier"), 0)
                self.assertEqual(counts, expected["prompt_tokens_by_kind"])
                self.assertEqual(stored["text"], expected["content"])
        whole = self.turn(model, "What is it?", "-f", pdf, session="whole", tokens=1)
        self.assertLess(self.turn(model, "And?", session="pages", tokens=1)["prompt_tokens"], whole["prompt_tokens"])
        # Without their states they are read again with the same options.
        before = {name: self.turn(model, "And?", session=name, tokens=1) for name in given}
        for name, turn in before.items():
            shutil.rmtree(self.data / "states")
            again = self.turn(model, "", "--again", turn["question"], session=name, tokens=1)
            self.assertEqual(again["reused_tokens"], 0)
            self.assertEqual((again["prompt_tokens"], again["output_ids"]), (turn["prompt_tokens"], turn["output_ids"]), name)

    def test_what_does_not_fit_is_refused_with_choices(self):
        run = pal("run", Path(ROOT, "resources/nano"), "--data-dir", self.data, "--session", "s", *GREEDY, "-c", "128",
                  "-f", Path(ROOT, "tests/data/documents/labels.pdf"), "What is it?")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, r"the prompt has \d+ tokens .* the context holds 128 with the answer: \d+ too many; "
                                     r"what would help: fewer pages of labels.pdf")
        self.assertEqual(self.sessions("list", "--json").stdout.strip(), "[]", "nothing is stored")

    def test_a_killed_answer_keeps_what_was_said(self):
        # The token that would end the answer stands in the prompt: with the penalty the answer goes on until it is killed.
        run = subprocess.Popen([PAL, "run", self.models.k3, "--data-dir", self.data, "--session", "s", *GREEDY, "-n", "0",
                                "--repeat-penalty", "10", "Count."], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            time.sleep(0.1)
            listed = pal("sessions", "show", "s", "--json", "--data-dir", self.data)
            tree = json.loads(listed.stdout)["tree"] if listed.returncode == 0 else []
            if len(tree) == 2 and tree[1]["tokens"] > 40:
                break
        run.send_signal(signal.SIGKILL)
        run.wait()
        tree = json.loads(self.sessions("show", "s", "--json").stdout)["tree"]
        self.assertEqual(tree[0]["text"], "Count.")
        self.assertGreater(tree[1]["tokens"], 40)
        after = self.turn(self.models.k3, "Go on.", tokens=3)
        self.assertGreater(after["reused_tokens"], 0)
        tree = json.loads(self.sessions("show", "s", "--json").stdout)["tree"]
        self.assertEqual(tree[1]["state"], "interrupted")
        self.assertEqual(len(tree), 4)
        self.assertIn("0 problems", self.sessions("verify").stdout)

    def test_the_list_says_what_a_session_costs(self):
        self.turn(self.models.k3, "Hello there, this is a question of some length. " * 20, tokens=3)
        listed = json.loads(self.sessions("list", "--json").stdout)[0]
        self.assertEqual((listed["name"], listed["messages"]), ("s", 2))
        self.assertGreater(listed["bytes"], 900)
        self.assertGreater(listed["stored_tokens"], 200)
        self.assertGreater(listed["stored_bytes"], 0)
        self.assertRegex(listed["opening"], r"^opens ")
        shutil.rmtree(self.data / "states")
        again = self.turn(self.models.k3, "And now?", tokens=3)
        self.assertEqual(again["reused_tokens"], 0, "lost states cost time and nothing else")
        self.turn(self.models.k3, "Once more?", tokens=3)
        self.assertRegex(self.sessions("list").stdout, r"#1 .*\d+ tokens .* s\n +6 messages, opens in about .*stored state")

    def test_one_owner_is_named_to_the_second(self):
        run = subprocess.Popen([PAL, "sessions", "resume", "s", "-m", self.models.k3, "--create", "--data-dir", self.data, *GREEDY],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(100):
            time.sleep(0.1)
            if pal("sessions", "show", "s", "--data-dir", self.data).returncode == 0:
                break
        second = pal("run", self.models.k3, "--data-dir", self.data, "--session", "s", "x")
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr, rf"is in use by pal run \(process {run.pid}, since ")
        self.assertIn("#1", self.sessions("list").stdout, "reading is possible beside the owner")
        run.communicate("", timeout=60)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(self.sessions("list", "--json").returncode, 0)

    def test_a_disk_that_became_read_only_is_told_and_still_read(self):
        self.turn(self.models.k3, "Who repaired the clock?", tokens=3)
        before = {path: path.read_bytes() for path in self.data.rglob("*") if path.is_file()}

        def on_read_only_disk(*args):
            mounted = "mount --bind $0 $0 && mount -o remount,bind,ro $0 && exec \"$@\""
            return subprocess.run(["unshare", "-rm", "sh", "-c", mounted, self.data, PAL, *map(str, args), "--data-dir", self.data],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

        listed = on_read_only_disk("sessions", "list")
        if "unshare" in listed.stderr or "mount" in listed.stderr:
            self.skipTest("no file system can be mounted here: " + listed.stderr.strip())
        self.assertIn("2 messages", listed.stdout)
        self.assertIn("Who repaired the clock?", on_read_only_disk("sessions", "show", "s").stdout)
        asked = on_read_only_disk("run", self.models.k3, "--session", "s", "And now?")
        self.assertEqual(asked.returncode, 1)
        self.assertRegex(asked.stderr, rf"pal: error: {self.data}\S*: Read-only file system")
        self.assertEqual({path: path.read_bytes() for path in self.data.rglob("*") if path.is_file()}, before)

    def test_verbs_find_rename_export_import_and_delete(self):
        first = self.turn(self.models.k3, "安娜修理了塔楼的时钟", tokens=3)
        self.assertIn("时钟", self.sessions("search", "时钟").stdout)
        self.sessions("search", "nowhere", code=1)
        self.sessions("rename", "s", "The clock")
        self.sessions("show", "s", code=1)
        self.assertIn("needs a name", self.sessions("rename", "The clock", "", code=2).stderr)
        self.assertIn("whole number", self.sessions("list", "-n", -1, code=2).stderr)
        archive = Path(self.temporary.name, "clock.palimpsest")
        self.sessions("export", "The clock", "-o", archive)
        self.assertIn("安娜", self.sessions("export", "The clock", "--format", "markdown").stdout)
        exported = json.loads(self.sessions("export", "The clock", "--format", "json").stdout)
        self.assertEqual(exported["messages"][1]["ids"]["ids"], first["output_ids"])
        self.sessions("import", archive)
        self.sessions("show", "The clock", code=1)  # two of this name: one must be named by its id
        self.sessions("rm", "#1")
        shown = json.loads(self.sessions("show", "The clock", "--json").stdout)
        self.assertEqual(shown["id"], 2)
        again = self.turn(self.models.k3, "Who?", session="The clock", tokens=3)
        self.assertEqual(again["reused_tokens"], first["prompt_tokens"] + len(first["output_ids"]) - 1,
                         "an imported session finds the stored state")
        self.sessions("import", Path(ROOT, "tests/fuzz/corpus/session_import/chatgpt.json"))
        foreign = next(s for s in json.loads(self.sessions("list", "--json").stdout) if s["id"] == 3)
        self.assertIn("not counted yet", foreign["opening"])
        self.assertIsNone(foreign["opening_seconds"])
        self.sessions("import", Path(ROOT, "tests/fuzz/corpus/session_import/archive_cut"), code=1)
        self.assertIn("0 problems", self.sessions("verify").stdout)
        for path in self.data.rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_states_travel_in_an_archive(self):
        model, question = Path(ROOT, "resources/nano"), "Anna repaired the clock. " * 40
        first = self.turn(model, question, "--image", Path(ROOT, "tests/eval/chart-largest", CHARTS[0]))
        archive = Path(self.temporary.name, "with_states.palimpsest")
        self.sessions("export", "s", "-o", archive, "--states")
        expected = self.turn(model, "Who?")
        old = first["prompt_tokens"] + len(first["output_ids"]) - 1
        self.assertEqual(expected["reused_tokens"], old)
        elsewhere = [str(self.data) + f"-{i}" for i in range(4)]
        pal("sessions", "import", archive, "--states", "--data-dir", elsewhere[0])
        listed = json.loads(pal("sessions", "list", "--json", "--data-dir", elsewhere[0]).stdout)[0]
        self.assertEqual(listed["stored_tokens"], old)
        there = self.turn(model, "Who?", data=elsewhere[0])
        self.same(there, expected)
        self.assertEqual((there["reused_tokens"], there["computed_tokens"]),
                         (expected["reused_tokens"], expected["computed_tokens"]))
        left = pal("sessions", "import", archive, "--data-dir", elsewhere[1])
        self.assertIn("its stored state is left alone; --states takes it over", left.stderr)
        without = self.turn(model, "Who?", data=elsewhere[1])
        self.assertEqual(without["reused_tokens"], 0)
        self.assertEqual(without["prompt_tokens"], expected["prompt_tokens"])
        # A bit of a state is not what it was: the session comes, its state does not.
        damaged = Path(self.temporary.name, "damaged.palimpsest")
        with zipfile.ZipFile(archive) as old, zipfile.ZipFile(damaged, "w") as new:
            for name in old.namelist():
                data = bytearray(old.read(name))
                if name.endswith(".checkpoint"):
                    data[len(data) // 2] ^= 4
                new.writestr(name, bytes(data))
        refused = pal("sessions", "import", damaged, "--states", "--data-dir", elsewhere[2])
        self.assertRegex(refused.stderr, r"its state is not taken over: .*\.checkpoint: its checksum is wrong")
        self.assertEqual(self.turn(model, "Who?", data=elsewhere[2])["reused_tokens"], 0)
        # So it does when its state has no room.
        pal("run", self.models.k3, "--data-dir", elsewhere[3], "--session", "other", *GREEDY, "-n", 1, "--state-budget", 1, "Hello.")
        database = sqlite3.connect(Path(elsewhere[3], "chats.db"))
        database.execute("UPDATE meta SET value = 1000 WHERE key = 'state_budget'")
        database.commit()
        database.close()
        small = pal("sessions", "import", archive, "--states", "--json", "--data-dir", elsewhere[3])
        self.assertRegex(small.stderr, r"its state is not taken over: \d+ bytes of stored states, there is room for 1000")
        self.assertEqual(json.loads(small.stdout)[0]["messages"], 2)
        self.assertEqual(small.returncode, 0)
        self.sessions("export", "s", "-o", archive, "--states")
        shutil.rmtree(self.data / "states")
        gone = self.sessions("export", "s", "-o", archive, "--states", code=1)
        self.assertIn("its state is no longer stored", gone.stderr)

    def test_another_model_is_told_and_reads_everything(self):
        self.turn(self.models.k3, "Hello there. " * 30)
        run = pal("run", self.models.linear, "--data-dir", self.data, "--session", "s", *GREEDY, "-n", 2, "--json", "Who?")
        self.assertRegex(run.stderr, rf"Note: {self.models.k3} answered here last, this is {self.models.linear}: "
                                     r"the session is read again from its text\n")
        self.assertEqual(json.loads(run.stdout)["reused_tokens"], 0)
        again = pal("run", self.models.linear, "--data-dir", self.data, "--session", "s", *GREEDY, "-n", 2, "--json", "Who?")
        self.assertNotIn("answered here last", again.stderr)
        back = pal("run", self.models.k3, "--data-dir", self.data, "--session", "s", *GREEDY, "-n", 2, "--json", "--again",
                   json.loads(run.stdout)["question"])
        self.assertIn("answered here last", back.stderr)
        self.assertGreater(json.loads(back.stdout)["reused_tokens"], 0, "its states are still there")

    def test_a_password_is_not_kept(self):
        model, scan = Path(ROOT, "resources/nano"), Path(ROOT, "tests/data/documents/locked_scan.pdf")
        run = pal("run", model, "--data-dir", self.data, "--session", "s", *GREEDY, "-n", 2, "--json", "--password", "open sesame",
                  "--page-images", "--image-tokens", "32", "-f", scan, "What is it?")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("the password is not stored", run.stderr)
        first = json.loads(run.stdout)
        self.assertGreater(first["prompt_tokens_by_kind"]["image"], 0)
        for path in self.data.rglob("*"):
            self.assertFalse(path.is_file() and b"open sesame" in path.read_bytes(), path)
        second = self.turn(model, "And?", tokens=2)
        self.assertEqual(second["reused_tokens"], first["prompt_tokens"] + len(first["output_ids"]) - 1, "the state knows the pages")
        shutil.rmtree(self.data / "states")
        failed = pal("run", model, "--data-dir", self.data, "--session", "s", *GREEDY, "-n", 2, "--again", second["question"])
        self.assertEqual(failed.returncode, 1)
        self.assertIn("locked_scan.pdf: a PDF locked with a password", failed.stderr)
        again = self.turn(model, "", "--again", second["question"], "--password", "open sesame", tokens=2)
        self.assertEqual(again["output_ids"], second["output_ids"])
        self.assertEqual(again["reused_tokens"], 0)

    def test_errors_name_the_thing_and_store_nothing(self):
        model = self.models.k3
        first = self.turn(model, "x", tokens=2)
        other = self.turn(model, "y", session="other", tokens=2)
        for args, code, words in ((["--parent", 99, "x"], 1, "message 99"), (["--parent", other["message"], "x"], 2, "is not in"),
                                  (["--again", first["message"]], 2, "is a reply"), (["-c", "10", "x " * 50], 2, "the context holds 10"),
                                  (["-f", "/no/such/file", "x"], 1, "/no/such/file"), ([""], 2, "the prompt is empty")):
            run = pal("run", model, "--data-dir", self.data, "--session", "s", *GREEDY, *args)
            self.assertEqual(run.returncode, code, (args, run.stderr))
            self.assertIn(words, run.stderr)
        run = pal("run", "no/model", "--data-dir", self.data, "--session", "s")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("'no/model' was taken for the model", run.stderr)
        self.assertIn("session 77", pal("run", model, "--data-dir", self.data, "--session", "#77", "x").stderr)
        self.assertEqual(len(json.loads(self.sessions("show", "s", "--tree", "--json").stdout)["tree"]), 2)

    def test_a_question_that_is_refused_leaves_no_session(self):
        model = self.models.k3
        first = self.turn(model, "x", tokens=2)
        before = self.sessions("list", "--json").stdout
        broken = Path(self.temporary.name, "broken")
        shutil.copytree(model, broken, dirs_exist_ok=True)
        (broken / "config.json").write_text("{")
        for args, code, words in (
                ([model, "--parent", first["message"], "y"], 2, "is not in this session, but in #1"),
                ([model, "--parent", 99, "y"], 1, "message 99"),
                ([model, "--session", "s", "--edit", first["message"], "y"], 2, "is no question"),
                ([model, "-f", "/no/such/file", "y"], 1, "/no/such/file"),
                ([model, ""], 2, "the prompt is empty"),
                ([model, "-c", "10", "y " * 50], 2, "the context holds 10"),
                ([broken, "y"], 1, "config.json"),
                ([model, "--parent", -3, "y"], 2, "-3 is not a whole number"),
                ([model, "--parent", first["message"], "--edit", first["question"], "y"], 2, "--edit"),
                ([model, "--frequency-penalty", 99, "y"], 2, "frequency penalty is 99, allowed is -10 to 10"),
                ([model, "--top-p", "nan", "y"], 2, "top-p is nan"),
                ([model, "--session", "s", "--repeat-penalty", 0, "y"], 2, "repetition penalty is 0"),
                ([model, "--session", "", "y"], 2, "the session needs a name"),
                ([model, "--data-dir", "", "y"], 2, "the folder needs a name")):
            where = ["--session", "new"] if "--session" not in args else []
            where += ["--data-dir", self.data] if "--data-dir" not in args else []
            run = pal("run", *args[:1], *where, *GREEDY, *args[1:])
            self.assertEqual(run.returncode, code, (args, run.stderr))
            self.assertIn(words, run.stderr)
            self.assertEqual(self.sessions("list", "--json").stdout, before, args)

    def test_an_export_replaces_no_pipe_and_says_what_it_leaves_out(self):
        self.turn(self.models.k3, "x", tokens=2, session="two\nlines")
        self.assertEqual(len(self.sessions("list").stdout.splitlines()), 2, "one for the session, one for what it costs")
        pipe = Path(self.temporary.name, "pipe.palimpsest")
        os.mkfifo(pipe)
        for args in (["-o", pipe], ["-o", pipe, "--format", "json"]):
            self.assertIn("no regular file", self.sessions("export", "#1", *args, code=2).stderr)
        self.assertTrue(pipe.is_fifo())
        self.assertIn("--states needs an archive", self.sessions("export", "#1", "--format", "json", "--states", code=2).stderr)

    def test_a_library_without_its_first_page_is_salvaged(self):
        answer = self.turn(self.models.k3, "Anna repaired the clock.", tokens=4)
        self.turn(self.models.k3, "Who?", tokens=4)
        before = json.loads(self.sessions("show", "s", "--json").stdout)["tree"]
        with open(self.data / "chats.db", "r+b") as file:
            file.write(b"\xff" * 4096)
        self.assertIn("pal sessions salvage", self.sessions("list", code=1).stderr)
        self.assertIn("4 messages; lost: 0 things", self.sessions("salvage").stdout)
        self.assertEqual(json.loads(self.sessions("show", "s", "--json").stdout)["tree"], before)
        self.assertIn("0 problems", self.sessions("verify").stdout)
        again = self.turn(self.models.k3, "Where?", tokens=4)
        self.assertGreater(again["reused_tokens"], answer["prompt_tokens"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
