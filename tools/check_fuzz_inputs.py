#!/usr/bin/env python3
"""Checks where the failing inputs of the fuzzers and the simulator are kept.
Usage: check_fuzz_inputs.py [--none-open | --self-test]

Known failing inputs are in tests/fuzz/open/<target>/, and as seed-*.txt in tests/simulator/open/. They are listed; with
--none-open they are an error. Files named crash-*, leak-*, oom-* or timeout-* are an error anywhere else, tracked or
not, unless git ignores them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

OPEN = "tests/fuzz/open"
OPEN_SEEDS = "tests/simulator/open"
FOUND = re.compile(r"(crash|leak|oom|timeout)-")


def files_of(root):
    """Returns the files that are tracked or untracked but not ignored, relative to the root."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                            check=True, capture_output=True).stdout.decode().split("\0")
    return sorted({name for name in listed if name and (root / name).is_file()})


def check(files):
    """Returns the open inputs and the errors."""
    targets = {pathlib.PurePath(name).stem for name in files if re.fullmatch(r"tests/fuzz/\w+\.cpp", name)}
    open_inputs = []
    errors = []
    for name in files:
        if name.startswith(f"{OPEN}/"):
            rest = name[len(OPEN) + 1:]
            if rest == "README.md":
                continue
            target, slash, _ = rest.partition("/")
            if slash and target in targets:
                open_inputs.append(name)
            else:
                errors.append(f"{name}: must be in a folder that is named like a fuzz target: {', '.join(sorted(targets))}")
        elif name.startswith(f"{OPEN_SEEDS}/"):
            rest = name[len(OPEN_SEEDS) + 1:]
            if re.fullmatch(r"seed-\d+\.txt", rest):
                open_inputs.append(name)
            elif rest != ".gitkeep":
                errors.append(f"{name}: must be named seed-N.txt, as the simulator writes it")
        elif FOUND.match(pathlib.PurePath(name).name):
            errors.append(f"{name}: an input that fuzzing found. While it fails it belongs in {OPEN}/<target>/, then in "
                          "tests/fuzz/corpus/<target>/ under a name that says what it is")
    return open_inputs, errors


def self_test():
    ignored = "build/crash-1"
    cases = {
        "tests/fuzz/shapes.cpp": "fine",
        f"{OPEN}/README.md": "fine",
        f"{OPEN}/shapes/crash-1": "open",
        f"{OPEN}/shapes/late_cast": "open",
        f"{OPEN}/crash-2": "error",
        f"{OPEN}/nothing/crash-3": "error",
        f"{OPEN_SEEDS}/.gitkeep": "fine",
        f"{OPEN_SEEDS}/seed-17.txt": "open",
        f"{OPEN_SEEDS}/notes.txt": "error",
        "crash-4": "error",
        "src/leak-5": "error",
        "out/oom-6": "error",
        "tests/fuzz/corpus/shapes/timeout-7": "error",
        "tests/fuzz/corpus/shapes/late_cast": "fine",
        "docs/how-to-crash-8.md": "fine",
        ignored: "fine",
    }
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        (root / ".gitignore").write_text("/build/\n", encoding="utf-8")
        for name in cases:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("", encoding="utf-8")
        subprocess.run(["git", "add", "crash-4"], cwd=root, check=True)
        open_inputs, errors = check(files_of(root))
        refused = {error.split(":")[0] for error in errors}
        for name, expected in cases.items():
            is_as_expected = {"fine": name not in refused and name not in open_inputs, "open": name in open_inputs,
                              "error": name in refused}[expected]
            if not is_as_expected:
                sys.exit(f"failing inputs: self-test failed for {name}")


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        self_test()
        return 0
    if arguments not in ([], ["--none-open"]):
        sys.exit(__doc__)
    open_inputs, errors = check(files_of(pathlib.Path(__file__).resolve().parent.parent))
    for name in open_inputs:
        print(f"open input: {name}")
    for error in errors:
        print(error)
    if not errors:
        print(f"failing inputs: {len(open_inputs)} open")
    return 1 if errors or (open_inputs and arguments) else 0


if __name__ == "__main__":
    sys.exit(main())
