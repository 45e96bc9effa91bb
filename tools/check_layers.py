#!/usr/bin/env python3
"""Checks what each file may use. Usage: check_layers.py [--self-test]

A file may include lower ranks and its own module. Modules of the same rank do not include each other, nor do techniques
of the broad phase. Programs include public headers only. No file of the library includes broadside.hpp. What only POSIX has stands in the
files of POSIX, and what only g++ and clang have in those of EXTENSIONS, so that the rest compiles everywhere.

TypeScript: the package imports its own files only; a page imports the package by its name, its own files and shared
ones. Imports of values form no cycle. `import type` may, because the compiler erases it: `Body` refers to `World`.
"""

import os.path
import pathlib
import re
import sys
import tempfile

RANKS = {"base": 0, "body": 1, "broad_phase": 2, "contact": 2, "event": 3, "query": 3, "world": 4, "scene": 5, "distributed": 5,
         "c": 6, "adapters": 6}
PROGRAMS = ("apps", "examples", "bench")
POSIX = ("src/scene/file.cpp", "apps/broadside/view.cpp")
POSIX_HEADER = re.compile(r"(sys/.+|unistd|fcntl|csignal|signal|pthread|termios|poll|dlfcn|dirent)(\.h)?")
# Each behind a test of the compiler, but for __builtin_bit_cast, which MSVC has as well.
EXTENSIONS = ("src/base/four_floats.hpp", "src/scene/mask_file.cpp", "include/broadside/base/export.h",
              "include/broadside/base/bit_cast.hpp", "include/broadside/base/result.hpp")
EXTENSION = re.compile(r"\bgnu::|\bclang::|\b__(builtin_|attribute__|extension__|restrict|int128|typeof|asm)|\b__GNUC__|\b__clang__")
TECHNIQUE_TABLE = "techniques"
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
SUFFIXES = (".hpp", ".cpp", ".h", ".c")
IMPORT = re.compile(r"^\s*(?:import|export)\s+(type\s)?(?:([^;'\"]*?)\sfrom\s+)?['\"]([^'\"]+)['\"]", re.M)


def techniques_of(root):
    headers = (root / "include/broadside/broad_phase").glob("*.hpp")
    return {h.stem for h in headers if re.search(r":\s*public\s+BroadPhase\b", h.read_text(encoding="utf-8"))}


def violation(path, target, techniques):
    """Returns the violated rule, or None. `path` is relative to the root, `target` is written as in the file."""
    if ".." in target.split("/"):
        return "no way around the modules: name the header from include/, or one of the same folder"
    parts = target.split("/")
    if parts[0] in RANKS:  # a private header, relative to src/
        parts.insert(0, "broadside")
    if parts[0] != "broadside":
        return None
    if path.parts[0] in PROGRAMS:
        private = "detail" in parts or not target.startswith("broadside/")
        return "programs include public headers only" if private else None
    module = path.parts[2] if path.parts[0] == "include" else path.parts[1]
    if len(parts) < 3:
        return None if (module, target) == ("c", "broadside/broadside.h") else "the header that takes all is for users alone"
    other = parts[1]
    if module not in RANKS or other not in RANKS:
        return f"unknown module: {module if module not in RANKS else other}"
    if other != module and RANKS[other] >= RANKS[module]:
        return f"{module} (rank {RANKS[module]}) may not include {other} (rank {RANKS[other]})"
    included = parts[-1].removesuffix(".hpp")
    if module == other == "broad_phase" and included in techniques and path.stem not in (included, TECHNIQUE_TABLE):
        if path.stem in techniques:
            return "techniques do not know each other"
    return None


def extension(path, line, include):
    """Returns the rule that a line breaks which only some systems or compilers accept, or None."""
    if path.parts[0] == "bench":  # compiles the libraries that it measures, none of them for Windows
        return None
    if include and POSIX_HEADER.fullmatch(include.group(1)) and str(path) not in POSIX:
        return f"{include.group(1)}: what only POSIX has stands in {', '.join(POSIX)}"
    if EXTENSION.search(line) and str(path) not in EXTENSIONS:
        return f"{EXTENSION.search(line).group(0)}: extensions of compilers stand in {', '.join(EXTENSIONS)}"
    return None


