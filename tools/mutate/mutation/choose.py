"""Chooses which faults are put in: always the same for a seed, by the weight of the rooms and all kinds alike.

A fault's rank is a hash of its key and the seed. So a change of one function moves few of the choices elsewhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass

from mutation.sites import KINDS, Site

PER_FUNCTION = 2


@dataclass(frozen=True)
class Room:
    """A folder of the sources. Of two rooms with as many places, that with twice the weight gets twice the faults."""

    folder: str
    weight: float = 1.0


def rank(site: Site, seed: int) -> str:
    return hashlib.sha256(f"{seed}\0{site.key}".encode()).hexdigest()


def shares(rooms: list[Room], places: dict[str, int], count: int) -> dict[str, int]:
    """How many of `count` faults each room gets: largest remainders, never more than it has places."""
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
    """All places of a room in the order in which they are taken: the kinds by turns, within a kind by rank."""
    ranked = sorted(sites, key=lambda site: rank(site, seed))
    by_kind = {kind: [site for site in ranked if site.kind == kind] for kind in KINDS}
    order: list[Site] = []
    while any(by_kind.values()):
        for kind in KINDS:
            if by_kind[kind]:
                order.append(by_kind[kind].pop(0))
    return order


def choose_all(sites: list[Site], rooms: list[Room], count: int, seeds: list[int], banned: frozenset[str] = frozenset()) -> list[Site]:
    """`count` faults for each seed, in one copy: what overlaps one of an earlier seed is left out."""
    chosen: list[Site] = []
    for seed in seeds:
        chosen += [site for site in choose(sites, rooms, count, seed, banned)
                   if not any(other.file == site.file and other.start < site.end and site.start < other.end for other in chosen)]
    return sorted(chosen, key=lambda site: (site.file, site.start))


def choose(sites: list[Site], rooms: list[Room], count: int, seed: int, banned: frozenset[str] = frozenset()) -> list[Site]:
    """`count` faults that do not overlap, in the order of files and text. `banned` are keys of those that do not compile."""

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
