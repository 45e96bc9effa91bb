#!/usr/bin/env python3
"""Runs the viewer without a screen. Usage: viewer_test.py BROADSIDE ROOT [unittest arguments]"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

BINARY = sys.argv[1]
ROOT = pathlib.Path(sys.argv[2])
SIDE_WIDTH = 300  # of the panel, as in apps/viewer/panels.hpp
BOTTOM_HEIGHT = 208
os.environ["SDL_VIDEODRIVER"] = "dummy"


def view(*arguments, environment=None):
    return subprocess.run([BINARY, "view", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env=environment)


def read_png(path):
    """Returns the rows of an 8-bit RGB picture, each a bytes object."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert (depth, color) == (8, 2)
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    raw, rows, before = zlib.decompress(packed), [], bytes(3 * width)
    for y in range(height):
        begin = y * (3 * width + 1)
        kind, line = raw[begin], bytearray(raw[begin + 1 : begin + 1 + 3 * width])
        for x in range(3 * width):
            left = line[x - 3] if x >= 3 else 0
            above, corner = before[x], before[x - 3] if x >= 3 else 0
            if kind == 1:
                line[x] = (line[x] + left) & 255
            elif kind == 2:
                line[x] = (line[x] + above) & 255
            elif kind == 3:
                line[x] = (line[x] + (left + above) // 2) & 255
            elif kind == 4:
                guess = left + above - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - above), 1, above), (abs(guess - corner), 2, corner))
                line[x] = (line[x] + nearest[2]) & 255
        before = bytes(line)
        rows.append(before)
    return rows


def colors_in(rows, left, top, right, bottom):
    return {rows[y][3 * x : 3 * x + 3] for y in range(top, bottom) for x in range(left, right)}


class ViewerTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.picture = pathlib.Path(self.directory.name) / "a.png"

    def shoot(self, *arguments, width=900, height=620):
        done = view(*arguments, "--width", width, "--height", height, "--screenshot", self.picture)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertEqual(struct.unpack(">II", self.picture.read_bytes()[16:24]), (width, height))


