# SPDX-License-Identifier: Apache-2.0
"""A program in a pseudo terminal, as a user drives it."""
import os
import pty
import re
import select
import time


class TerminalProgram:
    def __init__(self, program, *args, **variables):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(program, [program, *map(str, args)], {**os.environ, **variables})
        self.text = ""

    def wait_for(self, pattern, seconds=120):
        """Reads until `pattern` appears in what was not matched before; that text."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            if time.monotonic() > end:
                raise AssertionError(f"no {pattern!r} in {self.text!r}")
            if select.select([self.fd], [], [], 0.2)[0]:
                self.text += os.read(self.fd, 65536).decode("utf-8", "replace")
        seen, self.text = self.text[:found.end()], self.text[found.end():]
        return seen

    def send(self, text):
        os.write(self.fd, text.encode())

    def exit_code(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
