"""Writes the page: every prediction beside what happened, as Markdown, and the quantile-quantile plots."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from .compare import Comparison, quantile
from .question import Case, Question

POINTS = 99  # quantiles in a plot: 1 % to 99 %
Results = list[tuple[Case, list[Comparison]]]


def number(value: float, kind: str) -> str:
    if kind in ("share", "utilisation"):
        return f"{100 * value:.1f} %"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.1f}"


def counts(results: Results) -> tuple[int, int]:
    """Hits, and all predictions."""
    figures = [figure for _, comparisons in results for one in comparisons for figure in one.figures]
    return sum(figure.is_hit for figure in figures), len(figures)


def section(question: Question, results: Results, plot: str | None) -> str:
    hits, all_of_them = counts(results)
    lines = [f"## {question.title}", "", f"`{question.program.name}` · {hits} of {all_of_them} predictions hit", ""]
    for name, quantity in question.quantities.items():
        unit = "" if quantity["kind"] in ("share", "utilisation") else " (ms)"
        lines += [f"**{name}**: {quantity['text']}{unit}", ""]
        rows = [(case, one) for case, comparisons in results for one in comparisons if one.quantity == name]
        kinds = [figure.what for figure in rows[0][1].figures]
        lines.append("| | " + " | ".join(f"{what}: real | loopsim | |" for what in kinds) + " KS distance, and between repetitions |")
        lines.append("|---|" + "---|---|---|" * len(kinds) + "---|")
        for case, one in rows:
            cells = [case.name]
            for figure in one.figures:
                half = number(figure.spread / 2, one.kind)
                cells += [f"{number(figure.real, one.kind)} ± {half}", number(figure.simulated, one.kind),
                          "hit" if figure.is_hit else "**miss**"]
            lines.append("| " + " | ".join(cells) + f" | {one.distance:.2f}, {one.own_distance:.2f} |")
        lines.append("")
    if plot is not None:
        lines += [f"![Quantiles of the simulation against those of real Node]({plot})", ""]
    return "\n".join(lines)


def draw(question: Question, results: Results, path: Path) -> bool:
    """Draws quantiles of real Node against those of the simulation, one curve for each case. False: gnuplot is not there."""
    if shutil.which("gnuplot") is None:
        return False
    curves = [(name, [(case.name, one) for case, found in results for one in found if one.quantity == name])
              for name, quantity in question.quantities.items() if quantity["kind"] in ("lateness", "time")]
    curves = [(name, rows) for name, rows in curves if rows]
    if not curves:
        return False
    script = [f"set terminal svg size {520 * len(curves)},460 font 'sans-serif,12' background '#ffffff'", f"set output '{path}'",
              f"set multiplot layout 1,{len(curves)}", "set key left top", "set grid lc rgb '#dddddd'", "set size ratio 1"]
    for name, rows in curves:
        blocks, plots = [], []
        for index, (label, one) in enumerate(rows):
            blocks.append(f"$d{index} << EOD\n" + "\n".join(f"{quantile(one.real, q / 100)} {quantile(one.simulated, q / 100)}"
                                                             for q in range(1, POINTS + 1)) + "\nEOD")
            plots.append(f"$d{index} using 1:2 with linespoints pt 7 ps 0.35 title '{label}'")
        script += [*blocks, f"set title '{name}'", "set xlabel 'real (ms)'", "set ylabel 'loopsim (ms)'",
                   "plot x with lines dt 2 lc rgb '#888888' notitle, " + ", ".join(plots)]
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True, capture_output=True)
    return True


def page(about: dict[str, Any], parts: list[tuple[Question, Results]], plots: dict[str, str]) -> str:
    hits = [counts(results) for _, results in parts]
    lines = ["# Predicted and measured", "",
             "Each question's program ran on real Node, beside a real load, and in loopsim on the machine that tools/calibrate had "
             "described. A prediction is a hit if a median is within 10 % or 0.2 ms, a 99th percentile within 25 % or 1 ms, a share within "
             "5 points, a utilisation within 3 points, or within what repetitions of the real run differ by, where that is more.", "",
             "| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in about.items()),
             f"| predictions hit | **{sum(hit for hit, _ in hits)} of {sum(count for _, count in hits)}** |", "",
             "| question | hit |", "|---|---|",
             *(f"| {question.title} | {hit} of {count} |" for (question, _), (hit, count) in zip(parts, hits)), ""]
    lines += [section(question, results, plots.get(question.name)) for question, results in parts]
    return "\n".join(lines).rstrip() + "\n"
