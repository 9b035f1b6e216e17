"""Writes the page: every prediction beside what happened, as Markdown, the quantile-quantile plots, and the answers as plots."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from .compare import Comparison, quantile
from .question import Case, Question

POINTS = 99  # quantiles in a plot: 1 % to 99 %
USUAL = {"%": "share", "ms": "median"}  # by the unit: what is plotted of a quantity
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")  # Okabe and Ito's, which everybody can tell apart
Results = list[tuple[Case, list[Comparison]]]


def number(value: float, kind: str) -> str:
    if kind in ("share", "utilisation"):
        return f"{100 * value:.1f} %"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.1f}"


def counts(results: Results) -> tuple[int, int]:
    """Hits, and all predictions."""
    figures = [figure for _, comparisons in results for one in comparisons for figure in one.figures]
    return sum(figure.is_hit for figure in figures), len(figures)


def section(question: Question, results: Results, plots: dict[str, str]) -> str:
    hits, all_of_them = counts(results)
    lines = [f"## {question.title}", "", f"`{question.program.name}` · {hits} of {all_of_them} predictions hit", ""]
    if question.name in plots:
        lines += [f"![Real Node and the simulation]({plots[question.name]})", ""]
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
    if f"{question.name}-quantiles" in plots:
        lines += [f"![Quantiles of the simulation against those of real Node]({plots[f'{question.name}-quantiles']})", ""]
    return "\n".join(lines)


def draw_quantiles(question: Question, results: Results, path: Path) -> bool:
    """Draws quantiles of real Node against those of the simulation, one curve for each case. False: gnuplot is not there."""
    if shutil.which("gnuplot") is None:
        return False
    curves = [(name, [(case.name, one) for case, found in results for one in found if one.quantity == name])
              for name, quantity in question.quantities.items() if quantity["kind"] in ("lateness", "time")]
    curves = [(name, rows) for name, rows in curves if rows]
    if not curves:
        return False
    script = [*beginning(len(curves), path), "set key left top", "set size ratio 1"]
    for name, rows in curves:
        blocks, plots = [], []
        for index, (label, one) in enumerate(rows):
            blocks.append(f"$d{index} << EOD\n" + "\n".join(f"{quantile(one.real, q / 100)} {quantile(one.simulated, q / 100)}"
                                                             for q in range(1, POINTS + 1)) + "\nEOD")
            plots.append(f"$d{index} using 1:2 with linespoints pt 7 ps 0.35 title '{label}'")
        script += [*blocks, f"set title '{name}'", "set xlabel 'real (ms)'", "set ylabel 'loopsim (ms)'",
                   "plot x with lines dt 2 lc rgb '#888888' notitle, " + ", ".join(plots)]
    gnuplot(script)
    return True


def draw_answer(question: Question, results: Results, path: Path) -> bool:
    """Draws what the question asks for, against the load, or from case to case if there is one load: real Node as points, with the range
    of its repetitions, and the simulation as a line. False: gnuplot is not there."""
    if shutil.which("gnuplot") is None or not results:
        return False
    by_load = len({case.load for case, _ in results}) > 1
    script = [*beginning(len(question.plotted), path), "set key outside bottom center horizontal", "set yrange [0:*]"]
    if by_load:
        script.append(f"set xrange [-0.03:{max(case.load for case, _ in results) + 0.03}]")
    else:
        script.append("set offsets 0.3, 0.3, 0, 0; set xtics rotate by -20")
    for plotted in question.plotted:
        name, _, what = plotted.partition(".")
        curves: dict[str, list[tuple[Case, Comparison]]] = {}
        for case, found in results:
            variant = case.name.rpartition("load ")[0].rstrip(", ") if by_load else ""
            curves.setdefault(variant, []).extend((case, one) for one in found if one.quantity == name)
        unit, scale = ("%", 100) if question.quantities[name]["kind"] in ("share", "utilisation") else ("ms", 1)
        blocks, plots = [], []
        for index, (variant, rows) in enumerate(curves.items()):
            lines = []
            for place, (case, one) in enumerate(rows):
                figure = next((figure for figure in one.figures if figure.what == what), one.figures[0])
                x = f"{case.load:g}" if by_load else str(place)
                low, high = (scale * value for value in figure.range)
                lines.append(f"{x} {scale * figure.real} {low} {high} {scale * figure.simulated} \"{case.name.rpartition(', load')[0]}\"")
            blocks.append(f"$a{index} << EOD\n" + "\n".join(lines) + "\nEOD")
            color = f"lc rgb '{COLORS[index % len(COLORS)]}'"
            columns = "1:5" if by_load else "1:5:xtic(6)"
            title = f"{variant}: " if variant else ""
            plots += [f"$a{index} using {columns} with linespoints pt 6 ps 0.6 {color} title '{title}loopsim'",
                      f"$a{index} using 1:2:3:4 with yerrorbars pt 7 ps 0.8 {color} title '{title}real Node'"]
        script += [*blocks, f"set title '{question.quantities[name]['text']}'", f"set ylabel '{what or USUAL[unit]} ({unit})'",
                   "set xlabel 'load'" if by_load else "set xlabel ''", "plot " + ", ".join(plots)]
    gnuplot(script)
    return True


def beginning(panels: int, path: Path) -> list[str]:
    return [f"set terminal svg size {520 * panels},460 font 'sans-serif,12' background '#ffffff'", f"set output '{path}'",
            f"set multiplot layout 1,{panels}", "set grid lc rgb '#dddddd'"]


def gnuplot(script: list[str]) -> None:
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True, capture_output=True)


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
    lines += [section(question, results, plots) for question, results in parts]
    return "\n".join(lines).rstrip() + "\n"
