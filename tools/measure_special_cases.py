#!/usr/bin/env python3
"""Measures what each special case of the library costs and wins: builds the library without it, and times frames.

Usage: measure_special_cases.py [--only NAME...] [--set INSTRUCTION_SET] [--rounds N] [--write]

For each special case, the copy of the library in build/special_cases is changed so that the general way answers
instead. Printed: the lines, kB of program and seconds of compilation that go with it, and how much longer the mean and
the longest frame take, as the ratio of the least times of several rounds in which both programs alternate.
--write puts the table into docs/kernels.md. Needs a machine that does nothing else, for about 25 minutes.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "special_cases"
SOURCE = FOLDER / "source"
LIBRARY = FOLDER / "library"
PAGE = ROOT / "docs" / "kernels.md"

NARROW = "src/contact/narrow_phase.cpp"
COLLIDE = "src/contact/collide.cpp"
GAP = "src/contact/engine/gap.cpp"
SWITCHES = "src/base/switches.hpp"
USUAL = "  return forced == 0 ? usual : forced > 0;"

# what: for the table. files: go if the special case goes. scenes: where it could win something. changes: (file, text,
# replacement); every text occurs once.
Case = collections.namedtuple("Case", "name what files scenes changes")


def without_kernel(name, function, what, scenes, rest=()):
    return Case(name, what, [f"src/contact/lanes/{name}.cpp", *rest], scenes,
                [(NARROW, f"detail::{function}(", "detail::collide_one_by_one(")])


def without_switch(switch, what, files, scenes):
    return Case(switch, what, files, scenes, [(SWITCHES, USUAL, f"  return which != Switch::{switch} && (forced == 0 ? usual : forced > 0);")])


CASES = [
    without_kernel("circle_pair_kernel", "collide_circle_pairs", "two circles, many pairs at once", ["circles", "many_bodies"]),
    without_kernel("box_pair_kernel", "collide_box_pairs", "two boxes, many pairs at once", ["boxes", "many_bodies"]),
    without_kernel("circle_convex_kernel", "collide_circle_convex_pairs", "a circle and another shape, many pairs at once",
                   ["circles_and_others", "many_bodies"]),
    without_kernel("core_pairs_kernel", "collide_core_pairs", "two other shapes, many pairs at once",
                   ["polygons", "circles_and_others", "many_bodies"], ["src/contact/lanes/core_lanes.hpp", "src/contact/lanes/clip_lanes.hpp"]),
    Case("prefetching", "shapes are prefetched", ["src/body/prefetch.hpp"], ["circles", "circles_and_others", "many_bodies"],
         [("src/body/prefetch.hpp", "hwy::Prefetch(static_cast<const char*>(address))", "static_cast<void>(address)")]),
    Case("bounds_kernel", "bounds of many shapes at once", ["src/body/bounds_kernel.cpp"], ["circles", "boxes", "polygons", "many_bodies"],
         [("src/world/step.cpp", "  detail::find_bounds(places, bodies.shapes(), bodies.transforms(), boxes);\n",
           "  for (std::size_t i = 0; i < places.size(); ++i) {\n"
           "    boxes[i] = broadside::bounds(bodies.shapes()[places[i]], bodies.transforms()[places[i]]);\n  }\n")]),
    Case("one_pair_of_boxes", "two boxes, one pair", ["src/contact/box/box_pair.cpp", "src/contact/box/box_distance.cpp"],
         ["boxes", "bullets", "nearest"],
         [(COLLIDE, "  if (are_boxes(a, b)) {\n    return detail::collide_boxes", "  if (false) {\n    return detail::collide_boxes"),
          (COLLIDE, "  if (are_boxes(a, b)) {\n    if (const auto found", "  if (false) {\n    if (const auto found")]),
    Case("line_gap", "two lines, one pair", ["src/contact/engine/line_gap.cpp"], ["circles_and_others", "bullets"],
         [(GAP, "    if (find_line_gap(a, b, effort, gap)) {", "    if (false) {")]),
    Case("core_ray", "moving circles, and rays at capsules and polygons", ["src/contact/circle/core_ray.cpp"], ["rays", "bullets"],
         [(COLLIDE, "  if (has_circle(a, b)) {\n    Hit hit;", "  if (false) {\n    Hit hit;"),
          ("src/contact/cast_ray.cpp", "             ? detail::try_cast_ray(start, motion, shape, at, hit)", "             ? CoreVerdict::inconclusive")]),
    Case("rays", "rays at circles, boxes and segments", [], ["rays"],
         [("src/contact/cast_ray.cpp", "  switch (std::visit([&](const auto& s) { return try_cast(from, displacement, s, transform, hit); }, shape)) {",
           "  const bool is_closed = !std::holds_alternative<Capsule>(shape) && !std::holds_alternative<Polygon>(shape);\n"
           "  switch (is_closed ? CoreVerdict::inconclusive\n"
           "                    : std::visit([&](const auto& s) { return try_cast(from, displacement, s, transform, hit); }, shape)) {")]),
    Case("parallel_masks", "two parallel masks, 64 pixels at once", ["src/contact/mask/mask_mask.cpp", "src/contact/mask/word_kernels.cpp"],
         ["masks_unturned"],
         [("src/contact/mask/mask_pair.cpp", "      parallel_(b_ != nullptr && are_parallel(a, at_a, *b_, at_b)),", "      parallel_(false),")]),
    Case("mask_early_out", "a mask and a circle or box, one pair",
         ["src/contact/mask/mask_early_out.cpp", "src/contact/mask/mask_early_out_kernel.cpp"], ["masks_and_queries"],
         [("src/contact/mask/mask_collide.cpp", "  const EarlyOut result = early_out(a, at_a, b, at_b);", "  const EarlyOut result = EarlyOut::inconclusive;")]),
    without_switch("quiet_step", "if few bodies changed, only their pairs are searched", [], ["few_move", "circles"]),
    without_switch("neighbor_lists", "neighbor lists", ["src/broad_phase/neighbor_list.cpp", "src/broad_phase/neighbor_kernels.cpp",
                                                        "src/broad_phase/neighborhoods.cpp"], ["circles", "circles_and_others", "many_bodies"]),
    without_switch("query_tree", "a tree of boxes for queries", ["src/broad_phase/box_tree.cpp", "src/broad_phase/tree_area_kernels.cpp"],
                   ["rays", "nearest"]),
]


def change(path, before, after):
    file = SOURCE / path
    file.write_text(file.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")


def copy_source():
    """Copies what the library needs; unchanged files keep their times, so that they are not compiled again."""
    tracked = subprocess.run(["git", "ls-files", "CMakeLists.txt", "LICENSE", "cmake", "include", "src", "adapters", "packaging"], cwd=ROOT,
                             capture_output=True, text=True, check=True).stdout.split()
    for path in tracked:
        restore(path)


def restore(path):
    old, new = ROOT / path, SOURCE / path
    if old.is_file() and (not new.exists() or new.read_bytes() != old.read_bytes()):
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(old, new)


def build(name):
    """Builds the program with the library as it is in the copy; returns its path and its stripped size (kB)."""
    program = FOLDER / f"frames-{name}"
    command = ["cmake", "--build", str(LIBRARY), "--target", "broadside"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        done = subprocess.run(["g++", "-std=c++20", "-O2", "-s", "-Wl,--gc-sections", f"-I{SOURCE}/include", str(ROOT / "bench/special_cases.cpp"),
                               str(LIBRARY / "libbroadside.a"), "-lhwy", "-pthread", "-o", str(program)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"special cases: {name} does not build:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return program, program.stat().st_size / 1000


def compile_seconds():
    """Returns the seconds that each source took, by its path."""
    seconds = {}
    for line in (LIBRARY / ".ninja_log").read_text(encoding="utf-8").splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        source = re.search(r"broadside\.dir/(src/.*\.cpp)\.o$", output)
        if source:
            seconds[source[1]] = (int(end) - int(begin)) / 1000
    return seconds


def lines_of(path):
    text = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return sum(1 for line in text if line.strip() and not line.strip().startswith("//"))


def run(program, instruction_set, scenes):
    done = subprocess.run([str(program), instruction_set, *scenes], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"special cases: {program.name}: {done.stderr}")
    return {line.split()[0]: tuple(map(float, line.split()[1:])) for line in done.stdout.splitlines()}


def compare(one, other, instruction_set, scenes, rounds):
    """Returns (mean ms with it, ratio of means, ratio of longest frames) by scene."""
    times = {True: collections.defaultdict(list), False: collections.defaultdict(list)}
    for i in range(rounds):
        for is_one in ((True, False) if i % 2 == 0 else (False, True)):
            for scene, found in run(one if is_one else other, instruction_set, scenes).items():
                times[is_one][scene].append(found)
    least = {which: {scene: [min(column) for column in zip(*found)] for scene, found in of.items()} for which, of in times.items()}
    return {scene: (least[True][scene][0], least[False][scene][0] / least[True][scene][0], least[False][scene][1] / least[True][scene][1])
            for scene in scenes}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[case.name for case in CASES], help="special cases to measure")
    parser.add_argument("--set", default="best", help="instruction set of the kernels, such as SSE4 (the best of this processor)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--check", action="store_true", help="only check that every change still applies")
    parser.add_argument("--write", action="store_true", help="write the table to docs/kernels.md")
    options = parser.parse_args()
    for case in CASES:
        for path, before, _ in case.changes:
            if (ROOT / path).read_text(encoding="utf-8").count(before) != 1:
                sys.exit(f"special cases: {case.name}: {path} does not contain once: {before.strip()}")
    if options.check:
        print(f"special cases: {len(CASES)} changes apply")
        return 0
    copy_source()
    subprocess.run(["cmake", "-G", "Ninja", "-S", str(SOURCE), "-B", str(LIBRARY), "-DCMAKE_BUILD_TYPE=Release", "-DBROADSIDE_BUILD_SCENE=OFF",
                    "-DBROADSIDE_BUILD_APP=OFF", "-DBROADSIDE_BUILD_ANSWERS=OFF", "-DBROADSIDE_BUILD_EXAMPLES=OFF", "-DBROADSIDE_BUILD_VIEWER=OFF", "-DBROADSIDE_CCACHE=OFF", "-DCMAKE_CXX_FLAGS=-w"],
                   capture_output=True, check=True)
    usual, usual_kb = build("usual")
    seconds = compile_seconds()
    rows = []
    for case in CASES:
        if options.only and case.name not in options.only:
            continue
        for path, before, after in case.changes:
            change(path, before, after)
        program, kb = build(case.name)
        for path, _, _ in case.changes:
            restore(path)
        for scene, (ms, mean, longest) in compare(usual, program, options.set, case.scenes, options.rounds).items():
            rows.append((case.name, case.what, sum(lines_of(path) for path in case.files), usual_kb - kb,
                         sum(seconds.get(path, 0.0) for path in case.files), scene, ms, mean, longest))
            print("{} ({}): {} lines, {:.0f} kB, {:.0f} s; {}: {:.2f} ms, without it {:.2f}x, longest frame {:.2f}x".format(*rows[-1]), flush=True)
    if options.write:
        write(rows)
    return 0


def write(rows):
    table = ["| special case | lines | kB | compiled in | scene | frame | without it | longest frame |", "|---|---|---|---|---|---|---|---|"]
    last = None
    for name, what, lines, kb, compiled, scene, ms, mean, longest in rows:
        first = f"| `{name}`: {what} | {lines or '-'} | {kb:.0f} | {compiled:.0f} s |" if name != last else "| | | | |"
        table.append(f"{first} {scene.replace('_', ' ')} | {ms:.2f} ms | {mean:.2f}x | {longest:.2f}x |")
        last = name
    text = PAGE.read_text(encoding="utf-8")
    begin, end = "<!-- table -->\n", "<!-- end of table -->"
    PAGE.write_text(text[:text.index(begin) + len(begin)] + "\n".join(table) + "\n" + text[text.index(end):], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
