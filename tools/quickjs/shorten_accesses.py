#!/usr/bin/env python3
"""Shortens accesses to memory in what wasm2c has written, where it is compiled for size.

    shorten_accesses.py ENGINE.c

A compiler for size calls a function for each of the 21,000 loads and stores, and each call computes where the memory stands, and a sum
in 64 bits. Both belong into that function: it gets the instance, the address and the offset. What is checked stays the same.
"""

import re
import sys
from pathlib import Path

USE = re.compile(r"\b([if](?:32|64)_(?:load|store)\w*)\(&instance->w2c_memory, \(u64\)\((\w+)\)(?: \+ (\d+u))?")
KINDS = re.compile(r"^DEFINE_(LOAD|STORE)\(([^)]*)\)", re.MULTILINE)

path = Path(sys.argv[1])
text = path.read_text()
functions = {}
last = 0
for kind in KINDS.finditer(text):
    last = max(last, text.index("\n", kind.end()) + 1)
    name, *types = [word.strip() for word in kind[2].split(",")]
    result = types[-1] if kind[1] == "LOAD" else "void"
    begin = f"static __attribute__((noinline, unused)) {result} {name}_at(Z_quickjs_instance_t* instance, u32 address, u32 offset"
    if kind[1] == "LOAD":
        functions[name] = f"{begin}) {{ return {name}(&instance->w2c_memory, (u64)address + offset); }}\n"
    else:
        functions[name] = f"{begin}, {types[-1]} value) {{ {name}(&instance->w2c_memory, (u64)address + offset, value); }}\n"
head, body = text[:last], text[last:]
body, count = USE.subn(lambda use: f"{use[1]}_at(instance, {use[2]}, {use[3] or '0u'}", body)
left = len(re.findall(r"_(?:load|store)\w*\(&instance", body))
if count < 10000 or left:
    sys.exit(f"shorten_accesses.py: {count} accesses have the form that wasm2c gives them, {left} have another one")
path.write_text(head + "".join(functions.values()) + body)
