"""Runs scripts/setup.sh with package tools that only record what they are called with.

Usage: setup_test.py SOURCE_FOLDER [TestClass ...]
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
TARGETS = ("demo", "test", "bench", "view", "web", "fuzz", "builds", "check", "coverage", "instructions", "mutants", "tidy", "aarch64",
           "ci")
# The files of FAKES say which packages and architectures there are, and who calls; `log` is written.
TOOLS = {
    "dpkg-query": """name=${!#}
grep -qxF -- "$name" "$FAKES/installed" || exit 1
architecture=${name#*:}
[ "$architecture" != "$name" ] || architecture=amd64
echo "installed $architecture"
""",
    "dpkg": """case $1 in
  --print-architecture) echo amd64 ;;
  --print-foreign-architectures) cat "$FAKES/foreign" ;;
  *) echo "dpkg $*" >>"$FAKES/log" ;;
esac
""",
    "apt-get": 'echo "apt-get $*" >>"$FAKES/log"\n',
    "id": 'cat "$FAKES/user"\n',
    "sudo": 'echo sudo >>"$FAKES/log"\nexec "$@"\n',
    "node": "echo 99\n",
    "npm": "exit 0\n",
}


class Setup(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(20261209)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.fakes = pathlib.Path(folder.name)
        for name, text in TOOLS.items():
            tool = self.fakes / name
            tool.write_text("#!/bin/bash\n" + text, encoding="utf-8")
            tool.chmod(0o755)

    def set_up(self, targets, installed=(), foreign=(), user=0):
        """Runs the script; returns what it prints, and the lines that the tools wrote."""
        for name, lines in (("installed", installed), ("foreign", foreign), ("user", [user]), ("log", [])):
            (self.fakes / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        environment = {**os.environ, "FAKES": str(self.fakes), "PATH": f"{self.fakes}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", str(SOURCE / "scripts/setup.sh"), *targets], env=environment, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, (self.fakes / "log").read_text(encoding="utf-8").splitlines()

    def packages_of(self, targets):
        """Returns all packages of some targets, in the order in which they are installed."""
        said, _ = self.set_up(targets)
        self.assertTrue(said.startswith("setup: installing "), said)
        return said.removeprefix("setup: installing ").split()

    def test_installs_exactly_the_missing_packages_and_prints_their_names(self):
        for _ in range(4):
            targets = self.random.sample(TARGETS[:-1], self.random.randrange(1, 3))
            packages = self.packages_of(targets)
            self.assertGreater(len(packages), 2, targets)
            self.assertEqual(len(packages), len(set(packages)), targets)
            share = self.random.choice((0.1, 0.5, 0.9))
            installed = [package for package in packages if self.random.random() < share]
            missing = [package for package in packages if package not in installed]
            said, log = self.set_up(targets, installed)
            expected = []
            if any(package.endswith(":arm64") for package in missing):
                expected.append("dpkg --add-architecture arm64")
            if missing:
                expected += ["apt-get update -qq", f"apt-get install -y -qq --no-install-recommends {' '.join(missing)}"]
            self.assertEqual(log, expected, targets)
            self.assertEqual(said, f"setup: installing {' '.join(missing)}\n" if missing else "", targets)

    def test_calls_no_tool_where_nothing_is_missing(self):
        for target in self.random.sample(TARGETS, 2):
            said, log = self.set_up([target], self.packages_of([target]), ["arm64"], 1000)
            self.assertEqual((said, log), ("", []), target)

    def test_asks_sudo_of_users_that_are_not_root(self):
        target = self.random.choice(TARGETS)
        _, as_root = self.set_up([target])
        _, as_user = self.set_up([target], user=1000)
        self.assertEqual([line for line in as_user if line != "sudo"], as_root, target)
        self.assertEqual(as_user.count("sudo"), len(as_root), target)

    def test_the_three_commands_of_the_readme_call_it(self):
        makefile = (SOURCE / "Makefile").read_text(encoding="utf-8")

        def recipe_of(target):
            """Returns the lines of a target, after those of the targets that it depends on."""
            rule = re.search(rf"(?m)^{target}:(.*)\n((?:\t.*\n)*)", makefile)
            return "".join(map(recipe_of, rule[1].split())) + rule[2]

        for target in ("demo", "test", "web"):
            self.assertRegex(recipe_of(target), rf"bash scripts/setup\.sh ([a-z]+ )*{target}\b")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
