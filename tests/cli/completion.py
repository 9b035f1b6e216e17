#!/usr/bin/env python3
"""Tests the shell completion in real shells, and the manual page with real tools.

    completion.py --program build/loopsim

In bash, zsh and fish, where they are installed: completion offers every command, exactly the options in the help of each command, the
words of options with fixed values, and file names for arguments that are files. The manual page contains every command, option and exit
status, and mandoc and groff report no problems. Tools that are not installed are reported as skipped; without any, the test is skipped.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
FORMATS = {"text", "jsonl", "csv", "perfetto", "pftrace", "svg", "png", "pdf", "html", "none"}
MACHINES = {"ideal", "laptop", "server", "container", "busy", "vm"}


def output(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words[:2]}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


# ---- options and commands, from the program's help -----------------------------------------------------------------


def help_of(program):
    """Returns {command: {option: whether it takes a value}}."""
    commands = re.findall(r"^  ([a-z]+) ", output(program, "--help").split("\nOptions:")[0], re.MULTILINE)
    table = {}
    for command in commands:
        options = {}
        for letter, name, value in re.findall(r"^  (?:(-\w), |    )(--[a-z-]+)( \S+)?", output(program, command, "--help"), re.MULTILINE):
            options[name] = bool(value)
            if letter:
                options[letter] = bool(value)
        table[command] = options
    return table


# ---- shells: replacements that they offer for the last word of a command line --------------------------------------


class Bash:
    """Calls the function given to `complete -F` as bash does: words are also split at "="."""

    def __init__(self, program, folder):
        self.script = Path(folder) / "loopsim.bash"
        self.script.write_text(output(program, "completion", "bash"))
        self.folder = folder

    def complete(self, line):
        words = re.findall(r"=|[^\s=]+", line) + ([""] if line[-1] in " =" else [])
        code = (f'source {self.script}; COMP_WORDBREAKS=$\' \\t\\n"\\\'><=;|&(:\'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))\n'
                'COMP_LINE=$LINE; COMP_POINT=${#LINE}; complete -p loopsim >&2\n'
                '_loopsim loopsim "${COMP_WORDS[COMP_CWORD]}"; printf "%s\\n" "${COMPREPLY[@]}"')
        shown = output("bash", "--norc", "-c", code, "bash", *words, cwd=self.folder, env={**os.environ, "LINE": line})
        replaced = re.split(r"[\s=]", line)[-1]
        before = line.split()[-1] if line[-1] != " " else ""
        before = before[:len(before) - len(replaced)]
        return {before + word for word in shown.split()}


class Fish:
    def __init__(self, program, folder):
        self.script = Path(folder) / "loopsim.fish"
        self.script.write_text(output(program, "completion", "fish"))
        self.folder = folder

    def complete(self, line):
        environment = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        shown = output("fish", "--no-config", "-c", f"source {self.script}; complete -C '{line}'", cwd=self.folder, env=environment)
        return {word.split("\t")[0] for word in shown.splitlines()}


class Zsh:
    """A shell on a terminal in which compadd prints its arguments instead of offering them."""

    SETUP = r"""
