#!/usr/bin/env python3
"""Draws the results of broadside-bench as an SVG chart: one row per workload, times as multiples of the limit."""

import argparse
import json
import math
import os
import pathlib
import sys
from xml.sax.saxutils import escape

WIDTH, MARGIN, ROW = 900, 24, 26
CHARACTER = 7.1  # typical width of a character at 13 px
INK, SOFT, RULE, PAPER, OURS = "#1f2328", "#59636e", "#d8dee4", "#ffffff", "#0b57a4"
FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"
# Distinguished mainly by shape; the colors are those of Okabe and Ito, darkened where they were faint on white.
PEER_MARKS = [("up", "#b36b00"), ("down", "#b36b00"), ("square", "#007a5a"), ("diamond", "#a8487d"), ("cross", "#2b7fb0"),
              ("ring", "#444444"), ("plus", "#c04a00"), ("bar", "#6b5900")]


class WrongFile(Exception):
    """An error in the figures, described in a sentence."""


def field(where, record, key, kind):
    """Returns record[key], which must be a `kind`: str, bool, list, or float for a number above 0."""
    if not isinstance(record, dict) or key not in record:
        raise WrongFile(f"{where}: \"{key}\" is missing")
    value = record[key]
    if kind is float:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value <= 0:
            raise WrongFile(f"{where}.{key}: a number above 0 is expected, not {json.dumps(value)[:40]}")
    elif not isinstance(value, kind):
        names = {str: "a text", bool: "true or false", list: "a list"}
        raise WrongFile(f"{where}.{key}: {names[kind]} is expected, not {json.dumps(value)[:40]}")
    return value


def read_figures(path):
    """Returns (machine, rows); a row has a name, our default's time as a multiple of the limit, and the exact peers."""
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise WrongFile(f"not JSON: {error}") from error
    machine, rows = field("the file", figures, "machine", str), []
    for i, workload in enumerate(field("the file", figures, "workloads", list)):
        where = f"workloads[{i}]"
        row = {"name": field(where, workload, "name", str), "ours": None, "peers": {}, "inexact": []}
        limit = field(where, workload, "limit_ms", float)
        for j, contender in enumerate(field(where, workload, "contenders", list)):
            there = f"{where}.contenders[{j}]"
            name = field(there, contender, "name", str)
            times = field(there, contender, "mean_ms", float) / limit
            ours, default = field(there, contender, "ours", bool), field(there, contender, "default", bool)
            if not (default or not ours):
                continue
            if not field(there, contender, "exact", bool):
                row["inexact"].append(name)
            elif default:
                row["ours"], row["our_name"] = times, name
            else:
                row["peers"][name] = times
        if row["ours"] is None and not row["peers"]:
            raise WrongFile(f"{where}: nobody to draw, neither our default nor a peer")
        rows.append(row)
    if not rows:
        raise WrongFile("there are no workloads in it")
    return machine, rows


def short(number):
    """Returns a number with at most 3 significant figures, without an exponent."""
    digits = max(0, 1 - math.floor(math.log10(number))) if number < 10 else 0
    return f"{number:,.{min(digits, 3)}f}"


def steps(low, high):
    """Returns the steps 1, 2, 5, 10, ... from the last one below `low` to the first one above `high`."""
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    ladder = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    first = max(step for step in ladder if step <= low)
    last = min(step for step in ladder if step >= high)
    return [step for step in ladder if first <= step <= last]


def labelled(scale, place):
    """Returns the steps whose labels fit, powers of ten first."""
    kept = []
    for step in sorted(scale, key=lambda step: (not math.log10(step).is_integer(), step)):
        half = (len(f"{step:g}x") + 1) * CHARACTER * 0.45
        if all(abs(place(step) - place(other)) > half + other_half for other, other_half in kept):
            kept.append((step, half))
    return {step for step, _ in kept}


