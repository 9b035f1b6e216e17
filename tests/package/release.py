#!/usr/bin/env python3
"""Tests the packages of a release: two builds give the same bytes, and the packages install and run on a minimal Debian.

    release.py [--packages DIR] [--jobs N] [--keep]

reproducible   Copies the sources to two folders with different names and runs tools/package in each, with different umask, language
               and time zone, and on another file system if there is one. All packages must be the same, byte for byte.
clean system   Makes a minimal Debian 12 in a folder (mmdebstrap), installs the .deb and its declared dependencies, uses the program
               with the commands of a new user, then the library, then removes them. If such a system is not available, the
               declared dependencies are compared with the libraries that the program links, and the table says so.
archive        Unpacks the .tar.gz and runs the program from there.

--packages DIR uses existing packages and skips the first part.

Exit status: 0 no failures, 1 failures, 77 nothing could be tested.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = "bookworm"
COMPILER = ["g++", "cmake", "make"]  # for users of the library; the package depends on what it links with
failures: list[str] = []
skipped: list[str] = []


def run(*command: str | Path, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **options)


def check(what: str, good: bool, text: str = "") -> bool:
    print(f"{'ok      ' if good else 'FAILED  '}{what}", flush=True)
    if not good:
        failures.append(what)
        print("\n".join(f"        {line}" for line in text.strip().splitlines()[-40:]))
    return good


def skip(what: str, why: str) -> None:
    print(f"skipped {what}: {why}")
    skipped.append(f"{what}: {why}")


# ---- reproducible bytes --------------------------------------------------------------------------------------------


def copy_sources(folder: Path) -> None:
    """Returns the files of the working tree that are not ignored."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True,
                           stdout=subprocess.PIPE).stdout.decode().split("\0")
    for name in filter(None, names):
        source, target = ROOT / name, folder / name
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)


def first_difference(a: Path, b: Path) -> str:
    """Returns the differences between the contents of two packages."""
    lists = []
    for path in (a, b):
        if path.suffix == ".deb":
            text = run("sh", "-c", 'dpkg-deb --ctrl-tarfile "$1" | tar -tvf -; dpkg-deb --fsys-tarfile "$1" | tar -xOf - | wc -c; '
                                   'dpkg-deb --fsys-tarfile "$1" | tar -tvf - ; dpkg-deb -I "$1"', "sh", path).stdout
            with tempfile.TemporaryDirectory() as folder:
                run("dpkg-deb", "--raw-extract", path, folder)
                text += run("sh", "-c", "find . -type f | sort | xargs sha256sum", cwd=folder).stdout
        else:
            with tarfile.open(path) as archive:
                text = "\n".join(f"{member.name} {member.mode:o} {member.mtime} {member.uid} {member.size} " +
                                 hashlib.sha256(archive.extractfile(member).read() if member.isfile() else b"").hexdigest()
                                 for member in archive)
        lists.append(text.splitlines())
    for one, other in zip(*lists):
        if one != other:
            return f"{one}\n{other}"
    return "the same content, packed differently"


def build_twice(work: Path, jobs: int) -> Path:
    """Builds twice, compares, and returns the packages of the first build."""
    epoch = run("git", "-C", ROOT, "log", "-1", "--format=%ct").stdout.strip()
    elsewhere = Path(tempfile.mkdtemp(prefix="loopsim-elsewhere-", dir="/dev/shm")) if (
        os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 2 << 30) else work
    places = [(work / "a", {"LC_ALL": "C", "TZ": "UTC"}, 0o022),
              (elsewhere / "a_longer_name" / "b", {"LC_ALL": "de_DE.UTF-8", "TZ": "Pacific/Auckland"}, 0o077)]
    try:
        sums = []
        for place, environment, umask in places:
            copy_sources(place)
            done = run(place / "tools" / "package", "--into", place / "packages", "--tree", place / "tree", "--jobs", str(jobs),
                       env={**os.environ, **environment, "SOURCE_DATE_EPOCH": epoch}, umask=umask)
            if not check(f"tools/package in {place}", done.returncode == 0, done.stdout):
                return places[0][0] / "packages"
            sums.append(sorted(path.name for path in (place / "packages").iterdir()))
        check("both builds make the same packages", sums[0] == sums[1] and len(sums[0]) > 3, f"{sums[0]}\n{sums[1]}")
        for name in sums[0]:
            a, b = (place / "packages" / name for place, _, _ in places)
            same = b.exists() and a.read_bytes() == b.read_bytes()
            check(f"the same bytes: {name}  {hashlib.sha256(a.read_bytes()).hexdigest()[:16]}", same,
                  "" if same or name == "SHA256SUMS" else first_difference(a, b))
        return places[0][0] / "packages"
    finally:
        if elsewhere != work:
            shutil.rmtree(elsewhere, ignore_errors=True)


# ---- a clean system ------------------------------------------------------------------------------------------------

