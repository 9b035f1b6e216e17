"""Chooses the faults: the same for a seed, by the weights of the rooms, with all kinds in equal numbers.

A fault's rank is a hash of its key and the seed, so that a change of one function affects few choices elsewhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass

from mutation.sites import KINDS, Site

PER_FUNCTION = 2


@dataclass(frozen=True)
class Room:
    """A folder of the sources. Of two rooms with the same number of places, one with twice the weight gets twice the faults."""

    folder: str
    weight: float = 1.0


def rank(site: Site, seed: int) -> str:
    return hashlib.sha256(f"{seed}\0{site.key}".encode()).hexdigest()


def shares(rooms: list[Room], places: dict[str, int], count: int) -> dict[str, int]:
    """Distributes `count` faults over the rooms by largest remainders, at most as many as a room has places."""
    weights = {room.folder: room.weight * places.get(room.folder, 0) for room in rooms}
    whole = sum(weights.values()) or 1.0
    exact = {folder: count * weight / whole for folder, weight in weights.items()}
    given = {folder: int(share) for folder, share in exact.items()}
    for folder in sorted(exact, key=lambda folder: (given[folder] - exact[folder], folder)):
        if sum(given.values()) >= count:
            break
        if weights[folder]:
            given[folder] += 1
    return given


def in_turn(sites: list[Site], seed: int) -> list[Site]:
    """Returns the places of a room in the order of choice: alternating kinds, within a kind by rank."""
    ranked = sorted(sites, key=lambda site: rank(site, seed))
    by_kind = {kind: [site for site in ranked if site.kind == kind] for kind in KINDS}
    order: list[Site] = []
    while any(by_kind.values()):
        for kind in KINDS:
            if by_kind[kind]:
                order.append(by_kind[kind].pop(0))
    return order


def choose_all(sites: list[Site], rooms: list[Room], count: int, seeds: list[int], banned: frozenset[str] = frozenset()) -> list[Site]:
    """Chooses `count` faults for each seed, for one copy: those that overlap one of an earlier seed are left out."""
    chosen: list[Site] = []
    for seed in seeds:
        chosen += [site for site in choose(sites, rooms, count, seed, banned)
                   if not any(other.file == site.file and other.start < site.end and site.start < other.end for other in chosen)]
    return sorted(chosen, key=lambda site: (site.file, site.start))


def choose(sites: list[Site], rooms: list[Room], count: int, seed: int, banned: frozenset[str] = frozenset()) -> list[Site]:
    """Chooses `count` faults that do not overlap, sorted by file and position. `banned` has the keys of faults that do not compile."""

    def room_of(site: Site) -> str:
        return next((room.folder for room in rooms if site.file.startswith(room.folder + "/")), "")

    chosen: list[Site] = []
    by_room = {room.folder: [site for site in sites if room_of(site) == room.folder] for room in rooms}
    wanted = shares(rooms, {folder: len(places) for folder, places in by_room.items()}, count)
    for folder, places in by_room.items():
        functions: Counter[tuple[str, str]] = Counter()
        taken: list[Site] = []
        for site in in_turn(places, seed):
            if len(taken) == wanted[folder]:
                break
            function = (site.file, site.function)
            overlaps = any(other.file == site.file and other.start < site.end and site.start < other.end for other in taken)
            if site.key not in banned and not overlaps and functions[function] < PER_FUNCTION:
                functions[function] += 1
                taken.append(site)
        chosen += taken
    return sorted(chosen, key=lambda site: (site.file, site.start))
