"""Compiles the C++ examples of the pages and of the comments of public headers.

Usage: snippets_test.py COMPILER SOURCE_FOLDER [TestClass ...]

An example of a page is a block ```cpp; <!-- with: int a; --> before it declares what it uses. An example of a header is
a block indented by five spaces or more, outside of @verbatim; NAMES declares what it uses. An example is the body of a
function, or a whole file if it has a `main`. One with its own #include is compiled with nothing else included.
"""

import dataclasses
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

COMPILER = sys.argv[1]
SOURCE = pathlib.Path(sys.argv[2]).resolve()
HEADERS = "include/broadside"
PAGES = ("*.md", "bench/*.md", "docs/**/*.md", "web/*/README.md")
# A discarded `Result` is an error. A variable that an example does not use, or a function that it does not define, is not.
OPTIONS = ("-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-unused-parameter", "-Wunused-result",
           "-Wno-undefined-internal", "-Iinclude", "-Itests/tools/snippets")
# What the examples of a header use without declaring it.
NAMES = {
    "adapters/ecs.hpp": "#include <entt/entt.hpp>\n"
                        "struct Position { float x, y; };"
                        "entt::registry registry; entt::entity player{}; void grow(int);",
    "contact/narrow_phase.hpp": "HierarchicalGrid broad_phase; NarrowPhase narrow_phase;"
                                "std::vector<Shape> shapes; std::vector<Transform> transforms;",
    "scene/frames.hpp": "extern Frames& frames; std::vector<Contact> contacts;",
    "scene/simulation.hpp": "Simulation simulation{Scene{}}; std::vector<Contact> contacts;",
    "world/body_def.hpp": "World world;",
    "world/fixed_step.hpp": "World world; float seconds_of_this_frame{}; void draw_at(float);",
    "world/recording.hpp": "World world;",
}
PAGE_EXAMPLE = re.compile(r"(?:<!-- with:(?P<names>(?:(?!-->).)*)-->\s*)?^ *```(?:cpp|c\+\+)\n(?P<code>.*?)^ *```$", re.M | re.S)
HEADER_EXAMPLE = re.compile(
    r"@verbatim.*?@endverbatim|^(?P<code>(?: *///(?: {5}[^\n]*)?\n)* */// {5}[^\n]*\n)", re.M | re.S)
NAMESPACE = re.compile(r"^namespace ([\w: ]+) \{$", re.M)
INCLUDE = re.compile(r"^#include [^\n]*$", re.M)
MAIN = re.compile(r"^int main\(", re.M)
ERROR = re.compile(r"^([\w./-]+:\d+):\d+: (?:fatal )?error:", re.M)


@dataclasses.dataclass
class Example:
    file: str
    line: int  # of the first line of the code
    code: str
    names: str = ""
    names_line: int = 1
    namespace: str = ""

    def end(self):
        """Returns the place of the line behind the code."""
        return f"{self.file}:{self.line + self.code.count(chr(10))}"

    def includes(self):
        return INCLUDE.findall(self.names + "\n" + self.code)

    def text(self, number):
        """Returns the code at namespace scope, without its includes; the compiler reports errors at their place."""
        names = f'#line {self.names_line} "{self.file}"\n{INCLUDE.sub("", self.names)}\n'
        code = f'#line {self.line} "{self.file}"\n{INCLUDE.sub("", self.code)}\n'
        if MAIN.search(self.code):
            return names + code
        function = f"void example_{number}() {{\n{names}{code}}}\n"
        return f"namespace {self.namespace} {{\n{function}}}\n" if self.namespace else function


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def examples_of_page(text, file):
    for match in PAGE_EXAMPLE.finditer(text):
        yield Example(file, line_of(text, match.start("code")), match["code"], match["names"] or "", line_of(text, match.start()))


def examples_of_header(text, file):
    for match in HEADER_EXAMPLE.finditer(text):
        if match["code"]:
            code = re.sub(r"(?m)^ *///", "", match["code"])
            namespace = NAMESPACE.findall(text, 0, match.start())[-1]
            names = NAMES.get(file.removeprefix(HEADERS + "/"), "")
            yield Example(file, line_of(text, match.start()), code, names, namespace=namespace)


def files(*patterns):
    for pattern in patterns:
        for path in sorted(SOURCE.glob(pattern)):
            yield path.read_text(encoding="utf-8"), path.relative_to(SOURCE).as_posix()


def all_examples():
    pages = [example for page in files(*PAGES) for example in examples_of_page(*page)]
    return pages + [example for header in files(HEADERS + "/**/*.hpp") for example in examples_of_header(*header)]


def unit_of(examples):
    """Returns the text of one file with these examples, which have no includes of their own."""
    headers = sorted({example.file for example in examples if example.file.startswith(HEADERS)})
    includes = ["#include <broadside/broadside.hpp>", *(f"#include <{name.removeprefix('include/')}>" for name in headers)]
    includes += [include for example in examples for include in example.includes()]
    return "\n".join([*includes, *(example.text(number) for number, example in enumerate(examples))])


def unit_of_one(example):
    return "\n".join([*example.includes(), example.text(0)])


def compile_text(text):
    """Returns the messages of the compiler; empty if there are none."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "examples.cpp"
        file.write_text(text, encoding="utf-8")
        done = subprocess.run([COMPILER, *OPTIONS, str(file)], cwd=SOURCE, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode != 0 else ""


class Snippets(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(20261215)
        examples = all_examples()
        self.alone = [example for example in examples if INCLUDE.search(example.code)]
        self.together = [example for example in examples if not INCLUDE.search(example.code)]

    def test_examples_compile(self):
        messages = compile_text(unit_of(self.together))
        self.assertEqual(messages, "", messages)

    def test_examples_with_includes_need_no_others(self):
        for example in self.alone:
            with self.subTest(f"{example.file}:{example.line}"):
                messages = compile_text(unit_of_one(example))
                self.assertEqual(messages, "", messages)

    def test_an_error_is_reported_where_it_stands(self):
        broken = self.random.sample(self.together, 5)
        places = {example.end() for example in broken}
        for example in broken:
            example.code += self.random.choice(("undeclared();", "broadside::World w(1, 2, 3);", "broadside::World{}.step(0);"))
        self.assertLessEqual(places, set(ERROR.findall(compile_text(unit_of(broken)))))

    def test_finds_every_example(self):
        found = [example.file for example in self.alone + self.together]
        for text, file in files(*PAGES):
            self.assertEqual(found.count(file), len(re.findall(r"(?m)^ *```(?:cpp|c\+\+)", text)), file)
            named = sum(bool(example.names) for example in examples_of_page(text, file))
            self.assertEqual(named, len(re.findall(r"(?m)^<!-- with:", text)), file)
        for name in NAMES:
            self.assertIn(f"{HEADERS}/{name}", found)
        self.assertIn("README.md", found)

    def test_tells_examples_of_a_header_from_text(self):
        text = "namespace a {\n/// 1. One\n///    and:\n///\n///     f();\n///\n///     g();\n///\n"
        text += "/// @verbatim\n///     h\n/// @endverbatim\n  ///     i(\n  ///         0);\n"
        self.assertEqual([(example.line, example.code.split()) for example in examples_of_header(text, "a.hpp")],
                         [(4, ["f();", "g();"]), (12, ["i(", "0);"])])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