# A new user's first commands. $1 is the version, $2 the hash of the first trace in the README.
USE = r"""
set -eu
cd "$(mktemp -d)"
test "$(loopsim --version)" = "loopsim $1"
loopsim --help | grep -q sweep
scenarios=/usr/share/loopsim/scenarios
loopsim list | grep -q "timer-105ms"
loopsim run "$scenarios/docs/timer-105ms.json" | tail -n 1 | grep -q "trace $2"
loopsim check "$scenarios" | tail -n 1 | grep -q " 0 failed"
loopsim sweep "$scenarios/studies/timer-under-load.json" --vary load=0.1,0.4 -n 20 -m missed.callbacks -f sqlite -o rows.db --summary -
test "$(head -c 15 rows.db)" = "SQLite format 3"
loopsim orders "$scenarios/studies/timeout-or-immediate-race.json" -n 100 >/dev/null
if loopsim sweep "$scenarios/studies/timer-under-load.json" --vary load=0.1,0.4 --plot a.svg -o rows.csv 2>said; then exit 1; fi
grep -q "a plot needs gnuplot, and there is none (Debian: apt-get install gnuplot-nox)" said
if loopsim run --help | grep -q html; then
  loopsim run "$scenarios/docs/timer-105ms.json" --format html=page.html
  grep -q "<script" page.html
fi
echo "setTimeout(() => console.log('a timer'), 5); setImmediate(() => console.log('an immediate'));" >app.js
loopsim run app.js --runtime node-10 >said
grep -q "│ a timer" said
grep -q "│ an immediate" said
for word in completion man; do
  if loopsim --help | grep -q "^  $word "; then made=yes; else made=; fi
  test -z "$made" || dpkg -L loopsim | grep -q -e bash-completion -e /man1/
done
dpkg --verify loopsim
"""

REMOVED = r"""
set -eu
if command -v loopsim; then exit 1; fi
if [ -e /usr/share/loopsim ] || [ -e /usr/share/doc/loopsim ] || [ -e /usr/include/loopsim ]; then exit 1; fi
"""


def make_system(folder: Path) -> str:
    """Creates the minimal system. Returns an empty string, or the reason why it is not available."""
    if not shutil.which("mmdebstrap"):
        return "no mmdebstrap here (tools/dev package --check installs it)"
    if os.geteuid() != 0 or run("unshare", "--mount", "true").returncode != 0:
        return "only root can install packages in a folder, and use them there"
    done = run("mmdebstrap", "--quiet", "--mode=root", "--variant=apt", SUITE, folder)
    if done.returncode != 0:
        said = done.stdout.strip().splitlines() or ["mmdebstrap failed"]
        return f"a minimal Debian could not be made ({said[-1]})"
    return ""


