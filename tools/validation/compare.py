"""Compares what happened with what was predicted: quantiles, shares, the Kolmogorov-Smirnov distance, and whether it is a hit."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from .question import TOLERANCES

Observations = list[dict[str, float]]
SHOWN = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)


def quantile(values: list[float], q: float) -> float:
    """Of sorted values, interpolated between neighbours."""
    place = q * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def distance(one: list[float], other: list[float]) -> float:
    """The largest difference of the two empirical distribution functions (Kolmogorov-Smirnov). Both sorted."""
    return max(abs(bisect_right(one, at) / len(one) - bisect_right(other, at) / len(other)) for at in (*one, *other))


@dataclass
class Figure:
    """One prediction: a statistic, what it was in reality, how it differed between repetitions, and what loopsim says."""

    what: str  # median, p99, mean
    real: float
    range: tuple[float, float]  # of the repetitions
    simulated: float
    allowed: float

    @property
    def spread(self) -> float:
        return self.range[1] - self.range[0]

    @property
    def error(self) -> float:
        return self.simulated - self.real

    @property
    def is_hit(self) -> bool:
        return abs(self.error) <= self.allowed


@dataclass
class Comparison:
    quantity: str
    kind: str
    real: list[float]  # sorted, of all repetitions
    simulated: list[float]
    figures: list[Figure]
    distance: float
    own_distance: float  # the largest between a repetition and the others: what chance and the machine's noise do

    @property
    def quantiles(self) -> list[tuple[float, float, float]]:
        return [(q, quantile(self.real, q), quantile(self.simulated, q)) for q in SHOWN]


def values_of(observations: Observations, quantity: str) -> list[float]:
    return sorted(one[quantity] for one in observations if quantity in one)


def compare(quantity: str, kind: str, real: list[Observations], simulated: list[Observations]) -> Comparison:
    """`real` and `simulated`: the observations of each repetition."""
    repeats = [values for one in real if (values := values_of(one, quantity))]
    pooled = sorted(value for one in repeats for value in one)
    predicted = sorted(value for one in simulated for value in values_of(one, quantity))

    def figure(what: str, statistic, relative: float, absolute: float) -> Figure:
        each = [statistic(one) for one in repeats]
        at = statistic(pooled)
        spread = max(each) - min(each)
        return Figure(what, at, (min(each), max(each)), statistic(predicted), max(relative * abs(at), absolute, spread))

    tolerance = TOLERANCES[kind]
    if kind in ("share", "utilisation"):
        figures = [figure("mean", mean, 0, tolerance[0])]
    else:
        figures = [figure("median", lambda one: quantile(one, 0.5), *tolerance[0]),
                   figure("p99", lambda one: quantile(one, 0.99), *tolerance[1])]
    own = 0.0
    for index, one in enumerate(repeats):
        others = sorted(value for other, values in enumerate(repeats) if other != index for value in values)
        if others:
            own = max(own, distance(one, others))
    return Comparison(quantity, kind, pooled, predicted, figures, distance(pooled, predicted), own)
