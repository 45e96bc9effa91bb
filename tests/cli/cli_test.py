"""Runs the real binary as a user would. Usage: cli_test.py BINARY SOURCE_DIRECTORY [TestClass ...]"""

import json
import os
import pathlib
import pty
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.dom.minidom

BINARY = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
TUMBLER = SOURCE / "scenes" / "tumbler.b2tr.xz"
TECHNIQUES = ["brute-force", "uniform-grid", "hash-grid", "sweep-and-prune", "quadtree", "kd-tree", "dynamic-tree",
              "hierarchical-grid"]
SCENES = ["chapter10", "circles", "pinball", "rings", "shapes"]


def overlapping(boxes):
    """The pairs of a dict id -> box, by looking at each pair."""
    names = sorted(boxes)
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1:]
            if not (boxes[a][2] < boxes[b][0] or boxes[b][2] < boxes[a][0] or
                    boxes[a][3] < boxes[b][1] or boxes[b][3] < boxes[a][1])]


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)

    def run_it(self, *arguments, text="", code=0):
        result = subprocess.run([BINARY, *map(str, arguments)], input=text, text=True, capture_output=True,
                                cwd=self.path, timeout=120, check=False)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def run_bytes(self, *arguments, text=b"", codes=(0, 1, 2)):
        """Returns all that the program prints, as bytes."""
        result = subprocess.run([BINARY, *arguments], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                cwd=self.path, timeout=120, check=False)
        self.assertIn(result.returncode, codes, result.stdout)
        return result.stdout

    def seen_on_a_terminal(self, *arguments, feed=None):
        """Returns what the standard error shows on a terminal; `feed` runs meanwhile."""
        leader, follower = pty.openpty()
        with subprocess.Popen([BINARY, *map(str, arguments)], stderr=follower, stdout=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, cwd=self.path) as process:
            os.close(follower)
            if feed:
                feed()
            seen = b""
            try:
                while piece := os.read(leader, 4096):
                    seen += piece
            except OSError:
                pass  # the terminal is closed when the process ends
            self.assertEqual(process.wait(), 0)
        os.close(leader)
        return seen

    def refused(self, *arguments, text="", code=1, says=""):
        """Expects one line on the standard error, nothing on the standard output, and no file left behind. Returns the line."""
        before = sorted(self.path.iterdir())
        result = self.run_it(*arguments, text=text, code=code)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("broadside: "), result.stderr)
        self.assertIn(says, result.stderr)
        self.assertEqual(sorted(self.path.iterdir()), before)
        return result.stderr


class Help(Case):
    def test_every_command_has_help_with_an_example(self):
        for command in ([], ["run"], ["pairs"], ["compare"], ["generate"], ["scenes"]):
            self.assertIn("Example: broadside", self.run_it(*command, "--help").stdout)

    def test_version(self):
        self.assertRegex(self.run_it("--version").stdout, r"^broadside \d+\.\d+\.\d+\n$")

    def test_scenes_lists_what_run_and_generate_take(self):
        listed = self.run_it("scenes").stdout
        for name in SCENES + ["uniform", "power-law", "far-away"]:
            self.assertRegex(listed, rf"(?m)^  {name} ")

    def test_usage_errors(self):
        self.refused(code=2, says="a command is missing; the commands are run, pairs, compare, generate, view, scenes (see broadside --help)")
        self.refused("fly", "--fast", code=2, says='"fly" is no command; the commands are run, pairs,')
        self.refused("run", "--fast", code=2, says="--fast is no option of run (see broadside run --help)")
        self.refused("--fast", "run", code=2, says="--fast is no option of broadside (see broadside --help)")
        self.refused("run", "a", "b", "c", code=2, says="run has no place for b c (see broadside run --help)")
        self.refused("run", "circles", "--stesp", "4", "--quite", code=2,
                     says="broadside: --stesp is no option of run; did you mean --steps? "
                          "--quite is no option of run; did you mean --quiet? (see broadside run --help)\n")
        self.refused("run", "--steps", "0", code=2, says="--steps")
        self.refused("run", "--steps", "many", code=2)
        for command in ("run", "compare"):
            for number in ("-1", "99999999999999999999999"):  # versions of CLI11 name the range in different ways
                said = self.refused(command, "--steps", number, code=2, says=f"--steps: Value {number} not in range ")
                self.assertRegex(said, r"not in range (1 to 1000000000|\[1 - 1000000000\])")
        self.refused("run", "--technique", "hash-grid", "--cell-size", "0", code=2, says="--cell-size: 0 is not above 0")
        for option in ("--count", "--seed"):
            for number in ("-1", "1.5", "18446744073709551616"):
                self.refused("generate", "uniform", option, number, code=2, says=f"{option}: {number} is no whole number")

        for option in ("--pairs", "--contacts", "--picture", "--animation", "--summary"):
            self.refused("run", option, "", code=2, says=f"{option}: the name of a file is missing")
        self.refused("generate", "uniform", "--output", "", code=2, says="--output: the name of a file is missing")

    def mistyped(self, word, chance):
        """Returns the word with one typing error, which does not touch the dashes in front."""
        at = chance.randrange(len(word) - len(word.lstrip("-")), len(word))
        letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
        changed = chance.choice([word[:at] + letter + word[at:], word[:at] + word[at + 1:], word[:at] + letter + word[at + 1:],
                                 word[:at] + word[at:at + 2][::-1] + word[at + 2:]])
        return changed if len(changed) > 2 else word + letter

    def test_the_nearest_name_is_suggested(self):
        chance = random.Random(22)
        self.refused("rnu", code=2, says='broadside: "rnu" is no command; did you mean run? (see broadside --help)\n')
        listed = self.run_it("--help").stdout.split("Subcommands:")[1].split("Example:")[0]
        commands = re.findall(r"(?m)^  (\w+) ", listed)
        self.assertEqual(len(commands), 6)
        for command in commands:
            for word in {self.mistyped(command, chance) for _ in range(4)} - set(commands):
                self.refused(word, "--steps", "4", code=2, says=f'"{word}" is no command; did you mean {command}?')
            if command == "view":
                continue
            options = re.findall(r"(?m)^  .*?(--[\w-]+)", self.run_it(command, "--help").stdout.split("Options:")[1])
            self.assertIn("--help", options)
            for option in options:
                for word in {self.mistyped(option, chance) for _ in range(2)} - set(options):
                    self.refused(command, word, code=2, says=f"{word} is no option of {command}; did you mean {option}? "
                                                             f"(see broadside {command} --help)")
        for name in TECHNIQUES:
            word = self.mistyped(name, chance)
            if word not in TECHNIQUES:
                self.refused("run", "--technique", word, code=2, says=f"; did you mean {name}?\n")
        for name in SCENES:
            word = self.mistyped(name, chance)
            if word not in SCENES:
                self.refused("run", word, code=1, says=f"; did you mean {name}?\n")
        self.refused("generate", "unifrom", code=2, says="; did you mean uniform?\n")

    def test_exit_codes_are_in_the_help(self):
        self.assertIn("Exit codes: 0 for success, 1 for bad data", self.run_it("--help").stdout)

    def test_a_viewer_that_is_not_there_is_not_offered(self):
        alone = shutil.copy(BINARY, self.path / "broadside")
        for program, folders in ((alone, os.environ["PATH"]), ("broadside", f"{self.path}:/nowhere")):
            for viewer, says in ((False, "not installed"), (True, "Watch INPUT, as for run, in a window")):
                if viewer:
                    (self.path / "broadside-view").write_text("#!/bin/sh\necho seen $1\n")
                    (self.path / "broadside-view").chmod(0o755)
                def run(word):
                    return subprocess.run([program, *word], env={"PATH": folders}, text=True, capture_output=True, check=False)
                self.assertIn(says, re.search(r"(?m)^  view .*$", run(["--help"]).stdout)[0])
                seen = run(["view", "pinball"])
                self.assertEqual((seen.returncode, seen.stdout), (0, "seen pinball\n") if viewer else (1, ""))
                if not viewer:
                    self.assertIn("make view", seen.stderr)
            (self.path / "broadside-view").unlink()

    def test_errors_that_nobody_can_be_told_end_as_others_do(self):
        shut = subprocess.run(f"'{BINARY}' run missing.csv >&- 2>&-; exit $?", shell=True, cwd=self.path, check=False)
        self.assertEqual(shut.returncode, 1)


