"""Saving of scene files: comments and order of a hand-written file stay, and a crash leaves the old one."""

# Plain data of any shape goes through here: what is unknown about it is checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, MutableMapping, MutableSequence, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from framescope.core.scene.files import ruamel_round_trip
from framescope.core.scene.files.incremental_text import folded
from framescope.core.scene.files.plain_data import is_nested, means, part, says
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.plain_scalars import number_text, plain_scalar
from framescope.core.system.atomic_write import atomically

_PLAIN = re.compile(r"[^\W_][\w ()./+*²°-]*")
"""Texts that no reader of YAML takes for anything else, in quotes or not; all others get quotes."""

MOST_COMPARED = 10_000
"""Pairs of entries of a list that are compared, where many have changed at once."""

LEAST_ALIKE = 0.5
"""Part of an entry that is the same where it is one that was changed, and not another."""


def scene_text(scene: Scene, original: str | None = None) -> str:
    r"""Return a scene as the text of a file, keeping comments and order of `original` where it can.

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
    before = folded(original or "", data, scene)
    document = yaml.load(before.text)
    if isinstance(document, MutableMapping):
        ruamel_round_trip.settle_comments(document)
        _merge(document, before.data, before.source)
    else:
        document = _fresh(data)
    out = io.StringIO()
    yaml.dump(document, out)
    return before.unfolded(out.getvalue())


def save_scene(scene: Scene, path: str | Path, original: str | None = None) -> None:
    """Write a scene file, atomically, keeping comments and order of the text `original` where it can.

    Raises
    ------
    OSError
        When the file cannot be written; the old one stays.
    """
    write_atomically(Path(path), scene_text(scene, original))


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that after a crash either the old or the new one is there, whole."""
    with atomically(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _fresh(value: Any) -> Any:
    """Return plain data as YAML nodes: short lists of scalars on one line, numbers and texts so that they read back."""
    if isinstance(value, Mapping):
        return {_scalar(key): _fresh(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return ruamel_round_trip.sequence([_fresh(item) for item in value], is_flow=not any(map(is_nested, value)))
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return ruamel_round_trip.Plain(number_text(float(value)) if isinstance(value, float) else repr(value))
    is_plain = _PLAIN.fullmatch(value) is not None and value == value.strip() and plain_scalar(value) == value
    return ruamel_round_trip.Plain(value) if is_plain else ruamel_round_trip.quoted(value)


def _merge(document: MutableMapping[str, Any], data: Mapping[str, Any], source: object) -> None:
    """Make `document` equal to `data`, which is `source` as plain data, touching only what differs.

    Names of items keep the order of the scene, keys of an item that of the file.
    """
    if isinstance(source, Mapping):
        _rename(document, data)
    for key in [key for key in document if key not in data]:
        del document[key]
    for key, value in data.items():
        if key not in document:
            document[_scalar(key)] = _fresh(value)
        elif not _is_merged(document, key, value, part(source, key)):
            ruamel_round_trip.put(document, key, _fresh(value))
    if isinstance(source, Mapping) and list(document) != list(data):
        for key in data:
            document[key] = document.pop(key)


def _rename(document: MutableMapping[str, Any], data: Mapping[str, Any]) -> None:
    """Give items of a file the names that others have in their places now, so that their comments stay with them."""
    if len(document) != len(data):
        return
    for i, (old, new) in enumerate(zip(list(document), data, strict=True)):
        if old not in data and new not in document:
            ruamel_round_trip.rename(document, i, old, _scalar(new))


def _is_merged(node: Any, key: Any, value: Any, source: object) -> bool:
    """Make a part of a node of the document equal to a value where it can be done in place; return whether it is."""
    old = node[key]
    if isinstance(value, Mapping) and isinstance(old, MutableMapping):
        if old and not value:
            # What is empty is written as {}, and with the comment above its first key still there, on a line of its
            # own at the very left, where it can no longer be read.
            return False
        _merge(old, value, source)
        return True
    if isinstance(value, list | tuple) and isinstance(old, MutableSequence):
        entries = _entries_of(old, value, source)
        if entries != list(range(len(old))):
            if not value or not ruamel_round_trip.is_block(old):
                return False
            ruamel_round_trip.arrange(node, key, entries)
        for i, item in enumerate(value):
            if not _is_merged(old, i, item, part(source, i)):
                ruamel_round_trip.put(old, i, _fresh(item))
        return True
    return not is_nested(value) and not is_nested(old) and means(old, value)


def _entries_of(old: Sequence[Any], value: Sequence[Any], source: object) -> list[int | None]:
    """Return for each item of a list the entry of the file that it was; None for a new one.

    An entry that says the item is that one; an item that is changed besides was the entry that is most like it. Where
    as many are left of both, they follow each other as before.
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
    """Return how many of the places, one after another, say the same in the file and in a list."""
    return sum(1 for _ in takewhile(lambda i: says(old[i], value[i], part(source, i)), places))


def _likeness(old: Any, value: Any, source: object) -> float:
    """Return which part of an entry of the file and of an item is the same, from 0 to 1."""
    if says(old, value, source):
        return 1.0
    if not (isinstance(old, Mapping) and isinstance(value, Mapping)):
        return 0.0
    alike = sum(key in old and says(old[key], item, part(source, key)) for key, item in value.items())
    return min(alike / max(len(old), len(value), 1), 0.99)
