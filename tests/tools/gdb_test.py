#!/usr/bin/env python3
"""Checks how gdb shows values with packaging/debuggers/broadside_gdb.py. Usage: gdb_test.py GDB PROGRAM ROOT"""

import subprocess
import sys

CORNERS = "3 corners, radius 0.5 = {[0] = (0, 0), [1] = (1, 0), [2] = (0, 1)}"
EXPECTED = {
    "vector": "(1, 2.5)",
    "box": "(0, 1) to (2, 3)",
    "pair": "1 and 2",
    "body": "body 3 (generation 1)",
    "no_body": "no body",
    "error": 'parse: "byte 3"',
    "value": "[index 0] = {3}",
    "no_value": '[index 1] = {not_finite: "a is NaN"}',
    "done": "no error",
    "failed": 'parse: "byte 3"',
    "polygon": CORNERS,
    "shape": "[index 4]",
}

gdb, program, root = sys.argv[1:]
commands = [f"source {root}/packaging/debuggers/broadside_gdb.py", "set debuginfod enabled off", "break stop", "run", "up"]
commands += [f'printf "%s\\n", "{name}"\nprint {name}' for name in EXPECTED]
lines = [argument for command in "\n".join(commands).split("\n") for argument in ("-ex", command)]
shown = subprocess.run([gdb, "-nx", "-batch", *lines, program], capture_output=True, text=True, check=True).stdout
values = [line.split(" = ", maxsplit=1)[1] for line in shown.splitlines() if line.startswith("$")]
wrong = [f"{name}: {value}, not {expected}" for (name, expected), value in zip(EXPECTED.items(), values) if expected not in value]
if wrong or len(values) != len(EXPECTED):
    sys.exit("\n".join(wrong) or f"gdb showed only:\n{shown}")
print(f"{len(values)} values")
