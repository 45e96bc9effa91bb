#!/usr/bin/env python3
"""Tests of broadside-mpi: mpi_test.py PROGRAM SOURCES"""

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCES = "", pathlib.Path()
TRACE = "scenes/tumbler.b2tr.xz"


def command(ranks, *arguments):
    return ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), PROGRAM, *arguments]


def environment():
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(ranks, *arguments):
    return subprocess.run(command(ranks, *arguments), cwd=SOURCES, env=environment(), capture_output=True, text=True,
                          timeout=120, check=False)


def hash_of(result):
    """Returns the hash that a run with --world prints."""
    found = re.search(r"^hash ([0-9a-f]{16})$", result.stdout, re.M)
    assert result.returncode == 0 and found, result.stdout + result.stderr
    return found[1]


def children_of(process):
    tasks = pathlib.Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text(encoding="utf-8").split()]


def ranks_of(process):
    """Returns the processes of the program among the children of mpirun, and theirs."""
    found = []
    for child in children_of(process):
        name = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")[0].decode()
        found += [child] if name == PROGRAM else ranks_of(child)
    return found


class Mpi(unittest.TestCase):
    def test_any_number_of_ranks_finds_the_pairs_of_one_broad_phase(self):
        pairs = set()
        for ranks in (1, 2, 3, 4, 7):
            result = run(ranks, TRACE, "--steps", "8", "--check", "--max-imbalance", "1")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"on {ranks} ranks, each step equal to one broad phase", result.stdout)
            pairs.add(re.search(r"a step: ([0-9.]+) pairs", result.stdout)[1])
        self.assertEqual(len(pairs), 1)

    def test_scenes_and_workloads(self):
        for arguments in (("pinball",), ("scenes/rings.json",), ("tiny-clusters", "--boxes", "3000")):
            result = run(3, *arguments, "--steps", "12", "--check")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("12 steps on 3 ranks, each step equal to one broad phase", result.stdout)

    def test_prints_the_split_of_the_time_ghosts_bytes_and_imbalance(self):
        result = run(2, "uniform", "--boxes", "20000", "--steps", "4")
        number = r"[0-9.]+"
        stages = ", ".join(f"{stage} {number}" for stage in
                           ("move", "agree", "balance", "update", "exchange", "search", "owner", "work", "whole"))
        self.assertRegex(result.stdout, rf"rank: {stages}\n")
        self.assertRegex(result.stdout, rf"{number} ghosts \({number} % of the boxes\), {number} migrants, {number} bytes\n")
        self.assertRegex(result.stdout, rf"imbalance {number} on average, the cuts were moved \d+ times")

    def test_a_world_goes_on_from_a_file_with_any_number_of_ranks(self):
        draw = random.Random(3)
        for scene in ("pinball", "scenes/circles.json"):
            before, after = draw.randrange(1, 30), draw.randrange(1, 30)
            with tempfile.TemporaryDirectory() as folder:
                whole = hash_of(run(1, scene, "--world", "--steps", str(before + after)))
                saved = hash_of(run(3, scene, "--world", "--steps", str(before), "--save", f"{folder}/3.snapshot"))
                hash_of(run(2, scene, "--world", "--steps", str(before), "--save", f"{folder}/2.snapshot"))
                files = [pathlib.Path(f"{folder}/{ranks}.snapshot").read_bytes() for ranks in (2, 3)]
                self.assertEqual(files[0], files[1])
                for ranks in (2, 4):
                    restore = ("--world", "--restore", f"{folder}/3.snapshot", "--steps")
                    self.assertEqual(hash_of(run(ranks, *restore, "0")), saved)
                    self.assertEqual(hash_of(run(ranks, *restore, str(after))), whole)
                self.assertNotEqual(saved, whole)

    def test_files_that_cannot_be_read_or_written_end_all_ranks_with_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / "a.snapshot"
            hash_of(run(2, "pinball", "--world", "--steps", "2", "--save", str(target)))
            target.write_bytes(target.read_bytes()[:-1])
            for arguments, sentence in (((f"--restore={target}",), "damaged, or not a snapshot"),
                                        ((f"--restore={folder}/none",), f"{folder}/none"),
                                        (("pinball", f"--save={folder}/none/a"), f"{folder}/none/a"),
                                        (("no-such-scene.json",), "no-such-scene.json")):
                result = run(3, "--world", "--steps", "1", *arguments)
                self.assertNotEqual(result.returncode, 0)
                self.assertRegex(result.stderr, "broadside-mpi, rank [0-2]: .*" + re.escape(sentence))
            for arguments in (("pinball", "--save", str(target)), ("--world", "pinball", "--restore", str(target)),
                              ("--world",), ("--world", "uniform", "--boxes", "9"), ("--world", "pinball", "--check"), ()):
                self.assertNotEqual(run(1, *arguments).returncode, 0, arguments)

    def test_an_error_of_the_ranks_ends_the_run(self):
        result = run(2, "no-such-file.json")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("broadside-mpi, rank", result.stderr)
        self.assertIn("no-such-file.json", result.stderr)

    def test_a_killed_rank_ends_the_run_within_10_seconds(self):
        with subprocess.Popen(command(3, "uniform", "--boxes", "2000", "--steps", "100000000"), cwd=SOURCES,
                              env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            try:
                until = time.monotonic() + 30
                while len(ranks_of(process.pid)) < 3 and time.monotonic() < until:
                    time.sleep(0.1)
                time.sleep(1)
                ranks = ranks_of(process.pid)
                self.assertEqual(len(ranks), 3)
                os.kill(ranks[1], signal.SIGKILL)
                start = time.monotonic()
                self.assertNotEqual(process.wait(timeout=10), 0)
                self.assertLess(time.monotonic() - start, 10)
            finally:
                process.kill()


if __name__ == "__main__":
    PROGRAM, SOURCES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
    unittest.main()
