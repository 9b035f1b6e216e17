"""The commands of the program, with their options and words, as the program itself tells them: `loopsim completion bash` is made from
the one table of commands. A new command, option or format is in it from the day it is there."""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Option:
    name: str  # "--format"
    value: str = ""  # "": a flag; "words", "formats" (WORD=FILE), "files" or "any"
    words: tuple[str, ...] = ()


@dataclass
class Command:
    name: str
    options: list[Option] = field(default_factory=list)
    operands: list[Option] = field(default_factory=list)  # what the first, second ... one is; the last may stand for all that follow

    def option(self, name: str) -> Option | None:
        return next((one for one in self.options if one.name == name), None)


def read(program: str) -> list[Command]:
    script = subprocess.run([program, "completion", "bash"], capture_output=True, text=True, check=True).stdout
    body = script[script.index("    case $command in"):]
    commands = []
    for part in re.finditer(r"^        (\w+)\)\n(.*?)^            ;;$", body, re.M | re.S):
        commands.append(command(part[1], part[2]))
    return commands


def command(name: str, text: str) -> Command:
    made = Command(name)
    values: dict[str, tuple[str, tuple[str, ...]]] = {}
    options, _, rest = text.partition("            if [[ -z $option && $current == -* ]]; then")
    for case in re.finditer(r"^                (--[\w-]+)(?:\|-\w)?\) (.*) ;;$", options, re.M):
        values[case[1]] = value(case[2])
    names = shlex.split(re.search(r'_loopsim_words "\$current" (.*)', rest)[1]) if "_loopsim_words" in rest else []
    for word in names:
        if word.startswith("--") and word != "--help":
            made.options.append(Option(word, *values.get(word, ("", ()))))
    if cases := re.search(r"case \$operands in\n(.*?)esac", rest[rest.rindex("local operands"):] if "local operands" in rest else "", re.S):
        for case in re.finditer(r"^                    (\d+|\*)\) (.*) ;;$", cases[1], re.M):
            kind, words = value(case[2])
            made.operands.append(Option("*" if case[1] == "*" else "", kind, words))
    return made


def value(action: str) -> tuple[str, tuple[str, ...]]:
    words = shlex.split(action)
    match words[0]:
        case "_loopsim_words":
            return "words", tuple(words[2:])
        case "_loopsim_formats":
            return "formats", tuple(words[3:])
        case "_loopsim_files":
            return "files", ()
    return "any", ()
