#!/usr/bin/env python3
"""Checks docs/promises.md. Usage: check_promises.py [--self-test] [--allow-open]

A row quotes a promise, and names the file where it stands and the tests behind it. Each quotation must stand in its
file, and each test must exist. A row without a test says `none`: it is open, which is an error without --allow-open.

So that no promise lacks a row: each section `@par Errors`, `Order`, `Threads` and `Complexity` of a public header, and
each sentence of a public header or of a page for users with a word like "always" or "each", is quoted by a row, or
tools/promises_left_out.txt gives the reason why it is not. A line there may name a section of a page, `## Measured`.

The pages for users are PAGES and NAMING_TESTS. The latter compares broadside with other programs, so most of its words
are about those. Its tables name their tests, which must exist; its promises are those of the other pages. Left out are
docs/architecture.md, docs/decisions and CONTRIBUTING.md, for programmers who change broadside; docs/glossary.md, which
defines words; and docs/kernels.md and docs/scale.md, which say how things were measured.
"""

import pathlib
import re
import sys
import tempfile

TABLES = "docs/promises.md"
LEFT_OUT = "tools/promises_left_out.txt"
PAGES = ("README.md", "SECURITY.md", "docs/command-line.md", "docs/how-it-is-fast.md", "docs/narrow-phase.md", "docs/trace-format.md",
         "docs/viewer.md", "docs/world.md", "web/package/README.md")
NAMING_TESTS = "docs/from-the-tutorials.md"
HEADERS = "include/broadside"
COLUMNS = ["Promise", "Where", "Tests", "Drawn from", "Cases"]
MIN_LENGTH = 12
WORDS = re.compile(
    r"\b(always|never|exactly|every|each(?! other)|same|at most|no more than|cannot|guarantees?)\b", re.I)
CODE = re.compile(r"(?ms)^```.*?^```$|^ {4}[^\n]*$|^!\[[^\n]*$")
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z0-9`*(\[@])")
BLOCK = re.compile(r"(?m)^(?!\s*$).+(?:\n(?!\s*$|\s*- |\s*@|\||#).+)*")
COMMENT = re.compile(r"(?m)(?:^ *///(?!<)[^\n]*\n)+|///<[^\n]*\n(?:^ *///<[^\n]*\n)*")
PRIVATE = re.compile(r"(?ms)^ private:$.*?(?=^ (?:public|protected):$|^\};)")
NO_PROSE = re.compile(r"(?ms)^ {5}[^\n]*$|@verbatim.*?@endverbatim|@par Complexity\n.*?(?=\n *@|\n\n|\Z)")
HEADING = re.compile(r"(?m)^## [^\n]*$")
NAMED_TEST = re.compile(r"`([A-Z]\w*)\.(\w+|\*)`(?! is a test)")
SECTION = re.compile(r"@par (Errors|Order|Threads|Complexity)\n(.*?)(?=\n *@|\n\n|\Z)", re.S)
GOOGLETEST = re.compile(r"^ *(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\(\s*(\w+),\s*(\w+)", re.M)
VITEST = re.compile(r"\b(?:it|test)\b[^\n]*?\(\s*(['\"`])((?:(?!\1)[^\n])+)\1\s*,")
PYTHON_TEST = re.compile(r"^ *def (test_\w+)\(", re.M)


