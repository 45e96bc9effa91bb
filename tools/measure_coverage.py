#!/usr/bin/env python3
"""Measures which lines and branches of src and include the tests run, and checks the shares.

Usage: measure_coverage.py [--lines 99.5] [--branches 98] [--missing] [--build-only]

Builds broadside_tests by the preset coverage (clang, kernels for one instruction set), runs it, and prints a table by
module. With --missing it lists the lines and branches that no test ran. Fails below the shares given in percent.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "coverage"


def run(command, **options):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(done.stdout[-20000:] + done.stderr[-20000:])
    return done.stdout


def module_of(path):
    """Returns the folder that a file counts for, or None where it is not ours."""
    try:
        parts = pathlib.Path(path).resolve().relative_to(ROOT).parts
    except ValueError:
        return None
    if parts[0] == "src":
        return f"src/{parts[1]}"
    return f"include/{parts[2]}" if parts[:2] == ("include", "broadside") and len(parts) > 3 else None


# What takes longest with counters, and runs no line that others do not.
LEFT_OUT = "InstructionSets.*:*hz_240*:*hz_60*:FindPairs.more_different_x*:FindPairsMemory.each*:WorldSoak.*"


def measure():
    """Runs the tests; returns the report of llvm-cov."""
    program = BUILD / "tests" / "broadside_tests"
    profile = BUILD / "tests.profraw"
    environment = dict(os.environ, LLVM_PROFILE_FILE=str(profile), RC_PARAMS="seed=20120923 max_success=100")
    run([str(program), "--gtest_brief=1", f"--gtest_filter=-{LEFT_OUT}"], env=environment)
    run(["llvm-profdata", "merge", "-sparse", str(profile), "-o", str(BUILD / "tests.profdata")])
    return json.loads(run(["llvm-cov", "export", "-skip-expansions", f"-instr-profile={BUILD / 'tests.profdata'}", str(program)]))


def missing_of(file):
    """Returns what was not run: (line, what)."""
    found = set()
    for line, _, count, has_count, is_entry, *_ in file["segments"]:
        if has_count and is_entry and count == 0:
            found.add((line, "not run"))
    for branch in file["branches"]:
        line, taken, not_taken = branch[0], branch[4], branch[5]
        if taken == 0 or not_taken == 0:
            found.add((line, "never true" if taken == 0 else "never false"))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=float, default=99.5, help="least share of lines in percent (99.5)")
    parser.add_argument("--branches", type=float, default=98.0, help="least share of branches in percent (98)")
    parser.add_argument("--missing", action="store_true", help="list what no test runs")
    parser.add_argument("--build-only", action="store_true", help="build the tests and stop")
    options = parser.parse_args()
    run(["cmake", "--preset", "coverage"])
    run(["cmake", "--build", "--preset", "coverage", "--", f"-j{os.cpu_count()}"])
    if options.build_only:
        return 0
    report = measure()
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for file in report["data"][0]["files"]:
        module = module_of(file["filename"])
        if module is None or module == "src/scene" or module == "include/scene":
            continue
        summary = file["summary"]
        for name in (module, "all"):
            for i, value in enumerate((summary["lines"]["covered"], summary["lines"]["count"],
                                       summary["branches"]["covered"], summary["branches"]["count"])):
                sums[name][i] += value
        if options.missing:
            path = pathlib.Path(file["filename"]).resolve().relative_to(ROOT)
            for line, what in missing_of(file):
                print(f"{path}:{line}: {what}")
    shares = {}
    for module in sorted(sums, key=lambda name: (name == "all", name)):
        lines, all_lines, branches, all_branches = sums[module]
        shares[module] = (100 * lines / max(1, all_lines), 100 * branches / max(1, all_branches))
        print(f"{module:20} lines {lines:6} of {all_lines:6} {shares[module][0]:6.2f} %   "
              f"branches {branches:6} of {all_branches:6} {shares[module][1]:6.2f} %")
    return 0 if shares["all"][0] >= options.lines and shares["all"][1] >= options.branches else 1


if __name__ == "__main__":
    sys.exit(main())
