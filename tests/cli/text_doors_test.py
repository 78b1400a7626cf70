#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`pal tokens`, `pal render` and `pal parse` from outside, on the embedded vocabulary: text_doors_test.py PAL"""
import json
import resource
import subprocess
import sys
import unittest

PAL = sys.argv[1]
MODEL = "resources/nano"


def pal(*arguments, text=b"", **more):
    return subprocess.run([PAL, *arguments], input=text, capture_output=True, check=False, **more)


class Tokens(unittest.TestCase):
    def test_any_bytes_survive(self):
        text = bytes(range(256)) * 3 + "é🔥你好 <|open|> it's\r\n".encode()
        ids = pal("tokens", MODEL, "--ids", text=text)
        self.assertEqual(ids.returncode, 0, ids.stderr)
        self.assertEqual(pal("tokens", MODEL, "--decode", text=ids.stdout).stdout, text)

    def test_one_token_per_line(self):
        lines = pal("tokens", MODEL, "--special", text=b"<|open|>\n").stdout.decode().splitlines()
        self.assertEqual(lines, ['3843\t"<|open|>"', '198\t"\\n"'])
        self.assertEqual(pal("tokens", MODEL, "--special", "--ids", text=b"<|open|>").stdout, b"3843\n")
        self.assertGreater(len(pal("tokens", MODEL, text=b"<|open|>").stdout.splitlines()), 1)

    def test_words_after_two_dashes(self):
        self.assertEqual(pal("tokens", "--", MODEL, text=b"Hi").stdout, pal("tokens", MODEL, text=b"Hi").stdout)

    def test_errors_name_place_and_kind(self):
        bad = pal("tokens", MODEL, "--decode", text=b"1 2\n3 99999\n")
        self.assertEqual((bad.returncode, bad.stderr.decode()),
                         (1, 'pal: error: standard input:2: "99999" is not a token id below 4096\n'))
        self.assertEqual(pal("tokens", text=b"Hi").stdout, pal("tokens", MODEL, text=b"Hi").stdout, "the embedded one")
        missing = pal("tokens", "--vocab", "/nowhere")
        self.assertEqual((missing.returncode, missing.stderr.startswith(b"pal: error: /nowhere: ")), (1, True))


    def test_a_lack_of_memory_is_told(self):
        with open(PAL, "rb") as program:
            if b"__asan_init" in program.read():
                self.skipTest("AddressSanitizer needs all addresses")
        room = 768 << 20  # of addresses: enough for the program, too little for the text and what becomes of it
        few = pal("tokens", MODEL, text=b"words " * 60_000_000, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
        self.assertEqual((few.returncode, few.stderr), (1, b"pal: error: tokens: not enough memory\n"))


class RenderAndParse(unittest.TestCase):
    def test_golden_requests(self):
        with open("tests/golden/chat.json", encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        for case in cases:
            result = pal("render", "-", MODEL, "--json", text=json.dumps(case["request"]).encode())
            self.assertEqual(result.returncode, 0, result.stderr)
            prompt = json.loads(result.stdout)
            self.assertEqual(prompt["segments"], case["segments"], case["name"])
            parsed = json.loads(pal("parse", MODEL, text=" ".join(map(str, prompt["ids"])).encode()).stdout)
            roles = [m["role"] for m in case["request"]["messages"] if m["role"] != "developer"]
            self.assertEqual([m["role"] for m in parsed["messages"] if "type" not in m][:len(roles)],
                             roles if case["name"] != "tools-dynamic" else ["user", "assistant"], case["name"])

    def test_a_reply(self):
        text = b'why<|close|>think<|sep|><|open|>response<|sep|>answer<|close|>response<|sep|><|close|>message<|sep|><|end_of_msg|>'
        ids = pal("tokens", MODEL, "--special", "--ids", text=text).stdout
        self.assertEqual(json.loads(pal("parse", MODEL, text=ids).stdout), {"messages": [
            {"role": "assistant", "reasoning_content": "why", "content": "answer", "finish_reason": "stop"}]})
        ids = pal("tokens", MODEL, "--special", "--ids", text=b"answer").stdout
        self.assertEqual(json.loads(pal("parse", MODEL, "--no-thinking", text=ids).stdout), {"messages": [
            {"role": "assistant", "content": "answer", "finish_reason": "length"}]})

    def test_a_header_cannot_forge_members(self):
        text = b'<|open|>message role="assistant" name="n" tool_calls="x" content="y" reasoning_content="z" ' \
            b'finish_reason="w"<|sep|><|open|>response<|sep|>a<|open|>tools<|sep|><|open|>call tool="f"<|sep|>' \
            b'<|close|>call<|sep|><|end_of_msg|>'
        ids = pal("tokens", MODEL, "--special", "--ids", text=text).stdout
        parsed = pal("parse", MODEL, text=ids)
        self.assertEqual(parsed.returncode, 0, parsed.stderr)
        self.assertEqual(json.loads(parsed.stdout), {"messages": [
            {"role": "assistant", "name": "n", "content": "a", "finish_reason": "tool_calls",
             "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}]})

    def test_refusals(self):
        bad = pal("render", "-", text=b'{"messages": [],\n "thinking_effort": "medium"}')
        self.assertEqual((bad.returncode, bad.stderr.decode()),
                         (1, "pal: error: standard input: thinking_effort: 'medium' is not one of low, high, max\n"))
        strict = b'{"messages": [], "tool_choice": "required"}'
        self.assertEqual(pal("render", "-", text=strict).returncode, 0)
        self.assertEqual(pal("render", "-", "--strict", text=strict).returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
