#!/usr/bin/env python3
"""Compares the instruction counts of frames, measured by callgrind, with tests/performance/baseline.json.

Usage: check_instructions.py [--renew] [--program build/test/tests/broadside_frames]

A count more than 2 % above its baseline is an error: revert the change, or update the baseline with --renew and give
the reason in the body of the commit. Counts depend on the compiler: the baseline names it, and with another compiler
nothing is compared.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASELINE = ROOT / "tests" / "performance" / "baseline.json"
SLACK = 0.02


def count(program):
    """Returns the instruction counts by scene."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--collect-atstart=no", "-q",
                               f"--callgrind-out-file={folder}/counts", str(program)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"instructions: {program} failed under callgrind:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        counts = {}
        for dump in pathlib.Path(folder).glob("counts.*"):
            text = dump.read_text(encoding="utf-8", errors="replace")
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
            total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
            if name and total:
                counts[name[1]] = int(total[1])
        return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--renew", action="store_true", help="write the counts as the new baseline")
    parser.add_argument("--program", default=ROOT / "build" / "test" / "tests" / "broadside_frames", help="the built tests/performance/frames.cpp")
    options = parser.parse_args()
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()
    counts = count(options.program)
    if not counts:
        sys.exit("instructions: callgrind counted nothing")
    if options.renew:
        BASELINE.write_text(json.dumps({"compiler": f"g++ {compiler}", "instructions": counts}, indent=2, sort_keys=True) + "\n",
                            encoding="utf-8")
        print(f"instructions: {len(counts)} scenes written")
        return 0
    baseline = json.loads(BASELINE.read_text(encoding="utf-8"))
    if baseline["compiler"] != f"g++ {compiler}":
        print(f"instructions: not compared, since the baseline is of {baseline['compiler']} and this is g++ {compiler}")
        return 0
    known = baseline["instructions"]
    errors = [f"{name}: not in the baseline" for name in sorted(counts.keys() - known.keys())]
    errors += [f"{name}: in the baseline, but not counted" for name in sorted(known.keys() - counts.keys())]
    for name in sorted(counts.keys() & known.keys()):
        change = counts[name] / known[name] - 1
        if change > SLACK:
            errors.append(f"{name}: {counts[name]:,} instructions, {100 * change:+.1f} % ({known[name]:,})")
        elif change < -SLACK:
            print(f"{name}: {100 * change:+.1f} %: renew the baseline (--renew) to keep it")
    for error in errors:
        print(error)
    if not errors:
        print(f"instructions: {len(counts)} scenes within {100 * SLACK:.0f} %")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
