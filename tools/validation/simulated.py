"""Runs a question's program in loopsim, on the machine that tools/calibrate has described."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .question import Case, Question
from .real import Failure


def machine_of(question: Question, case: Case, calibrated: dict[str, Any]) -> dict[str, Any]:
    """The calibrated machine, with the cores, the load and the quota of the case."""
    machine = {**calibrated, "cores": case.cores}
    machine.pop("load", None)
    if case.load > 0:
        idle = question.busy * (1 - case.load) / case.load
        machine["load"] = {"busy": {"exponential": f"{question.busy:g}ms"}, "idle": {"exponential": f"{idle * 1e6:.0f}ns"},
                           "threads": question.burners * case.cores, "pinned": True}
    if case.quota is not None:
        machine["quota"] = {"quota": f"{case.quota * 100:g}ms", "period": "100ms"}
    return machine


class Simulator:
    def __init__(self, program: Path, calibrated: dict[str, Any], folder: Path, jobs: int) -> None:
        self.program, self.calibrated, self.folder, self.jobs = program, calibrated, folder, jobs

    def run(self, question: Question, case: Case, seeds: range) -> list[list[dict[str, float]]]:
        """The observations of each seed's run."""
        runtime: dict[str, Any] = {"profile": f"node-{case.major}"}
        if case.threads is not None:
            runtime["threadpool"] = case.threads
        document = {"title": question.title, "runtime": runtime, "script": question.program.name,
                    "machine": machine_of(question, case, self.calibrated), "limits": {"callbacks": 10_000_000, "steps": 1_000_000_000}}
        if question.takes:
            document["takes"] = question.takes
        scenario = self.folder / "scenario.json"
        scenario.write_text(json.dumps(document))
        (self.folder / question.program.name).write_text(question.program.read_text())
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(lambda seed: self.run_one(scenario, seed), seeds))

    def run_one(self, scenario: Path, seed: int) -> list[dict[str, float]]:
        words = [str(self.program), "run", str(scenario), "--format", "console", "--quiet", "--seed", str(seed)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"loopsim run ended with {done.returncode}:\n{done.stderr.strip()}")
        lines = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
        return [{name: float(value) for name, value in one.items()} for one in lines]
