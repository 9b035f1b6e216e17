"""Builds of the same source with different compilers, optimisations and processors; all must print the same.

Each has its own build tree, or a reason why it is impossible on this machine. The 64-bit ARM build uses Debian's cross compiler with the
libraries of Debian's arm64 packages, unpacked into a folder (nothing is installed), and is run by qemu.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARM_PACKAGES = "libfmt-dev,nlohmann-json3-dev,libxxhash-dev,libzstd-dev,libsqlite3-dev,libboost-program-options-dev,libstdc++6"
ARM_SUITE = "bookworm"  # the release of the cross compiler
TOOLCHAIN = ROOT / "tools" / "cmake" / "aarch64-linux-gnu.cmake"


class Impossible(Exception):
    """The build is impossible on this machine; the message names what is missing."""


class Failed(Exception):
    """The build failed; the message is its log."""


@dataclass(frozen=True)
class Build:
    name: str  # in the table, and name of its build tree
    compiler: str
    release_flags: str
    flags: str = ""
    needs: tuple[str, ...] = ()  # required commands
    arm: bool = False
    options: tuple[str, ...] = ()  # CMake options
    targets: tuple[str, ...] = ("loopsim_cli",)


# The address and undefined-behaviour sanitizers; the first finding ends the program. As part of the comparison it makes
# the run of all tests cover a second compiler and the sanitizers with one build. Not optimised: that halves the time of
# its build, which uses all cores; its runs take some four times as long, beside other tests.
SANITIZED = "clang++-sanitized"

BUILDS = (
    Build("g++-O0", "g++", "-O0", "-D_GLIBCXX_ASSERTIONS"),
    Build("g++-O3", "g++", "-O3 -DNDEBUG"),
    Build("clang++-O2", "clang++", "-O2"),
    Build(SANITIZED, "clang++", "-O0 -gline-tables-only",
          "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS",
          options=("-DLOOPSIM_FUZZ=ON", "-DLOOPSIM_QUICK_BUILD=ON"), targets=("loopsim_cli", "loopsim_fuzz_replay")),
    Build("aarch64-O2", "aarch64-linux-gnu-g++", "-O2 -DNDEBUG", needs=("qemu-aarch64-static", "mmdebstrap"), arm=True),
)
NAMES = tuple(build.name for build in BUILDS)


def run(*command: str | Path) -> None:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        log = done.stdout.decode(errors="replace")[-6000:]
        raise Failed(f"{' '.join(str(word) for word in command)}\n{log}")


def arm_libraries(folder: Path) -> Path:
    """Returns a folder with Debian's arm64 packages unpacked; fetches them once per list of packages."""
    stamp = folder / ".packages"
    if stamp.exists() and stamp.read_text() == ARM_PACKAGES:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    command = ["mmdebstrap", "--quiet", "--variant=extract", "--architectures=arm64", "--skip=check/qemu",
               f"--include={ARM_PACKAGES}", ARM_SUITE, str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        last = done.stdout.decode(errors="replace").strip().rsplit("\n", 1)[-1]
        raise Impossible(f"Debian's arm64 packages could not be fetched ({last})")
    stamp.write_text(ARM_PACKAGES)
    return folder


def link_libraries(made_in: Path, tree: Path) -> None:
    """Node's own library of the versions that are no part of the program is code for the same engine: that of another tree does."""
    link = tree / "node-library"
    if not link.is_symlink() and not link.exists():
        link.symlink_to(made_in / "node-library")


def make(build: Build, trees: Path, jobs: int, made_in: Path | None = None) -> list[str]:
    """Builds the program and returns the command that runs it. Raises Impossible or Failed.

    The sanitized build takes the compiled engine of the tree made_in: its C is compiled without sanitizers, by the same compiler. All take
    what its libraries of Node are.
    """
    missing = [command for command in (build.compiler, *build.needs) if not shutil.which(command)]
    if missing:
        raise Impossible(f"no {', no '.join(missing)} here (tools/dev determinism installs it)")
    if shutil.which("ninja"):
        os.environ.setdefault("CMAKE_GENERATOR", "Ninja")  # for a new tree; an existing one keeps its generator
    tree = trees / build.name
    how = [f"-DCMAKE_CXX_COMPILER={build.compiler}", *build.options]
    if (ROOT / "tools" / "page").is_dir():
        how.append("-DLOOPSIM_PAGE=OFF")  # the same in every build
    prefix = []
    if not build.arm:  # there the program that loads Node's library would have to run in qemu
        how.append("-DLOOPSIM_JAVASCRIPT=AUTO")
        if made_in is not None and build.name == SANITIZED:
            how.append(f"-DLOOPSIM_QUICKJS_MADE_IN={made_in}")
    else:
        libraries = arm_libraries(trees / "aarch64-libraries")
        how[0] = f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAIN}"
        how.append(f"-DLOOPSIM_SYSROOT={libraries}")
        prefix = ["qemu-aarch64-static", "-L", str(libraries)]
    # An existing tree, too: the options may be others than those it was made with.
    run("cmake", "-S", ROOT, "-B", tree, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS_RELEASE={build.release_flags}",
        f"-DCMAKE_CXX_FLAGS={build.flags}", "-DLOOPSIM_BUILD_TESTS=OFF", *how)
    run("cmake", "--build", tree, "--target", *build.targets, "--parallel", str(jobs))
    if made_in is not None and not build.arm:
        link_libraries(made_in, tree)
    return [*prefix, str(tree / "loopsim")]
