"""Draws the pictures of docs/narrow-phase.md anew and holds them to those that are shipped, and to the page.

Usage: draw_pairings_test.py BINARY SOURCE_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BINARY, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
SHIPPED = SOURCE / "docs/pictures/pairings"
KINDS = ["circle", "box", "capsule", "segment", "polygon", "mask"]
PAIRINGS = [f"{a}-{b}" for i, a in enumerate(KINDS) for b in KINDS[i:]]


class Pictures(unittest.TestCase):
    def test_are_what_the_tool_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([SOURCE / "tools/draw_pairings.sh", BINARY, folder], check=True)
            drawn = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(sorted(drawn), sorted(f"{name}.svg" for name in [*PAIRINGS, "all"]))
        for name, text in drawn.items():
            self.assertEqual((SHIPPED / name).read_text(), text, f"{name} is out of date: make pictures")

    def test_show_one_contact_each(self):
        for name in PAIRINGS:
            text = (SHIPPED / f"{name}.svg").read_text()
            self.assertIn("2 bodies, 1 pair, 1 contact<", text, name)
            self.assertIn(text.count('r="2.80"'), (1, 2), name)
            self.assertLess(len(text), 12_000, name)

    def test_are_all_on_the_page(self):
        page = (SOURCE / "docs/narrow-phase.md").read_text()
        self.assertEqual(re.findall(r'src="pictures/pairings/([a-z-]+)\.svg"', page), PAIRINGS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