def plain(text):
    """Returns the text on one line, without comment markers, emphasis, code quotes and the addresses of links."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text.replace(r"\|", "|"))
    text = re.sub(r"(?m)^\s*(?:\* |- )|//+<?", " ", text)
    return re.sub(r"\s+", " ", re.sub(r"[*`]", "", text)).strip()


def tests_of(root):
    """Returns the names of all tests."""
    names = set()
    for file in (root / "tests").rglob("*.cpp"):
        names.update(".".join(match) for match in GOOGLETEST.findall(file.read_text(encoding="utf-8")))
    for file in (root / "web").glob("*/test/*.test.ts"):
        names.update(f"{file.name}: {name}" for _, name in VITEST.findall(file.read_text(encoding="utf-8")))
    for file in (root / "tests").rglob("*_test.py"):
        names.update(f"{file.name}: {name}" for name in PYTHON_TEST.findall(file.read_text(encoding="utf-8")))
    return names


def rows_of(text):
    """Yields the line and the cells of each row below a head of these columns."""
    in_table = False
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] if line.startswith("|") else []
        if cells == COLUMNS:
            in_table = True
        elif not cells:
            in_table = False
        elif in_table and not set(line) <= set("|-: "):
            yield number, cells


def comments_of(text):
    """Yields the line and the text of each documentation comment of a header; `///<` belongs to one member."""
    for block in COMMENT.finditer(text):
        yield text.count("\n", 0, block.start()) + 1, re.sub(r"(?m)^ *///<?", "", block[0])


def sections_of(text):
    """Yields the line and the text of each section of a header that must have a row."""
    for line, comment in comments_of(text):
        for match in SECTION.finditer(comment):
            yield line + comment.count("\n", 0, match.start()), plain(match[2])


def blank(match):
    return "\n" * match[0].count("\n")


def sentences_of(text, first_line=1):
    """Yields the line and the text of each sentence that must have a row; a row of a table is one."""
    for block in BLOCK.finditer(text):
        at = block.start()
        for sentence in SENTENCE_END.split(block[0]):
            at = text.index(sentence, at)
            if WORDS.search(sentence):
                yield text.count("\n", 0, at) + first_line, plain(sentence)


def places_of(path, text):
    """Yields the line, the text and the section of each place in a page or a header that must have a row."""
    if path.endswith(".md"):
        text = CODE.sub(blank, text)
        starts = [0, *(match.start() for match in HEADING.finditer(text)), len(text)]
        for start, end in zip(starts, starts[1:]):
            heading = HEADING.match(text, start)
            for line, sentence in sentences_of(text[start:end], text.count("\n", 0, start) + 1):
                yield line, sentence, plain(heading[0]) if heading else ""
        return
    text = PRIVATE.sub(blank, text)
    for line, section in sections_of(text):
        yield line, section, ""
    for line, comment in comments_of(text):
        for at, sentence in sentences_of(NO_PROSE.sub(blank, comment), line):
            yield at, sentence, ""


def check_row(root, cells, tests, texts):
    """Yields what is wrong with a row, and fills `texts` with what the files say."""
    quotation, path, named, drawn, cases = cells
    if not (root / path).is_file():
        yield f"there is no file {path}"
        return
    if path not in texts:
        texts[path] = plain((root / path).read_text(encoding="utf-8"))
    if len(plain(quotation)) < MIN_LENGTH:
        yield "the quotation is too short to be found"
    elif plain(quotation) not in texts[path]:
        yield f"not in {path}: {plain(quotation)}"
    names = re.findall(r"`([^`]+)`", named)
    if not names and named != "none":
        yield "name the tests in `code quotes`, or write none"
    for name in names:
        if name not in tests and not ("/" in name and (root / name).is_file()):
            yield f"there is no test {name}"
    if not drawn or not re.match(r"(about )?\d|-$", cases):
        yield "say what is drawn, and how many cases: a number, 'about' a number, or - for examples"


def read_left_out(root):
    """Returns a list of line, path and first words; the reason must not be empty."""
    entries = []
    for number, line in enumerate((root / LEFT_OUT).read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            path, words, reason = [part.strip() for part in line.split(" ~ ", 2)]
            assert reason, number
            entries.append((number, path, plain(words)))
    return entries


def check_coverage(root, quotations):
    """Returns how many places must have a row, and what is wrong."""
    headers = [header.relative_to(root).as_posix() for header in sorted((root / HEADERS).rglob("*.hpp"))
               if "detail" not in header.parts]
    places = [(path, *place) for path in [*PAGES, *headers]
              for place in places_of(path, (root / path).read_text(encoding="utf-8"))]
    found, entries, used = [], read_left_out(root), set()
    for path, line, place, section in places:
        has_row = any(one in place or place in one for one in quotations.get(path, ()))
        of_path = [entry for entry in entries if entry[1] == path]
        of_section = [entry for entry in of_path if section and section == entry[2]]
        left_out = [entry for entry in of_path if place.startswith(entry[2]) and entry not in of_section]
        used.update(left_out + of_section)
        if has_row and left_out:
            found.append(f"{LEFT_OUT}:{left_out[0][0]}: has a row: {place}")
        elif not has_row and not left_out and not of_section:
            found.append(f"{path}:{line}: neither in {TABLES} nor in {LEFT_OUT}: {place}")
    found += [f"{LEFT_OUT}:{entry[0]}: nothing begins so in {entry[1]}" for entry in entries if entry not in used]
    return len(places), found


def check_named_tests(root, tests):
    """Yields the tests that the page with tests in its tables names, and that do not exist."""
    text = (root / NAMING_TESTS).read_text(encoding="utf-8")
    for match in NAMED_TEST.finditer(text):
        name = f"{match[1]}.{match[2]}"
        if name not in tests and not (match[2] == "*" and any(test.startswith(name[:-1]) for test in tests)):
            yield f"{NAMING_TESTS}:{text.count(chr(10), 0, match.start()) + 1}: there is no test {name}"


def check(root):
    """Returns what the last line says, what is wrong, and which promises are open."""
    tests, texts, quotations = tests_of(root), {}, {}
    found, still_open, named, count = [], [], set(), 0
    for number, cells in rows_of((root / TABLES).read_text(encoding="utf-8")):
        count += 1
        if len(cells) != len(COLUMNS):
            found.append(f"{TABLES}:{number}: {len(cells)} cells instead of {len(COLUMNS)}")
            continue
        found += [f"{TABLES}:{number}: {what}" for what in check_row(root, cells, tests, texts)]
        if plain(cells[0]) in quotations.setdefault(cells[1], []):
            found.append(f"{TABLES}:{number}: is quoted in another row")
        quotations[cells[1]].append(plain(cells[0]))
        named.update(re.findall(r"`([^`]+)`", cells[2]))
        if cells[2] == "none":
            still_open.append(f"{TABLES}:{number}: open: {plain(cells[0])}")
    found += check_named_tests(root, tests)
    places, uncovered = check_coverage(root, quotations)
    says = f"promises: {count} rows, {len(named)} tests, {places} places that must have one, {len(still_open)} open"
    return says, found + uncovered, still_open


def self_test():
    header = ("/// Finds it.\n///\n/// @par Errors\n/// `bad` if it\n/// is bad.\n/// @par Source\n/// A book.\n"
              "/// @par Order\n/// None.\nint f();  ///< never, and not before\n///< noon\nint g();  ///< each g\n\n"
              "/// Is here. Finds the same\n/// as `f`. @pre never\n///\n///     each code\n"
              "/// @par Complexity\n/// At most O(n)\n"
              "class A {\n private:\n  int h;  ///< every h\n};\n")
    page = ("# Every\n\n- It **never**\n  fails. It is here.\n- Both. Each is one.\n\n    each code\n\n"
            "| a | the same |\n\nThey meet each other.\n## Measured\n\nEach frame takes 3 ms.\nEvery row has one.\n")
    files = {
        **dict.fromkeys(PAGES, ""), "README.md": page, "include/broadside/a.hpp": header,
        NAMING_TESTS: "`Suite.name` is a test\n| each | `A.b`, `A.*`, `b.each` |\n",
        "tests/a_test.cpp": "TEST(A, b) {}\n",
        "tests/a_test.py": "  def test_it(self):\n", "web/p/test/a.test.ts": "it.each(['x'] as const)('is, so', () => {});\n",
        LEFT_OUT: "# Reasons\nREADME.md ~ # Every ~ a heading\nREADME.md ~ | a ~ a cell\n"
                  "README.md ~ ## Measured ~ measurements\ninclude/broadside/a.hpp ~ each g ~ a definition\n"
                  "include/broadside/a.hpp ~ @pre ~ a precondition\n"
                  "include/broadside/a.hpp ~ At most O(n) ~ a bound on time\n",
        TABLES: "| Promise | Where | Tests | Drawn from | Cases |\n|---|---|---|---|---|\n"
                "| It `never` fails. | README.md | `A.b` | all | about 10 |\n"
                "| Both. Each is one. | README.md | `a_test.py: test_it`, `a.test.ts: is, so`, `tests/a_test.cpp` |"
                " examples | - |\n"
                "| `bad` if it is bad. | include/broadside/a.hpp | `A.b` | all | 3 |\n"
                "| never, and not before noon | include/broadside/a.hpp | none | - | - |\n"
                "| the same as `f` | include/broadside/a.hpp | `A.b` | examples | - |\n",
    }
    order = "include/broadside/a.hpp:8: neither in docs/promises.md nor in tools/promises_left_out.txt: None."
    changes = (
        ("", "", "", None),
        (TABLES, "`never`", "always", "README.md:3: neither"),
        (TABLES, "`never`", "always", "promises.md:3: not in README.md"),
        (TABLES, "`A.b` | all | about", "`A.c` | all | about", "promises.md:3: there is no test A.c"),
        (TABLES, "| README.md | `A.b`", "| none.md | `A.b`", "promises.md:3: there is no file none.md"),
        (TABLES, "| 3 |", "| |", "promises.md:5: say what is drawn, and how many"),
        (TABLES, "about 10 |", "1 | 2 |", "promises.md:3: 6 cells"),
        (TABLES, "Both. Each is one.", "It never fails.", "promises.md:4: is quoted in another row"),
        (TABLES, "It `never` fails.", "It", "promises.md:3: the quotation is too short"),
        ("tests/a_test.py", "test_it", "it", "promises.md:4: there is no test a_test.py"),
        ("web/p/test/a.test.ts", "it.each", "it.only", None),
        ("web/p/test/a.test.ts", "'is, so'", "'is'", "promises.md:4: there is no test a.test.ts"),
        (LEFT_OUT, "| a ~", "| b ~", "left_out.txt:3: nothing begins so"),
        (LEFT_OUT, "# Every", "Each is", "left_out.txt:2: has a row"),
        (LEFT_OUT, "## Measured", "## Other", "README.md:14: neither"),
        (LEFT_OUT, "## Measured", "## Other", "README.md:15: neither"),
        (LEFT_OUT, "## Measured", "## Other", "left_out.txt:4: nothing begins so"),
        (TABLES, "It `never` fails.", "Every row has one.", "README.md:3: neither"),
        (TABLES, "the same as `f`", "Finds it.", "a.hpp:14: neither"),
        (LEFT_OUT, "each g", "each of", "a.hpp:12: neither"),
        (LEFT_OUT, "~ @pre", "~ @return", "a.hpp:15: neither"),
        (LEFT_OUT, "At most", "At least", "a.hpp:18: neither"),
        ("include/broadside/a.hpp", "each code", "each word", None),
        ("include/broadside/a.hpp", "///     each", "/// each", "a.hpp:17: neither"),
        ("include/broadside/a.hpp", " private:", " public:", "a.hpp:22: neither"),
        ("docs/viewer.md", "", "It is the same.", "viewer.md:1: neither"),
        (NAMING_TESTS, "`A.b`", "`A.c`", "from-the-tutorials.md:2: there is no test A.c"),
        (NAMING_TESTS, "A.*", "B.*", "from-the-tutorials.md:2: there is no test B.*"),
    )
    for name, before, after, says in changes:
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text.replace(before, after) if path == name else text, encoding="utf-8")
            _, found, still_open = check(root)
            right = any(says in line for line in found) if says and name else found == [order]
            if not right or len(still_open) != 1:
                sys.exit(f"promises: self-test failed for {name}, {after}: {found} {still_open}")


def main():
    if "--self-test" in sys.argv:
        self_test()
    says, found, still_open = check(pathlib.Path(__file__).resolve().parent.parent)
    print("\n".join([*found, *still_open, says]))
    return 1 if found or (still_open and "--allow-open" not in sys.argv) else 0


if __name__ == "__main__":
    sys.exit(main())