class Run(Case):
    def test_without_input_runs_a_built_in_scene(self):
        table = self.run_it("run", "--steps", 3).stdout
        for word in ("bodies", "pairs", "contacts", "tests", "median", "p99", "memory"):
            self.assertIn(word, table)
        self.assertEqual(self.run_it("run", "--steps", 3, "--quiet").stdout, "")

    def test_options_of_a_technique_change_its_structure_but_not_the_pairs(self):
        def run(*options):
            self.run_it("run", "rings", "--steps", 12, *options, "--pairs", "p.csv", "--summary", "s.json", "--quiet")
            return (self.path / "p.csv").read_bytes(), json.loads((self.path / "s.json").read_text())
        pairs, usual = run()
        self.assertGreater(pairs.count(b"\n"), 50)
        self.assertIn("neighbor lists", usual["tuning"])
        found, plain = run("--no-neighbor-lists")
        self.assertEqual(found, pairs)
        self.assertNotIn("neighbor lists", plain["tuning"])
        self.assertNotIn("as given", plain["tuning"])
        found, rows = run("--no-neighbor-lists", "--row-height", 2)
        self.assertEqual(found, pairs)
        self.assertRegex(rows["tuning"], r" 2 high, as given")
        grid = ["--technique", "uniform-grid"]
        for options, cells in ((["--bounds", -20, -10, 79, 39, "--cell-size", 10], 10 * 5),
                               (["--bounds", 0, 0, 9, 9, "--cell-size", "10,2"], 5)):
            found, summary = run(*grid, *options)
            self.assertEqual(found, pairs)
            self.assertEqual(summary["last_step"]["cells"], cells)
        _, all_boxes = run(*grid, "--cell-size", 10)
        self.assertGreater(all_boxes["last_step"]["cells"], 50)
        found, _ = run(*grid, "--bounds", 0, 0, 500, 500)
        self.assertEqual(found, pairs)

    def test_pairs_of_a_trace_are_right(self):
        self.run_it("generate", "few-movers", "--count", 300, "--frames", 3, "--output", "t.b2tr")
        raw = (self.path / "t.b2tr").read_bytes()
        _, _, shapes, static, frames, _ = struct.unpack("<6I", raw[:24])
        place = 24 + 4 * shapes + 24 * frames
        numbers = struct.unpack(f"<{(len(raw) - place) // 4}f", raw[place:])
        boxes = [numbers[4 * i:4 * i + 4] for i in range(len(numbers) // 4)]
        moving = shapes - static
        expected = ["step,a,b"]
        for step in range(frames):
            begin = static + step * moving
            now = dict(enumerate(boxes[:static] + boxes[begin:begin + moving]))
            expected += [f"{step},{a},{b}" for a, b in overlapping(now) if b >= static]
        self.assertGreater(len(expected), 5)
        self.run_it("run", "t.b2tr", "--pairs", "p.csv")
        self.assertEqual((self.path / "p.csv").read_text().splitlines(), expected)
        self.run_it("run", "t.b2tr", "--pairs", "p1.csv", "--steps", 1)
        first = [line for line in expected if not re.match("[12],", line)]
        self.assertEqual((self.path / "p1.csv").read_text().splitlines(), first)

    def test_a_list_of_boxes_is_one_step_under_its_own_ids(self):
        text = "9,0,0,1,1\n4,1,1,2,2\n7,5,5,6,6\n"
        self.run_it("run", "-", "--pairs", "p.csv", text=text)
        self.assertEqual((self.path / "p.csv").read_text(), "step,a,b\n0,4,9\n")

    def test_contacts_are_those_of_the_shapes(self):
        bodies = [{"position": [10, 10], "radius": 5}, {"position": [18, 16], "radius": 5},  # at 10: they just touch
                  {"position": [30, 10], "radius": 5}, {"position": [38, 18], "radius": 5},  # only their boxes do
                  {"position": [60, 10], "size": [4, 4]}, {"position": [63, 10], "size": [4, 2]}]
        (self.path / "s.json").write_text(json.dumps({"bodies": bodies}))
        self.run_it("run", "s.json", "--steps", 1, "--pairs", "p.csv", "--contacts", "c.csv", "--summary", "s.out")
        self.assertEqual((self.path / "p.csv").read_text(), "step,a,b\n0,0,1\n0,2,3\n0,4,5\n")
        header, *lines = (self.path / "c.csv").read_text().splitlines()
        self.assertEqual(header, "step,a,b,normal_x,normal_y,point_x,point_y,separation,feature")
        rows = [tuple(map(float, line.split(","))) for line in lines]
        self.assertEqual(rows[0][:8], (0, 0, 1, 0.8, 0.6, 14, 13, 0))
        self.assertEqual({row[:8] for row in rows[1:]}, {(0, 4, 5, 1, 0, 61.5, 9, -1), (0, 4, 5, 1, 0, 61.5, 11, -1)})
        self.assertEqual(len({row[8] for row in rows[1:]}), 2)
        summary = json.loads((self.path / "s.out").read_text())
        self.assertEqual((summary["pairs"], summary["contacts"], summary["last_step"]["contacts"]), (3, 2, 2))

    def test_contacts_carry_the_names_of_the_file_and_point_from_a_to_b(self):
        self.run_it("run", "-", "--contacts", "c.csv", text="9,0,0,2,2\n4,1,0,5,2\n7,50,50,60,60\n")
        rows = [line.split(",") for line in (self.path / "c.csv").read_text().splitlines()[1:]]
        self.assertEqual([row[:5] for row in rows], [["0", "4", "9", "-1", "0"]] * 2)
        self.assertEqual({row[7] for row in rows}, {"-1"})

    def test_a_mask_comes_from_a_picture_beside_its_scene(self):
        folder = self.path / "folder"
        folder.mkdir()
        self.run_it("run", "rings", "--steps", 1, "--picture", "folder/sprite.png", "--picture-width", 100)
        scene = {"bodies": [{"position": [0, 0], "mask": {"file": "sprite.png"}}, {"position": [49, 0], "radius": 1}]}
        (folder / "s.json").write_text(json.dumps(scene))
        self.run_it("run", "folder/s.json", "--steps", 1, "--contacts", "c.csv")
        self.assertGreater(len((self.path / "c.csv").read_text().splitlines()), 1)
        self.refused("run", "-", text=json.dumps(scene), says="bodies[0].mask.file: needs a scene that is a file")
        (folder / "sprite.png").write_text("no picture")
        self.refused("run", "folder/s.json", says="bodies[0].mask.file: cannot be taken: folder/sprite.png: is no PNG")

    def test_summary_is_json_that_adds_up(self):
        self.run_it("run", TUMBLER, "--steps", 4, "--summary", "s.json", "--pairs", "p.csv", "--technique", "hash-grid")
        summary = json.loads((self.path / "s.json").read_text())
        self.assertEqual(summary["steps"], 4)
        self.assertEqual(summary["bodies"], 2029)
        self.assertEqual(summary["technique"], "hash-grid")
        self.assertEqual(summary["pairs"], len((self.path / "p.csv").read_text().splitlines()) - 1)
        self.assertEqual(summary["false_positives"], summary["tests"] - summary["hits"])
        self.assertGreater(summary["bytes"], 2029 * 16)
        self.assertGreater(summary["milliseconds"]["p99"], 0)
        self.assertEqual(summary["contacts"], summary["pairs"])  # recorded boxes are boxes
        self.assertGreater(summary["milliseconds"]["contacts_p99"], 0)

    def test_parts_find_what_one_broad_phase_finds(self):
        draw = random.Random(7)
        for source in [*SCENES, TUMBLER]:
            steps = draw.randrange(1, 40)
            self.run_it("run", source, "--steps", steps, "--pairs", "p.csv", "--contacts", "c.csv", "--summary", "s.json")
            expected = [(self.path / name).read_bytes() for name in ("p.csv", "c.csv")]
            alone = json.loads((self.path / "s.json").read_text())
            for parts in (1, draw.randrange(2, 6), draw.randrange(6, 17)):
                printed = self.run_it("run", source, "--steps", steps, "--pairs", "p.csv", "--contacts", "c.csv",
                                      "--summary", "s.json", "--parts", parts, "--threads", draw.randrange(1, 4)).stdout
                self.assertEqual([(self.path / name).read_bytes() for name in ("p.csv", "c.csv")], expected)
                summary = json.loads((self.path / "s.json").read_text())
                for count in ("bodies", "static_bodies", "steps", "pairs", "contacts"):
                    self.assertEqual(summary[count], alone[count])
                self.assertEqual(summary["parts"]["count"], parts)
                if parts == 1:
                    self.assertEqual(summary["parts"]["ghosts"], 0)
                    self.assertEqual(summary["parts"]["rebalances"], 0)
                elif steps > 1:
                    self.assertGreater(summary["parts"]["rebalances"], 0)
                self.assertIn(f"parts     {parts}, with", printed)

    def test_pictures_show_parts_cuts_and_ghosts(self):
        # Two columns of boxes, each wholly in one part; then also a long box that crosses the cut between them.
        bodies = [{"position": [10 + 80 * (i % 2), 10 + 10 * (i // 2)], "size": [4, 4]} for i in range(12)]
        for wide, ghosts in ((0, 0), (1, 1)):
            crossing = [{"position": [50, 70], "size": [96, 2], "kind": "static"}] * wide
            scene = {"bounds": [0, 0, 100, 80], "bodies": bodies + crossing}
            self.run_it("run", "-", "--steps", 2, "--parts", 2, "--picture", "p.svg", text=json.dumps(scene))
            text = (self.path / "p.svg").read_text()
            self.assertIn(f"2 parts, {ghosts} ghost", text)
            self.assertEqual(text.count('stroke-width="1.5"'), 1)
            shapes = re.findall(r'<rect x="([\d.]+)"[^>]*fill="(#[0-9a-f]{6})" fill-opacity="0\.6', text)
            self.assertEqual(len(shapes), 12 + wide)
            left = {color for x, color in shapes if float(x) < 600}
            right = {color for x, color in shapes if float(x) > 600}
            self.assertEqual((len(left), len(right), len(left | right)), (1, 1, 2))
        self.run_it("run", "pinball", "--steps", 4, "--parts", 3, "--picture", "p.png", "--animation", "a.svg")
        self.assertTrue((self.path / "p.png").read_bytes().startswith(b"\x89PNG"))

    def test_pictures_have_shapes_points_and_normals(self):
        bodies = [{"position": [5, 5], "radius": 2, "color": "#111111"},
                  {"position": [15, 5], "size": [4, 4], "angle": 0.5, "color": "#222222"},
                  {"position": [25, 5], "capsule": {"a": [-1, 0], "b": [1, 0], "radius": 1}, "color": "#333333"},
                  {"position": [35, 5], "segment": {"a": [-2, 0], "b": [2, 0]}},
                  {"position": [45, 5], "polygon": {"points": [[0, 0], [3, 0], [0, 3]]}, "color": "#555555"},
                  {"position": [55, 5], "mask": {"rows": ["#.#", ".#."]}, "color": "#666666"}]
        scene = {"bounds": [0, 0, 60, 20], "bodies": bodies}
        draw = ["run", "-", "--steps", "1", "--technique", "brute-force", "--picture-width", "600"]
        self.run_it(*draw, "--picture", "p.svg", text=json.dumps(scene))
        text = (self.path / "p.svg").read_text()
        self.assertIn('<circle cx="50.00" cy="50.00" r="20.00" fill="#111111"', text)
        outline = {color: re.search(rf'<path d="([^"]*)" fill="#{color * 6}"', text)[1] for color in "2356"}
        corners = [tuple(map(float, point.split())) for point in re.findall(r"[\d.]+ [\d.]+", outline["2"])]
        self.assertEqual(len(corners), 4)
        self.assertAlmostEqual(max(x for x, _ in corners), 150 + 20 * (0.87758 + 0.47943), delta=0.02)
        self.assertGreater(outline["3"].count("L"), 10)
        self.assertEqual(outline["5"], "M450.00 50.00L480.00 50.00L450.00 80.00z")
        self.assertEqual(outline["6"].count("z"), 3)
        self.assertIn('<path d="M330.00 50.00L370.00 50.00" stroke', text)
        self.assertNotIn("#d62828", text)

        bodies[0]["position"], bodies[1] = [11, 5], {"position": [15, 5], "size": [4, 4]}
        self.run_it(*draw, "--picture", "p.svg", text=json.dumps(scene))
        text = (self.path / "p.svg").read_text()
        self.assertRegex(text, r'<path d="M130\.00 50\.00L150\.00 50\.00" stroke="#d62828"')  # to the right, from circle to box
        self.assertRegex(text, r'<circle cx="130\.00" cy="50\.00" r="2\.80" fill="#d62828"')

    def test_animations(self):
        self.run_it("run", "chapter10", "--steps", 7, "--picture-width", 300, "--animation", "a.svg", "--picture", "p.svg")
        moving = xml.dom.minidom.parse(str(self.path / "a.svg")).getElementsByTagName("g")
        self.assertEqual([g.getAttribute("style") for g in moving],
                         [f"animation-delay:{0.001 * round(1000 * i / 30):.3f}s" for i in range(4)])
        # The last of steps 0, 2, 4 and 6 is the one that the picture shows.
        still = xml.dom.minidom.parse(str(self.path / "p.svg")).documentElement
        shapes = [node.toxml() for node in still.childNodes if node.nodeName in ("rect", "circle", "path", "text")]
        self.assertEqual([n.toxml() for n in moving[-1].childNodes if n.nodeType == n.ELEMENT_NODE], shapes)
        self.assertNotEqual(moving[0].toxml(), moving[1].toxml())
        self.refused("run", "rings", "--animation", "a.png", code=2, says='--animation: "a.png" does not end in .svg')
        self.refused("run", "rings", "--steps", 601, "--animation", "a.svg", code=2, says="at most 600, see --steps")

    def test_a_picture_of_a_part_of_the_world(self):
        draw = ["run", "shapes", "--steps", "1", "--technique", "brute-force", "--picture", "p.svg"]
        self.run_it(*draw, "--picture-width", 300, "--view", 0, 0, 12, 12)
        text = (self.path / "p.svg").read_text()
        self.assertIn('width="300"', text)
        self.assertIn("2 bodies, 1 pair, 1 contact<", text)
        self.assertEqual(text.count("<circle"), 3)  # two shapes and a dot
        for view in ((0, 0, 0, 1), (1, 0, 0, 1), (0, 0, "nan", 1), (0, 0, "inf", 1)):
            self.refused(*draw, "--view", *view, code=2, says="--view: expected MIN_X MIN_Y MAX_X MAX_Y")
        self.refused(*draw, "--view", 1, 2, code=2)
        self.refused(*draw, "--picture-width", 3, code=2, says="--picture-width")

    def test_very_many_contacts_are_not_marked(self):
        def arrows(count):
            boxes = "".join(f"{2 * i},{3 * i},0,{3 * i + 1},1\n{2 * i + 1},{3 * i},1,{3 * i + 1},2\n" for i in range(count))
            self.run_it("run", "-", "--picture", "p.svg", text=boxes)
            return (self.path / "p.svg").read_text().count('stroke="#d62828"')
        self.assertEqual(arrows(500), 1000)
        self.assertEqual(arrows(501), 0)

    def test_pictures_show_how_many_boxes_a_cell_holds(self):
        self.run_it("run", "-", "--picture", "two.svg", "--technique", "hash-grid", "--cell-size", 10,
                    text="0,1,1,2,2\n1,3,3,4,4\n")
        self.assertIn(">2</text>", (self.path / "two.svg").read_text())

    def test_pictures_of_strange_scenes_are_still_pictures(self):
        for text in ("", "0,0,0,0,0\n", "0,-3.4e38,-3.4e38,3.4e38,3.4e38\n", "0,0,0,1,1\n1,1e30,1e30,1e30,1e30\n"):
            for name in ("p.svg", "p.png"):
                self.run_it("run", "-", "--picture", name, text=text)
            self.assertNotIn("nan", (self.path / "p.svg").read_text())
            self.assertNotIn("inf", (self.path / "p.svg").read_text())


class LongRuns(Case):
    """Runs of seconds, which CI leaves out under sanitizers."""

    def test_every_technique_writes_the_same_bytes(self):
        for name in SCENES + [TUMBLER]:
            written = set()
            for technique in TECHNIQUES:
                self.run_it("run", name, "--steps", 12, "--technique", technique, "--pairs", "p.csv", "--contacts", "c.csv",
                            "--quiet")
                written.add((self.path / "p.csv").read_bytes() + (self.path / "c.csv").read_bytes())
            self.assertEqual(len(written), 1, name)

    def test_pictures_of_every_technique(self):
        for name in SCENES:
            for technique in TECHNIQUES:
                self.run_it("run", name, "--steps", 2, "--picture", "p.svg", "--technique", technique)
                picture = xml.dom.minidom.parse(str(self.path / "p.svg"))
                shapes = sum(len(picture.getElementsByTagName(name)) for name in ("rect", "circle", "path"))
                self.assertGreater(shapes, 20)
            self.run_it("run", name, "--steps", 2, "--picture", "p.png")
            self.assertEqual((self.path / "p.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_the_bar_is_for_terminals_only(self):
        self.assertEqual(self.run_it("run", "circles", "--technique", "brute-force", "--steps", 150).stderr, "")
        seen = self.seen_on_a_terminal("run", "circles", "--technique", "brute-force", "--steps", "400")
        self.assertIn(b"/400", seen)

    def test_the_results_do_not_depend_on_threads(self):
        chance = random.Random(23)
        for name in ("pinball", "circles", TUMBLER):
            def run(*options):
                self.run_it("run", name, "--steps", 10, "--pairs", "p.csv", "--contacts", "c.csv", "--quiet", *options)
                return (self.path / "p.csv").read_bytes() + (self.path / "c.csv").read_bytes()
            expected = run()
            for threads in (0, 1, 2, chance.randrange(3, 9)):
                self.assertEqual(run("--threads", threads), expected, (name, threads))
        for threads in (-1, 1025, "two"):
            self.refused("run", "--threads", threads, code=2, says="--threads")


class Pairs(Case):
    def test_a_pipe_of_generate_and_pairs(self):
        boxes = self.run_it("generate", "uniform", "--count", 1000).stdout
        lines = self.run_it("pairs", "-", text=boxes).stdout.splitlines()
        parsed = {int(row[0]): tuple(map(float, row[1:])) for row in (line.split(",") for line in boxes.splitlines()[1:])}
        self.assertEqual(lines, [f"{a},{b}" for a, b in overlapping(parsed)])
        self.assertGreater(len(lines), 1000)

    def test_ids_are_those_of_the_file_in_any_order(self):
        generator = random.Random(5)
        boxes = {}
        for name in {generator.randrange(2**64) for _ in range(200)}:
            x, y = generator.randrange(60), generator.randrange(60)
            boxes[name] = (x, y, x + generator.randrange(6), y + generator.randrange(6))
        text = "".join(f"{name},{','.join(map(str, box))}\n" for name, box in boxes.items())
        (self.path / "b.csv").write_text(text)
        self.assertEqual(self.run_it("pairs", "b.csv").stdout.splitlines(),
                         [f"{a},{b}" for a, b in overlapping(boxes)])

    def boxes_in(self, chance, count, name):
        """Writes boxes with ids in any order to a file, and returns them."""
        boxes = {}
        for number in chance.sample(range(10 * count + 1), count):
            x, y = chance.randrange(40), chance.randrange(40)
            boxes[number] = (x, y, x + chance.randrange(6), y + chance.randrange(6))
        (self.path / name).write_text("".join(f"{n},{','.join(map(str, box))}\n" for n, box in boxes.items()))
        return boxes

    def test_two_files_are_joined(self):
        chance = random.Random(21)
        for round_ in range(8):
            left = self.boxes_in(chance, chance.choice((0, 1, 80)), "l.csv")
            right = self.boxes_in(chance, chance.choice((0, 1, 80)), "r.csv")
            expected = sorted((a, b) for a, p in left.items() for b, q in right.items()
                              if p[0] <= q[2] and q[0] <= p[2] and p[1] <= q[3] and q[1] <= p[3])
            expected = "".join(f"{a},{b}\n" for a, b in expected)
            self.assertEqual(self.run_it("pairs", "l.csv", "r.csv", "--threads", round_).stdout, expected)
            text = (self.path / "l.csv").read_text()
            self.assertEqual(self.run_it("pairs", "-", "r.csv", "--header", text=text).stdout, "a,b\n" + expected)
            unsorted = self.run_it("pairs", "l.csv", "r.csv", "--unsorted").stdout.splitlines()
            self.assertEqual(sorted(unsorted), sorted(expected.splitlines()))
        self.refused("pairs", "-", "-", code=2, says="only one of the two files can be the standard input")
        self.refused("pairs", "l.csv", "missing.csv", says="missing.csv: No such file")
        self.refused("pairs", "l.csv", "", code=2, says="the name of a file is missing")

    def test_threads_and_order_change_no_pair(self):
        boxes = self.run_it("generate", "clusters", "--count", 5000).stdout
        expected = self.run_it("pairs", "-", text=boxes).stdout
        lines = expected.splitlines()
        self.assertEqual(lines, sorted(lines, key=lambda line: tuple(map(int, line.split(",")))))
        for threads in (0, 2, 7):
            self.assertEqual(self.run_it("pairs", "-", "--threads", threads, text=boxes).stdout, expected)
        unsorted = {self.run_it("pairs", "-", "--unsorted", "--threads", threads, text=boxes).stdout for threads in (1, 2, 7)}
        self.assertEqual(len(unsorted), 1)
        self.assertNotEqual(unsorted, {expected})
        self.assertEqual(sorted(unsorted.pop().splitlines()), sorted(lines))

    def test_columns_are_those_of_the_header(self):
        text = '"name";max_x;id;min_x;max_y;min_y\n"a;b";1;9;0;1;0\nc;2;4;1;2;1\n'
        self.assertEqual(self.run_it("pairs", "-", text=text).stdout, "4,9\n")
        self.assertEqual(self.run_it("pairs", "-", text=text.replace(";id;", ";no;")).stdout, "0,1\n")
        self.refused("pairs", "-", text=text.replace("max_y", "top"), says="standard input:1: names no column max_y;")

    def test_something_long_says_so_on_a_terminal(self):
        os.mkfifo(self.path / "fifo\x1b")
        def feed():
            with open(self.path / "fifo\x1b", "w", encoding="ascii") as fifo:
                time.sleep(1.5)
                fifo.write("1,0,0,1,1\n")
        for command in ("pairs", "run"):
            seen = self.seen_on_a_terminal(command, "fifo\x1b", feed=feed)
            self.assertEqual(seen, b"reading fifo\\x1b ...\r\x1b[K")
        (self.path / "b.csv").write_text("1,0,0,1,1\n")
        self.assertEqual(self.seen_on_a_terminal("pairs", "b.csv"), b"")

    def test_header_on_request_and_nothing_for_nothing(self):
        self.assertEqual(self.run_it("pairs", "-", "--header", text="1,0,0,1,1\n2,1,1,2,2\n").stdout, "a,b\n1,2\n")
        self.assertEqual(self.run_it("pairs", "-", text="").stdout, "")

    def test_coordinates_of_a_map_need_an_origin(self):
        chance = random.Random(7)
        houses = {}
        while len(houses) < 300:
            x, y = round(456789 + chance.uniform(0, 200), 2), round(4512345 + chance.uniform(0, 200), 2)
            houses[len(houses)] = (x, y, round(x + chance.uniform(4, 12), 2), round(y + chance.uniform(4, 12), 2))
        text = "".join(f"{name}," + ",".join(f"{side:.2f}" for side in box) + "\n" for name, box in houses.items())
        (self.path / "houses.csv").write_text(text)
        wanted = "".join(f"{a},{b}\n" for a, b in overlapping(houses))
        for command in ("pairs", "run", "compare"):
            self.refused(command, "houses.csv", says="; subtract an origin near the boxes, such as --origin 456")
        said = self.run_it("pairs", "houses.csv", code=1).stderr
        suggested = re.search(r"--origin (\d+) (\d+)", said).groups()
        self.assertEqual(self.run_it("pairs", "houses.csv", "--origin", *suggested).stdout, wanted)
        self.assertIn("300 boxes", self.run_it("compare", "houses.csv", "--origin", *suggested, "--no-cell-sizes").stdout)
        for other in ("circles", TUMBLER):
            self.refused("run", other, "--origin", 1, 2, says="an origin can only be subtracted from boxes as CSV")

    def test_a_terminal_as_input_is_an_error_and_not_a_wait(self):
        leader, follower = pty.openpty()
        result = subprocess.run([BINARY, "pairs"], stdin=follower, capture_output=True, text=True, timeout=20, check=False)
        os.close(follower)
        os.close(leader)
        self.assertEqual(result.returncode, 2)


class Compare(Case):
    def tables(self, out):
        """The tables that compare prints: times and work by technique, and {technique: {cell size: row}}."""
        times, work, cells, grid = {}, {}, {}, None
        for line in out.splitlines():
            name, *values = re.sub("<- .*", "", line).split() or [""]
            if line.startswith("  cells of "):
                cells[grid][values[1]] = values[2:]
            elif values[:1] == ["tests/step"] and "entries" in values:
                grid, cells[name] = name, {}
            elif name in TECHNIQUES and values[-1].endswith("x"):
                times[name] = values
            elif name in TECHNIQUES and len(values) == 6:
                work[name] = values
        self.assertEqual(list(times), list(work))
        return times, work, cells

    def test_all_agree_on_every_scene_and_the_trace(self):
        for name in SCENES + [TUMBLER]:
            out = self.run_it("compare", name, "--steps", 3).stdout
            self.assertRegex(out, r"; all \d+ techniques agree\nthe first step is not counted\n")
            times, _, cells = self.tables(out)
            self.assertLessEqual(set(TECHNIQUES), set(times))
            self.assertEqual(out.count("<- suggested"), len(cells))
            self.assertLessEqual({"uniform-grid", "hash-grid"}, set(cells))
            self.assertEqual(len(cells["hash-grid"]), 8)

    def test_brute_force_tests_as_many_as_the_formula_says(self):
        boxes = self.run_it("generate", "uniform", "--count", 100).stdout
        out = self.run_it("compare", "-", "--no-cell-sizes", text=boxes).stdout
        self.assertRegex(out, r"(?m)^brute-force +4950\.0 ")

    def test_strange_boxes_agree_too(self):
        for text in ("", "0,0,0,0,0\n", "0,-3.4e38,-3.4e38,3.4e38,3.4e38\n1,1e30,1e30,1e30,1e30\n2,0,0,1e-40,1e-40\n"):
            self.assertIn("agree", self.run_it("compare", "-", "--chart", "c.svg", text=text).stdout)
            self.check_chart("c.svg")

    def test_a_list_is_one_frame_whose_boxes_move(self):
        boxes = self.run_it("generate", "clusters", "--count", 700, "--seed", 3).stdout
        self.run_it("generate", "clusters", "--count", 700, "--seed", 3, "--frames", 1, "--output", "one.b2tr")
        (self.path / "b.csv").write_text(boxes)
        pairs = self.run_it("pairs", "b.csv").stdout.count("\n")
        for name in ("b.csv", "one.b2tr"):
            for options, steps in (([], 30), (["--steps", 7], 7)):
                out = self.run_it("compare", name, "--no-cell-sizes", *options).stdout
                self.assertIn(f"{name}: 700 boxes, {pairs} pairs; all ", out)
                self.assertIn("\none frame: boxes move to and fro by 5 % of their size a step, at most 25 %; "
                              f"{steps} steps, the first is not counted\n", out)
            # The boxes meet others as they move: boxes at rest would have the pairs of the first step in each.
            _, work, _ = self.tables(out)
            self.assertNotEqual(float(work["brute-force"][0]) - float(work["brute-force"][1]), pairs)

    def test_the_first_step_is_not_counted_unless_it_is_the_only_one(self):
        # They touch at first, and never again.
        boxes = [{"position": [0, 0], "size": 2}, {"position": [1, 0], "size": 2, "velocity": [6000, 0]}]
        (self.path / "s.json").write_text(json.dumps({"bodies": boxes, "bounds": [-10, -10, 9000, 10]}))
        self.assertIn("s.json: 2 boxes, 3 steps, 0.0 pairs a step;",
                      self.run_it("compare", "s.json", "--steps", 3).stdout)
        out = self.run_it("compare", "s.json", "--steps", 1).stdout
        self.assertIn("s.json: 2 boxes, 1 step, 1.0 pairs a step;", out)
        self.assertIn("\none step: it includes building what further steps would reuse\n", out)
        # One figure has no mean, no median and no worst.
        self.assertRegex(out, r"(?m)^technique +ms +x of the fastest$")
        self.assertNotIn("median", out)
        self.assertNotIn("worst", out)

    def test_the_fastest_and_the_suggested_row_are_marked(self):
        for steps in (1, 5):
            out = self.run_it("compare", "circles", "--steps", steps, "--techniques", "hash-grid,brute-force,uniform-grid").stdout
            head = "ms" if steps == 1 else "worst ms +mean ms +median ms"
            self.assertRegex(out, rf"(?m)^technique +{head} +x of the fastest$")
            times, _, cells = self.tables(out)
            self.assertEqual(list(times), ["hash-grid", "brute-force", "uniform-grid"])
            column = 0 if steps == 1 else 1
            fastest = min(float(row[column]) for row in times.values())
            for name, row in times.items():
                if steps > 1:
                    self.assertGreaterEqual(float(row[0]), max(float(row[1]), float(row[2])))
                self.assertAlmostEqual(float(row[-1][:-1]), float(row[column]) / fastest,
                                       delta=0.06 + 0.02 * float(row[column]) / fastest)
            best = re.findall(r"(?m)^(\S+) .*x  <- best$", out)
            self.assertEqual(len(best), 1)
            self.assertEqual(float(times[best[0]][column]), fastest)
            for name, rows in cells.items():
                table = out[out.rindex(f"\n{name} "):].split("\n\n")[0]
                best = re.findall(r"cells of (\S+) .*<- best", table)
                self.assertEqual(len(best), 1)
                self.assertEqual(float(rows[best[0]][-1]), min(float(row[-1]) for row in rows.values()))
                suggested = re.search(r"suggested: (\S+)\n", out)[1]
                self.assertEqual(re.findall(r"cells of (\S+) .*<- suggested", table), [suggested])
        self.assertNotIn("best", self.run_it("compare", "rings", "--techniques", "hash-grid", "--cell-sizes", 9).stdout)

    def test_only_named_techniques_run(self):
        draw = random.Random(11)
        for _ in range(8):
            names = draw.sample(TECHNIQUES, draw.randint(1, len(TECHNIQUES)))
            out = self.run_it("compare", "rings", "--steps", 3, "--techniques", ",".join(names)).stdout
            times, _, cells = self.tables(out)
            self.assertEqual(list(times), names)
            self.assertEqual(list(cells), [name for name in names if name in ("uniform-grid", "hash-grid")])
            count = f"all {len(names)} techniques agree" if len(names) > 1 else f"{names[0]} agrees"
            if "brute-force" in names or "hierarchical-grid" in names:
                self.assertEqual("agree" in out, len(names) > 1)
                self.assertEqual(f"; {count}\n" in out, len(names) > 1)
            else:
                self.assertIn(f"; {count} with hierarchical-grid\n", out)
        self.refused("compare", "missing.csv", "--techniques", "hash-gird", code=2,
                     says='--techniques: unknown technique "hash-gird"; choose one of brute-force, ')
        self.refused("compare", "--techniques", "hash-grid,brute-force,hash-grid", code=2, says="hash-grid is named twice")
        self.refused("compare", "--techniques", "", code=2, says="--techniques")
        self.assertIn("rings: ", self.run_it("compare", "--techniques", "hash-grid", "rings", "--steps", 1).stdout)

    def test_brute_force_is_left_out_of_large_inputs_unless_it_is_named(self):
        # Few boxes that move, so that brute force takes little time.
        for count, is_left_out in ((100_000, False), (100_001, True)):
            self.run_it("generate", "few-movers", "--count", count, "--frames", 2, "--output", "t.b2tr")
            out = self.run_it("compare", "t.b2tr", "--no-cell-sizes").stdout
            times, _, _ = self.tables(out)
            self.assertEqual("brute-force" not in times, is_left_out)
            self.assertEqual(f"brute-force is left out, as {count} boxes are more than 100000; "
                             "to run it, name it in --techniques\n" in out, is_left_out)
        out = self.run_it("compare", "t.b2tr", "--no-cell-sizes", "--techniques", "brute-force,hash-grid").stdout
        self.assertNotIn("left out", out)
        self.assertIn("brute-force", self.tables(out)[0])

    def test_cell_sizes_are_those_that_are_given(self):
        draw = random.Random(13)
        boxes = self.run_it("generate", "uniform", "--count", 300).stdout
        for _ in range(4):
            sizes = {}
            for _ in range(draw.randint(1, 5)):
                width, height = (float(f"{draw.uniform(3, 90):.4g}") for _ in range(2))
                sizes[f"{width:g}x{height:g}" if draw.random() < 0.5 else f"{width:g}"] = (width, height)
            out = self.run_it("compare", "-", "--steps", 1, "--cell-sizes", ",".join(sizes), text=boxes).stdout
            _, _, cells = self.tables(out)
            for grid in ("uniform-grid", "hash-grid"):
                self.assertEqual(list(cells[grid]), list(sizes))
                for size, row in cells[grid].items():
                    self.run_it("run", "-", "--technique", grid, "--cell-size", size.replace("x", ","), "--summary", "s.json",
                                text=boxes)
                    summary = json.loads((self.path / "s.json").read_text())
                    self.assertEqual((float(row[0]), int(row[3])), (summary["tests"], summary["last_step"]["entries"]))
        out = self.run_it("compare", "-", "--cell-sizes", "1e-4", text=boxes).stdout
        self.assertIn("cells of 0.0001         refused: more cells than the limit\n", out)
        for size in ("0", "-3", "nan", "inf", "1e39", "x", "3x", "x3", "3x0", "3x-1", "3x4x5", "3 ", "3;4", "two"):
            self.refused("compare", "missing.csv", "--cell-sizes", "7," + size, code=2,
                         says=f'--cell-sizes: "{size}" is no cell size; expected SIDE or WIDTHxHEIGHT, finite and above 0')
        self.refused("compare", "--cell-sizes", 3, "--techniques", "brute-force", code=2, says="none of the techniques has a cell")
        self.refused("compare", "--cell-sizes", 3, "--no-cell-sizes", code=2, says="--no-cell-sizes")

    def check_chart(self, name):
        """Expects SVG in which no text leaves the page or overlaps another one, and nothing is nan. Returns the texts."""
        root = xml.dom.minidom.parse(str(self.path / name)).documentElement
        width, height = float(root.getAttribute("width")), float(root.getAttribute("height"))
        texts = []
        for node in root.getElementsByTagName("text"):
            text, size = node.firstChild.data, float(node.getAttribute("font-size"))
            length = 0.53 * size * len(text)  # about what letters take in sans-serif fonts
            left = float(node.getAttribute("x")) - {"start": 0, "middle": length / 2, "end": length}[node.getAttribute("text-anchor")]
            bottom = float(node.getAttribute("y"))
            texts.append((text, (left, bottom - 0.75 * size, left + length, bottom + 0.2 * size)))
        for i, (text, box) in enumerate(texts):
            self.assertTrue(0 <= box[0] and 0 <= box[1] and box[2] <= width and box[3] <= height, text)
            for other, there in texts[:i]:
                self.assertFalse(box[0] < there[2] and there[0] < box[2] and box[1] < there[3] and there[1] < box[3], (text, other))
        for node in root.getElementsByTagName("*"):
            for key, value in node.attributes.items():
                self.assertNotRegex(value.replace("dominant", "").replace("-apple-system", ""), r"\b(nan|inf)\b", key)
        return [text for text, _ in texts]

    def test_charts(self):
        draw = random.Random(17)
        for name in SCENES + [TUMBLER]:
            names = draw.sample(TECHNIQUES, draw.randint(1, len(TECHNIQUES)))
            self.run_it("compare", name, "--steps", draw.randint(1, 4), "--techniques", ",".join(names), "--chart", "c.svg")
            texts = self.check_chart("c.svg")
            for technique in names:
                self.assertEqual(texts.count(technique), 2 if technique in ("uniform-grid", "hash-grid") else 1)
            for text in ("Time for the pairs of a step", "ms a step, logarithmic"):
                self.assertIn(text, texts)
            self.assertEqual("tests a step, logarithmic" in texts, "uniform-grid" in names or "hash-grid" in names)
        boxes = self.run_it("generate", "uniform", "--count", 50).stdout
        for _ in range(10):
            sizes = [f"{10 ** draw.uniform(-30, 30):g}" for _ in range(draw.randint(1, 6))] + ["20x30"]
            self.run_it("compare", "-", "--steps", draw.randint(1, 4), "--cell-sizes", ",".join(sizes), "--chart", "c.svg", text=boxes)
            self.assertIn("a rectangular cell is drawn as a square of the same area", self.check_chart("c.svg"))
        self.run_it("compare", "rings", "--steps", 2, "--no-cell-sizes", "--chart", "c.svg")
        self.assertNotIn("What the cell size costs", self.check_chart("c.svg"))
        odd = "<&>\"" + "\x01" + "\u00e4" * 40 + ".csv"
        (self.path / odd).write_text(boxes)
        self.run_it("compare", odd, "--steps", 2, "--chart", "c.svg")
        self.assertTrue(self.check_chart("c.svg")[0].startswith("broadside compare: <&>\"\\x01\u00e4\u00e4"))

    def test_what_cannot_be_written_is_an_error(self):
        self.refused("compare", "rings", "--chart", "c.png", code=2, says='--chart: "c.png" does not end in .svg')
        self.refused("compare", "rings", "--chart", "-", code=2, says='--chart: "-" does not end in .svg')
        self.refused("compare", "rings", "--chart", "", code=2, says="--chart: the name of a file is missing")
        self.refused("compare", "rings", "--chart", "no/such/file.svg", says="No such file or directory")
        (self.path / "full.svg").symlink_to("/dev/full")
        said = self.run_it("compare", "rings", "--steps", 2, "--no-cell-sizes", "--chart", "full.svg", code=1).stderr
        self.assertIn("No space left on device", said)
        with open("/dev/full", "w", encoding="ascii") as full:
            for options in ([], ["--no-cell-sizes"]):
                result = subprocess.run([BINARY, "compare", "rings", "--steps", "2", *options], text=True, stdout=full,
                                        stderr=subprocess.PIPE, cwd=self.path, check=False)
                self.assertEqual(result.returncode, 1)
                self.assertIn("No space left on device", result.stderr)

    def test_a_terminal_shows_what_runs(self):
        seen = self.seen_on_a_terminal("compare", "circles", "--steps", 200)
        self.assertRegex(seen, rb"^\r\x1b\[Kcomparing \[ +\] 0/\d+ brute-force\r")
        self.assertRegex(seen, rb"\r\x1b\[Kcell sizes \[ +\] 0/\d+ uniform-grid, [\d.]+\r")
        self.assertTrue(seen.endswith(b"\r\x1b[K"))
        self.assertEqual(self.run_it("compare", "circles", "--steps", 20).stderr, "")


class CompareLimits(Case):
    """What ends after some time; too slow for sanitizers."""

    def test_a_large_frame_takes_fewer_steps_unless_they_are_given(self):
        self.run_it("generate", "uniform", "--count", 60000, "--output", "b.csv")
        out = self.run_it("compare", "b.csv", "--techniques", "brute-force").stdout
        steps = int(re.search(r" (\d+) steps, the first", out)[1])
        self.assertGreaterEqual(steps, 3)
        self.assertLess(steps, 30)
        self.assertIn(" 33 steps, ", self.run_it("compare", "b.csv", "--techniques", "hierarchical-grid", "--steps", 33).stdout)

    def test_cell_sizes_that_take_long_are_left_out_unless_they_are_given(self):
        stack = self.run_it("generate", "stack", "--count", 4000).stdout  # nearly all of them touch each other
        (self.path / "b.csv").write_text(stack)
        compare = ["compare", "b.csv", "--techniques", "uniform-grid", "--steps"]
        out = self.run_it(*compare, 6).stdout
        left_out = re.findall(r"cells of (\S+) +left out to save time; --cell-sizes measures it\n", out)
        self.assertIn(len(left_out), range(1, 8))
        self.assertIn("<- suggested", out)
        self.assertNotIn("left out", self.run_it(*compare, 2, "--cell-sizes", left_out[0]).stdout)


class Generate(Case):
    def test_the_same_seed_makes_the_same_file(self):
        a = self.run_it("generate", "clusters", "--count", 50, "--seed", 9).stdout
        self.assertEqual(a, self.run_it("generate", "clusters", "--count", 50, "--seed", 9).stdout)
        self.assertNotEqual(a, self.run_it("generate", "clusters", "--count", 50, "--seed", 10).stdout)
        self.assertEqual(len(a.splitlines()), 51)

    def test_a_packed_trace_plays(self):
        self.run_it("generate", "pinball", "--count", 500, "--frames", 7, "--output", "p.b2tr.xz")
        self.assertIn("7 steps", self.run_it("run", "p.b2tr.xz").stdout)
        self.assertIn("495 static", self.run_it("run", "p.b2tr.xz").stdout)

    def test_refusals(self):
        self.refused("generate", "unifrom", code=2, says="uniform, few-movers")
        self.refused("generate", "uniform", "--count", 10**12, code=2, says="16000000")
        self.refused("generate", "uniform", "--count", "-5", code=2)
        self.refused("generate", "uniform", "--count", 10**6, "--frames", 10**5, "--output", "x.b2tr", code=2, says="--frames")


class BadInput(Case):
    def test_lines_are_named(self):
        for line, says in (("1,0,0,1", "<stdin>:2: has 4 values"), ("1,0,0,1,1,1", "has 6 values"), ("1,nan,0,1,1", "min_x is nan"),
                           ("1,0,inf,1,1", "min_y is inf"), ("1,5,0,1,1", "min_x 5 is greater"), ("x,0,0,1,1", 'id is "x"'),
                           ("0,0,0,1,1", "id 0 stands on line 1 already")):
            says = says.replace("<stdin>", "standard input")
            for command in (["pairs", "-"], ["run", "-"], ["compare", "-"]):
                self.refused(*command, text=f"0,0,0,1,1\n{line}\n", says=says)

    def test_traces_and_scenes(self):
        raw = bytearray(TUMBLER.read_bytes())
        (self.path / "cut.b2tr.xz").write_bytes(raw[:1000])
        self.refused("run", "cut.b2tr.xz", says="truncated")
        raw[len(raw) // 2] ^= 1
        (self.path / "flip.b2tr.xz").write_bytes(raw)
        self.refused("run", "flip.b2tr.xz", says="damaged")
        (self.path / "lie.b2tr").write_bytes(struct.pack("<6I", 0x52543242, 1, 2**32 - 1, 0, 2**32 - 1, 0))
        self.refused("run", "lie.b2tr", says="header promises 4294967295 shapes")
        # Packed zeros, two gigabytes of them: refused by what should be the header.
        bomb = subprocess.run(["xz", "-0", "-c"], input=bytes(200_000_000), stdout=subprocess.PIPE, check=True).stdout
        (self.path / "bomb.b2tr.xz").write_bytes(bomb * 10)
        self.refused("run", "bomb.b2tr.xz", says="is not a trace")
        (self.path / "s.json").write_text('{"bodies": [{"position": [0, "here"], "size": 1}]}')
        self.refused("run", "s.json", says="s.json: bodies[0].position[1]: is \"here\"; expected a number")
        self.refused("run", "missing.csv", says="missing.csv: No such file or directory")
        self.refused("run", self.path, says="Is a directory")

    def test_files_of_other_programs_are_recognized(self):
        maps = {"a.geojson": ('{"type": "FeatureCollection", "features": []}', "GeoJSON"),
                "b.tmj": ('{"compressionlevel": -1, "tilewidth": 16}', "a Tiled map"),
                "c.tmx": ('<?xml version="1.0"?>\n<map tilewidth="16">', "a Tiled map"),
                "d.ldtk": ('{\n"__header__": {"app": "LDtk"}\n}', "an LDtk project")}
        for name, (text, kind) in maps.items():
            (self.path / name).write_text(text)
            for command in ("pairs", "run", "compare"):
                self.refused(command, name, says=f"broadside: {name} looks like {kind}; broadside reads scenes as JSON, traces as .b2tr "
                                                 "and box lists as CSV; see docs/command-line.md\n")
        self.assertTrue((SOURCE / "docs/command-line.md").exists())
        self.refused("pairs", "-", text='{"bodies": []}', says="standard input looks like JSON; expected boxes as CSV")
        self.refused("pairs", TUMBLER, says="looks like a trace; expected boxes as CSV")

    def test_no_control_character_reaches_the_terminal(self):
        chance = random.Random(24)
        self.run_it("generate", "uniform", "--count", 3, "--output", "fine.csv")
        controls = [bytes([c]) for c in (*range(1, 32), 127, *range(0x80, 0xA0))] + [bytes([0xC2, c]) for c in range(0x80, 0xA0)]

        def word():
            chance.shuffle(controls)
            return b"a" + b"".join(controls) + b"b"

        def checked(*arguments, text=b""):
            seen = self.run_bytes(*arguments, text=text)
            self.assertNotEqual(seen, b"")
            shown = seen.decode()  # is UTF-8
            self.assertEqual([c for c in shown if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160)], [], arguments)

        alone = shutil.copy(BINARY, self.path / "broadside")  # without the viewer, which needs a display
        subprocess.run([alone, "view", word()], check=False, capture_output=True)
        checked(word())
        checked(b"--" + word())
        for command in (["run"], ["pairs"], ["compare"], ["generate"], ["scenes", "x"], ["pairs", "fine.csv"], ["run", "x"]):
            checked(*command, word())
            checked(*command, b"--" + word())
        for option in ("--technique", "--steps", "--cell-size", "--row-height", "--bounds", "--picture", "--animation", "--picture-width",
                       "--view", "--threads", "--origin"):
            checked("run", option, word(), word(), word(), word())
        for option in ("--pairs", "--contacts", "--summary"):
            checked("run", "rings", option, b"no/" + word())
        for option in ("--origin", "--threads"):
            checked("pairs", "fine.csv", option, word(), word())
        for option in ("--origin", "--steps", "--techniques", "--cell-sizes", "--chart"):
            checked("compare", option, word(), word())
        for option in ("--count", "--seed", "--frames", "--output"):
            checked("generate", "uniform", option, (b"no/" if option == "--output" else b"") + word())

        lines = [word().replace(b"\n", b"") + b",0,0,1,1", b"0," + word().replace(b"\n", b"") + b",0,1,1", b"id,min_x," + word(), word(),
                 b"0,0,0,1,1\n1,\0,0,1,1"]
        raw = word().decode("latin-1")
        scenes = [{raw: 1}, {"bodies": [{"position": [0, 0], "size": 1, raw: 1}]}, {"bodies": [{"position": [raw, 0], "size": 1}]},
                  {"bodies": [{"position": [0, 0], "mask": {"file": raw}}]}, {"bodies": [{"position": [0, 0], "mask": {"rows": [raw]}}]},
                  {"bodies": [{"position": [0, 0], "size": 1, "color": raw}]}, {"rules": [{"between": [raw, raw]}]}, {"name": raw}]
        documents = [json.dumps(scene, ensure_ascii=False).encode() for scene in scenes]
        documents += [json.dumps(scene).encode() for scene in scenes] + [b'{"' + word() + b'": 1}', b'{"a": ' + word()]
        for text in lines + documents:
            path = os.fsencode(self.path) + b"/" + word()
            with open(path, "wb") as file:
                file.write(text)
            checked("run", path)
            checked("compare", path)
            checked("run", "-", text=text)
            os.remove(path)
        for text in lines:
            checked("pairs", "-", text=text)
        shutil.copy(self.path / "fine.csv", path)
        checked("run", path)
        checked("compare", path, "--no-cell-sizes")

    def test_options(self):
        self.refused("run", "--technique", "magic", code=2, says="brute-force, uniform-grid, hash-grid")
        self.refused("run", "--technique", "brute-force", "--cell-size", "3", code=2, says="no cell size")
        self.refused("run", "--technique", "hash-grid", "--cell-size", "-3", code=2, says="--cell-size")
        self.refused("run", "--technique", "hash-grid", "--cell-size", "nan", code=2, says="cell size")
        self.refused("run", "--technique", "uniform-grid", "--cell-size", "1e-6", code=2, says="more than the limit")
        for technique in TECHNIQUES:
            if technique != "uniform-grid":
                self.refused("run", "--technique", technique, "--bounds", 0, 0, 1, 1, code=2,
                             says="--bounds: an option of uniform-grid")
            if technique != "hierarchical-grid":
                self.refused("run", "--technique", technique, "--row-height", 3, code=2,
                             says="--row-height: an option of hierarchical-grid")
                self.refused("run", "--technique", technique, "--no-neighbor-lists", code=2,
                             says="--no-neighbor-lists: an option of hierarchical-grid")
        for bounds in ((0, 0, 0, 1), (1, 0, 0, 1), (0, 0, "nan", 1), (0, 0, "inf", 1)):
            self.refused("run", "--technique", "uniform-grid", "--bounds", *bounds, code=2,
                         says="--bounds: expected MIN_X MIN_Y MAX_X MAX_Y")
        self.refused("run", "--technique", "uniform-grid", "--bounds", 1, 2, 3, code=2, says="--bounds")
        self.refused("run", "--row-height", "-1", code=2, says="--row-height: -1 is not above 0")
        for number in ("nan", "inf"):
            self.refused("run", "--row-height", number, code=2, says=f"row height: {number}")
        for parts in (0, -1, 1025, "2.5", "many"):
            self.refused("run", "--parts", parts, code=2, says="--parts")
        for option in (["--technique", "hash-grid"], ["--cell-size", 3], ["--bounds", 0, 0, 1, 1], ["--row-height", 3],
                       ["--no-neighbor-lists"]):
            self.refused("run", "--parts", 3, *option, code=2, says=f"{option[0]}: not with --parts")
        self.refused("run", "--picture", "p.gif", code=2, says=".svg or .png")

    def test_targets(self):
        for option in ("--pairs", "--contacts", "--summary"):
            self.refused("run", "rings", option, "no/such/file", says="No such file or directory")
            self.refused("run", "rings", option, "/dev/full", says="No space left on device")
        self.refused("run", "rings", "--picture", "no/such/file.svg", says="No such file or directory")
        self.refused("run", "rings", "--pairs", "one.csv", "--contacts", "one.csv", says="one.csv: is being written already")
        with open("/dev/full", "w", encoding="ascii") as full:
            for command in (["pairs", "-"], ["generate", "uniform", "--count", "5"], ["run", "rings"], ["scenes"], ["--version"],
                            ["--help"], ["run", "--help"], ["compare", "rings", "--steps", "2"]):
                result = subprocess.run([BINARY, *command], input="0,0,0,1,1\n1,1,1,2,2\n", text=True, stdout=full,
                                        stderr=subprocess.PIPE, cwd=self.path, check=False)
                self.assertEqual(result.returncode, 1, command)
                self.assertIn("No space left on device", result.stderr)

    def test_a_bad_input_leaves_an_old_target_as_it_was(self):
        (self.path / "old.csv").write_text("old")
        self.refused("run", "-", "--pairs", "old.csv", text="0,0,0,1\n", says="has 4 values")
        self.refused("run", "rings", "--pairs", "old.csv", "--summary", "no/such/file", says="No such file")
        self.assertEqual((self.path / "old.csv").read_text(), "old")


class Interrupted(Case):
    def test_ctrl_c_leaves_no_half_file(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([BINARY, "run", "circles", "--technique", "brute-force", "--steps", "100000", "--pairs",
                                   "p.csv"], cwd=self.path) as process:
                deadline = time.monotonic() + 30
                while not list(self.path.iterdir()) and time.monotonic() < deadline:
                    time.sleep(0.02)
                self.assertEqual(len(list(self.path.iterdir())), 1)
                process.send_signal(number)
                self.assertEqual(process.wait(30), -number)
            self.assertEqual(list(self.path.iterdir()), [])

    def test_ctrl_c_ends_a_loop_of_the_shell(self):
        loop = f"for i in 1 2 3; do '{BINARY}' run circles --technique brute-force --steps 100000 --pairs p$i.csv; done"
        with subprocess.Popen(["bash", "-c", loop], cwd=self.path, start_new_session=True) as shell:
            while not list(self.path.iterdir()) and shell.poll() is None:
                time.sleep(0.02)
            os.killpg(shell.pid, signal.SIGINT)  # as a terminal does
            try:
                self.assertEqual(shell.wait(30), -signal.SIGINT)
            finally:
                if shell.poll() is None:
                    os.killpg(shell.pid, signal.SIGKILL)
        self.assertEqual(list(self.path.iterdir()), [])

    def test_what_nobody_reads_on_leaves_no_half_file(self):
        with subprocess.Popen([BINARY, "run", "circles", "--technique", "brute-force", "--steps", "100000", "--pairs", "-",
                               "--picture", "p.svg"], cwd=self.path, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(60), -signal.SIGPIPE)
        self.assertEqual(list(self.path.iterdir()), [])

    def test_slow_pipes_change_nothing(self):
        boxes = self.run_it("generate", "uniform", "--count", "20000", "--output", "-").stdout
        expected = self.run_it("pairs", "-", text=boxes).stdout
        self.assertGreater(len(expected), 2 * 65536)  # more than pipes hold
        draw = random.Random(5)
        with subprocess.Popen([BINARY, "pairs", "-"], cwd=self.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            def feed():
                rest = boxes.encode()
                while rest:
                    size = draw.choice((1, 7, 4096, 65536, 200000))
                    process.stdin.write(rest[:size])
                    process.stdin.flush()
                    rest = rest[size:]
                    time.sleep(0.01)
                process.stdin.close()
            feeder = threading.Thread(target=feed)
            feeder.start()
            found = b""
            while piece := process.stdout.read(65536):
                found += piece
                time.sleep(0.02)
            feeder.join()
            self.assertEqual(process.wait(60), 0)
        self.assertEqual(found.decode(), expected)

    def test_a_signal_that_is_ignored_stays_so(self):
        with subprocess.Popen([BINARY, "run", "circles", "--technique", "brute-force", "--steps", "300", "--quiet", "--pairs",
                               "p.csv"], cwd=self.path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
            while not list(self.path.iterdir()) and process.poll() is None:
                time.sleep(0.02)
            process.send_signal(signal.SIGHUP)
            self.assertEqual(process.wait(60), 0)
        self.assertEqual([file.name for file in self.path.iterdir()], ["p.csv"])

    def test_output_goes_to_old_files_and_to_files_with_long_names(self):
        self.run_it("run", "rings", "--steps", 3, "--quiet", "--pairs", "n" * 250)
        expected = (self.path / ("n" * 250)).read_bytes()
        (self.path / "old").write_text("old")
        (self.path / "old").chmod(0o666)
        os.link(self.path / "old", self.path / "hard")
        os.symlink("hard", self.path / "soft")
        self.run_it("run", "rings", "--steps", 3, "--quiet", "--pairs", "soft")
        self.assertEqual((self.path / "old").read_bytes(), expected)
        self.assertEqual((self.path / "old").stat().st_mode & 0o777, 0o666)
        self.assertTrue((self.path / "soft").is_symlink())
        self.assertEqual(len(list(self.path.iterdir())), 4)

    def test_a_file_beyond_the_limit_is_an_error(self):
        result = subprocess.run([BINARY, "generate", "uniform", "--count", "1000", "--output", "u.csv"], cwd=self.path, text=True,
                                stderr=subprocess.PIPE, check=False,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(result.returncode, 1)
        self.assertIn("File too large", result.stderr)
        self.assertEqual(list(self.path.iterdir()), [])


class Limits(Case):
    def test_a_million_boxes_fit_into_400_megabytes(self):
        self.run_it("generate", "uniform", "--count", 10**6, "--output", "m.csv")
        with open(self.path / "out", "wb") as out:
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            subprocess.run([BINARY, "pairs", "m.csv"], stdout=out, cwd=self.path, check=True)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, max(400_000, before + 1))
        self.assertGreater((self.path / "out").read_bytes().count(b"\n"), 1_400_000)

    def test_no_technique_takes_memory_for_empty_space(self):
        text = "".join(f"{i},{x},{x},{x + side},{x + side}\n" for i, (x, side) in
                       enumerate(((0, 1), (2**30, 128), (-2**30, 128), (2**29, 64), (2**40, 2**17))))
        for technique in TECHNIQUES:
            self.run_it("run", "-", "--technique", technique, "--summary", "s.json", text=text)
            self.assertLess(json.loads((self.path / "s.json").read_text())["bytes"], 20_000, technique)

    def test_parts_end_where_memory_or_threads_run_out(self):
        self.run_it("generate", "uniform", "--count", 100_000, "--output", "m.csv")

        def limited(megabytes, *arguments):
            def limit():
                resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
            result = subprocess.run([BINARY, *map(str, arguments)], text=True, capture_output=True, cwd=self.path,
                                    timeout=60, preexec_fn=limit, check=False)
            self.assertIn((result.returncode, result.stderr),
                          [(0, ""), (1, "broadside: not enough memory\n"),
                           (1, "broadside: run_in_process: the system refuses a thread\n")])
            return result.returncode

        if subprocess.run(["sh", "-c", f"ulimit -v 1000000; {BINARY} --version"], capture_output=True, check=False).returncode:
            self.skipTest("a program with sanitizers needs all addresses")
        draw = random.Random(11)
        codes = [limited(draw.randrange(30, 240), "run", "m.csv", "--parts", draw.randrange(1, 5), "--quiet")
                 for _ in range(25)]
        self.assertEqual(set(codes), {0, 1})
        self.assertEqual(limited(200, "run", "pinball", "--steps", 2, "--parts", 500, "--quiet"), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
