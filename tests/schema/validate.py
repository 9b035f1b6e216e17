#!/usr/bin/env python3
"""Tests the JSON Schema with an independent validator, Python's jsonschema.

    validate.py --program build/loopsim

 1. `loopsim schema` prints exactly the shipped scenarios/scenario.schema.json, and that is a valid draft 2020-12 schema.
 2. Every scenarios/**/*.json is valid against it.
 3. Every document named in tests/schema/rejected.txt (one path a line, from the root of the repository) is invalid: these
    are the errors that an editor with the schema must underline.

Exit status: 0 no failures, 1 failures, 77 skipped because jsonschema is missing.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "scenarios" / "scenario.schema.json"
REJECTED = ROOT / "tests" / "schema" / "rejected.txt"


def find_jsonschema():
    """Imports jsonschema. Debian's package is installed for Debian's interpreter, which may not be the first in PATH."""
    if importlib.util.find_spec("jsonschema"):
        return
    system_python = "/usr/bin/python3"
    if sys.executable != system_python and os.path.exists(system_python) and "LOOPSIM_VALIDATE" not in os.environ:
        os.environ["LOOPSIM_VALIDATE"] = "second try"
        os.execv(system_python, [system_python, *sys.argv])
    print("skipped: no jsonschema for Python (Debian: python3-jsonschema)")
    sys.exit(SKIPPED)


def complaints(validator, document):
    """Yields `/pointer: message` for each violation; for anyOf and oneOf, of the closest branch."""
    from jsonschema.exceptions import best_match

    for error in sorted(validator.iter_errors(document), key=lambda e: [str(part) for part in e.absolute_path]):
        nearest = best_match([error])
        message = nearest.message if len(nearest.message) < 300 else nearest.message[:300] + " ..."
        yield "/" + "/".join(str(part) for part in nearest.absolute_path) + ": " + message


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--program", required=True)
    program = arguments.parse_args().program
    find_jsonschema()
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    failures = []

    printed = subprocess.run([program, "schema"], capture_output=True, check=False)
    if printed.returncode != 0:
        print(f"`{program} schema` ended with status {printed.returncode}\n{printed.stderr.decode(errors='replace')}")
        return 1
    if not SCHEMA.exists():
        failures.append(f"{SCHEMA.relative_to(ROOT)} is missing: build/loopsim schema > {SCHEMA.relative_to(ROOT)}")
    elif SCHEMA.read_bytes() != printed.stdout:
        failures.append(f"{SCHEMA.relative_to(ROOT)} is not what `loopsim schema` prints: "
                        f"build/loopsim schema > {SCHEMA.relative_to(ROOT)}")

    schema = json.loads(printed.stdout)
    if schema.get("$schema") != "https://json-schema.org/draft/2020-12/schema":
        failures.append(f"the schema says it is {schema.get('$schema')!r}, not draft 2020-12")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        print("not a valid JSON Schema: " + error.message)
        return 1
    validator = Draft202012Validator(schema)

    scenarios = [path for path in sorted((ROOT / "scenarios").rglob("*.json")) if path != SCHEMA]
    if not scenarios:
        failures.append("no scenario found under scenarios/")
    for path in scenarios:
        failures += [f"{path.relative_to(ROOT)}: {text}" for text in complaints(validator, json.loads(path.read_text()))]

    rejected = [line.strip() for line in REJECTED.read_text().splitlines()] if REJECTED.exists() else []
    rejected = [line for line in rejected if line and not line.startswith("#")]
    for name in rejected:
        if validator.is_valid(json.loads((ROOT / name).read_text())):
            failures.append(f"{name}: valid by the schema, but named in {REJECTED.relative_to(ROOT)}")

    print("\n".join(failures))
    print(f"{len(scenarios)} scenarios and {len(rejected)} rejected documents, {len(failures)} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
