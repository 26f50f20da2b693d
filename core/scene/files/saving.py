"""Saving of scene files: comments and order of a hand-written file stay, and a crash leaves the old file intact."""

# Plain data of any shape passes through here; its types are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterable, Mapping, MutableMapping, MutableSequence, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

from framescope.core.scene.files import ruamel_round_trip
from framescope.core.scene.files.incremental_text import fold
from framescope.core.scene.files.plain_data import is_equal, is_nested, means, part
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.plain_scalars import number_text, plain_scalar
from framescope.core.system.atomic_write import atomically

_PLAIN = re.compile(r"[^\W_][\w ()./+*²°-]*")
"""Texts that every YAML reader reads as text, with quotes or without; all others are quoted."""

MOST_COMPARED = 10_000
"""Largest number of pairs of list entries to compare; with more pairs, changed entries are matched by their order
only."""

HEAD_BYTES = 65_536
"""Size of the part of a file that shows its line ends, bytes."""

LEAST_ALIKE = 0.5
"""Fraction of an entry that must be equal for it to count as changed and not as another entry."""


def scene_text(scene: Scene, original: str | None = None) -> str:
    r"""Return a scene as the text of a file, with comments and order of `original` as far as possible.

    Examples
    --------
    >>> from framescope.core.scene.files.loading import parse_scene
    >>> text = "framescope: 1 # the version\ntitle: Before\n"
    >>> scene = parse_scene(text)[0].model_copy(update={"title": "After"})
    >>> print(scene_text(scene, text), end="")
    framescope: 1 # the version
    title: After
    """
    yaml = ruamel_round_trip.yaml()
    data = scene.model_dump(exclude_unset=True)
    folded = fold(original or "", data, scene)
    document = yaml.load(folded.text)
    if isinstance(document, MutableMapping):
        ruamel_round_trip.settle_comments(document)
        _merge(document, folded.data, folded.source)
    else:
        document = _new_nodes(data)
    out = io.StringIO()
    yaml.dump(document, out)
    return folded.unfold(out.getvalue())


def data_text(data: Mapping[str, Any], original: str = "") -> str:
    r"""Return plain data as YAML, with comments and order of `original` as far as possible.

    Examples
    --------
    >>> print(data_text({"time": "4 s", "pause": True}, "time: 3 s # the end\n"), end="")
    time: 4 s # the end
    pause: true
    """
    from ruamel.yaml.error import YAMLError

    yaml = ruamel_round_trip.yaml()
    document = None
    with suppress(YAMLError):  # its rules are stricter, such as for tabs
        document = yaml.load(original)
    if isinstance(document, MutableMapping):
        ruamel_round_trip.settle_comments(document)
        _merge(document, data, None)
    else:
        document = _new_nodes(data)
    out = io.StringIO()
    yaml.dump(document, out)
    return out.getvalue()


