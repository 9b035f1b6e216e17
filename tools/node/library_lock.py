"""tools/node/library.lock: where the files of Node's own library (lib/*.js) stand in the official binaries.

node compiles them in as they are: texts of Latin-1, or of UTF-16 where one has other characters. A binary is known by the integrity of
its package (node-versions.lock), so places are enough to take them out, and nothing has to be run for it. The file has, for each version,

    24.21.0 SHA-256 of all its texts, in UTF-8, each behind its name and a NUL, in the order of the names
      OFFSET LENGTH NAME        bytes; LENGTH ends in u where the text is UTF-16
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LOCK = FOLDER / "library.lock"


@dataclass(frozen=True)
class Place:
    name: str
    offset: int
    length: int
    is_wide: bool

    def text(self, binary: bytes) -> str:
        return binary[self.offset:self.offset + self.length].decode("utf-16-le" if self.is_wide else "latin-1", "surrogatepass"
                                                                    if self.is_wide else "strict")

    def __str__(self) -> str:
        return f"  {self.offset} {self.length}{'u' if self.is_wide else ''} {self.name}"


@dataclass(frozen=True)
class Library:
    version: str
    sha256: str
    places: list[Place]

    def texts(self, binary: bytes) -> dict[str, str]:
        """By name. Raises ValueError: the binary is another one."""
        try:
            texts = {place.name: place.text(binary) for place in self.places}
        except UnicodeDecodeError as error:
            raise ValueError(str(error)) from error
        if digest(texts) != self.sha256:
            raise ValueError("its texts are others")
        return texts


def digest(texts: dict[str, str]) -> str:
    total = hashlib.sha256()
    for name in sorted(texts):
        total.update(name.encode() + b"\0" + texts[name].encode("utf-8", "surrogatepass"))
    return total.hexdigest()


def read(path: Path = LOCK) -> dict[str, Library]:
    """By version."""
    libraries: dict[str, Library] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if not line.startswith(" "):
            version, sha256 = words
            libraries[version] = Library(version, sha256, [])
        else:
            offset, length, name = words
            libraries[version].places.append(Place(name, int(offset), int(length.rstrip("u")), length.endswith("u")))
    return libraries
