#!/usr/bin/env python3
"""Measures which lines and branches of src and include the tests run, and checks the shares.

Usage: measure_coverage.py [--lines 99.5] [--branches 98] [--seed N] [--missing] [--build-only]

Builds broadside_tests and the tests in C by the preset coverage (clang 19, kernels for two instruction sets), runs them,
and prints a table by module. With --missing it lists the lines and branches that no test ran. Fails below the shares given in percent.
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


TARGETS = ["broadside_tests", "broadside_c_test_C", "broadside_allocator_test_C"]


def run(command, **options):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(done.stdout[-20000:] + done.stderr[-20000:])
    return done.stdout


def module_of(path):
    """Returns the folder in which a path is counted, or None if it is not part of the library."""
    parts = pathlib.Path(path).parts
    if "scene" in parts:
        return None
    if parts[0] == "src":
        return f"src/{parts[1]}"
    return f"include/{parts[2]}" if parts[:2] == ("include", "broadside") and len(parts) > 3 else None


# The slowest tests with counters; they run no line that others do not.
LEFT_OUT = "InstructionSets.*:*hz_240*:*hz_60*:FindPairs.more_different_x*:FindPairsMemory.each*:WorldSoak.*"


def measure(seed):
    """Runs the tests, with properties drawn from a seed; returns the report of llvm-cov."""
    commands = [[BUILD / "tests" / "broadside_tests", "--gtest_brief=1", f"--gtest_filter=-{LEFT_OUT}"],
                *([BUILD / "tests" / "c" / target] for target in TARGETS[1:])]
    profiles = [str(BUILD / f"{command[0].name}.profraw") for command in commands]
    for command, profile in zip(commands, profiles):
        environment = dict(os.environ, LLVM_PROFILE_FILE=profile, RC_PARAMS=f"seed={seed} max_success=100")
        run([str(part) for part in command], env=environment)
    data = BUILD / "tests.profdata"
    run(["llvm-profdata-19", "merge", "-sparse", *profiles, "-o", str(data)])
    objects = [part for command in commands[1:] for part in ("-object", str(command[0]))]
    return json.loads(run(["llvm-cov-19", "export", f"-instr-profile={data}", str(commands[0][0]), *objects]))


def lines_of(file):
    """Returns the run count of each line with code. Source: llvm/lib/ProfileData/Coverage/CoverageMapping.cpp."""
    by_line = collections.defaultdict(list)
    for segment in file["segments"]:
        by_line[segment[0]].append(segment)
    counts = {}
    before = None  # the last segment of an earlier line: (line, column, count, has a count, begins a region, is a gap)
    for line in range(min(by_line, default=1), max(by_line, default=0) + 1):
        here = by_line[line]
        entered = [segment for segment in here if segment[3] and segment[4] and not segment[5]]
        is_skipped = bool(here) and not here[0][3] and here[0][4]
        goes_on = before is not None and before[3]
        if not is_skipped and (goes_on or entered):
            counts[line] = max([segment[2] for segment in entered] + ([before[2]] if goes_on else []))
        before = here[-1] if here else before
    return counts


def path_in_tree(name):
    """Returns the path of a file relative to the root; some paths in the report are relative to the build folder."""
    path = pathlib.Path(os.path.normpath(BUILD / name))
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def counts_of(report):
    """Returns run counts by (path, line), and [true, false] counts by (path, position of a condition), summed over
    all instantiations.

    Conditions in defaulted comparison operators (`= default`) are skipped."""
    lines = collections.Counter()
    branches = collections.defaultdict(lambda: [0, 0])
    for file in report["files"]:
        path = path_in_tree(file["filename"])
        if module_of(path) is not None:
            lines.update({(path, line): count for line, count in lines_of(file).items()})
    texts = {}
    for function in report["functions"]:
        paths = [path_in_tree(name) for name in function["filenames"]]
        for line, column, last_line, last_column, is_true, is_false, file, *_ in function.get("branches", []):
            path = paths[file]
            if module_of(path) is None:
                continue
            if path not in texts:
                texts[path] = (ROOT / path).read_text(encoding="utf-8").splitlines()
            if "= default;" not in texts[path][line - 1]:
                taken = branches[path, line, column, last_line, last_column]
                taken[0] += is_true
                taken[1] += is_false
    return lines, branches


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=float, default=99.5, help="least share of lines in percent (99.5)")
    parser.add_argument("--branches", type=float, default=98.0, help="least share of branches in percent (98)")
    parser.add_argument("--seed", type=int, default=20120923, help="of the draws of properties")
    parser.add_argument("--missing", action="store_true", help="list what no test runs")
    parser.add_argument("--build-only", action="store_true", help="build the tests and stop")
    options = parser.parse_args()
    run(["cmake", "--preset", "coverage"])
    run(["cmake", "--build", "--preset", "coverage", "--target", *TARGETS, "--", f"-j{os.cpu_count()}"])
    if options.build_only:
        return 0
    lines, branches = counts_of(measure(options.seed)["data"][0])
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    missing = set()
    for (path, line), count in lines.items():
        for name in (module_of(path), "all"):
            sums[name][0] += count > 0
            sums[name][1] += 1
        if count == 0:
            missing.add((path, line, "not run"))
    for (path, line, *_), taken in branches.items():
        for name in (module_of(path), "all"):
            sums[name][2] += (taken[0] > 0) + (taken[1] > 0)
            sums[name][3] += 2
        for count, what in zip(taken, ("never true", "never false")):
            if count == 0:
                missing.add((path, line, what))
    if options.missing:
        for path, line, what in sorted(missing):
            print(f"{path}:{line}: {what}")
    shares = {}
    for module in sorted(sums, key=lambda name: (name == "all", name)):
        run_lines, all_lines, taken_branches, all_branches = sums[module]
        shares[module] = (100 * run_lines / max(1, all_lines), 100 * taken_branches / max(1, all_branches))
        print(f"{module:20} lines {run_lines:6} of {all_lines:6} {shares[module][0]:6.2f} %   "
              f"branches {taken_branches:6} of {all_branches:6} {shares[module][1]:6.2f} %")
    return 0 if shares["all"][0] >= options.lines and shares["all"][1] >= options.branches else 1


if __name__ == "__main__":
    sys.exit(main())
