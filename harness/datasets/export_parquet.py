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
from harness.datasets.features import Column

PREFIX = "feature_"
TEXTS = ("id", "plugin", "version", "prompt", "target", "family", "split")
NUMBERS = ("seed", "index", "attempt")
NESTED = ("problem", "certificate", "notes")
MAX_GROUP = 2**30  # bytes of a row group that is read
ROWS, BYTES = 2_000, 8_000_000  # of a row group: whichever comes first ends it
_NUMBER_MAX = 2**63 - 1


def needed(name: str, why: str) -> None:
    """Refuse in one line what needs a package that is not installed."""
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


def write(
    file: IO[bytes],
    items: Iterable[Item],
    columns: Mapping[str, Column],
    facts: Mapping[str, str],
) -> None:
    """Write items as one Parquet file; ``facts`` go into its metadata. A number beyond 64 bits is refused."""
    pa, parquet = _arrow()
    columns = dict(sorted(columns.items()))
    schema = _schema(pa, columns, facts)
    writer = parquet.ParquetWriter(file, schema, compression="zstd")
    try:
        for rows in _groups(_record(item, columns) for item in items):
            arrays = [pa.array([row.get(f.name) for row in rows], type=f.type) for f in schema]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
        writer.close()
    except BaseException:  # the file is thrown away, and perhaps cannot be written
        with suppress(Exception):
            writer.close()
        writer.is_open = False  # or it tries again when it is collected
        raise


def _schema(pa: ModuleType, columns: Mapping[str, Column], facts: Mapping[str, str]) -> Any:
    types = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64()}
    fields = [pa.field(name, pa.string(), nullable=False) for name in TEXTS]
    fields += [pa.field(name, pa.int64(), nullable=False) for name in NUMBERS]
    fields += [pa.field(name, pa.string(), nullable=False) for name in NESTED]
    for name, column in columns.items():
        # Text columns that hold JSON look like any other: the note tells them apart.
        note = {"harness": "json"} if column.kind == "json" else None
        fields.append(pa.field(PREFIX + name, types.get(column.kind, pa.string()), metadata=note))
    return pa.schema(fields, metadata=dict(facts))


def _record(item: Item, columns: Mapping[str, Column]) -> dict[str, Any]:
    """Return an item as a row."""
    row: dict[str, Any] = {name: getattr(item, name) for name in (*TEXTS, *NUMBERS)}
    for name in NUMBERS:
        if not -_NUMBER_MAX <= row[name] <= _NUMBER_MAX:
            raise OutputError(f"item {item.id}: its {name} does not fit the 64 bits of a column")
    row |= {name: canonical_json(getattr(item, name)) for name in NESTED}
    for name, value in item.features.items():
        nested = columns[name].kind == "json"
        row[PREFIX + name] = canonical_json(value) if nested else value
    return row


def _groups(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of one row group after the other."""
    group: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        group.append(row)
        size += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(group) >= ROWS or size >= BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


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
