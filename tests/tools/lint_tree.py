#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""House rules that a compiler does not check: who includes whom, file sizes, no printing below app/, SPDX lines.

  lint_tree.py ROOT            checks the tree
  lint_tree.py --self-test     checks the checker
"""
import re
import subprocess
import sys
from pathlib import Path

CODE = (".cpp", ".h", ".cu", ".cuh")
SPDX = (*CODE, ".py", ".cmake", ".sh")
MAX_LINES = 800
API_LINES = 1075  # all of engine/api: what the rest of the program must know of the engine
TOP_LEVEL = {"CMakeLists.txt", "app", "engine", "vision", "kernels", "storage", "resources", "tests", "README.md",
             "CMakePresets.json", "LICENSE"}

# Longest matching prefix of a file's path -> prefixes of our own headers it may include (besides its own folder).
API_FOR_ENGINE = ["engine/base/", "engine/api/"]
LAYERS = {
    "kernels/api/": [],
    "kernels/cpu/": ["kernels/api/"],
    "kernels/cuda/": ["kernels/api/"],
    "engine/base/": [],
    "engine/api/": ["engine/base/"],
    "engine/model/": [*API_FOR_ENGINE, "kernels/api/"],
    "engine/text/": API_FOR_ENGINE,
    "engine/state/": [*API_FOR_ENGINE, "kernels/api/"],
    "engine/exec/": [*API_FOR_ENGINE, "engine/model/", "engine/text/", "engine/state/", "kernels/api/"],
    "engine/remote/": API_FOR_ENGINE,
    "vision/": ["engine/base/", "engine/api/media_input.h"],
    "storage/": ["engine/base/", "engine/api/state_store.h", "engine/api/probe.h"],
    "app/compose/": ["engine/base/", "engine/api/", "vision/"],
    "app/inspect/": API_FOR_ENGINE,
    "app/desktop/": ["app/compose/", "app/composition/", "app/inspect/", "engine/base/", "engine/api/", "vision/", "storage/"],
    "app/cli/": ["app/compose/", "app/composition/", "app/inspect/", "engine/base/", "engine/api/", "vision/", "storage/"],
    "app/composition/": ["app/compose/", "app/inspect/", "engine/base/", "engine/api/", "vision/", "storage/"],
    "app/extract/": ["engine/base/", "vision/"],
    "tests/": [""],
}
THIRD_PARTY = {  # header prefix -> folders that may use it; everyone else may not
    "hwy/": ["kernels/cpu/", "vision/", "tests/"],
    "cuda": ["kernels/cuda/", "tests/"],
    "nccl": ["kernels/cuda/", "tests/"],
    "sqlite3": ["storage/", "tests/"],
    "jpeglib": ["vision/", "tests/"],
    "png.h": ["vision/", "tests/"],
    "tiffio": ["vision/", "tests/"],
    "webp/": ["vision/", "tests/"],
    "libav": ["vision/", "tests/"],
    "opencv2/": ["vision/", "app/extract/", "tests/"],
    "poppler": ["app/extract/"],  # GPL: only the helper program links it
    "pugixml": ["app/extract/", "tests/"],
    "gumbo": ["app/extract/"],
    "uchardet/": ["app/extract/"],
    "seccomp": ["app/extract/"],
    "Q": ["app/desktop/", "tests/gui/", "tests/bench/transcript_bench", "tests/bench/inspect_bench"],
    "md4c": ["app/desktop/transcript/", "tests/"],
    "openssl/": ["storage/", "tests/"],
    "zip.h": ["app/extract/", "storage/", "tests/"],
    "nlohmann/": ["engine/", "app/", "vision/", "storage/", "tests/"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
PRINTING = re.compile(r"\b(printf|fprintf|puts|fputs|putc|fputc|putchar|fwrite|perror|exit|quick_exit|_exit|abort)\s*\("
                      r"|\bstd::(cout|cerr|clog)\b|\bfmt::print\b")
MAY_ABORT = ("engine/base/check.cpp",)  # a broken invariant ends the program, with its place on standard error
COMMENT = re.compile(r"//.*$")
# The first line of a function of a namespace or class, as clang-format lays it out; it may go on in the next lines.
FUNCTION = re.compile(r"^( {4})?(?! )(?!.*\b(?:namespace|class|struct|enum|union|switch|for|while|if|else)\b)[^;{}]*\(.*(?:\{|,)$")
MAX_FUNCTION_LINES = 60


def layer_of(path):
    found = [prefix for prefix in LAYERS if path.startswith(prefix)]
    return max(found, key=len) if found else None


def check_include(path, bracket, header):
    if bracket == '"':
        if header.endswith(".moc"):  # what moc makes of the same source
            return None
        if "/" not in header:
            return f'include "{header}" by its full path from the root'
        layer = layer_of(path)
        if layer and not header.startswith((layer, *LAYERS[layer])):
            return f'{layer} may not include "{header}"'
        return None
    for prefix, folders in THIRD_PARTY.items():
        matches = re.match(r"Q[A-Z]", header) if prefix == "Q" else header.startswith(prefix)
        if matches and not path.startswith(tuple(folders)):
            return f"<{header}> may only be used in {', '.join(folders)}"
    return None


def long_functions(lines):
    starts, signature = {}, None
    for number, line in enumerate(lines, 1):
        if match := FUNCTION.match(line):
            signature = (match.group(1) or "", number)
        if signature and line.endswith("{"):
            starts[signature[0]] = signature[1]
        if line.endswith(("{", ";", "}")):
            signature = None
        for indent in ("", "    "):
            if line.startswith(indent + "}") and indent in starts:
                length = number - starts.pop(indent) + 1
                if not indent:
                    starts.clear()
                if length > MAX_FUNCTION_LINES:
                    yield f"line {number}: a function of {length} lines, the limit is {MAX_FUNCTION_LINES}"


def check_file(path, text):
    problems = []
    lines = text.splitlines()
    if path.endswith(SPDX) or path.endswith("CMakeLists.txt"):
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
            problems.append("no SPDX line in the first three lines")
    if path.endswith((*CODE, ".py")) and len(lines) > MAX_LINES and "generated" not in path:
        problems.append(f"{len(lines)} lines, the limit is {MAX_LINES}")
    if not path.endswith(CODE):
        return problems
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match and (wrong := check_include(path, *match.groups())):
            problems.append(f"line {number}: {wrong}")
        if not path.startswith(("app/", "tests/", *MAY_ABORT)) and PRINTING.search(COMMENT.sub("", line)):
            problems.append(f"line {number}: printing and exiting belong to app/")
    problems += long_functions(lines)
    # Highway's "-inl.h" files are read once per instruction set and carry their own guard.
    if path.endswith((".h", ".cuh")) and not path.endswith("-inl.h") and "#pragma once" not in text:
        problems.append("no #pragma once")
    return problems


def check_tree(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"], check=True,
                            capture_output=True, text=True).stdout.splitlines()
    problems = []
    for path in sorted(set(listed)):
        file = Path(root, path)
        if not file.is_file():
            continue
        top = path.split("/")[0]
        if top not in TOP_LEVEL and not top.startswith("."):
            problems.append(f"{path}: '{top}' is not a top-level entry of this project")
        if path.endswith((*SPDX, "CMakeLists.txt")):
            problems += [f"{path}: {p}" for p in check_file(path, file.read_text(encoding="utf-8"))]
    api = [p for p in Path(root, "engine/api").glob("*.h")]
    total = sum(len(p.read_text().splitlines()) for p in api)
    if total > API_LINES:
        problems.append(f"engine/api: {total} lines in {len(api)} headers, the limit is {API_LINES}")
    return problems, len(listed)


def self_test():
    spdx = "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"
    bad = {
        "engine/model/a.h": spdx + '#include "kernels/cpu/linear.h"\n',
        "kernels/cpu/a.h": spdx + '#include "engine/base/result.h"\n',
        "app/cli/a.h": spdx + '#include "engine/exec/forward.h"\n',
        "engine/exec/a.h": spdx + "#include <QString>\n",
        "engine/text/a.cpp": spdx + 'void f() { printf("x"); }\n',
        "engine/text/c.cpp": spdx + 'void f() { std::fwrite("x", 1, 1, stderr); }\n',
        "engine/text/d.cpp": spdx + "void f() { std::abort(); }\n",
        "engine/text/b.cpp": spdx + "void f() { std::cout << 1; }\n",
        "storage/a.h": "#pragma once\n",
        "storage/b.cpp": spdx + "int f(int a,\n      int b) {\n" + "    g();\n" * 70 + "}\n",
        "storage/c.h": spdx + "class A {\n    int f() const {\n" + "        g();\n" * 70 + "    }\n};\n",
        "engine/base/a.cpp": spdx + "\n" * 900,
    }
    good = {
        "storage/d.cpp": spdx + "void f() {\n" + "    g();\n" * 50 + "}\n" + "void h() {\n" + "    g();\n" * 50 + "}\n",
        "engine/exec/a.h": spdx + '#include "engine/model/layer_plan.h"\n#include "kernels/api/backend.h"\n',
        "app/desktop/a.h": spdx + "#include <QString>\n",
        "kernels/cpu/a.cpp": spdx + "// printf( is not used\n#include <hwy/highway.h>\n",
    }
    missed = [p for p, text in bad.items() if not check_file(p, text)]
    false_alarms = [p for p, text in good.items() if check_file(p, text)]
    for path in missed:
        print(f"self-test: the bad file {path} was not reported")
    for path in false_alarms:
        print(f"self-test: the good file {path} was reported")
    return not missed and not false_alarms


def main():
    if not self_test():
        return 1
    if sys.argv[1] == "--self-test":
        return 0
    problems, count = check_tree(sys.argv[1])
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
