#!/usr/bin/env python3
"""Compares docs/languages.md with the interfaces. Usage: check_languages.py [--self-test]

The table names every function for C, and every public method of World and BroadPhase in C++, and of World, BroadPhase,
Body, BodyList and BoxArray in JavaScript, once or more; and nothing that does not exist.
"""

import pathlib
import re
import sys

PAGE = "docs/languages.md"
CLASSES = {"World": "world/world.hpp", "BroadPhase": "broad_phase/broad_phase.hpp"}
SCRIPTS = {"World": ["world", "queries"], "BroadPhase": ["broad_phase"], "Body": ["body"], "BodyList": ["body_list"],
           "BoxArray": ["find_pairs"]}
CPP_METHOD = re.compile(r"^  (?:\[\[nodiscard\]\] )?(?!using|friend|return|explicit)[^\n(=]*?\b(\w+)\(", re.M)
TS_METHOD = re.compile(r"^  (?:/\*\* @internal\b[^\n]*\*/\n  )?(?:static |override |abstract |get |set )*(\w+)\((?:.*[{;])?$", re.M)
C_FUNCTION = re.compile(r"^(?!typedef)\w[^;(]*?\b(bs_\w+)\(", re.M)


def columns(page):
    """Returns the names in backticks of the columns C++, C and JavaScript."""
    rows = [line.strip().strip("|").split("|") for line in page.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if len(row) == 4]
    return [{name for row in rows for name in re.findall(r"`([^`]+)`", row[column])} for column in (1, 2, 3)]


def cpp_methods(name, header):
    public = header[re.search(rf"(?m)^class BROADSIDE_API {name} ", header).start():].split("\n public:", 1)[1]
    public = re.sub(r" *//[^\n]*", "", public.split("\n private:", 1)[0].split("\n protected:", 1)[0])
    return {method for method in CPP_METHOD.findall(public) if method not in (name, "operator") and not method.isupper()}


def ts_methods(name, text):
    found = set()
    for match in TS_METHOD.finditer(text):
        method = match.group(1)
        if "@internal" not in match.group(0) and method != "constructor":
            found.add(method)
    return found


def problems(root):
    def read(path):
        return (root / path).read_text(encoding="utf-8")

    cpp, c, js = columns(read(PAGE))
    headers = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "include/broadside").rglob("*.hpp")))
    functions = {name for path in (root / "include/broadside/c").glob("*.h") for name in C_FUNCTION.findall(path.read_text(encoding="utf-8"))}
    for name in sorted(functions ^ c):
        yield f"{name}: {'in a header, not in the table' if name in functions else 'in the table, in no header'}"

    methods = {f"{name}::{method}" for name, path in CLASSES.items() for method in cpp_methods(name, read(f"include/broadside/{path}"))}
    for name in sorted(methods ^ {name for name in cpp if "::" in name}):
        yield f"{name}: {'in a header, not in the table' if name in methods else 'in the table, no public method'}"
    for name in sorted(name for name in cpp if "::" not in name and not re.search(rf"\b{name}\b", headers)):
        if name != "operator new":
            yield f"{name}: in the table, in no header"

    held = {"release"}
    scripts = {f"{name}.{method}" for name, files in SCRIPTS.items() for file in files
               for method in class_methods(name, read(f"web/package/src/{file}.ts"))}
    scripts |= {f"{name}.{method}" for name in SCRIPTS if name != "Body" for method in held}
    for name in sorted(scripts ^ {name for name in js if "." in name}):
        yield f"{name}: {'in the package, not in the table' if name in scripts else 'in the table, not in the package'}"
    exported = set(re.findall(r"\w+", "".join(re.findall(r"export (?:type )?\{([^}]*)\}", read("web/package/src/api.ts")))))
    exported |= set(re.findall(r"^export (?:const|function) (\w+)", read("web/package/src/index.ts"), re.M))
    for name in sorted(name for name in js if "." not in name and name not in exported):
        yield f"{name}: in the table, not exported by the package"


def class_methods(name, text):
    bodies = re.findall(r"(?ms)^export (?:abstract )?class (\w+)[^\n]*\{$(.*?)^\}", text)
    return {method for found, body in bodies if found in (name, "Queries") for method in ts_methods(name, body)}


def self_test():
    page = "| | C++ | C | JavaScript |\n|---|---|---|---|\n| a | `World::x`, `y` | `bs_x` | |\n"
    assert columns(page) == [{"World::x", "y"}, {"bs_x"}, set()]
    header = "class BROADSIDE_API World {\n public:\n  World();\n  /// says foo(1)\n  [[nodiscard]] bool x(int y) const;\n" \
             "  static constexpr int z = f(1);\n\n private:\n  void no();\n};\n"
    assert cpp_methods("World", header) == {"x"}, cpp_methods("World", header)
    script = "export class Body {\n  /** @internal */\n  a(): void {\n  }\n  get b(): T {\n    if (x) {\n    }\n  }\n  c(d: T): void {\n}\n"
    assert class_methods("Body", script) == {"b", "c"}, class_methods("Body", script)
    assert C_FUNCTION.findall("BROADSIDE_API bs_status bs_x(const bs_y* y, bool (*f)(void));\n") == ["bs_x"]


def main():
    if "--self-test" in sys.argv[1:]:
        self_test()
        return 0
    found = list(problems(pathlib.Path(__file__).resolve().parent.parent))
    for problem in found:
        print(f"{PAGE}: {problem}")
    if not found:
        print("languages: the table names what the interfaces hold")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
