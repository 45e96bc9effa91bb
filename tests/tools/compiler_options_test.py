"""Compiles headers with options that users have, and sources with options under which results would be wrong.

Usage: compiler_options_test.py COMPILER INCLUDE_FOLDER [TestClass ...]
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

COMPILER = sys.argv[1]
INCLUDE = pathlib.Path(sys.argv[2]).resolve()
SOURCES = INCLUDE.parent / "src"
HEADERS = ("base/aabb.hpp", "base/validate.hpp", "broad_phase/find_pairs.hpp", "body/shape.hpp")
# Options of a user that change nothing about this. The last -O counts, so they come first.
OTHERS = ("-O0", "-O1", "-O2", "-O3", "-g", "-DNDEBUG", "-fno-exceptions", "-fno-rtti", "-ffp-contract=off", "-std=c++2b")
FAST = "compile the library without -ffast-math and -ffinite-math-only, which let the compiler assume that NaN does not occur"
WIDE = "broadside needs floats to be computed as floats: compile with -msse2 -mfpmath=sse"


def compile_header(header, options):
    """Returns the messages of the compiler about a file that includes only this header; empty if there are none."""
    return compile_line(f"#include <broadside/{header}>", options)


def compile_line(line, options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "file.cpp"
        file.write_text(line + "\n", encoding="utf-8")
        command = [COMPILER, "-std=c++20", "-fsyntax-only", "-Wfatal-errors", f"-I{INCLUDE}", f"-I{SOURCES}", *options, str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode != 0 else ""


def makes_floats_wide(option):
    """Tells whether the option exists here and makes the compiler compute floats with a higher precision."""
    done = subprocess.run([COMPILER, option, "-E", "-P", "-x", "c++", "-"], input="__FLT_EVAL_METHOD__\n",
                          capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() != "0"


class CompilerOptions(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(20261201)

    def draw(self):
        """Returns a header and some options that are allowed."""
        return self.random.choice(HEADERS), self.random.sample(OTHERS, self.random.randrange(4))

    def test_headers_compile_with_other_options(self):
        for _ in range(3):
            header, options = self.draw()
            self.assertEqual(compile_header(header, options), "", (header, options))

    def test_headers_compile_with_fast_math(self):
        for option in ("-ffast-math", "-Ofast", "-ffast-math", "-Ofast"):
            header, options = self.draw()
            self.assertEqual(compile_header(header, [*options, option]), "", (header, options, option))

    def test_sources_refuse_fast_math(self):
        for option in ("-ffast-math", "-Ofast", "-ffinite-math-only"):
            _, options = self.draw()
            self.assertIn(FAST, compile_line('#include "base/point.hpp"', [*options, option]), (options, option))
            self.assertEqual(compile_line('#include "base/point.hpp"', [*options, option, "-fno-fast-math"]), "")

    def test_floats_of_higher_precision_are_refused(self):
        wide = [option for option in ("-mfpmath=387", "-mfpmath=both") if makes_floats_wide(option)]
        if not wide:
            self.skipTest("this compiler always computes floats as floats")
        for option in 2 * wide:
            _, options = self.draw()
            self.assertIn(WIDE, compile_header("base/vec2.hpp", [*options, option]), (options, option))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
