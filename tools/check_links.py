#!/usr/bin/env python3
"""Checks that the paths in pages exist: in links, and in backticks. Usage: check_links.py [--self-test] [PAGE...]

A link is relative to its page; its anchor must be a heading of the page that it leads to. A path in backticks begins at
the root or at the page, or is the end of exactly one path: `engine/gap.cpp`. `*` and `<name>` stand for any text.
"""

import fnmatch
import os.path
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("*.md", "bench/*.md", "docs/*.md", "docs/*/*.md")
GENERATED = ("build", "out")  # by the commands that a page explains
SUFFIXES = "cmake|cpp|h|hpp|html|json|md|mjs|png|py|sh|svg|ts|txt"
BLOCK = re.compile(r"^( *)```.*?^\1```[^\n]*$|^    [^\n]*$", re.M | re.S)
CODE = re.compile(r"(`+)((?:(?!\n\n).)+?)\1", re.S)
LINK = re.compile(r"\]\((?P<link>[^()\s]+)\)|\b(?:src|href)=\"(?P<attribute>[^\"]+)\"")
FILE_NAME = re.compile(rf"[\w.*/<>-]*[\w*>]\.(?:{SUFFIXES})")
FOREIGN = re.compile(r"[a-z]+:")


def all_paths():
    """Returns every file of the repository, new ones included, and every folder."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    files = {name for name in listed if (ROOT / name).is_file()}
    return files | {str(folder) for name in files for folder in pathlib.PurePath(name).parents[:-1]}


def blanked(text, expression):
    """Returns the text with all matches blanked out: every character stays on its line."""
    return expression.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def anchors_of(text):
    """Returns the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ +(.+?)\s*$", blanked(text, BLOCK), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problem_of_link(page, target, paths, read):
    """Returns what is wrong with a link of a page, or nothing."""
    path, _, anchor = target.partition("#")
    place = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if place != "." and place not in paths:
        return f"{target}: there is no such file"
    if anchor and place.endswith(".md") and anchor not in anchors_of(read(place)):
        return f"{target}: {place} has no heading of this name"
    return None


def is_path(word, paths):
    """Tells whether a word in backticks means a file or a folder of the repository."""
    first, slash, _ = word.partition("/")
    if not first or first in GENERATED:  # the address of a page of the web demos begins with a slash
        return False
    return bool(slash and first in paths) or bool(FILE_NAME.fullmatch(word))


def problem_of_path(page, word, paths):
    """Returns what is wrong with a path in backticks, or nothing."""
    pattern = re.sub(r"<\w+>", "*", word.rstrip("/"))
    at_page = os.path.normpath(os.path.join(os.path.dirname(page), pattern))
    if "*" in pattern:
        wanted = (pattern, at_page, f"*/{pattern}")
        return None if any(fnmatch.filter(paths, one) for one in wanted) else f"{word}: nothing matches"
    if pattern in paths or at_page in paths:
        return None
    ends = sorted(path for path in paths if path.endswith(f"/{pattern}"))
    if len(ends) == 1:
        return None
    return f"{word}: there are several: {', '.join(ends)}" if ends else f"{word}: there is no such file"


def found_in(page, text, paths, read):
    """Yields the line and the sentence of each problem."""
    prose = blanked(text, BLOCK)
    for match in LINK.finditer(blanked(prose, CODE)):
        target = match["link"] or match["attribute"]
        problem = None if FOREIGN.match(target) else problem_of_link(page, target, paths, read)
        if problem:
            yield prose.count("\n", 0, match.start()) + 1, problem
    for match in CODE.finditer(prose):
        words = match[2].split()
        for word in words:
            # In a command, only what begins at the root is certain to be a path.
            problem = (problem_of_path(page, word, paths)
                       if is_path(word, paths) and (len(words) == 1 or "/" in word) else None)
            if problem:
                yield prose.count("\n", 0, match.start()) + 1, problem


def self_test():
    paths = {"src", "src/gap.cpp", "src/box", "src/box/gap.hpp", "src/a", "src/a/x.hpp", "src/b", "src/b/x.hpp", "docs",
             "docs/page.md", "docs/other.md"}
    texts = {"docs/other.md": "# A `heading`, here\n"}
    cases = (("[x](other.md)", None), ("\n[x](none.md)", "no such file"), ("[x](other.md#a-heading-here)", None),
             ("[x](other.md#none)", "no heading"), ("[x](https://none.md)", None), ('<img src="none.svg">', "no such file"),
             ("`src/gap.cpp`", None), ("`src/none.cpp`", "no such file"), ("`src/box/`", None), ("`src/none`", "no such file"),
             ("`box/gap.hpp`", None), ("`x.hpp`", "several"), ("`other.md`", None), ("`src/*.cpp`", None),
             ("`src/<name>.cpp`", None), ("`*_none.cpp`", "nothing matches"), ("`std::sort`, `1.5`, `/none/`, `a/b`", None),
             ("`run src/none.cpp --to b.json`", "no such file"), ("`run b.json`", None), ("`build/none.json`", None),
             ("```\n`none.cpp`\n```\n", None), ("    `none.cpp`\n", None))
    for text, expected in cases:
        found = list(found_in("docs/page.md", text, paths, texts.get))
        is_right = len(found) == 1 and expected in found[0][1] if expected else not found
        assert is_right and all(line == text.count("\n") + 1 for line, _ in found), (text, expected, found)


def main():
    names = [name for name in sys.argv[1:] if name != "--self-test"]
    if "--self-test" in sys.argv:
        self_test()
    pages = names or sorted(str(page.relative_to(ROOT)) for pattern in PAGES for page in ROOT.glob(pattern))
    paths = all_paths()

    def read(name):
        return (ROOT / name).read_text(encoding="utf-8")

    found = 0
    for page in pages:
        for line, problem in found_in(page, read(page), paths, read):
            print(f"{page}:{line}: {problem}")
            found += 1
    print(f"links: {len(pages)} pages, {f'{found} to mend' if found else 'clean'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
