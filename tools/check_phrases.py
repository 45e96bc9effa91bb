#!/usr/bin/env python3
"""Finds phrases of tools/phrases.txt in comments, texts in quotes, and pages. Usage: check_phrases.py [--self-test] [PATH...]

A phrase may span lines. Identifiers are not checked.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = (".cpp", ".hpp", ".h", ".ts", ".mjs")
PROSE = (".md",)
LEFT_OUT = ("tools/", "tests/golden/", "tests/mutants/")
COMMENT = re.compile(r"//[/!]?<?[ ]?(?P<line>[^\n]*)|/\*+(?P<block>.*?)\*/|\"(?P<text>(?:[^\"\\\n]|\\.)*)\"", re.S)


def read_phrases():
    phrases = []
    for line in (ROOT / "tools/phrases.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            expression, instead = line.split(" ~ ")
            phrases.append((re.compile(expression.replace(" ", r"\s+"), re.I), instead))
    return phrases


def prose_of(text, suffix):
    """Returns the text with everything except prose replaced by spaces, so that line numbers stay the same."""
    if suffix in PROSE:
        return text
    kept = list(re.sub(r"[^\n]", " ", text))
    for match in COMMENT.finditer(text):
        for part in ("line", "block", "text"):
            if match[part] is not None:
                kept[match.start(part):match.end(part)] = match[part]
    return re.sub(r"(?m)^( +)\* ", r"\1  ", "".join(kept))


def found_in(text, suffix, phrases):
    prose = prose_of(text, suffix)
    for expression, instead in phrases:
        for match in expression.finditer(prose):
            phrase = re.sub(r"\s+", " ", match[0])
            yield prose.count("\n", 0, match.start()) + 1, f"'{phrase}': write instead: {instead}"


def self_test(phrases):
    cases = ((".cpp", "// made\n// anew\n", 2), (".cpp", "int anew = 0;\n", None), (".cpp", 'f("set anew");\n', 1),
             (".md", "all\nbut for two\n", 2), (".ts", "/** Sets it\n * but for\n * two. */\n", 2))
    for suffix, text, line in cases:
        lines = [number for number, _ in found_in(text, suffix, phrases)]
        assert lines == ([line] if line else []), (suffix, text, lines)


def main():
    phrases = read_phrases()
    paths = [path for path in sys.argv[1:] if path != "--self-test"]
    if "--self-test" in sys.argv:
        self_test(phrases)
    files = subprocess.run(["git", "ls-files", *paths], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    count = found = 0
    for name in files.splitlines():
        suffix = pathlib.PurePath(name).suffix
        if suffix not in CODE + PROSE or name.startswith(LEFT_OUT):
            continue
        count += 1
        for line, message in found_in((ROOT / name).read_text(encoding="utf-8"), suffix, phrases):
            print(f"{name}:{line}: {message}")
            found += 1
    print(f"phrases: {count} files, {f'{found} to rewrite' if found else 'clean'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
