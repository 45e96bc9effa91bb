#!/usr/bin/env python3
"""Checks what a shared library exports: all that the public headers declare, nothing else, in the namespace
of the version, and few symbols.

Usage: check_exports.py LIBRARY FOLDER_OF_HEADERS OBJECT ...
"""

import pathlib
import re
import subprocess
import sys

MAX_SYMBOLS = 300  # beside the functions for C


def symbols(options, files):
    """Returns (kind, demangled name) of the symbols that nm lists."""
    listed = subprocess.run(["nm", "-C", "--defined-only", *options, *files], capture_output=True, text=True, check=True).stdout
    return [(fields[1], fields[2].replace("[abi:cxx11]", "")) for line in listed.splitlines() if len(fields := line.split(maxsplit=2)) == 3]


def main():
    library, folder, *others = sys.argv[1:]
    objects = [path for path in others if path.endswith(".o")]  # without precompiled headers
    headers = [path for path in pathlib.Path(folder).rglob("*.h*") if not {"scene", "distributed", "adapters"} & set(path.parts)]
    text = "\n".join(re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in headers)
    types = set(re.findall(r"^(?:class|struct) (?:\[\[nodiscard\]\] )?(?:BROADSIDE_API )?(\w+)(?: final)?(?: :[^{;]*)? \{", text, re.MULTILINE))
    functions = set(re.findall(r"^(?:\[\[nodiscard\]\] )?(?:BROADSIDE_API )?[\w:<>,*& ]+[ &*](\w+|operator<<)\(", text, re.MULTILINE))
    functions |= set(re.findall(r"^ +friend (?:BROADSIDE_API )?[\w:<>,*& ]+[ &*](operator[=<]+)\([^{]*;", text, re.MULTILINE))
    numbers = re.findall(r"^#define BROADSIDE_VERSION_M(?:AJOR|INOR) (\d+)$", text, re.MULTILINE)
    namespace = f"broadside::v{'_'.join(numbers)}::"  # of all that another version of the library must not replace
    exported = {name for _, name in symbols(["-D"], [library])}
    errors = [f"is not in {namespace}: {name}" for name in exported if not name.startswith("bs_") and namespace not in name]
    exported = {name.replace(namespace, "broadside::") for name in exported}
    for name in exported:
        parts = re.sub(r"^.* for ", "", name).split("(")[0].split("::")
        if not name.startswith("bs_") and (parts[0] != "broadside" or len(parts) < 2 or parts[1] not in types | functions | {"detail"}):
            errors.append(f"is exported, and in no public header: {name}")
    # Who derives from a class, or catches it, needs its virtual table and its type.
    for name in {name.replace(namespace, "broadside::") for kind, name in symbols([], objects) if kind == "V"} - exported:
        if (match := re.fullmatch(r"(?:vtable|typeinfo|typeinfo name) for broadside::(\w+)", name)) and match[1] in types:
            errors.append(f"is needed by users of the class, but not exported: {name}")
    # What is not inline is of kind T in an object, also if it is hidden.
    for name in {name.replace(namespace, "broadside::") for kind, name in symbols([], objects) if kind == "T"} - exported:
        parts = name.split("(")[0].split("::")
        is_member = len(parts) == 3 and parts[1] in types
        if name.startswith("bs_") or (parts[0] == "broadside" and (is_member or len(parts) == 2 and parts[1] in functions)):
            errors.append(f"is declared, but not exported: {name}")
    in_c = sum(name.startswith("bs_") for name in exported)
    in_cpp = len(exported) - in_c
    if not 200 <= in_cpp <= MAX_SYMBOLS:
        errors.append(f"{in_cpp} symbols of C++ are exported; expected at most {MAX_SYMBOLS}")
    print("\n".join(sorted(errors)) or f"exports: {in_cpp} symbols of C++, {in_c} functions for C")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
