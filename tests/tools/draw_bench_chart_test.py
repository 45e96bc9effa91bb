"""Runs the chart script as `make bench` does. Usage: draw_bench_chart_test.py SCRIPT [TestClass ...]"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

SCRIPT = pathlib.Path(sys.argv[1]).resolve()


def contender(name, median_ms, *, ours=False, default=False, exact=True):
    return {"name": name, "ours": ours, "default": default, "median_ms": median_ms, "mean_ms": median_ms, "p99_ms": median_ms, "ns_per_box": 1.0,
            "ns_per_pair": 1.0, "bytes": 0, "exact": exact}


def workload(name, *contenders, limit_ms=0.1):
    return {"name": name, "boxes": 10, "pairs": 7.5, "limit_ms": limit_ms, "contenders": list(contenders)}


FIGURES = {"machine": "A <fast> machine & more", "workloads": [
    workload("won", contender("grid", 0.2, ours=True, default=True), contender("other grid", 0.1, ours=True),
             contender("tree", 0.8), contender("hash", 2.0)),
    workload("lost", contender("grid", 0.3, ours=True, default=True), contender("tree", 0.05), contender("hash", 30000)),
    workload("wrong", contender("grid", 0.3, ours=True, default=True), contender("tree", 0.1, exact=False),
             contender("hash", 0.6)),
    workload("alone", contender("grid", 0.3, ours=True, default=True))]}


class Chart(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name)

    def run_it(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *arguments], text=True, capture_output=True, cwd=self.path, timeout=60,
                              check=False)

    def draw(self, figures):
        (self.path / "in.json").write_text(figures if isinstance(figures, str) else json.dumps(figures))
        return self.run_it("in.json", "out.svg")

    def drawn(self, figures):
        result = self.draw(figures)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        return (self.path / "out.svg").read_text()

    def refused(self, figures, says):
        result = self.draw(figures)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("draw_bench_chart.py: in.json: "), result.stderr)
        self.assertIn(says, result.stderr)
        self.assertEqual([file.name for file in self.path.iterdir()], ["in.json"])

    def texts(self, figures):
        document = xml.dom.minidom.parseString(self.drawn(figures))
        return ["".join(child.data for child in node.childNodes) for node in document.getElementsByTagName("text")]

    def test_each_workload_is_a_row_with_our_place(self):
        texts = self.texts(FIGURES)
        for expected in ("won", "4.0x ahead", "lost", "6.0x behind", "wrong", "2.0x ahead", "alone", "no peer"):
            self.assertIn(expected, texts)

    def test_all_peers_are_in_the_legend_and_our_others_are_not(self):
        texts = self.texts(FIGURES)
        for name in ("grid", "tree", "hash"):
            self.assertEqual(texts.count(name), 1)
        self.assertNotIn("other grid", texts)

    def test_the_caption_names_machine_direction_and_wrong_pairs(self):
        caption = " ".join(self.texts(FIGURES))
        for expected in ("A <fast> machine & more", "lower is better", "wrong pairs: tree on wrong."):
            self.assertIn(expected, caption)

    def test_all_marks_lie_inside_the_picture(self):
        svg = self.drawn(FIGURES)
        marks = re.findall(r"<(?:path d='M|circle cx=')([-\d.]+)", svg)
        self.assertGreater(len(marks), 10)
        self.assertTrue(all(24 <= float(x) <= 876 for x in marks), marks)

    def test_it_brings_its_own_paper_and_loads_nothing(self):
        svg = self.drawn(FIGURES)
        self.assertIn("fill='#ffffff' stroke=", svg)
        self.assertEqual(re.findall(r"https?://[^'\" ]+", svg), ["http://www.w3.org/2000/svg"])

    def test_same_figures_same_bytes(self):
        self.assertEqual(self.drawn(FIGURES), self.drawn(FIGURES))

    def test_inexact_default_is_said(self):
        figures = copy.deepcopy(FIGURES)
        figures["workloads"][0]["contenders"][0]["exact"] = False
        self.assertIn("not exact", self.texts(figures))

    def test_wrong_files_are_refused_and_nothing_is_left(self):
        self.refused("{", "not JSON")
        self.refused("[]", '"machine" is missing')
        self.refused({"machine": "x", "workloads": {}}, "workloads: a list is expected")
        self.refused({"machine": "x", "workloads": []}, "no workloads")
        self.refused({"machine": "x", "workloads": [workload("empty")]}, "workloads[0]: nobody to draw")
        for wrong in (0, -1, "1", None, True, float("nan"), float("inf")):
            self.refused({"machine": "x", "workloads": [workload("w", contender("tree", wrong))]},
                         "workloads[0].contenders[0].mean_ms: a number above 0")
        without = copy.deepcopy(FIGURES)
        del without["workloads"][1]["contenders"][1]["exact"]
        self.refused(without, 'workloads[1].contenders[1]: "exact" is missing')

    def test_files_that_cannot_be_read_or_written(self):
        result = self.run_it("absent.json", "out.svg")
        self.assertEqual((result.returncode, result.stderr), (1, "draw_bench_chart.py: absent.json: No such file or directory\n"))
        (self.path / "in.json").write_text(json.dumps(FIGURES))
        result = self.run_it("in.json", "absent/out.svg")
        self.assertEqual((result.returncode, result.stderr), (1, "draw_bench_chart.py: absent/out.svg: No such file or directory\n"))

    def test_help_and_wrong_usage(self):
        self.assertIn("Example: draw_bench_chart.py", self.run_it("--help").stdout)
        self.assertEqual(self.run_it("one.json").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
