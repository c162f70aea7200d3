"""`python -m harness_tlsf FILE n=3 [--json]`: a TLSF specification as LTL."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from harness_tlsf.errors import TlsfError
from harness_tlsf.lexer import MAX_TEXT
from harness_tlsf.specification import Specification, load


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it succeeded, else 2 with one line on standard error."""
    about = "Print the LTL, inputs and outputs of a TLSF file."
    parser = argparse.ArgumentParser(prog="python -m harness_tlsf", description=about)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("parameters", nargs="*", metavar="NAME=NUMBER", help="such as n=3")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        sys.stdout.write(_tlsf(options.file, options.parameters, options.json) + "\n")
    except TlsfError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _tlsf(path: Path, parameters: list[str], as_json: bool) -> str:
    values: dict[str, int] = {}
    for name, number in map(_parameter, parameters):
        if name in values:
            raise TlsfError(f"the parameter {name[:40]} is given twice")
        values[name] = number
    text = _read(path)
    try:
        specification = load(text, values)
    except TlsfError as error:
        raise TlsfError(f"{path}: {error}") from None
    return _as_json(specification) if as_json else _as_text(specification)


def _read(path: Path) -> str:
    # A pipe or a device would never end.
    if not path.is_file():
        why = "this is no file" if path.exists() else "there is no such file"
        raise TlsfError(f"{path}: {why}")
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MAX_TEXT + 1)
    except OSError as error:
        raise TlsfError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TlsfError(f"{path}: this is no text in UTF-8") from None
    if len(text) > MAX_TEXT:
        raise TlsfError(f"{path}: more than {MAX_TEXT:,} characters are not read")
    return text


def _parameter(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not (name and equals and number.isascii() and number.isdigit() and len(number) <= 18):
        raise TlsfError(
            f"parameters are given as NAME=NUMBER, such as n=3 (whole numbers from 0 on), not {text[:40]!r}"
        )
    return name, int(number)


def _as_text(specification: Specification) -> str:
    return "\n".join(
        (
            f"title:     {' '.join(specification.title.split())}",
            f"semantics: {specification.semantics}",
            f"target:    {specification.target}",
            f"inputs:    {', '.join(specification.inputs)}",
            f"outputs:   {', '.join(specification.outputs)}",
            f"LTL:       {specification.ltl}",
        )
    )


def _as_json(specification: Specification) -> str:
    keys = ("title", "description", "semantics", "target", "parameters", "inputs", "outputs", "ltl")
    return json.dumps({key: getattr(specification, key) for key in keys}, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