def check(root):
    techniques = techniques_of(root)
    found, files = [], 0
    for folder in ("include", "src", *PROGRAMS):
        for file in sorted(f for f in (root / folder).rglob("*") if f.suffix in SUFFIXES):
            path = file.relative_to(root)
            if path in (pathlib.Path("include/broadside/broadside.hpp"), pathlib.Path("include/broadside/broadside.h")):
                continue
            files += 1
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                rule = (violation(path, match.group(1), techniques) if match else None) or extension(path, line, match)
                if rule:
                    found.append(f"{path}:{number}: {rule}")
    return files, found


def imports_of(text):
    """Yields the line, the module and whether a value is imported, for each import of a TypeScript file."""
    for match in IMPORT.finditer(text):
        names = [name for name in re.split(r"[{},]", match.group(2) or "") if name.strip()]
        is_type = match.group(1) or (names and all(name.strip().startswith("type ") for name in names))
        yield text.count("\n", 0, match.start(3)) + 1, match.group(3), not is_type


def resolve(path, target, files):
    """Returns the file that an import refers to; None for a package or a generated file."""
    place = pathlib.PurePosixPath(os.path.normpath(path.parent / target))
    for candidate in (place, place.with_suffix(".ts"), pathlib.PurePosixPath(f"{place}.ts")):
        if candidate in files:
            return candidate
    return None


def violation_of_import(path, target, other):
    package, pages = pathlib.PurePosixPath("web/package/src"), pathlib.PurePosixPath("web/demos")
    place = other or pathlib.PurePosixPath(os.path.normpath(path.parent / target))
    if not target.startswith("."):
        return None
    if path.is_relative_to(package) and not place.is_relative_to(package):
        return "the package imports its own files only"
    if path.is_relative_to(pages) and path.parts[2] not in ("test", "scripts"):
        if len(place.parts) < 3 or not place.is_relative_to(pages) or place.parts[2] not in (path.parts[2], "shared"):
            return "a page imports the package by its name, its own files and those that pages share"
    return None


def circle_in(graph):
    """Returns a cycle of files that import each other, or None."""
    done, stack = set(), []

    def walk(file):
        if file in stack:
            return stack[stack.index(file):]
        if file in done:
            return None
        stack.append(file)
        for other in graph.get(file, ()):
            if circle := walk(other):
                return circle
        stack.pop()
        done.add(file)
        return None

    for file in graph:
        if circle := walk(file):
            return circle
    return None


def check_imports(root):
    folders = [root / "web" / folder for folder in ("package/src", "demos")]
    files = {pathlib.PurePosixPath(f.relative_to(root)) for folder in folders for f in sorted(folder.rglob("*.ts"))
             if not {"node_modules", "dist"} & set(f.parts)}
    found, graph = [], {}
    for path in sorted(files):
        for number, target, is_value in imports_of((root / path).read_text(encoding="utf-8")):
            other = resolve(path, target, files) if target.startswith(".") else None
            if rule := violation_of_import(path, target, other):
                found.append(f"{path}:{number}: {rule}")
            if other and is_value:
                graph.setdefault(path, []).append(other)
    if circle := circle_in(graph):
        found.append(f"{circle[0]}:1: imports in a circle: {', '.join(file.name for file in circle)}")
    return len(files), found


def self_test_of_imports():
    cases = {
        "web/package/src/a.ts": ("import { x } from '../test/x.js';", "own files"),
        "web/package/src/b.ts": ("import { x } from './c.js';", "circle"),
        "web/package/src/c.ts": ("import {\n  type Y,\n  x,\n} from './b.js';", None),
        "web/package/src/d.ts": ("import type { X } from './e.js';", None),
        "web/package/src/e.ts": ("import { type X } from './d.js';\nimport 'node:fs';", None),
        "web/demos/race/a.ts": ("import { x } from '../pinball/x';", "by its name"),
        "web/demos/race/b.ts": ("import { x } from 'broadside';\nimport { y } from '../shared/y';", None),
        "web/demos/race/c.ts": ("export { x } from '../../package/src/x.js';", "by its name"),
        "web/demos/test/a.ts": ("import { x } from '../race/b';", None),
    }
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, (text, _) in cases.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f"{text}\n", encoding="utf-8")
        _, found = check_imports(root)
        for name, (_, says) in cases.items():
            lines = [line for line in found if line.startswith(f"{name}:")]
            if (says not in lines[0]) if says and lines else bool(says) != bool(lines):
                sys.exit(f"layers: self-test failed for {name}: {lines}")


