#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a C++ source file is not formatted as .clang-format says. With --fix it formats them."""
import shutil
import subprocess
import sys

ENDINGS = (".cpp", ".h", ".cu", ".cuh")


def main():
    root = sys.argv[1]
    tool = shutil.which("clang-format-16")
    if tool is None:
        print("clang-format-16 is not installed (apt-get install clang-format-16)")
        return 1
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    files = [f for f in listed if f.endswith(ENDINGS)]
    mode = ["-i"] if "--fix" in sys.argv else ["--dry-run", "--Werror"]
    return subprocess.run([tool, *mode, *files], cwd=root).returncode if files else 1


if __name__ == "__main__":
    sys.exit(main())
