#!/usr/bin/env python3
"""Finds phrases of tools/phrases.txt in comments, texts in quotes, and pages. Usage: check_phrases.py [--self-test] [PATH...]

A phrase may span lines. Identifiers are not checked. Of HTML, only visible text and comments are checked. In the demo
pages, whose strings are shown to users, texts in single quotes and template literals are checked, too.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODE = (".cpp", ".hpp", ".h", ".ts", ".mjs")
PROSE = (".md",)
HTML = (".html",)
DEMOS = "web/demos/"
LEFT_OUT = ("tools/", "tests/golden/", "tests/mutants/")
COMMENT = re.compile(r"//[/!]?<?[ ]?(?P<line>[^\n]*)|/\*+(?P<block>.*?)\*/|\"(?P<text>(?:[^\"\\\n]|\\.)*)\"", re.S)
SCRIPT = re.compile(COMMENT.pattern + r"|'(?P<single>(?:[^'\\\n]|\\.)*)'|`(?P<template>(?:[^`\\]|\\.)*)`", re.S)
TAG = re.compile(
    r"<!--(?P<comment>.*?)-->|<(?:script|style)\b.*?</(?:script|style)>"
    r"|<[^>]*?\s(?:alt|aria-label|content|placeholder|title)=\"(?P<attribute>[^\"]*)\"[^>]*>|<[^>]*>"
    r"|(?P<visible>[^<]+)", re.S | re.I)


def read_phrases():
    phrases = []
    for line in (ROOT / "tools/phrases.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            expression, instead = line.split(" ~ ")
            phrases.append((re.compile(expression.replace(" ", r"\s+"), re.I), instead))
    return phrases


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def prose_of(text, name):
    """Returns the text with everything except prose replaced by spaces, so that line numbers stay the same."""
    suffix = pathlib.PurePath(name).suffix
    if suffix in PROSE:
        return text
    kept = list(blank(text))
    pattern = TAG if suffix in HTML else SCRIPT if name.startswith(DEMOS) else COMMENT
    for match in pattern.finditer(text):
        for part, prose in match.groupdict().items():
            if prose is not None:
                prose = re.sub(r"\$\{[^{}]*\}", lambda code: blank(code[0]), prose) if part == "template" else prose
                kept[match.start(part):match.end(part)] = prose
    return re.sub(r"(?m)^( +)\* ", r"\1  ", "".join(kept))


def found_in(text, name, phrases):
    prose = prose_of(text, name)
    for expression, instead in phrases:
        for match in expression.finditer(prose):
            phrase = re.sub(r"\s+", " ", match[0])
            yield prose.count("\n", 0, match.start()) + 1, f"'{phrase}': write instead: {instead}"


def self_test(phrases):
    cases = (("a.cpp", "// made\n// anew\n", 2), ("a.cpp", "int anew = 0;\n", None), ("a.cpp", 'f("set anew");\n', 1),
             ("a.md", "all\nbut for two\n", 2), ("a.ts", "/** Sets it\n * but for\n * two. */\n", 2),
             ("a.ts", "f('anew');\n", None), ("web/demos/a.ts", "f('anew');\n", 1),
             ("web/demos/a.ts", "f(\n'all but ' +\n  'for two');\n", 2),
             ("web/demos/a.ts", "// isn't\nanew('//');\n", None), ("web/demos/a.ts", "f(`${anew} set\nanew`);\n", 2),
             ("a.html", "<p>\nall but <b>for</b> two</p>\n", 2),
             ("a.html", '<p class="anew" title="all">two<script>anew</script></p>\n', None),
             ("a.html", '<img\nsrc="a.svg" alt="set anew">\n', 2), ("a.html", "<!-- set anew -->\n", 1))
    for name, text, line in cases:
        lines = [number for number, _ in found_in(text, name, phrases)]
        assert lines == ([line] if line else []), (name, text, lines)


def main():
    phrases = read_phrases()
    paths = [path for path in sys.argv[1:] if path != "--self-test"]
    if "--self-test" in sys.argv:
        self_test(phrases)
    files = subprocess.run(["git", "ls-files", *paths], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    count = found = 0
    for name in files.splitlines():
        if pathlib.PurePath(name).suffix not in CODE + PROSE + HTML or name.startswith(LEFT_OUT):
            continue
        count += 1
        for line, message in found_in((ROOT / name).read_text(encoding="utf-8"), name, phrases):
            print(f"{name}:{line}: {message}")
            found += 1
    print(f"phrases: {count} files, {f'{found} to rewrite' if found else 'clean'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
