"""Shared by all generators of programs: chances, choices, new names. The same seed gives the same draws."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any


class Draws:
    def __init__(self, seed: str, features: Iterable[str], major: int) -> None:
        self.random = random.Random(seed)
        self.features = frozenset(features)
        self.major = major
        self.numbers: dict[str, int] = {}

    def has(self, feature: str, since: int = 0) -> bool:
        return feature in self.features and self.major >= since

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, items: Any) -> Any:
        return self.random.choice(items)

    def new(self, prefix: str) -> str:
        self.numbers[prefix] = self.numbers.get(prefix, 0) + 1
        return f"{prefix}{self.numbers[prefix]}"