def mark(shape, x, y, color, size=4.6):
    """Returns a mark with its center at x, y."""
    s = size
    line = f"fill='none' stroke='{color}' stroke-width='2'"
    solid = f"fill='{color}' stroke='{PAPER}' stroke-width='0.8'"
    paths = {
        "up": (f"M{x:.1f} {y - s:.1f}l{s:.1f} {1.8 * s:.1f}h{-2 * s:.1f}z", solid),
        "down": (f"M{x:.1f} {y + s:.1f}l{s:.1f} {-1.8 * s:.1f}h{-2 * s:.1f}z", solid),
        "square": (f"M{x - 0.8 * s:.1f} {y - 0.8 * s:.1f}h{1.6 * s:.1f}v{1.6 * s:.1f}h{-1.6 * s:.1f}z", solid),
        "diamond": (f"M{x:.1f} {y - 1.15 * s:.1f}l{1.15 * s:.1f} {1.15 * s:.1f}l{-1.15 * s:.1f} {1.15 * s:.1f}"
                    f"l{-1.15 * s:.1f} {-1.15 * s:.1f}z", solid),
        "cross": (f"M{x - 0.8 * s:.1f} {y - 0.8 * s:.1f}l{1.6 * s:.1f} {1.6 * s:.1f}m0 {-1.6 * s:.1f}"
                  f"l{-1.6 * s:.1f} {1.6 * s:.1f}", line),
        "plus": (f"M{x - s:.1f} {y:.1f}h{2 * s:.1f}M{x:.1f} {y - s:.1f}v{2 * s:.1f}", line),
        "bar": (f"M{x:.1f} {y - 1.3 * s:.1f}v{2.6 * s:.1f}", line),
    }
    if shape == "ring":
        return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{0.8 * s:.1f}' {line}/>"
    if shape == "ours":
        return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='7' fill='{color}' stroke='{PAPER}' stroke-width='1.5'/>"
    path, paint = paths[shape]
    return f"<path d='{path}' {paint}/>"


def text(x, y, what, *, size=13, color=INK, anchor="start", bold=False):
    weight = " font-weight='700'" if bold else ""
    return f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{color}' text-anchor='{anchor}'{weight}>{escape(what)}</text>"


def verdict(row):
    """Returns a comparison with the best peer in words, and whether it is good."""
    if row["ours"] is None:
        return "not exact", False
    if not row["peers"]:
        return "no peer", True
    ahead = min(row["peers"].values()) / row["ours"]
    return (f"{short(ahead)}x ahead", True) if ahead >= 1 else (f"{short(1 / ahead)}x behind", False)