PS1=; PROMPT=; RPROMPT=; unsetopt zle_bracketed_paste 2>/dev/null
autoload -U compinit && compinit -u -d {folder}/zcompdump
source {script}
zstyle ':completion:*' completer _complete
compadd() {
    local -a words
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)* ]]; then builtin compadd "$@"; return; fi
    builtin compadd -A words "$@"
    local word
    for word in $words; do print -r -- "<W>$IPREFIX$word</W>"; done
    builtin compadd "$@"
}
finish() { print -r -- '<END>' }
tell() { comppostfuncs=(finish); _main_complete }
zle -C tell list-choices tell
bindkey '^T' tell
print -r -- '<''READY>'
"""

    def __init__(self, program, folder):
        script = Path(folder) / "loopsim.zsh"
        script.write_text(output(program, "completion", "zsh"))
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(folder)
            os.environ["TERM"] = "dumb"
            os.execvp("zsh", ["zsh", "-f", "-i"])
        setup = Path(folder) / "setup.zsh"
        setup.write_text(self.SETUP.replace("{folder}", str(folder)).replace("{script}", str(script)))
        self.send(f"source {setup}\n")
        self.read_until("<READY>")

    def send(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, mark):
        text, end = "", time.monotonic() + 30
        while mark not in text:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"zsh does not answer: {text[-500:]!r}")
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text

    def complete(self, line):
        self.send("\x15" + line + "\x14")
        text = self.read_until("<END>")
        self.send("\x15")
        return set(re.findall(r"<W>(.*?)</W>", text.replace("\r", "").replace("\n", "")))


SHELLS = {"bash": Bash, "zsh": Zsh, "fish": Fish}


# ---- checks --------------------------------------------------------------------------------------------------------


def check_shell(shell, table):
    """Yields the problems."""

    def expect(line, wanted, more=False):
        found = shell.complete(line)
        if not wanted <= found or (not more and found - wanted):
            missing, extra = sorted(wanted - found), sorted(found - wanted)
            yield f"{line!r}: missing {missing}" + ("" if more else f", and nobody asked for {extra}")

    yield from expect("loopsim ", set(table) | {"help"}, more=True)
    yield from expect("loopsim sw", {"sweep"})
    yield from expect("loopsim help sch", {"schema"})
    for command, options in table.items():
        long = {name for name in options if name.startswith("--")}
        found = {word.rstrip("=") for word in shell.complete(f"loopsim {command} --")}
        if found != long:
            yield f"{command}: offers {sorted(found - long)}, but not {sorted(long - found)}"
    yield from expect("loopsim run --format ", FORMATS, more=True)
    yield from expect("loopsim run -f pe", {"perfetto"}, more=True)
    yield from expect("loopsim run --runtime node-2", {f"node-{n}" for n in (20, 22, 24, 26)}, more=True)
    yield from expect("loopsim sweep --metric loop_delay_p", {f"loop_delay_p{n}" for n in ("50", "90", "95", "99", "99_9")})
    yield from expect("loopsim sweep --format s", {"sqlite"})
    yield from expect("loopsim diff --color ", {"auto", "always", "never"})
    yield from expect("loopsim run --set /machine=", {f"/machine={name}" for name in MACHINES})
    for command in ("run", "explain", "check", "js", "diff", "orders", "sweep"):
        yield from expect(f"loopsim {command} --machine ", MACHINES, more=True)
    yield from expect("loopsim sweep --machine l", {"laptop"})
    yield from expect("loopsim list m", {"metrics", "machines"})
    yield from expect("loopsim list v", {"verbs"})
    yield from expect("loopsim completion ", set(SHELLS))
    yield from expect("loopsim run hel", {"hello.json"})
    yield from expect("loopsim run ap", {"app.js"})
    yield from expect("loopsim run mod", {"mod.mjs"})
    yield from expect("loopsim check sub", {"sub/"} if not isinstance(shell, (Bash, Zsh)) else {"sub"})
    yield from expect("loopsim run hello.json --output oth", {"other.txt"})
    yield from expect("loopsim run hello.json --format svg=oth", {"svg=other.txt"})
    yield from expect("loopsim merge oth", {"other.txt"})
    if "other.txt" in shell.complete("loopsim run oth") and not isinstance(shell, Zsh):  # zsh falls back to all files
        yield "run is offered a file that is no scenario"


def check_manual(program, table, folder):
    page = output(program, "man")
    plain = re.sub(r"\\f[BIR]", "", page).replace("\\-", "-")
    for command, options in table.items():
        part = re.split(rf'\.SS "loopsim {command}(?=[ "])', plain, maxsplit=1)
        if len(part) != 2:
            yield f"the manual page does not know {command}"
            continue
        terms = re.findall(r"^\.TP\n(.*)$", part[1].split("\n.S", 1)[0], re.MULTILINE)
        named = {word for term in terms for word in re.findall(r"--?[a-z][a-z-]*", term) if word.startswith("-")}
        for option in set(options) - named:
            yield f"the manual page of {command} does not know {option}"
    for status in range(5):
        if f'.TP\n{status}\n' not in plain.split('.SH "EXIT STATUS"')[1].split(".SH")[0]:
            yield f"the manual page does not know exit status {status}"
    for name in ("NO_COLOR", "TERM"):
        if f".TP\n{name}\n" not in plain:
            yield f"the manual page does not know {name}"
    file = Path(folder) / "loopsim.1"
    file.write_text(page)
    for words in (["mandoc", "-T", "lint", "-W", "style"], ["groff", "-ww", "-man", "-Tutf8"], ["man", "--warnings", "-l"]):
        if not shutil.which(words[0]):
            print(f"skipped: {words[0]} is not installed")
            continue
        done = subprocess.run([*words, file], capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, "MANPAGER": "cat", "MANWIDTH": "80"})
        said = done.stdout + done.stderr if words[0] == "mandoc" else done.stderr
        if said or done.returncode != 0:
            yield f"{' '.join(words)}: {said[:500]}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    program = os.path.abspath(options.parse_args().program)
    table = help_of(program)
    failed = tried = 0
    with tempfile.TemporaryDirectory(prefix="loopsim-completion-") as folder:
        files = Path(folder) / "files"
        (files / "sub").mkdir(parents=True)
        for name in ("hello.json", "other.txt", "app.js", "mod.mjs"):
            (files / name).write_text("{}")
        for name, shell in SHELLS.items():
            if not shutil.which(name):
                print(f"skipped: {name} is not installed")
                continue
            tried += 1
            for complaint in check_shell(shell(program, files), table):
                failed += 1
                print(f"{name}: {complaint}")
        for complaint in check_manual(program, table, folder):
            failed += 1
            print(complaint)
    print(f"{len(table)} commands, {sum(map(len, table.values()))} options, {tried} shells, {failed} failed")
    return 1 if failed else 0 if tried else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
