#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` puts below a prefix runs from there: the terminal program with its model and the program that opens documents, the window.

  install_test.py CMAKE BUILD
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE, BUILD = sys.argv[1], sys.argv[2]
del sys.argv[1:3]
SAMPLES = Path("resources/desktop/samples")


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = Path(cls.folder.name) / "usr"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith("PALIMPSEST_")}
        cls.environment.update(HOME=cls.folder.name, QT_QPA_PLATFORM="offscreen", XDG_RUNTIME_DIR=cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_program(self, name, *arguments):
        # Elsewhere than in the source tree.
        return subprocess.run([self.prefix / "bin" / name, *arguments], cwd=self.folder.name, env=self.environment,
                              capture_output=True, text=True, timeout=120, check=False)

    def test_takes_the_installed_model(self):
        done = self.run_program("pal", "show")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(str(self.prefix / "share/palimpsest/nano"), done.stdout)

    def test_opens_documents(self):
        document = (SAMPLES / "lighthouse.pdf").resolve()
        done = self.run_program("pal", "extract", document)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("lighthouse", done.stdout)

    def test_window_starts(self):
        if not (self.prefix / "bin/palimpsest").exists():
            self.skipTest("built without Qt")
        done = self.run_program("palimpsest", "--version")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("palimpsest", done.stdout.lower())

    def test_desktop_entry_finds_its_program(self):
        if not (self.prefix / "bin/palimpsest").exists():
            self.skipTest("built without Qt")
        entry = (self.prefix / "share/applications/org.palimpsest.Palimpsest.desktop").read_text(encoding="utf-8")
        icon = next(line for line in entry.splitlines() if line.startswith("Icon=")).removeprefix("Icon=")
        program = next(line for line in entry.splitlines() if line.startswith("Exec=")).removeprefix("Exec=").split()[0]
        self.assertTrue((self.prefix / "bin" / program).exists())
        self.assertTrue((self.prefix / f"share/icons/hicolor/scalable/apps/{icon}.svg").exists())

    def test_licences_are_there(self):
        for name in ("LICENSE", "THIRD_PARTY_NOTICES.md"):
            self.assertTrue((self.prefix / "share/doc/palimpsest" / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
