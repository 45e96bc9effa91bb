#!/usr/bin/env python3
"""Compares the answers of builds: compilers, optimization levels, processors, instruction sets, threads.

Usage: compare_builds.py [--markdown FILE] [--build-only] [--quick] [BUILD ...]      without builds: all of them

Each build prints hashes of its answers (tests/answers): to questions close to the inputs at which answers change, of all
pairs of eleven workloads, and of random worlds after each step. Every hash must equal that of the first build, with
every instruction set and with 1, 2 and 4 threads. QEMU emulates other processors, Wine runs programs for Windows.
"""

import argparse
import collections
import concurrent.futures
import errno
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANY_QUESTIONS = 260
FEW_QUESTIONS = 5  # for builds that are a hundred times slower


class Build(collections.namedtuple("Build", "name preset options run chunks")):
    """A preset or options for CMake, the command that runs its programs, and the number of chunks of questions."""


def native(name, compiler, optimisation, chunks=MANY_QUESTIONS):
    return Build(name, None, [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS_RELEASE={optimisation}"], [], chunks)


def foreign(machine, run):
    toolchain = ["-DCMAKE_TOOLCHAIN_FILE=cmake/foreign.cmake", f"-DBROADSIDE_MACHINE={machine}"]
    return Build(machine, None, toolchain, run, FEW_QUESTIONS if run else MANY_QUESTIONS)


# Fast calls of WASI corrupt the memory of Node.js 19 to 22 at times: https://github.com/nodejs/node/issues/46777.
WASI = ["node", "--no-warnings", "--no-turbo-fast-api-calls", "tools/run_wasi.mjs"]
BUILDS = [
    Build("test", "test", [], [], MANY_QUESTIONS),  # g++ 12 -O3
    native("g++-O0", "g++", "-O0", FEW_QUESTIONS),
    native("g++-O2", "g++", "-O2"),
    native("clang-14-O2", "clang++", "-O2"),
    native("clang-19-O0", "clang++-19", "-O0", FEW_QUESTIONS),
    native("clang-19-libc++-O1", "clang++-19", "-O1 -stdlib=libc++"),
    Build("wasm", "wasm", [], WASI, MANY_QUESTIONS),
    Build("wasm-plain", "wasm-plain", [], WASI, MANY_QUESTIONS),
    Build("sanitize", "sanitize", [], [], FEW_QUESTIONS),  # clang 14 -O1, asserts, AddressSanitizer, UndefinedBehaviorSanitizer
    Build("aarch64", "aarch64", [], ["qemu-aarch64"], FEW_QUESTIONS),
    foreign("i686", []),
    foreign("riscv64", ["qemu-riscv64"]),
    foreign("s390x", ["qemu-s390x"]),
    Build("windows", "windows", [], ["tools/run_wine.sh"], FEW_QUESTIONS),  # g++ 12 -O1
    Build("emscripten", None, ["-DCMAKE_TOOLCHAIN_FILE=cmake/emscripten.cmake", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"],
          ["node", "--no-experimental-fetch"], FEW_QUESTIONS),  # 3.1.6: clang 14, libc++ 13; its scripts fetch only URLs
]


def run(command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-8000:]}{done.stderr[-8000:]}{' '.join(map(str, command))}: exit status {done.returncode}")
    return done.stdout


def folder_of(build):
    return ROOT / "build" / (build.preset or f"answers-{build.name}")


def built_program_of(build):
    programs = (folder_of(build) / "tests" / "answers").glob("broadside_answers*")
    return next(path for path in sorted(programs) if path.is_file())  # of Emscripten's two the script, not the module


def program_of(build):
    """Builds the program that prints answers; returns its path."""
    folder = folder_of(build)
    if build.preset:
        run(["cmake", "--preset", build.preset])
    else:
        plain = ["-DBROADSIDE_UNITY_BUILD=ON"] + [f"-DBROADSIDE_BUILD_{part}=OFF" for part in ("SCENE", "APP", "EXAMPLES", "VIEWER", "DISTRIBUTED")]
        run(["cmake", "--fresh", "-G", "Ninja", "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", *plain, *build.options])
    run(["cmake", "--build", str(folder), "--target", "broadside_answers", "--", f"-j{os.cpu_count()}"])
    return built_program_of(build)


def answers_of(build, program, quick):
    """Runs the program of a build; returns the hashes by question, for each instruction set and number of threads."""
    found = collections.defaultdict(dict)
    few = [str(FEW_QUESTIONS), "5000", "3"]
    questions = few if quick or build.chunks == FEW_QUESTIONS else [str(MANY_QUESTIONS), "20000"]
    try:
        lines = run([*build.run, str(program), *questions]).splitlines()
    except OSError as error:
        if build.name != "i686" or error.errno != errno.ENOEXEC:
            raise
        lines = run(["qemu-i386", str(program), *few]).splitlines()  # not all 64-bit kernels run programs of 32 bits
    for line in lines:
        instruction_set, threads, question, hash_ = line.split()
        for count in ("1", "2", "4") if threads == "-" else (threads,):
            found[instruction_set, count][question] = hash_
    return found


def differences(answers, expected):
    """Returns the questions whose hashes differ; questions missing in `expected` are ignored."""
    return [question for question, hash_ in answers.items() if expected.get(question, hash_) != hash_]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("builds", nargs="*", metavar="BUILD", help=", ".join(build.name for build in BUILDS))
    parser.add_argument("--quick", action="store_true", help="ask all builds as few questions as the slow ones")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the table to this file")
    stages = parser.add_mutually_exclusive_group()
    stages.add_argument("--build-only", action="store_true", help="build the programs and stop")
    stages.add_argument("--built", action="store_true", help="run the programs as --build-only left them")
    arguments = parser.parse_args()
    unknown = set(arguments.builds) - {build.name for build in BUILDS}
    if unknown:
        parser.error(f"no such build: {', '.join(sorted(unknown))}")
    chosen = [build for build in BUILDS if not arguments.builds or build.name in arguments.builds]
    if arguments.build_only:
        for build in chosen:
            print(f"building {build.name}", flush=True)
            program_of(build)
        return

    expected = {}
    cells = 0
    wrong = []
    start = time.monotonic()
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    runs = []  # run while the next builds are compiled
    for build in chosen:
        if arguments.built:
            program = built_program_of(build)
        else:
            print(f"building {build.name}", file=sys.stderr, flush=True)
            program = program_of(build)
        runs.append((build, pool.submit(answers_of, build, program, arguments.quick)))
    table = ["| build | 1 thread | 2 threads | 4 threads | instruction sets |", "|---|---|---|---|---|"]
    print("\n".join(table), flush=True)
    for build, answers in runs:
        found = answers.result()
        expected = expected or next(iter(found.values()))
        sets = list(dict.fromkeys(instruction_set for instruction_set, _ in found))
        row = []
        for threads in ("1", "2", "4"):
            equal = 0
            for instruction_set in sets:
                different = differences(found[instruction_set, threads], expected)
                equal += not different
                cells += 1
                if different:
                    wrong.append(f"{build.name}, {instruction_set}, {threads} threads: {', '.join(different[:8])}")
            row.append(f"{equal} of {len(sets)} equal")
        table.append(f"| {build.name} | {' | '.join(row)} | {' '.join(sets)} |")
        print(table[-1], flush=True)
    if arguments.markdown:
        arguments.markdown.write_text("\n".join(table) + "\n", encoding="utf-8")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{cells} cells of {len(chosen)} builds answer alike, {len(expected)} questions, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