class System:
    """A Debian in a folder. The apt of the host installs into it, so that it needs no network of its own."""

    def __init__(self, folder: Path):
        self.folder = folder

    def apt(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        options = {"Dir": self.folder, "DPkg::Chroot-Directory": self.folder, "Dir::State::status": self.folder / "var/lib/dpkg/status",
                   "APT::Install-Recommends": "false", "DPkg::Path": "/usr/sbin:/usr/bin:/sbin:/bin",
                   "APT::Sandbox::User": "root"}
        return run("apt-get", "-y", "-q", *(word for name, value in options.items() for word in ("-o", f"{name}={value}")), *words,
                   env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"})

    def sh(self, script: str, *words: str) -> subprocess.CompletedProcess[str]:
        # In a separate mount namespace, so that nothing stays mounted.
        return run("unshare", "--mount", "--propagation", "private", "sh", "-c",
                   'mount -t proc proc "$1/proc" && exec chroot "$@"', "sh", self.folder, "/bin/sh", "-c", script, "sh", *words,
                   env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C"})

    def installed(self) -> set[str]:
        text = run("chroot", self.folder, "dpkg-query", "-W", "-f=${db:Status-Status} ${Package}\n").stdout
        return {line.split()[1] for line in text.splitlines() if line.startswith("installed ")}


def try_clean_system(work: Path, packages: Path, version: str) -> None:
    folder = work / "debian"
    why = make_system(folder)
    program = next(packages.glob("loopsim_*.deb"))
    library = next(packages.glob("libloopsim-dev_*.deb"))
    if why:
        skip("a clean Debian 12", why)
        check_needed(work, program)
        return
    system = System(folder)
    before = system.installed()
    system.apt("update")
    for package in (program, library):
        shutil.copy(package, folder / "tmp" / package.name)
    done = system.apt("install", folder / "tmp" / program.name)
    if not check("clean Debian 12: apt-get install ./" + program.name, done.returncode == 0, done.stdout):
        return
    print("        installed with it: " + ", ".join(sorted(system.installed() - before - {"loopsim"})))
    trace = re.search(r"· trace ([0-9a-f]{16})", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    done = system.sh(USE, version, trace)
    check("clean Debian 12: the program is used", done.returncode == 0, done.stdout)
    done = system.sh("ldd /usr/bin/loopsim")
    check("clean Debian 12: all libraries are there", done.returncode == 0 and "not found" not in done.stdout, done.stdout)

    done = system.apt("install", folder / "tmp" / library.name, *COMPILER)
    if check("clean Debian 12: apt-get install ./" + library.name + " " + " ".join(COMPILER), done.returncode == 0, done.stdout):
        shutil.copytree(ROOT / "tests" / "package", folder / "tmp" / "consumer")
        done = system.sh("set -eu; cd /tmp/consumer; cmake -B /tmp/build -DCMAKE_BUILD_TYPE=Debug >/dev/null; "
                         "cmake --build /tmp/build --target consumer example >/dev/null; /tmp/build/example >/tmp/said; "
                         "cmp /tmp/said example.expected; /tmp/build/consumer")
        check("clean Debian 12: a project with find_package(loopsim) is built and runs",
              done.returncode == 0 and done.stdout.strip().endswith(version), done.stdout)
    done = system.apt("purge", "loopsim", "libloopsim-dev")
    gone = system.sh(REMOVED)
    check("clean Debian 12: removed without a trace", done.returncode == 0 and gone.returncode == 0, done.stdout + gone.stdout)


def check_needed(work: Path, package: Path) -> None:
    """Without such a system: checks that each library linked by the program is in a declared dependency."""
    folder = work / "unpacked"
    run("dpkg-deb", "--raw-extract", package, folder)
    wanted = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", folder / "usr/bin/loopsim").stdout)
    depends = run("dpkg-deb", "--field", package, "Depends").stdout
    for library in wanted:
        owner = run("sh", "-c", 'dpkg-query -S "*/$1" | head -n 1', "sh", library).stdout.split(":")[0]
        check(f"{library} is in {owner}, on which the package depends", bool(owner) and f"{owner} (" in depends, depends)
    check("there are libraries", len(wanted) > 3)


# ---- the archive ---------------------------------------------------------------------------------------------------


def has_engine(playground: Path) -> bool:
    """Whether it carries WebAssembly, compressed by xz, as base64."""
    found = re.search('<script type="text/plain" id="engine">([^<]*)</script>', playground.read_text())
    return found is not None and lzma.decompress(base64.b64decode(found[1])).startswith(b"\0asm")


def try_archive(work: Path, packages: Path, version: str) -> None:
    path = next(packages.glob("loopsim-*-linux-*.tar.gz"))
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        archive.extractall(work / "archive")
    folder = work / "archive" / path.name.removesuffix(".tar.gz")
    check("archive: all in one folder, as root's, of one time",
          all(member.name.split("/")[0] == folder.name and member.uid == member.gid == 0 for member in members) and
          len({member.mtime for member in members}) == 1)
    done = run(folder / "bin" / "loopsim", "--version")
    check("archive: the program runs", done.stdout == f"loopsim {version}\n", done.stdout)
    done = run(folder / "bin" / "loopsim", "list", cwd=work)
    check("archive: it finds its scenarios", "timer-105ms" in done.stdout, done.stdout)
    (work / "app.js").write_text("Promise.resolve().then(() => console.log('a microtask'));\n")
    done = run(folder / "bin" / "loopsim", "run", "app.js", cwd=work)
    check("archive: it runs JavaScript", done.returncode == 0 and "│ a microtask" in done.stdout, done.stdout)
    done = run(folder / "bin" / "loopsim", "play", "--output", "site", cwd=work)
    check("archive: it has a playground with its engine", done.returncode == 0 and has_engine(work / "site" / "index.html"), done.stdout)
    for name in ("LICENSE", "THIRD_PARTY.md", "CHANGELOG.md"):
        check(f"archive: {name}", (folder / "share" / "doc" / "loopsim" / name).is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description="Two builds give the same packages; they install and run on a clean system.")
    parser.add_argument("--packages", type=Path, help="of an earlier tools/package, instead of building")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", action="store_true", help="leave the folders for looking at them")
    options = parser.parse_args()
    version = re.search(r"^project\(loopsim VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    if not shutil.which("dpkg-shlibdeps"):
        print("skipped: packages, no dpkg-shlibdeps here (tools/dev package installs it)")
        return 77

    work = Path(tempfile.mkdtemp(prefix="loopsim-release-"))
    work.chmod(0o755)
    try:
        packages = options.packages.resolve() if options.packages else build_twice(work, options.jobs)
        if not failures or options.packages:
            try_archive(work, packages, version)
            try_clean_system(work, packages, version)
    finally:
        if options.keep:
            print(f"kept: {work}")
        else:
            shutil.rmtree(work, ignore_errors=True)
    for text in skipped:
        print(f"skipped: packages, {text}")
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