def save_scene(scene: Scene, path: str | Path, original: str | None = None) -> None:
    """Write a scene file atomically, with comments and order of the text `original` as far as possible.

    Raises
    ------
    OSError
        When the file cannot be written; the old file stays.
    """
    write_atomically(Path(path), scene_text(scene, original))


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that a crash leaves either the old or the new file, complete.

    A file that is replaced keeps its line ends and its byte order mark.
    """
    encoding, line_end = _style_of(path)
    with atomically(path) as temporary:
        temporary.write_text(text, encoding=encoding, newline=line_end)


def _style_of(path: Path) -> tuple[str, str]:
    """Return encoding and line end of an existing file; plain UTF-8 with line feeds if it is missing or mixes them."""
    head = b""
    with suppress(OSError):
        if path.is_file():  # reading a pipe would wait for its writer
            with path.open("rb") as file:
                head = file.read(HEAD_BYTES)
    is_windows = b"\r\n" in head and head.count(b"\n") == head.count(b"\r\n")
    return "utf-8-sig" if head.startswith(codecs.BOM_UTF8) else "utf-8", "\r\n" if is_windows else "\n"


def _new_nodes(value: Any) -> Any:
    """Return plain data as YAML nodes, lists of scalars on one line, so that every scalar reads back unchanged."""
    if isinstance(value, Mapping):
        return {_scalar(key): _new_nodes(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return ruamel_round_trip.sequence([_new_nodes(item) for item in value], is_flow=not any(map(is_nested, value)))
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return ruamel_round_trip.Plain(number_text(float(value)) if isinstance(value, float) else repr(value))
    is_plain = _PLAIN.fullmatch(value) is not None and value == value.strip() and plain_scalar(value) == value
    if is_plain:
        return ruamel_round_trip.Plain(value)
    return ruamel_round_trip.literal(value) if _has_plain_lines(value) else ruamel_round_trip.quoted(value)


def _has_plain_lines(text: str) -> bool:
    """Return whether a text has several lines that YAML keeps without escapes."""
    lines = text.removesuffix("\n").split("\n")
    return (
        len(lines) > 1
        and all(line.isprintable() and line == line.rstrip() and not line.startswith((" ", "\ufeff")) for line in lines)
        and bool(lines[0])
        and bool(lines[-1])
    )


def _merge(document: MutableMapping[str, Any], data: Mapping[str, Any], source: object) -> None:
    """Make `document` equal to `data` with as few changes as possible; `data` is `source` as plain data.

    Names of items have the order of the scene, keys of an item the order of the file.
    """
    if isinstance(source, Mapping):
        _rename(document, data)
    for key in [key for key in document if key not in data]:
        del document[key]
    for key, value in data.items():
        if key not in document:
            document[_scalar(key)] = _new_nodes(value)
        elif not _merge_in_place(document, key, value, part(source, key)):
            ruamel_round_trip.put(document, key, _new_nodes(value))
    if isinstance(source, Mapping) and list(document) != list(data):
        for key in data:
            document[key] = document.pop(key)


def _rename(document: MutableMapping[str, Any], data: Mapping[str, Any]) -> None:
    """Rename items of a file whose place now has another name, so that their comments stay with them."""
    if len(document) != len(data):
        return
    for i, (old, new) in enumerate(zip(list(document), data, strict=True)):
        if old not in data and new not in document:
            ruamel_round_trip.rename(document, i, old, _scalar(new))


def _merge_in_place(node: Any, key: Any, value: Any, source: object) -> bool:
    """Make a part of a node of the document equal to a value in place; return False if this is not possible."""
    old = node[key]
    if isinstance(value, Mapping) and isinstance(old, MutableMapping):
        if old and not value:
            # An empty mapping is written as {}. A remaining comment above its first key would end up in the first
            # column, and the file could not be read again.
            return False
        _merge(old, value, source)
        return True
    if isinstance(value, list | tuple) and isinstance(old, MutableSequence):
        entries = match_entries(old, value, source)
        if entries != list(range(len(old))):
            if not value or not ruamel_round_trip.is_block(old):
                return False
            ruamel_round_trip.arrange(node, key, entries)
        for i, item in enumerate(value):
            if not _merge_in_place(old, i, item, part(source, i)):
                ruamel_round_trip.put(old, i, _new_nodes(item))
        return True
    return not is_nested(value) and not is_nested(old) and means(old, value)


def match_entries(old: Sequence[Any], value: Sequence[Any], source: object) -> list[int | None]:
    """Return, for each item of a list, the index of its former entry in the file; None for a new item.

    Items are matched with equal entries first, then changed items with the most similar entry. If as many items as
    entries remain, they are matched in order.
    """
    n_head = _n_alike(old, value, source, range(min(len(old), len(value))))
    rest = min(len(old), len(value)) - n_head
    n_tail = _n_alike(old, value, source, range(-1, -rest - 1, -1))
    entries: list[int | None] = [None] * len(value)
    entries[:n_head] = range(n_head)
    entries[len(value) - n_tail :] = range(len(old) - n_tail, len(old))
    there, wanted = list(range(n_head, len(old) - n_tail)), list(range(n_head, len(value) - n_tail))
    if len(there) * len(wanted) <= MOST_COMPARED:
        for least in (1.0,) if len(there) == len(wanted) else (1.0, LEAST_ALIKE):
            for i in wanted.copy():
                likeness = {entry: _likeness(old[entry], value[i], part(source, i)) for entry in there}
                best = max(likeness, key=likeness.__getitem__, default=None)
                if best is not None and likeness[best] >= least:
                    entries[i] = best
                    there.remove(best)
                    wanted.remove(i)
    if len(there) == len(wanted):
        for i, entry in zip(wanted, there, strict=True):
            entries[i] = entry
    return entries


def _n_alike(old: Sequence[Any], value: Sequence[Any], source: object, places: Iterable[int]) -> int:
    """Return the number of successive places, from the first, at which the file and a list are equal."""
    return sum(1 for _ in takewhile(lambda i: is_equal(old[i], value[i], part(source, i)), places))


def _likeness(old: Any, value: Any, source: object) -> float:
    """Return the equal fraction of an entry of the file and an item, from 0 to 1."""
    if is_equal(old, value, source):
        return 1.0
    if not (isinstance(old, Mapping) and isinstance(value, Mapping)):
        return 0.0
    alike = sum(key in old and is_equal(old[key], item, part(source, key)) for key, item in value.items())
    return min(alike / max(len(old), len(value), 1), 0.99)
