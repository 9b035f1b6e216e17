"""Finds the possible faults of a source file with libclang: places, original texts and replacements."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

try:
    from clang import cindex
except ImportError:
    # Debian's python3-clang is pure Python, but only Debian's interpreter searches this folder.
    sys.path.append("/usr/lib/python3/dist-packages")
    from clang import cindex

FORMAT = 3  # version of the cached sites; increase it when this module finds other sites
KINDS = ("condition", "comparison", "logic", "constant", "dropped", "sign", "flag", "return")

COMPARISONS = {b"<": b"<=", b"<=": b"<", b">": b">=", b">=": b">", b"==": b"!=", b"!=": b"=="}
LOGIC = {b"&&": b"||", b"||": b"&&"}
SIGNS = {b"+": b"-", b"-": b"+", b"+=": b"-=", b"-=": b"+="}
OPERATORS = {**{o: "comparison" for o in COMPARISONS}, **{o: "logic" for o in LOGIC}, **{o: "sign" for o in SIGNS}}
OTHER = {**COMPARISONS, **LOGIC, **SIGNS}

Kind = cindex.CursorKind
FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION, Kind.FUNCTION_TEMPLATE)
STATEMENTS = (Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNARY_OPERATOR, Kind.UNEXPOSED_EXPR)
BODIES = {Kind.IF_STMT: 1, Kind.WHILE_STMT: 1, Kind.CXX_FOR_RANGE_STMT: -1, Kind.FOR_STMT: -1}
NUMBERS = {getattr(cindex.TypeKind, name) for name in (
    "CHAR_U UCHAR USHORT UINT ULONG ULONGLONG CHAR_S SCHAR SHORT INT LONG LONGLONG FLOAT DOUBLE LONGDOUBLE").split()}

INTEGER = re.compile(rb"([0-9][0-9']*)([uUlLzZ]*)")
CONSTANT_CONTEXT = re.compile(rb"\b(constexpr|consteval|constinit|static_assert)\b")
# Statements without observable effect except on memory or time.
UNSEEN = re.compile(rb"(\.|->)(reserve|shrink_to_fit)\(|^(static_cast<void>|assert\b|(std::|__builtin_)unreachable|__builtin_prefetch)")


@dataclass(frozen=True)
class Site:
    """One possible fault. `start` and `end` are byte offsets; `before` is the original text on one line, for display."""

    file: str
    line: int
    function: str
    kind: str
    start: int
    end: int
    before: str
    after: str
    schema: str  # replacement text; `@` stands for the fault's number
    ordinal: int = 0  # among faults of the function with the same text

    @property
    def key(self) -> str:
        """Returns a key that is stable while the function keeps its name and the place its text; the line may move."""
        again = f" #{self.ordinal + 1}" if self.ordinal else ""
        return f"{self.file}: {self.function}: {self.kind}: {self.before} -> {self.after}{again}"


def find_sites(root: Path, file: str, arguments: list[str], kept: Path | None = None) -> list[Site]:
    """Returns all places of a file in text order; from the cache folder `kept` if the file was parsed before."""
    data = (root / file).read_bytes()
    memory = None
    if kept:
        memory = kept / (hashlib.sha256(b"\0".join([str(FORMAT).encode(), file.encode(), data])).hexdigest()[:24] + ".json")
        if memory.exists():
            return [Site(**row) for row in json.loads(memory.read_text())]
    sites = _Finder(root, file, data, arguments).sites()
    if memory:
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(json.dumps([asdict(site) for site in sites]))
    return sites


class _Finder:
    def __init__(self, root: Path, file: str, data: bytes, arguments: list[str]) -> None:
        self.file, self.data, self.path = file, data, str(root / file)
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        self.unit = cindex.Index.create().parse(self.path, ["-xc++", *arguments], options=options)
        errors = [str(said) for said in self.unit.diagnostics if said.severity >= cindex.Diagnostic.Error]
        if errors:
            raise ValueError(f"{file}: libclang cannot read it: {errors[0]}")
        self.macros: list[tuple[int, int]] = []
        self.found: list[Site] = []

    def sites(self) -> list[Site]:
        for cursor in self.unit.cursor.get_children():
            if cursor.location.file and cursor.location.file.name == self.path:
                if cursor.kind == Kind.MACRO_INSTANTIATION:
                    self.macros.append(self.extent(cursor))
                elif not cursor.kind.is_preprocessing():
                    self.declarations(cursor)
        order = {kind: place for place, kind in enumerate(KINDS)}
        counts: Counter[str] = Counter()
        sites = []
        for site in sorted(set(self.found), key=lambda site: (site.start, -site.end, order[site.kind], site.after)):
            if any(start < site.end and site.start < end for start, end in self.macros):
                continue
            numbered = Site(**{**asdict(site), "ordinal": counts[site.key]})
            counts[site.key] += 1
            sites.append(numbered)
        return sites

    # ---- reading ----------------------------------------------------------------------------------------------------

    @staticmethod
    def extent(cursor: Any) -> tuple[int, int]:
        return cursor.extent.start.offset, cursor.extent.end.offset

    def text(self, cursor: Any) -> bytes:
        start, end = self.extent(cursor)
        return self.data[start:end]

    def declarations(self, cursor: Any) -> None:
        """Visits namespaces and classes down to function bodies."""
        if cursor.kind in FUNCTIONS:
            body = next((child for child in cursor.get_children() if child.kind == Kind.COMPOUND_STMT), None)
            if body:
                head = self.data[self.extent(cursor)[0]:self.extent(body)[0]]
                if not CONSTANT_CONTEXT.search(head):
                    parent = cursor.semantic_parent
                    owner = parent.spelling + "::" if parent and parent.kind not in (Kind.NAMESPACE, Kind.TRANSLATION_UNIT) else ""
                    name = owner + cursor.spelling
                    is_bool = cursor.result_type.get_canonical().kind == cindex.TypeKind.BOOL
                    self.statements(body, name, is_bool)
            return
        for child in cursor.get_children():
            self.declarations(child)

    def statements(self, cursor: Any, function: str, is_bool: bool) -> None:
        """Finds faults in a statement or expression and its descendants."""
        children = list(cursor.get_children())
        kind = cursor.kind
        if kind in (Kind.VAR_DECL, Kind.STATIC_ASSERT, Kind.TYPE_ALIAS_DECL, Kind.TYPEDEF_DECL, Kind.ENUM_DECL, Kind.PARM_DECL):
            if kind != Kind.VAR_DECL or CONSTANT_CONTEXT.search(self.data[self.extent(cursor)[0]:cursor.location.offset]):
                return
        if kind == Kind.LAMBDA_EXPR:
            self.lambda_body(cursor, children, function)
            return
        if kind == Kind.CASE_STMT:
            children = children[1:]
        if kind == Kind.COMPOUND_STMT:
            for child in children:
                self.drop(child, function)
        elif kind in BODIES and children:
            for child in children[BODIES[kind]:]:
                self.drop(child, function)
        if kind in (Kind.IF_STMT, Kind.WHILE_STMT, Kind.CONDITIONAL_OPERATOR):
            self.condition(cursor, children, function)
        elif kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR):
            if len(children) == 2:
                self.operator(cursor, children[0], children[1], function)
        elif kind == Kind.CALL_EXPR and len(children) == 3 and cursor.spelling.startswith("operator"):
            left, middle, right = sorted(children, key=self.extent)
            if self.text(middle) == cursor.spelling.removeprefix("operator").encode() and self.text(middle) not in SIGNS:
                self.operator(cursor, left, right, function)
        elif kind == Kind.INTEGER_LITERAL:
            self.constant(cursor, function)
        elif kind == Kind.CXX_BOOL_LITERAL_EXPR:
            text = self.text(cursor)
            if text in (b"true", b"false"):
                self.add(cursor, function, "flag", b"false" if text == b"true" else b"true", b"::mutation::flip(@, %s)" % text)
        elif kind == Kind.RETURN_STMT and is_bool and children:
            value = self.text(children[0])
            if value not in (b"true", b"false"):
                self.add(children[0], function, "return", b"!(%s)" % value, b"::mutation::flip(@, static_cast<bool>(%s))" % value)
        for child in children:
            self.statements(child, function, is_bool)

    def lambda_body(self, cursor: Any, children: list[Any], function: str) -> None:
        for child in children:
            if child.kind == Kind.COMPOUND_STMT:
                if not CONSTANT_CONTEXT.search(self.data[self.extent(cursor)[0]:self.extent(child)[0]]):
                    self.statements(child, function, False)

    # ---- faults -----------------------------------------------------------------------------------------------------

    def add(self, cursor: Any, function: str, kind: str, after: bytes, schema: bytes, end: int | None = None) -> None:
        start, finish = self.extent(cursor)
        finish = end or finish
        before = self.data[start:finish]
        if before and b"#" not in before and b"@" not in before and b"//" not in before:
            self.found.append(Site(self.file, cursor.extent.start.line, function, kind, start, finish, one_line(before), one_line(after),
                                   schema.decode()))

    def operator(self, cursor: Any, left: Any, right: Any, function: str) -> None:
        (start, middle), (after_middle, end) = self.extent(left), self.extent(right)
        sign = self.data[middle:after_middle].strip()
        if sign not in OPERATORS or (start, end) != self.extent(cursor):
            return
        kind = OPERATORS[sign]
        if kind == "sign" and cursor.type.get_canonical().kind not in NUMBERS:
            return
        turned = self.data[start:middle] + b" " + OTHER[sign] + b" " + self.data[after_middle:end]
        self.add(cursor, function, kind, turned, b"(::mutation::on(@) ? (%s) : (%s))" % (turned, self.text(cursor)))

    def condition(self, cursor: Any, children: list[Any], function: str) -> None:
        if not children or CONSTANT_CONTEXT.match(self.text(cursor)[2:].lstrip()):
            return
        first = children[0]
        if first.kind == Kind.DECL_STMT and len(children) > 1 and self.text(first).endswith(b";"):
            first = children[1]
        if not first.kind.is_expression() or any(child.kind == Kind.VAR_DECL for child in children):
            return
        text = self.text(first)
        self.add(first, function, "condition", b"!(%s)" % text, b"::mutation::flip(@, static_cast<bool>(%s))" % text)

    def constant(self, cursor: Any, function: str) -> None:
        start, end = self.extent(cursor)
        match = INTEGER.fullmatch(self.text(cursor))
        if not match or (self.data[:start].rstrip().endswith(b"<") and self.data[end:].lstrip().startswith(b">")):
            return
        number = int(match[1].replace(b"'", b"")) if not re.match(rb"0[0-9]", match[1]) else int(match[1], 8)
        for moved in {number + 1, max(number - 1, 0)} - {number}:
            after = str(moved).encode() + match[2]
            self.add(cursor, function, "constant", after, b"(::mutation::on(@) ? %s : %s)" % (after, self.text(cursor)))

    def drop(self, cursor: Any, function: str) -> None:
        """Finds the removal of an expression statement, or of a break, continue or return without a value."""
        start, end = self.extent(cursor)
        text = self.data[start:end]
        if cursor.kind not in STATEMENTS and not (cursor.kind in (Kind.BREAK_STMT, Kind.CONTINUE_STMT) or text == b"return"):
            return
        if self.data[end:end + 1] != b";" or UNSEEN.search(text):
            return
        self.add(cursor, function, "dropped", b"", b"{ if (!::mutation::on(@)) { %s; } }" % text, end + 1)


def one_line(text: bytes) -> str:
    """Shortens a text for display and keys: white space becomes one space, long texts lose their middle."""
    line = " ".join(text.decode().split())
    return line if len(line) <= 110 else line[:70] + " ... " + line[-35:]


def each_file(root: Path, folders: list[str]) -> Iterator[str]:
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp"):
                yield path.relative_to(root).as_posix()
