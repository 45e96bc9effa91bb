#!/usr/bin/env python3
"""Mutation tests: changes one place of the library at a time and counts the changes that no test notices.

Draws changes of src and include (comparisons, logic, arithmetic, constants, min and max, conditions, deleted
statements), builds the library with each, and runs broadside_tests without golden hashes until one fails.
A change that no test notices is a survivor: it needs a test, or a line in tests/mutants/equivalent.txt that says why
no test can notice it. Source: R. DeMillo, R. Lipton, F. Sayward, Hints on test data selection, 1978.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "mutants"
EQUIVALENT = ROOT / "tests" / "mutants" / "equivalent.txt"
MOST_RECOMPILED = 2  # maximum number of sources, of up to eight tests each, recompiled for a changed header
MODULES = ("base", "body", "broad_phase", "contact", "event", "query", "world")

# Golden hashes detect every change of an answer, but do not show which one. The other tests are slow and detect nothing
# more than the rest (of 138 changes, tests of half a second and more detected 2), or test parts that are not built here.
LEFT_OUT = ("Workloads/Order.*:*SharedTrace*:Twin*:*Soak*:*any_byte_changed*:FindPairsMemory.each*:*hz_240*:*hz_60*:Seeds/Simulator.*/1?:"
            "InstructionSets.all_give*:RefusalOfRunners.*:StepOutOfMemory.skips_a*:OutOfMemoryWithThreads.*:*more_different_x*:*a_million_*:"
            "*read_by_use_threads_alone:*any_number_of_kinds:Settings/Bounce.*restitution_0*:Settings/Bounce.*restitution_50*:"
            "Cast.agrees_with_fine_steps:Techniques/WorldOutOfMemory.*brute*:Techniques/WorldOutOfMemory.*sweep*:"
            "Techniques/WorldOutOfMemory.*/u*:"
            + ":".join(f"Seeds/Simulator.*/{part}" for part in range(3, 10)))

SWAPS = (
    (r" <= ", (" < ", " > ")), (r" >= ", (" > ", " < ")), (r" < ", (" <= ", " >= ")), (r" > ", (" >= ", " <= ")),
    (r" == ", (" != ",)), (r" != ", (" == ",)), (r" && ", (" || ",)), (r" \|\| ", (" && ",)),
    (r" \+ ", (" - ",)), (r" - ", (" + ",)), (r" \* ", (" / ",)), (r" / ", (" * ",)),
    (r" \+= ", (" -= ",)), (r" -= ", (" += ",)), (r" \|= ", (" &= ",)), (r" \| ", (" & ",)), (r" & ", (" | ",)),
    (r"\bstd::min\b(?!_)", ("std::max",)), (r"\bstd::max\b(?!_)", ("std::min",)),
    (r"\btrue\b", ("false",)), (r"\bfalse\b", ("true",)),
    (r"\bhn::Lt\(", ("hn::Le(",)), (r"\bhn::Le\(", ("hn::Lt(",)), (r"\bhn::Gt\(", ("hn::Ge(",)),
    (r"\bhn::Ge\(", ("hn::Gt(",)), (r"\bhn::Min\(", ("hn::Max(",)), (r"\bhn::Max\(", ("hn::Min(",)),
)
NUMBER = re.compile(r"(?<![\w.])(\d+)(\.\d+)?(e-?\d+)?([FU]?)(?![\w.])")
CONDITION = re.compile(r"^(\s*(?:\} else )?(?:if|while) \()(?!const |auto |Error |!\()(.+)(\) \{)$")
CALL = re.compile(r"^\s+[\w.:>\[\]()*-]+\(.*\);$")
ASSIGNMENT = re.compile(r"^\s+[a-z_][\w.\[\]>-]*(\([^=]*\))? [-+*/|&]?= .*;$")
SKIPPED = re.compile(r'^\s*(#|//|using |namespace |template|static_assert|assert|return;|case |default:|public:|private:)|"|HWY_'
                     r"|\bassert\(|Error\{|operator|std::enable|requires|noexcept|[pP]refetch|[fF]etch(\(|::)|\bconcept\b|__attribute")


class Mutant(collections.namedtuple("Mutant", "path line before after")):
    """One changed line: path relative to the root, line number from 0, the line before and after."""

    def key(self):
        return (self.path, self.before.strip(), self.after.strip())

    def __str__(self):
        return f"{self.path}:{self.line + 1}\n    - {self.before.strip()}\n    + {self.after.strip() or '(deleted)'}"

    @property
    def module(self):
        return next(part for part in self.path.split("/") if part in MODULES)


def mutations_of(line):
    """Yields the changed versions of a line."""
    code = line.split(" //")[0]
    for pattern, others in SWAPS:
        for match in re.finditer(pattern, code):
            for other in others:
                yield line[:match.start()] + other + line[match.end():]
    for match in NUMBER.finditer(code):
        whole, fraction, power, suffix = match.groups()
        changed = f"{int(whole) + 1}{fraction or ''}{power or ''}{suffix}" if not power else f"{whole}{fraction or ''}e1{suffix}"
        yield line[:match.start()] + changed + line[match.end():]
    condition = CONDITION.match(code)
    if condition:
        yield condition[1] + "!(" + condition[2] + ")" + condition[3]
    if CALL.match(code) or ASSIGNMENT.match(code):
        yield ""


def candidates():
    """Returns all changes of the library, by module."""
    found = collections.defaultdict(list)
    files = subprocess.run(["git", "ls-files", "src", "include"], cwd=ROOT, check=True, capture_output=True, text=True)
    for path in files.stdout.split():
        if not path.endswith((".cpp", ".hpp")) or not any(f"/{module}/" in path for module in MODULES):
            continue
        if path.endswith("/prefetch.hpp"):  # prefetches change no answer
            continue
        is_compiled = True
        begun = ""  # the last #if
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").split("\n")):
            if line.startswith("#"):
                is_compiled = line != "#if HWY_TARGET == HWY_WASM"  # up to the next #else or #endif
                begun = line if line.startswith("#if") else begun
                if line == "#else" and begun.startswith(("#if defined(__cpp_exceptions)", "#if defined(__GNUC__)")):
                    is_compiled = False
            if not is_compiled or SKIPPED.search(line) or not line.strip():
                continue
            for after in dict.fromkeys(mutations_of(line)):
                if after != line:
                    mutant = Mutant(path, number, line, after)
                    found[mutant.module].append(mutant)
    return found


def draw(seed, modules, equivalent):
    """Returns the changes in random order. The rank of a change depends only on its own text and the seed, so the order
    stays nearly the same while the code changes."""
    def rank(mutant):
        return hashlib.sha256(f"{seed} {' '.join(mutant.key())}".encode()).digest()

    found = {mutant.key(): mutant for module, found in candidates().items() if module in modules for mutant in found}
    return sorted((mutant for key, mutant in found.items() if key not in equivalent), key=rank)


def verdicts_in(report):
    """Returns the verdicts in the output of an earlier run by the keys of the changes, without survivors."""
    found = re.findall(r"\] (\S+):\d+\n    - (.*)\n    \+ (.*)\n    (?:killed by (.*)|does not build)$", report, re.MULTILINE)
    return {(path, before, "" if after == "(deleted)" else after): verdict for path, before, after, verdict in found}


def read_equivalent():
    """Returns the changes that no test can notice."""
    known = set()
    if EQUIVALENT.exists():
        for number, line in enumerate(EQUIVALENT.read_text(encoding="utf-8").splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            fields = [field.strip() for field in line.split(" ~ ")]
            if len(fields) != 4 or not fields[3]:
                sys.exit(f"{EQUIVALENT.relative_to(ROOT)}:{number}: must be PATH ~ LINE ~ CHANGED LINE ~ REASON")
            file = ROOT / fields[0]
            if not file.exists() or fields[1] not in map(str.strip, file.read_text(encoding="utf-8").split("\n")):
                sys.exit(f"{EQUIVALENT.relative_to(ROOT)}:{number}: {fields[0]} has no line {fields[1]}")
            known.add((fields[0], fields[1], "" if fields[2] == "(deleted)" else fields[2]))
    return known


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def check(command, **options):
    done = run(command, **options)
    if done.returncode != 0:
        sys.exit(done.stdout[-8000:] + done.stderr[-8000:])
    return done.stdout


class Program:
    """broadside_tests, built with the preset test and linked to a shared library."""

    FOLDER = ROOT / "build" / "test"

    def __init__(self, library, jobs):
        check(["cmake", "--preset", "test"], cwd=ROOT)
        check(["cmake", "--build", "--preset", "test", "--target", "broadside_tests", "--", f"-j{jobs}"], cwd=ROOT)
        *commands, link = check(["ninja", "-t", "commands", "broadside_tests"], cwd=self.FOLDER).strip().splitlines()
        self.link = link.replace(" libbroadside.a ", f" {library} ")
        self.compile = {found[1]: command for command in commands
                        if (found := re.search(r" -c (\S+/broadside_tests\.dir/Unity/\S+)$", command))}
        self.tests = {source: re.findall(rf'^#include "{ROOT}/(\S+)"$', (self.FOLDER / source).read_text(encoding="utf-8"), re.MULTILINE)
                      for source in self.compile}
        self.headers = self.headers_of_tests()
        self.path = BUILD / "broadside_tests"
        check(self.link.replace("-o tests/broadside_tests ", f"-o {self.path} "), cwd=self.FOLDER, shell=True)

    def headers_of_tests(self):
        """Returns the headers that each source of tests includes, directly or not."""
        headers = collections.defaultdict(set)
        for block in check(["ninja", "-t", "deps"], cwd=self.FOLDER).split("\n\n"):
            # They are relative to the folder if ccache has a base directory.
            paths = {os.path.relpath(os.path.join(self.FOLDER, path), ROOT)
                     for path in re.findall(r"^    (\S+)$", block, re.MULTILINE)}
            for source, tests in self.tests.items():
                if not paths.isdisjoint(tests):
                    headers[source].update(paths)
        return headers

    def with_header(self, header, source, folder):
        """Compiles some sources of tests that include a header, directly if possible, with that of another source tree.
        Returns the program with these tests, or the usual one if there are none, or None if one does not compile. The
        linker takes the first definition of an inline function, so these objects come first."""
        name = header.removeprefix("include/").removeprefix("src/")
        stem = pathlib.Path(header).stem
        module = next(part for part in header.split("/") if part in MODULES)
        includers = [unit for unit, headers in self.headers.items() if header in headers]
        includers.sort(key=lambda unit: min((not pathlib.Path(test).stem.startswith(stem),
                                             f'#include "{name}"' not in (ROOT / test).read_text(encoding="utf-8"),
                                             test.split("/")[1] != module, test) for test in self.tests[unit]))
        link = self.link
        objects = []
        for number, unit in enumerate(includers[:MOST_RECOMPILED]):
            built = re.search(r" -o (\S+)", self.compile[unit])[1]
            objects.append(str(folder / f"test-{number}.o"))
            command = self.compile[unit].replace(f"-I{ROOT}/include", f"-I{source}/include").replace(f"-I{ROOT}/src", f"-I{source}/src")
            command = command.replace(f" -o {built} ", f" -o {objects[-1]} ")
            if run(re.sub(r" -MD.*?-o ", " -o ", command), cwd=self.FOLDER, shell=True).returncode != 0:
                return None
            link = link.replace(f" {built} ", " ")
        if not objects:
            return self.path
        program = folder / "broadside_tests"
        link = link.replace(" -o tests/broadside_tests ", f" {' '.join(objects)} -o {program} ")
        return program if run(link, cwd=self.FOLDER, shell=True).returncode == 0 else None


def seconds_of_parts(paths):
    """Returns the duration of each test in JSON files that GoogleTest wrote."""
    parts = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return {f"{suite['name']}.{test['name']}": float(test["time"].rstrip("s"))
            for part in parts for suite in part["testsuites"] for test in suite["testsuite"]}


class Tests:
    """The tests in phases, because most changes fail one of the first: those of a few milliseconds, those of half a
    second, and the slow ones; of the changed module first."""

    def __init__(self, program, library_folder, quick_only):
        self.program = program
        self.quick_only = quick_only
        listed = BUILD / "tests.json"
        check([str(program.path), "--gtest_list_tests", f"--gtest_filter=-{LEFT_OUT}", f"--gtest_output=json:{listed}"],
              cwd=BUILD, env=self.environment(library_folder))
        tests = [(f"{suite['name']}.{test['name']}", pathlib.Path(test["file"]).parent.name)
                 for suite in json.loads(listed.read_text())["testsuites"] for test in suite["testsuite"]]
        seconds = self.seconds_of_ctest()
        if sum(name in seconds for name, _ in tests) < 0.9 * len(tests):
            seconds = self.seconds_here(library_folder)
        self.all = sorted((seconds.get(name, 0.0), name, module) for name, module in tests)

    @staticmethod
    def seconds_of_ctest():
        """Returns the duration of each test in the last run of ctest."""
        testing = Program.FOLDER / "Testing"
        costs = testing / "Temporary" / "CTestCostData.txt"
        lines = costs.read_text(encoding="utf-8").splitlines() if costs.exists() else []
        if "---" in lines:
            lines = lines[:lines.index("---")]  # the names of tests that failed follow
        # NAME RUNS SECONDS; a name may continue with "# GetParam() = ...".
        seconds = {fields[0]: float(fields[-1]) for line in lines if len(fields := line.split()) >= 3}
        return seconds | seconds_of_parts(testing.glob("part_*.json"))

    def seconds_here(self, library_folder):
        """Runs all tests without a change; returns the duration of each."""
        parts = os.cpu_count()

        def run_part(part):
            times = BUILD / f"times-{part}.json"
            run([str(self.program.path), f"--gtest_filter=-{LEFT_OUT}", f"--gtest_output=json:{times}"],
                cwd=library_folder, env=dict(self.environment(library_folder), GTEST_TOTAL_SHARDS=str(parts),
                                             GTEST_SHARD_INDEX=str(part)))
            return times

        with concurrent.futures.ThreadPoolExecutor(parts) as pool:
            return seconds_of_parts(pool.map(run_part, range(parts)))

    def failing_without_a_change(self, names, library_folder):
        """Returns the tests among `names` that fail with the unchanged library."""
        listed = library_folder / "filter.flags"
        listed.write_text("--gtest_filter=" + ":".join(names) + "\n")
        done = run([str(self.program.path), f"--gtest_flagfile={listed}"], cwd=library_folder,
                   env=self.environment(library_folder))
        return sorted(set(re.findall(r"\[  FAILED  \] ([\w/.]+) \(", done.stdout)))

    @staticmethod
    def environment(library_folder):
        return dict(os.environ, LD_LIBRARY_PATH=str(library_folder), RC_PARAMS="max_success=30")

    def phases(self, module):
        """Returns lists of (seconds, test, its module)."""
        limits = (0.0, 0.02, 0.5) if self.quick_only else (0.0, 0.02, 0.5, float("inf"))
        return [[test for test in self.all if low <= test[0] < high and (test[2] == module) == of_module]
                for low, high in zip(limits, limits[1:]) for of_module in (True, False)]

    def first_failure(self, program, module, library_folder):
        """Returns the first test of a program that fails with the library in a folder, or None."""
        for phase in self.phases(module):
            if not phase:
                continue
            listed = library_folder / "filter.flags"
            listed.write_text("--gtest_filter=" + ":".join(name for _, name, _ in phase) + "\n")
            limit = 10 + 5 * sum(seconds for seconds, *_ in phase)
            try:
                done = run([str(program), f"--gtest_flagfile={listed}", "--gtest_fail_fast"], cwd=library_folder,
                           env=self.environment(library_folder), timeout=limit)
            except subprocess.TimeoutExpired:
                return "(takes too long)"
            if done.returncode != 0:
                failed = re.search(r"\[  FAILED  \] ([\w/.]+)", done.stdout)
                begun = re.findall(r"\[ RUN      \] ([\w/.]+)", done.stdout)
                return failed[1] if failed else (begun[-1] if begun else "the start") + ", which crashes"
        return None


class Worker:
    """A copy of the library's sources with a build of its own, which compiles as few what is not `apart`."""

    def __init__(self, number, apart):
        self.folder = BUILD / f"worker-{number}"
        self.source = self.folder / "source"
        shutil.rmtree(self.source, ignore_errors=True)
        self.source.mkdir(parents=True)
        for name in ("src", "include", "cmake"):
            shutil.copytree(ROOT / name, self.source / name)
        for name in ("CMakeLists.txt", "CMakePresets.json", "LICENSE"):
            shutil.copy2(ROOT / name, self.source)
        self.library = self.folder / "library"
        # The first worker fills the cache, from which the others take their objects.
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(self.folder), CCACHE_NOHASHDIR="1",
                                CCACHE_SLOPPINESS="pch_defines,time_macros")
        cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        check(["cmake", "--preset", "mutants", "-B", str(self.library), *cache, "-DBROADSIDE_UNITY_BUILD=ON",
               f"-DBROADSIDE_APART={';'.join(apart)}"], cwd=self.source, env=self.environment)
        if not self.build():
            sys.exit("mutants: the library does not build")

    def build(self):
        return run(["ninja", "-C", str(self.library), "broadside"], env=self.environment).returncode == 0

    def shared_headers(self):
        """Returns the headers that more than a quarter of the sources include, directly or not."""
        sources = check(["ninja", "-C", str(self.library), "-t", "deps"]).split("\n\n")
        uses = collections.Counter(path for source in sources
                                   for path in set(re.findall(r"^    \S*source/((?:src|include)/\S+\.hpp)$", source, re.MULTILINE)))
        return {path for path, count in uses.items() if count > len(sources) / 4}

    def test(self, mutant, tests):
        """Returns the test that detects a change, "" if the change does not build, None if no test detects it."""
        file = self.source / mutant.path
        text = file.read_text(encoding="utf-8")
        lines = text.split("\n")
        lines[mutant.line] = mutant.after
        file.write_text("\n".join(lines), encoding="utf-8")
        try:
            if not self.build():
                return ""
            program = tests.program.path
            if mutant.path.endswith(".hpp"):
                program = tests.program.with_header(mutant.path, self.source, self.folder)
            return tests.first_failure(program, mutant.module, self.library) if program else ""
        finally:
            file.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=400, help="changes to draw (400)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="changes tried at a time (cores)")
    parser.add_argument("--modules", nargs="+", choices=MODULES, default=MODULES, help="where to change")
    parser.add_argument("--least", type=float, default=0.95, help="share that tests must notice (0.95)")
    parser.add_argument("--known", type=pathlib.Path, metavar="FILE",
                        help="output of an earlier run: what was killed there is not tried again")
    parser.add_argument("--quick", action="store_true",
                        help="run only tests of less than half a second: of 100 changes about one more survives")
    parser.add_argument("--skip-shared-headers", action="store_true",
                        help="change no header that more than a quarter of the sources include: that compiles for a minute")
    parser.add_argument("--list", action="store_true", help="print the drawn changes and stop")
    parser.add_argument("--build-only", action="store_true",
                        help="build the library and the tests, so that the next run finds them in the compiler cache, and stop")
    options = parser.parse_args()
    drawn = draw(options.seed, options.modules, read_equivalent())
    known = verdicts_in(options.known.read_text(encoding="utf-8")) if options.known else {}
    if options.list:
        print("\n".join(str(mutant) for mutant in drawn[:options.count]))
        return 0
    started = time.monotonic()
    workers = queue.SimpleQueue()
    # Some more, as headers may be left out below.
    apart = sorted({mutant.path for mutant in drawn[:2 * options.count] if mutant.path.endswith(".cpp")})
    for number in range(options.jobs):
        worker = Worker(number, apart)
        workers.put(worker)
    tests = Tests(Program(worker.library / "libbroadside.so", os.cpu_count()), worker.library, options.quick)
    print(f"mutants: {len(tests.all)} tests; ready after {time.monotonic() - started:.0f} s", flush=True)
    if options.build_only:
        return 0
    left_out = worker.shared_headers() if options.skip_shared_headers else set()
    drawn = [mutant for mutant in drawn if mutant.path not in left_out][:options.count]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def try_one(mutant):
            if mutant.key() in known:
                return known[mutant.key()], 0
            worker = workers.get()
            begin = time.monotonic()
            try:
                return worker.test(mutant, tests), time.monotonic() - begin
            finally:
                workers.put(worker)

        results = []
        for number, (mutant, (result, seconds)) in enumerate(zip(drawn, pool.map(try_one, drawn)), 1):
            results.append((mutant, result))
            said = "SURVIVED" if result is None else "does not build" if result == "" else f"killed by {result}"
            print(f"[{number}/{len(drawn)}, {seconds:.0f} s] {mutant}\n    {said}", flush=True)
    # A test that fails without a change as well does not detect anything.
    worker = workers.get()
    killers = {result for mutant, result in results if result and mutant.key() not in known and " " not in result}
    if not worker.build():
        sys.exit("mutants: the library does not build any more")
    if failing := tests.failing_without_a_change(killers, worker.library) if killers else []:
        sys.exit(f"mutants: these tests fail without a change: {' '.join(failing)}")
    built = [(mutant, result) for mutant, result in results if result != ""]
    survivors = [mutant for mutant, result in built if result is None]
    for module in MODULES:
        of_module = [result for mutant, result in built if mutant.module == module]
        if of_module:
            print(f"{module}: {sum(result is not None for result in of_module)} of {len(of_module)} killed")
    share = 1 - len(survivors) / max(1, len(built))
    for mutant in survivors:
        print(f"survivor: {mutant}")
    print(f"mutants: {len(built) - len(survivors)} of {len(built)} killed, {100 * share:.1f} %, "
          f"{len(results) - len(built)} did not build, {time.monotonic() - started:.0f} s")
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