def wrapped(words, width):
    """Returns the text wrapped to lines of about `width` pixels."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) + 1 > width / (CHARACTER * 0.9):
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def legend(peers, our_name, y):
    """Returns the marks with their names, and the y coordinate of the last line."""
    parts, x = [], float(MARGIN)
    for name, (shape, color) in [(our_name, ("ours", OURS)), *peers.items()]:
        wide = 30 + len(name) * CHARACTER
        if x + wide > WIDTH - MARGIN and x > MARGIN:
            x, y = float(MARGIN), y + 22
        parts.append(mark(shape, x + 7, y - 4.5, color))
        parts.append(text(x + 19, y, name, bold=shape == "ours"))
        x += wide + 8
    return parts, y


def draw(machine, rows):
    """Returns the chart."""
    our_name = next((row["our_name"] for row in rows if row["ours"] is not None), "broadside")
    names = list(dict.fromkeys(name for row in rows for name in row["peers"]))
    peers = {name: PEER_MARKS[i % len(PEER_MARKS)] for i, name in enumerate(names)}
    all_times = [times for row in rows for times in [row["ours"], *row["peers"].values()] if times is not None]
    scale = steps(min([1.0, *all_times]), max([2.0, *all_times]))
    left = MARGIN + min(max(len(row["name"]) for row in rows), 24) * CHARACTER + 16
    right = WIDTH - MARGIN - 112

    def place(times):
        share = math.log(times / scale[0]) / math.log(scale[-1] / scale[0])
        return left + share * (right - left)

    parts = [text(MARGIN, 36, "Time for one frame: new boxes in, all exact pairs out", size=17, bold=True)]
    marks, y = legend(peers, our_name, 64)
    parts += marks
    top = y + 46
    bottom = top + ROW * len(rows)
    parts.append(text((left + right) / 2, top - 24, "times the limit, lower is better", color=SOFT, size=12, anchor="middle"))
    parts.append(text(WIDTH - MARGIN, top - 24, "our default against", color=SOFT, size=12, anchor="end"))
    parts.append(text(WIDTH - MARGIN, top - 8, "the best peer", color=SOFT, size=12, anchor="end"))
    labels = labelled(scale, place)
    for step in scale:
        x, limit = place(step), step == 1.0
        paint = f"stroke='{INK}' stroke-width='1.5'" if limit else f"stroke='{RULE}'"
        parts.append(f"<path d='M{x:.1f} {top}V{bottom}' {paint}/>")
        for at in (top - 8, bottom + 16) if step in labels else ():
            parts.append(text(x, at, f"{step:g}x", size=12, color=INK if limit else SOFT, anchor="middle", bold=limit))
    for i, row in enumerate(rows):
        middle = top + ROW * (i + 0.5)
        name = row["name"] if len(row["name"]) <= 24 else row["name"][:23] + "…"
        parts.append(f"<g><title>{escape(tooltip(row))}</title>")
        if i % 2 == 0:
            parts.append(f"<rect x='{MARGIN - 8}' y='{middle - ROW / 2}' width='{WIDTH - 2 * MARGIN + 16}' height='{ROW}' "
                         "fill='#0b57a4' fill-opacity='0.045'/>")
        parts.append(text(MARGIN, middle + 4.5, name))
        if row["ours"] is not None and row["peers"]:
            here, best = place(row["ours"]), place(min(row["peers"].values()))
            paint = f"stroke='{OURS}' stroke-width='3' stroke-opacity='0.35'"
            parts.append(f"<path d='M{here:.1f} {middle}H{best:.1f}' {paint}/>")
        for peer, times in row["peers"].items():
            shape, color = peers[peer]
            parts.append(mark(shape, place(times), middle, color))
        if row["ours"] is not None:
            parts.append(mark("ours", place(row["ours"]), middle, OURS))
        words, good = verdict(row)
        parts.append(text(WIDTH - MARGIN, middle + 4.5, words, anchor="end", bold=True, color=OURS if good else "#9a3412"))
        parts.append("</g>")

    caption = (f"Mean over all timed frames, on one core of {machine}, each scene in one run; lower is better. The limit, 1x: all boxes read once, all pairs "
               "written once, one radix sort of 32-bit keys.")
    inexact = sorted({f"{name} on {row['name']}" for row in rows for name in row["inexact"]})
    if inexact:
        caption += f" Not drawn, because of wrong pairs: {', '.join(inexact)}."
    y = bottom + 42
    for line in wrapped(caption, WIDTH - 2 * MARGIN):
        parts.append(text(MARGIN, y, line, size=12, color=SOFT))
        y += 17
    height = y + 4
    head = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:.0f}' width='{WIDTH}' height='{height:.0f}' "
            f"role='img' {FONT}>",
            "<title>broadside against its peers, in multiples of the limit</title>",
            f"<desc>{escape('; '.join(row['name'] + ': ' + verdict(row)[0] for row in rows))}</desc>",
            f"<rect x='0.5' y='0.5' width='{WIDTH - 1}' height='{height - 1:.0f}' rx='8' fill='{PAPER}' stroke='{RULE}'/>"]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def tooltip(row):
    """Returns the times of all contenders in this row, the fastest first."""
    all_times = {**row["peers"], **({} if row["ours"] is None else {row["our_name"]: row["ours"]})}
    lines = [f"{name}: {short(times)}x the limit" for name, times in sorted(all_times.items(), key=lambda item: item[1])]
    return "\n".join([row["name"], *lines])


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog="Example: draw_bench_chart.py out/bench.json out/bench.svg")
    parser.add_argument("figures", metavar="IN.json", type=pathlib.Path, help="what broadside-bench --json wrote")
    parser.add_argument("chart", metavar="OUT.svg", type=pathlib.Path, help="the chart to write")
    options = parser.parse_args()
    try:
        chart = draw(*read_figures(options.figures))
        unfinished = options.chart.with_name(f"{options.chart.name}.tmp-{os.getpid()}")
        try:
            unfinished.write_text(chart, encoding="utf-8")
            unfinished.replace(options.chart)
        finally:
            unfinished.unlink(missing_ok=True)
    except WrongFile as error:
        sys.exit(f"draw_bench_chart.py: {options.figures}: {error}")
    except OSError as error:
        named = options.figures if error.filename == str(options.figures) else options.chart
        sys.exit(f"draw_bench_chart.py: {named}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
