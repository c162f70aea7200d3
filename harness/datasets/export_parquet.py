"""Items as Parquet: one typed column per feature, what is nested as JSON text; and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from harness_errors import DatasetError, OutputError, SpecError

from harness.core.items import Item, canonical_json
from harness.datasets.extras import command_for
from harness.datasets.features import Feature

PREFIX = "feature_"
TEXTS = ("id", "plugin", "version", "prompt", "target", "family", "split")
NUMBERS = ("seed", "index", "attempt")
NESTED = ("problem", "certificate", "notes")
MAX_GROUP = 2**30  # bytes of a row group that is read
ROWS, BYTES = 2_000, 8_000_000  # of a row group: whichever comes first ends it
_NUMBER_MAX = 2**63 - 1


def needed(name: str, why: str) -> None:
    """Refuse in one line what needs a package that is not installed.

    Raises:
        SpecError: the package cannot be imported.
    """
    from importlib import import_module

    try:
        import_module(name)
    except ImportError as error:
        raise SpecError(
            f"{why} needs the package {name}: {command_for('data')} ({error})"
        ) from None


def _arrow() -> tuple[ModuleType, ModuleType]:
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet


class Writer:
    """A Parquet file that is written row group by row group; close it, or it is none."""

    def __init__(
        self, file: IO[bytes], features: Mapping[str, Feature], facts: Mapping[str, str]
    ) -> None:
        self._pa, parquet = _arrow()
        self._features = dict(sorted(features.items()))
        self._schema = self._schema_of(facts)
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def _schema_of(self, facts: Mapping[str, str]) -> Any:
        pa = self._pa
        types = {
            "bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(),
            "string": pa.string(), "json": pa.string(),
        }  # fmt: skip
        fields = [pa.field(name, pa.string(), nullable=False) for name in TEXTS]
        fields += [pa.field(name, pa.int64(), nullable=False) for name in NUMBERS]
        fields += [pa.field(name, pa.string(), nullable=False) for name in NESTED]
        for name, feature in self._features.items():
            # Text columns that hold JSON look like any other: the note tells them apart.
            note = {"harness": "json"} if feature.kind == "json" else None
            fields.append(pa.field(PREFIX + name, types[feature.kind], metadata=note))
        return pa.schema(fields, metadata=dict(facts))

    def add(self, item: Item) -> None:
        """Add an item.

        Raises:
            OutputError: a number that does not fit 64 bits.
        """
        row: dict[str, Any] = {name: getattr(item, name) for name in (*TEXTS, *NUMBERS)}
        for name in NUMBERS:
            if not -_NUMBER_MAX <= row[name] <= _NUMBER_MAX:
                raise OutputError(
                    f"item {item.id}: its {name} does not fit the 64 bits of a column"
                )
        row |= {name: canonical_json(getattr(item, name)) for name in NESTED}
        for name, value in item.features.items():
            kind = self._features[name].kind
            row[PREFIX + name] = canonical_json(value) if kind == "json" else value
        self._rows.append(row)
        self._bytes += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(self._rows) >= ROWS or self._bytes >= BYTES:
            self._flush()

    def _flush(self) -> None:
        if not self._rows:
            return
        pa = self._pa
        arrays = [
            pa.array([row.get(f.name) for row in self._rows], type=f.type) for f in self._schema
        ]
        self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
        self._rows, self._bytes = [], 0

    def close(self) -> None:
        """Write what is left and the file's end."""
        self._flush()
        self._writer.close()

    def abandon(self) -> None:
        """Close without a further word: the file is thrown away, and perhaps cannot be written."""
        self._rows = []
        with suppress(Exception):
            self._writer.close()
        self._writer.is_open = False  # or it tries again when it is collected


def write(
    file: IO[bytes],
    items: Iterable[Item],
    features: Mapping[str, Feature],
    facts: Mapping[str, str],
) -> None:
    """Write items as one Parquet file; ``facts`` go into its metadata."""
    writer = Writer(file, features, facts)
    try:
        for item in items:
            writer.add(item)
        writer.close()
    except BaseException:
        writer.abandon()
        raise


def rows_of_parquet(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of an exported file as what `Item.from_dict` takes, in flat memory.

    Raises:
        DatasetError: no such file, no Parquet, or none of ours; the record's number where it is one record.
    """
    needed("pyarrow", f"{path}: a Parquet file")
    pa, parquet = _arrow()
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            notes = _notes(path, file.schema_arrow)
            _check_groups(path, file.metadata)
            for batch in file.iter_batches(batch_size=ROWS // 4):
                for row in batch.to_pylist():
                    number += 1
                    yield _row(row, notes)
    except FileNotFoundError:
        raise DatasetError(f"there is no file {path}") from None
    except (OSError, pa.ArrowException) as error:
        why = " ".join(str(error).split())[:200]
        raise DatasetError(f"{path}: not readable as Parquet: {why}") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise DatasetError(
            f"{path}: record {number}: {' '.join(str(error).split())[:200]}"
        ) from None


def _check_groups(path: Path, metadata: Any) -> None:
    """Refuse what would not fit into memory, by the sizes that the file itself names."""
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    if max((group.total_byte_size for group in groups), default=0) > MAX_GROUP:
        raise DatasetError(f"{path}: a row group of more than {MAX_GROUP:,} bytes is not read")


def _notes(path: Path, schema: Any) -> dict[str, bool]:
    """Return the columns of features, and whether each holds JSON text."""
    missing = [name for name in (*TEXTS, *NUMBERS, *NESTED) if name not in schema.names]
    if missing:
        raise DatasetError(f"{path}: not an export of items: no column '{missing[0]}'")
    fields = (field for field in schema if field.name.startswith(PREFIX))
    return {f.name: (f.metadata or {}).get(b"harness") == b"json" for f in fields}


def _row(row: Mapping[str, Any], notes: Mapping[str, bool]) -> dict[str, Any]:
    data = {name: row[name] for name in (*TEXTS, *NUMBERS)}
    data |= {name: json.loads(row[name]) for name in NESTED}
    data["features"] = {
        name.removeprefix(PREFIX): json.loads(row[name]) if is_json else row[name]
        for name, is_json in notes.items()
        if row[name] is not None
    }
    return data
