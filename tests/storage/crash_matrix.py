#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the program at random moments and looks at what it left; prints how many kills met which work.

  crash_matrix.py PAL [--kills N] [--seed S]     from the root of the source tree; ends with 1 when anything was lost or wrong

Each round one program works on a library that the rounds before have left: it reads a document, streams a reply, or brings a chats.db of
an older version up to date. States have so little room that most writes drop others. It gets SIGKILL at a random moment of the time that such
work takes; one that came to its end before is looked at alike and does not count. Then the library must pass `pal sessions verify`,
every message that was seen before and every streamed text that was a second old must be there, and a document read over what is left of
its states must give the logits that it gives without any.
"""
import argparse
import collections
import hashlib
import json
import os
import pty
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from pathlib import Path

ROOT = Path.cwd()
sys.path.insert(0, str(ROOT / "resources/nano/train"))
import config as nano  # noqa: E402  the embedded model's sizes: K3 in small, with a vocabulary in the tree

GREEDY = ["--temp", "0", "--think", "off"]
STATE_BYTES = 24 << 20
DOCUMENTS = 4
PATIENCE = 900  # seconds; the machine may be busy with more than this
TURN_SECONDS, MIGRATION_SECONDS = 6, 2  # the latest moments to kill at, where the work takes as long
MOMENTS = ("before the question was stored", "while the prompt was read", "while the reply was streamed", "while states were written at the end",
           "while a database was migrated, or after", "checks of text a second old", "checks over stored states")


def plain(text):
    """What a terminal shows of a text, whatever a random model says."""
    return "".join(c for c in text if c != "\ufffd" and unicodedata.category(c)[0] not in "CZ")


class Killed:
    """A program that was started, read along, and killed."""

    def __init__(self, command, after):
        self.texts = []  # (time, all text so far)
        started = time.monotonic()
        terminal, theirs = pty.openpty()  # into a pipe it would write some thousand characters at a time
        run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
        os.close(theirs)
        reader = threading.Thread(target=self.read, args=(terminal,))
        reader.start()
        try:
            run.wait(after)
        except subprocess.TimeoutExpired:
            run.kill()
        self.ended = time.monotonic()
        self.seconds = self.ended - started
        self.code = run.wait()
        reader.join()
        os.close(terminal)

    def read(self, terminal):
        said = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # nobody has its other end any more
                return
            said += piece
            self.texts.append((time.monotonic(), said))

    @property
    def was_killed(self):
        return self.code == -9

    def said(self, age):
        """The text that was `age` seconds old when the program was killed."""
        old = [text for when, text in self.texts if when <= self.ended - age]
        return (old[-1] if old else b"").decode(errors="ignore")


class Durations:
    """How long each kind of work takes on this machine now, as the rounds so far tell: until when a kill can meet it."""

    def __init__(self):
        self.seconds = {}

    def until(self, work, most):
        return min(most, self.seconds.get(work, most))

    def saw(self, work, most, killed):
        known = self.until(work, most)
        self.seconds[work] = min(most, 1.1 * known) if killed.was_killed else min(known, killed.seconds)


class Matrix:
    def __init__(self, pal, folder, seed):
        self.pal_path, self.folder, self.random = pal, Path(folder), random.Random(seed)
        self.data = self.folder / "data"
        self.counts = collections.Counter()
        self.problems = []
        self.checks = 0
        self.durations = Durations()
        self.known = {}  # message id -> text, of messages that were complete
        pattern = self.folder / "k3.json"
        pattern.write_text(json.dumps(nano.NANO))
        self.model = self.folder / "k3"
        self.pal("random", pattern, self.model, "--layers", 5, "--tokenizer", ROOT / "resources/nano/tiktoken.model")
        for i in range(DOCUMENTS):
            words = (f"{self.random.randrange(10**6)} clocks stand in hall {n} of house {i}." for n in range(60 + 60 * i))
            (self.folder / f"document{i}.txt").write_text(" ".join(words))
        self.want = [self.ask(i, self.folder / "other") for i in range(DOCUMENTS)]
        self.set_budget()

    def pal(self, *args, code=0):
        run = subprocess.run([self.pal_path, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        if run.returncode != code:
            raise RuntimeError(f"pal {args}: exit {run.returncode}: {run.stderr}")
        return run

    def ask(self, document, data):
        """The logits after a document."""
        self.checks += 1
        run = self.pal("run", self.model, "--data-dir", data, "--session", f"check {self.checks}", *GREEDY, "-n", 1, "--json",
                       "-f", self.folder / f"document{document}.txt", "Who?")
        return json.loads(run.stdout)["logits_xxh3"], json.loads(run.stdout)["reused_tokens"]

    def set_budget(self):
        self.pal("sessions", "import", ROOT / "tests/fuzz/corpus/session_import/chatgpt.json", "--data-dir", self.data)
        database = sqlite3.connect(self.data / "chats.db")
        database.execute("INSERT OR REPLACE INTO meta VALUES ('state_budget', ?)", (str(STATE_BYTES),))
        database.commit()
        database.close()

    def problem(self, words):
        self.problems.append(words)
        print("PROBLEM:", words, flush=True)

    def tree(self, session, data):
        run = subprocess.run([self.pal_path, "sessions", "show", session, "--tree", "--json", "--data-dir", data], capture_output=True,
                             text=True, timeout=PATIENCE)
        return json.loads(run.stdout)["tree"] if run.returncode == 0 else []

    def verified(self, data, moment):
        run = subprocess.run([self.pal_path, "sessions", "verify", "--data-dir", data], capture_output=True, text=True, timeout=PATIENCE)
        if run.returncode != 0 or "0 problems" not in run.stdout:
            self.problem(f"{moment}: verify says {run.stdout} {run.stderr}")

    def killed(self, work, command, most):
        """The program at a random moment of this kind of work, or at its end."""
        killed = Killed(command, self.random.uniform(0.001, self.durations.until(work, most)))
        self.durations.saw(work, most, killed)
        if killed.code not in (-9, 0):
            self.problem(f"{work}: the program ended with {killed.code} by itself")
        self.counts["kills"] += killed.was_killed
        return killed

    def kill_a_turn(self, round_number):
        reading = self.random.random() < 0.5
        session = f"reading {round_number}" if reading else f"session {self.random.randrange(6)}"
        before = {m["id"] for m in self.tree(session, self.data)}
        command = [self.pal_path, "run", str(self.model), "--data-dir", str(self.data), "--session", session, *GREEDY]
        question = f"Question {round_number}?"
        document = self.random.randrange(DOCUMENTS)
        if reading:
            command += ["-n", "4", "-f", str(self.folder / f"document{document}.txt"), question]
        else:
            command += ["-n", "0", question]
        killed = self.killed(f"reading document {document}" if reading else "a reply", command, TURN_SECONDS)
        self.verified(self.data, f"round {round_number}")
        new = [m for m in self.tree(session, self.data) if m["id"] not in before]
        asked = next((m for m in new if m["role"] == "user"), None)
        reply = next((m for m in new if m["role"] == "assistant"), None)
        if asked is not None and asked["text"] != question:
            self.problem(f"round {round_number}: the question is {asked['text']!r}")
        if killed.said(0) and asked is None:
            self.problem(f"round {round_number}: a question that was being answered is lost")
        old = plain(killed.said(1.0))
        self.counts["checks of text a second old"] += bool(old)
        if old and not plain(reply["text"] if reply else "").startswith(old):
            self.problem(f"round {round_number}: text of a second ago is lost: {old!r}")
        moment = ("not killed" if not killed.was_killed else "before the question was stored" if asked is None else
                  "while the prompt was read" if reply is None or not reply["text"] else
                  "while the reply was streamed" if reply["state"] in ("streaming", "interrupted") else "while states were written at the end")
        self.counts[moment] += 1
        for message in self.tree(session, self.data):
            if self.known.setdefault(message["id"], message["text"]) != message["text"] and message["state"] == "complete":
                self.problem(f"round {round_number}: message {message['id']} has changed")
        document = round_number % DOCUMENTS
        logits, reused = self.ask(document, self.data)
        if logits != self.want[document][0]:
            self.problem(f"round {round_number}: a wrong state of document {document}, {reused} tokens reused")
        self.counts["checks over stored states"] += reused > 0

    def kill_a_migration(self, round_number):
        data = self.folder / "old"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        shutil.copy(self.random.choice(sorted((ROOT / "tests/data/chats").glob("schema_*.db"))), data / "chats.db")
        attached = b"Anna did."  # see tests/data/chats/make.py
        source = data / "sources" / hashlib.sha256(attached).hexdigest()[:2] / hashlib.sha256(attached).hexdigest()
        source.parent.mkdir(parents=True)
        source.write_bytes(attached)
        command = [self.pal_path, "sessions", "rename", "#1", "again", "--data-dir", str(data)]
        killed = self.killed("a migration", command, MIGRATION_SECONDS)
        begun = any((data / "backups").glob("*"))
        self.counts["not killed" if not killed.was_killed else "while a database was migrated, or after" if begun else "before a migration"] += 1
        self.verified(data, f"round {round_number}, migration")
        texts = [m["text"] for m in self.tree("#1", data)]
        if texts != ["Who repaired the clock?", "Anna.", "Bert.", "安娜修理了时钟。"]:
            self.problem(f"round {round_number}: after a migration there is {texts}")

    def run(self, kills):
        number = 0
        while self.counts["kills"] < kills and number < 5 * kills:
            self.kill_a_migration(number) if number % 5 == 4 else self.kill_a_turn(number)
            number += 1
        if self.counts["kills"] < kills:
            self.problem(f"of {number} programs only {self.counts['kills']} could be killed before they ended")
        there = self.all_messages()
        lost = [m for m in self.known if m not in there]
        if lost:
            self.problem(f"messages {lost} are gone")

    def all_messages(self):
        listed = json.loads(self.pal("sessions", "list", "--json", "--data-dir", self.data).stdout)
        return {m["id"] for s in listed for m in self.tree(f"#{s['id']}", self.data)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pal")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        matrix = Matrix(options.pal, folder, options.seed)
        matrix.run(options.kills)
        dropped = STATE_BYTES - sum(f.stat().st_size for f in (matrix.data / "states/parts").iterdir())
        print(json.dumps({"seed": options.seed, "met": matrix.counts, "room_left": dropped,
                          "messages": len(matrix.known), "problems": len(matrix.problems)}, indent=2))
    unmet = [m for m in MOMENTS if not matrix.counts[m]] if options.kills >= 100 else []
    if unmet:
        print("never met:", ", ".join(unmet))
    return 1 if matrix.problems or unmet or not matrix.counts["checks over stored states"] else 0


if __name__ == "__main__":
    sys.exit(main())
