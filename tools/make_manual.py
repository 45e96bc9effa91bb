#!/usr/bin/env python3
"""Makes the manual page and the completion for bash of the command line from what its --help prints.

Usage: make_manual.py PROGRAM --man broadside.1 --bash broadside [--without COMMAND]
"""

import argparse
import pathlib
import re
import subprocess
import sys

HEADINGS = {"Options:": "options", "Positionals:": "positionals", "Subcommands:": "subcommands"}
COLUMN = 30  # where CLI11 begins the text of an entry


class Help:
    """What one --help says: the summary, entries (name, text) by heading, and the closing lines."""

    def __init__(self, text):
        lines = text.rstrip().split("\n")
        self.summary = lines[0]
        self.usage = lines[1].removeprefix("Usage: ")
        self.entries = {name: [] for name in HEADINGS.values()}
        self.closing = []
        heading = None
        for line in lines[2:]:
            if line in HEADINGS:
                heading = HEADINGS[line]
            elif not line:
                continue
            elif not line.startswith("  "):
                heading = None
                self.closing.append(line)
            elif heading is not None and line.startswith(" " * 20):
                name, words = self.entries[heading][-1]
                self.entries[heading][-1] = (name, f"{words} {line.strip()}".strip())
            elif heading is not None:
                fits = line[COLUMN - 1 : COLUMN] == " "  # else the text begins on the next line
                self.entries[heading].append((line[:COLUMN].strip(), line[COLUMN:].strip()) if fits else (line.strip(), ""))

    def flags(self):
        """Returns all options, such as --steps."""
        return [flag for name, _ in self.entries["options"] for flag in re.findall(r"--?[a-z][a-z-]*", name.split(" ")[0])]


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"make_manual: {program} {' '.join(command)} --help failed: {done.stderr}")
    return Help(done.stdout)


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def manual(version, main, commands):
    lines = [f'.TH BROADSIDE 1 "" "{version}" "User Commands"', ".SH NAME", f"broadside \\- {roff(main.summary[0].lower() + main.summary[1:].rstrip('.'))}",
             ".SH SYNOPSIS", f".B {roff(main.usage)}"]
    lines += [".SH COMMANDS"]
    for name, words in main.entries["subcommands"]:
        lines += [".TP", f".B {roff(name)}", roff(words)]
    lines += [".SH OPTIONS"]
    for name, words in main.entries["options"]:
        lines += [".TP", f".B {roff(name)}", roff(words)]
    for name, text in commands.items():
        lines += [f".SH BROADSIDE {name.upper()}", f".B {roff(text.usage)}", ".PP", roff(text.summary)]
        for heading in ("positionals", "options"):
            for entry, words in text.entries[heading]:
                lines += [".TP", f".B {roff(entry)}", roff(words)]
        for line in text.closing:
            lines += [".PP", roff(line)]
    lines += [".SH NOTES"]
    for line in main.closing:
        lines += [".PP", roff(line)]
    return "\n".join(lines) + "\n"


def completion(main, commands):
    cases = "\n".join(f"    {name}) options=\"{' '.join(text.flags())}\" ;;" for name, text in commands.items())
    top = " ".join([name for name, _ in main.entries["subcommands"]] + main.flags())
    return f"""# Completion for bash, made by tools/make_manual.py
_broadside() {{
  local command= options
  [[ $COMP_CWORD -eq 1 ]] || command=${{COMP_WORDS[1]}}
  case $command in
{cases}
    *) options="{top}" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$options" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
complete -o default -F _broadside broadside
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="the built command line")
    parser.add_argument("--man", type=pathlib.Path, required=True, help="where the manual page goes")
    parser.add_argument("--bash", type=pathlib.Path, required=True, help="where the completion goes")
    parser.add_argument("--without", help="a command that is not built, so that it has no --help")
    options = parser.parse_args()
    top = help_of(options.program)
    commands = {name: help_of(options.program, name) for name, _ in top.entries["subcommands"] if name != options.without}
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    options.man.write_text(manual(version, top, commands), encoding="utf-8")
    options.bash.write_text(completion(top, commands), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