def self_test():
    cases = {
        "include/broadside/base/a.hpp": ("broadside/broad_phase/x.hpp", "rank"),
        "src/broad_phase/a.cpp": ("broadside/contact/x.hpp", "rank"),
        "src/query/a.cpp": ("broadside/world/x.hpp", "rank"),
        "src/broad_phase/hash_grid.cpp": ("broadside/broad_phase/uniform_grid.hpp", "techniques"),
        "src/scene/a.cpp": ("broadside/broadside.hpp", "takes all"),
        "src/attic/a.cpp": ("broadside/base/x.hpp", "unknown module"),
        "src/base/a.cpp": ("../scene/x.hpp", "way around"),
        "include/broadside/base/a.h": ("broadside/scene/x.hpp", "rank"),
        "examples/a.cpp": ("../src/scene/x.hpp", "way around"),
        "src/base/b.cpp": ("scene/x.hpp", "rank"),
        "src/broad_phase/b.cpp": ("broad_phase/x.hpp", None),
        "src/scene/b.cpp": ("x.hpp", None),
        "bench/a.cpp": ("scene/x.hpp", "public headers"),
        "apps/a.cpp": ("broad_phase/x.hpp", "public headers"),
        "src/world/b.cpp": ("broadside/adapters/ecs.hpp", "rank"),
        "include/broadside/adapters/a.hpp": ("broadside/world/world.hpp", None),
        "src/world/a.cpp": ("broad_phase/x.hpp", None),
        "src/distributed/a.cpp": ("broadside/world/world.hpp", None),
        "src/distributed/b.cpp": ("broadside/scene/scene.hpp", "rank"),
        "src/broad_phase/technique.cpp": ("broadside/broad_phase/uniform_grid.hpp", None),
        "src/scene/c.cpp": ("unistd.h", "POSIX"),
        "apps/b.cpp": ("csignal", "POSIX"),
        "src/scene/file.cpp": ("sys/stat.h", None),
        "bench/b.cpp": ("unistd.h", None),
    }
    lines = {
        "src/base/c.cpp": ("[[gnu::always_inline]] inline int f();", "extensions"),
        "src/base/d.hpp": ("#if defined(__GNUC__)", "extensions"),
        "examples/c.c": ("__builtin_expect(1, 1);", "extensions"),
        "src/base/four_floats.hpp": ("using V [[gnu::vector_size(16)]] = float;", None),
        "src/base/e.cpp": ("[[nodiscard]] inline int f();", None),
    }
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for name, (target, _) in cases.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f'#include "{target}"\n', encoding="utf-8")
        for name, (line, _) in lines.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f"{line}\n", encoding="utf-8")
        for name in ("hash_grid", "uniform_grid"):
            header = root / f"include/broadside/broad_phase/{name}.hpp"
            header.parent.mkdir(parents=True, exist_ok=True)
            header.write_text("class X final : public BroadPhase {};\n", encoding="utf-8")
        _, found = check(root)
        for name, (_, says) in (cases | lines).items():
            rules = [line for line in found if line.startswith(f"{name}:1:")]
            right = bool(rules) and says in rules[0] if says else not rules
            if not right:
                sys.exit(f"layers: self-test failed for {name}: {rules}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        self_test_of_imports()
        return 0
    root = pathlib.Path(__file__).resolve().parent.parent
    files, found = check(root)
    scripts, found_in_scripts = check_imports(root)
    found += found_in_scripts
    print("\n".join(found) if found else f"layers: {files} files of C++, {scripts} of TypeScript, clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
