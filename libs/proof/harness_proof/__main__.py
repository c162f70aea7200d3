"""``python -m harness_proof FILE``: check the certificates in a file of JSON lines, one item each."""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator

from harness_proof import PROVED, REFUTED, UNCHECKED, outcome

MAX_LINE = 50_000_000


def main(words: list[str] | None = None) -> int:
    """Print how many labels are proved, and each that is not; 0 if all are, 1 if not, 2 if a file cannot be read."""
    files = sys.argv[1:] if words is None else words
    if not files or any(name.startswith("-") for name in files):
        print("usage: python -m harness_proof FILE.jsonl [or FILE.jsonl.gz] ...", file=sys.stderr)
        return 2
    all_proved = True
    for name in files:
        counts: Counter[str] = Counter()
        try:
            for place, (found, why) in enumerate(_outcomes(name), 1):
                counts[found] += 1
                if found != PROVED:
                    print(f"{name}, line {place}: {found}: {why}")
        except (OSError, EOFError) as error:
            print(f"{name}: cannot be read: {error}", file=sys.stderr)
            return 2
        told = ", ".join(f"{counts[kind]} {kind}" for kind in (PROVED, REFUTED, UNCHECKED))
        print(f"{name}: {sum(counts.values())} items: {told}")
        all_proved = all_proved and sum(counts.values()) == counts[PROVED] > 0
    return 0 if all_proved else 1


def _outcomes(name: str) -> Iterator[tuple[str, str]]:
    with gzip.open(name, "rb") if name.endswith(".gz") else open(name, "rb") as file:
        # A longer line is several, of which none is JSON.
        while line := file.readline(MAX_LINE):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            yield outcome(record)


if __name__ == "__main__":
    sys.exit(main())
