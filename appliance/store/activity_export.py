"""The activity log for other programs: JSON Lines as it is kept, or CSV for spreadsheets."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from enum import StrEnum

from appliance.core.jsonable import json_object
from appliance.store.activity import Entry

_FORMULA = ("=", "+", "-", "@", "\t")
"""What a spreadsheet would calculate: who names a key could have it do something."""


class ActivityFormat(StrEnum):
    """How entries are written."""

    JSONL = "jsonl"
    CSV = "csv"


MEDIA_TYPES = {
    ActivityFormat.JSONL: "application/x-ndjson",
    ActivityFormat.CSV: "text/csv; charset=utf-8",
}


def exported(entries: Iterable[Entry], format: ActivityFormat) -> Iterator[str]:
    """Line after line, each with its end."""
    names = [one.name for one in fields(Entry)]
    if format is ActivityFormat.CSV:
        yield _row(names)
    for entry in entries:
        told = json_object(entry)
        if format is ActivityFormat.CSV:
            yield _row([_plain(str(told[name])) for name in names])
        else:
            yield json.dumps(told, ensure_ascii=False) + "\n"


def _row(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _plain(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
