"""Recordings in JSON, converted to a text table: one object per line, a list of objects, or an object of columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from framescope.core.recordings.tables import limits

_BEGIN = re.compile(r"\s*(\[\s*\{|\{)")
_COLUMNS = re.compile(r'\s*\{\s*"[^"\n]*"\s*:\s*\[\s*-?[0-9\[]')
_BETWEEN = re.compile(r"[\s,]*")


def table_of_json(text: str) -> str | None:
    r"""Convert JSON objects to a table with tabs between cells; None for any other text.

    The column of a nested value is named by all its keys, joined by points; list elements have their index in brackets.
    The text from a truncated object on is ignored.

    >>> table_of_json('{"t": 0, "p": {"x": 1.5}, "q": [1, 2]}\n{"t": 1, "p": {"x": 2}, "q": [3, 4]}').splitlines()
    ['t\tp.x\tq[0]\tq[1]', '0\t1.5\t1\t2', '1\t2\t3\t4']
    >>> table_of_json('{"t": [0, 1], "p": [[1, 2], [3, 4]]}').splitlines()[2]
    '1\t3\t4'
    """
    begin = _BEGIN.match(text)
    if begin is None:
        return None
    rows = list(_of_columns(text) if _COLUMNS.match(text) else _objects(text[begin.end() - 1 :]))
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(rows) < 2 or not 2 <= len(names) <= limits.MAX_COLUMNS:
        return None
    lines = ("\t".join(row.get(name, "") for name in names) for row in rows)
    return "\n".join(["\t".join(names), *lines])


def _objects(text: str) -> Iterator[dict[str, str]]:
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text) and text[at] == "{":
        try:
            item, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield dict(_flatten("", item))
        between = _BETWEEN.match(text, at)
        at = at if between is None else between.end()


def _of_columns(text: str) -> Iterator[dict[str, str]]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return
    columns: dict[str, list[Any]] = {str(key): values for key, values in content.items() if isinstance(values, list)}
    n = max(map(len, columns.values()), default=0)
    whole = {key: values for key, values in columns.items() if len(values) == n}
    for i in range(n):
        yield dict(_flatten("", {key: values[i] for key, values in whole.items()}))


def _flatten(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            yield from _flatten(f"{name}.{key}" if name else str(key), item)
    elif isinstance(value, list):
        for i, item in enumerate(cast("list[Any]", value)):
            yield from _flatten(f"{name}[{i}]", item)
    elif value is None:
        yield " ".join(name.split()), ""
    else:
        plain = int(value) if isinstance(value, bool) else value
        yield " ".join(name.split()), " ".join(str(plain).split())
