#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The desktop finds sessions by their name: the MIME database takes the type without complaint, and the program's entry opens it.

  mime_test.py DESKTOP     DESKTOP: path of the .desktop file without its ending
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DESKTOP = Path(sys.argv[1])
TYPE = "application/x-palimpsest-session"


class MimeTest(unittest.TestCase):
    def test_the_database_takes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            mime = Path(folder, "mime")
            packages = mime / "packages"
            packages.mkdir(parents=True)
            shutil.copy(f"{DESKTOP}.mime.xml", packages / "palimpsest.xml")
            done = subprocess.run(["update-mime-database", mime], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "XDG_DATA_DIRS": folder})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            globs = (mime / "globs2").read_text(encoding="utf-8").splitlines()
            self.assertIn(f"50:{TYPE}:*.palimpsest", globs)

    def test_the_program_opens_it(self):
        entry = Path(f"{DESKTOP}.desktop").read_text(encoding="utf-8")
        types = next(line for line in entry.splitlines() if line.startswith("MimeType=")).partition("=")[2].split(";")
        self.assertIn(TYPE, types)
        self.assertIn("\nExec=palimpsest %F\n", entry)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