class Picture(ViewerTest):
    def test_shows_the_world_and_the_panels(self):
        self.shoot("shapes", "--frames", 3, "--pick", 5)
        rows = read_png(self.picture)
        world = colors_in(rows, SIDE_WIDTH, 0, 900, 620 - BOTTOM_HEIGHT)
        self.assertIn(b"\xd5\x5e\x00", world)  # a contact
        self.assertIn(b"\x26\x2c\x34", world)  # the picked body
        self.assertGreater(len(world), 50)
        self.assertGreater(len(colors_in(rows, 0, 0, SIDE_WIDTH, 620)), 20)
        self.assertGreater(len(colors_in(rows, SIDE_WIDTH, 620 - BOTTOM_HEIGHT, 900, 620)), 20)

    def test_without_a_picked_body_the_world_has_the_whole_height(self):
        self.shoot("shapes", "--frames", 3)
        rows = read_png(self.picture)
        below = colors_in(rows, SIDE_WIDTH, 620 - BOTTOM_HEIGHT, 900, 620)
        self.assertIn(b"\xfc\xfc\xfa", below)  # the background of the world
        self.assertNotIn(b"\xf1\xf2\xf3", below)  # that of a panel
        self.assertGreater(len(below), 50)

    def test_shows_which_part_owns_each_body(self):
        scene = pathlib.Path(self.directory.name) / "columns.json"
        bodies = [{"position": [10 + 80 * (i % 2), 10 + 10 * (i // 2)], "size": [6, 6]} for i in range(12)]
        scene.write_text(json.dumps({"bounds": [0, 0, 100, 80], "bodies": bodies}))

        def has(channel, left, right):
            colors = colors_in(read_png(self.picture), left, 0, right, 620)
            return any(color[channel] > other + 60 for color in colors
                       for other in [max(color[(channel + 1) % 3], color[(channel + 2) % 3])])

        middle = (SIDE_WIDTH + 900) // 2
        self.shoot(scene, "--frames", 3, "--parts", 2)
        self.assertTrue(has(0, SIDE_WIDTH, middle))  # the first part is red
        self.assertFalse(has(0, middle, 900))
        self.assertTrue(has(2, middle, 900))  # the second is blue
        self.shoot(scene, "--frames", 3, "--parts", 1)
        self.assertTrue(has(0, middle, 900))

    def test_tells_hundreds_of_thousands_of_boxes_apart(self):
        boxes = pathlib.Path(self.directory.name) / "boxes.csv"
        with boxes.open("w") as file:
            for i in range(120_000):  # touching in pairs, 4 x 2 pixels for each pair
                x, y = 4 * (i // 2 % 300) + i % 2, 2 * (i // 600)
                file.write(f"{i},{x},{y},{x + 1},{y + 1}\n")
        self.shoot(boxes, "--frames", 2, "--technique", "sweep-and-prune", width=1600, height=620)  # which has no cells
        rows = read_png(self.picture)
        self.assertNotIn(b"\xd5\x5e\x00", colors_in(rows, SIDE_WIDTH, 100, 1600, 500))  # no contact points
        rgb = [row[3 * SIDE_WIDTH :] for row in rows[250:350]]
        white = sum(row[at : at + 3] == b"\xfc\xfc\xfa" for row in rgb for at in range(0, len(row), 3))
        self.assertTrue(0.3 < white / (100 * 1300) < 0.9, white)

    def test_takes_whatever_run_takes(self):
        boxes = pathlib.Path(self.directory.name) / "boxes.csv"
        boxes.write_text("0,0,0,10,10\n1,5,5,15,15\n")
        for source in ("rings", "pinball", ROOT / "scenes/tumbler.b2tr.xz", boxes):
            self.shoot(source, "--frames", 4)

    def test_a_recording_begins_again_after_its_end(self):
        self.shoot(ROOT / "scenes/tumbler.b2tr.xz", "--frames", 33, "--pick", 0)


class Techniques(ViewerTest):
    def test_any_technique_can_be_watched(self):
        names = view("--help").stdout.split("--technique TEXT")[1].split("(the default)")[0]
        techniques = names.replace(" or ", " ").replace(",", " ").split()
        self.assertIn("hash-grid", techniques)
        for technique in techniques:
            self.shoot("chapter10", "--frames", 5, "--technique", technique)
        self.shoot("chapter10", "--frames", 5, "--technique", "hash-grid", "--cell-size", 25)
        self.shoot("chapter10", "--frames", 3, "--technique", "uniform-grid", "--cell-size", 150)
        square = self.picture.read_bytes()
        self.shoot("chapter10", "--frames", 3, "--technique", "uniform-grid", "--cell-size", "150,50")
        self.assertNotEqual(self.picture.read_bytes(), square)


class BadInput(ViewerTest):
    def assert_refused(self, arguments, code, *says):
        done = view(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)

    def test_says_what_is_wrong_in_one_line(self):
        self.assert_refused(["no-such-scene"], 1, "no-such-scene", "pinball")
        self.assert_refused(["--technique", "magic"], 1, "magic", "hash-grid")
        self.assert_refused(["--pick", "100000"], 1, "--pick")
        self.assert_refused(["--screenshot", self.picture], 2, "--frames")
        for parts in (0, 1025, "many"):
            self.assert_refused(["--parts", parts], 2, "--parts")
        self.assert_refused(["--wrong"], 2, "--wrong")
        self.assert_refused(["--cell-size", "0"], 2, "--cell-size")
        self.assert_refused(["--cell-size", "1,2,3"], 2)
        self.assert_refused(["--frames", "1", "--screenshot", "/no/such/folder/a.png"], 1, "/no/such/folder")

    def test_without_a_display_says_so(self):
        self.assert_refused([], 1, "there is no display", "--frames")
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
        if not os.path.exists("/dev/dri"):  # where SDL could draw on the console
            done = view(environment=environment)
            self.assertEqual(done.returncode, 1)
            self.assertIn("there is no display", done.stderr.splitlines()[-1])
            done = view("shapes", "--frames", "2", "--screenshot", self.picture, environment=environment)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_helps(self):
        done = view("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--technique", done.stdout)

    def test_without_the_viewer_says_what_to_install(self):
        lonely = pathlib.Path(self.directory.name) / "broadside"
        os.symlink(pathlib.Path(BINARY).resolve(), lonely)
        done = subprocess.run([lonely, "view"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("libsdl2-dev libimgui-dev", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
