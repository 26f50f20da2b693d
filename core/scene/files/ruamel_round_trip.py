"""Round trip of YAML with comments by ruamel.yaml, configured so that scalars keep their text.

By default the library reads ``0x10`` as a number and may change the last digit of numbers. Here scalars without quotes
stay text, and only `framescope.core.scene.schema.plain_scalars` interprets them.
"""

# The library has no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportMissingTypeArgument=false

from __future__ import annotations

from collections.abc import MutableMapping, MutableSequence, Sequence
from functools import cache
from itertools import pairwise
from typing import Any


class Plain(str):
    """A scalar without quotes in a file."""

    __slots__ = ()


def yaml() -> Any:
    """Return a reader and writer of YAML with comments; it is slow to import and only needed for saving."""
    from ruamel.yaml import YAML

    reader = YAML()
    reader.Constructor, reader.Representer = _classes()
    reader.preserve_quotes = True
    reader.width = 1_000_000  # keep long lines
    reader.allow_unicode = True
    reader.indent(mapping=2, sequence=4, offset=2)
    return reader


def quoted(text: str) -> Any:
    """Return a text that is written in double quotes."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    return DoubleQuotedScalarString(text)


def literal(text: str) -> Any:
    """Return a text of several lines that is written line by line, behind a ``|``."""
    from ruamel.yaml.scalarstring import LiteralScalarString

    return LiteralScalarString(text)


def sequence(items: list[Any], *, is_flow: bool) -> Any:
    """Return a list that is written on one line, or with one item per line."""
    from ruamel.yaml.comments import CommentedSeq

    node = CommentedSeq(items)
    if is_flow:
        node.fa.set_flow_style()
    return node


def put(node: Any, key: Any, value: Any) -> None:
    """Replace a value in a mapping or a list; its comments stay.

    A comment between a key and its value moves above the key, because the new value may be on the same line.
    """
    if isinstance(node, MutableMapping) and is_block(node[key]) and not is_block(value):
        _put_above(node, key, _cut_first(node, key))
    node[key] = None  # otherwise the library quotes any value that replaces quoted text, even a number
    node[key] = value


def rename(mapping: Any, i: int, old: str, new: Any) -> None:
    """Rename the key at an index of a mapping; its comments stay."""
    comments = mapping.ca.items.pop(old, None)
    mapping.insert(i, new, mapping.pop(old))
    if comments is not None:
        mapping.ca.items[new] = comments


def settle_comments(mapping: Any) -> None:
    """Attach each comment of a document to the key below it, so that it moves with this key.

    The library attaches it to the value that ends above it, possibly deep in another item.
    """
    keys = list(mapping)
    for before, key in pairwise(keys):
        _put_above(mapping, key, _cut_below(mapping, before))
    for key in keys:
        value = mapping[key]
        if is_block(value) and isinstance(value, MutableMapping):
            _put_above(value, next(iter(value)), _cut_first(mapping, key))
            settle_comments(value)


def arrange(node: Any, key: Any, entries: Sequence[int | None]) -> None:
    """Rearrange the list in a part of a node; `entries` has the old index of each entry, None for a new entry.

    A comment moves with the entry below it. A comment below the last entry stays at the end. New entries are None.
    """
    items = node[key]
    end = _cut_below(items, len(items) - 1)
    for i in range(len(items) - 1, 0, -1):
        _put_above(items, i, _cut_below(items, i - 1))
    if isinstance(node, MutableMapping):
        _put_above(items, 0, _cut_first(node, key))
    before, comments = list(items), dict(items.ca.items)
    items.ca.items.clear()
    list.clear(items)
    for place, entry in enumerate(entries):
        list.append(items, None if entry is None else before[entry])
        if entry in comments:
            items.ca.items[place] = comments[entry]
    _put_below(items, len(items) - 1, end)


def is_block(value: Any) -> bool:
    """Return whether a mapping or a list has one entry on each line instead of brackets."""
    is_nested = isinstance(value, MutableMapping | MutableSequence) and len(value) > 0
    return is_nested and not getattr(value, "fa").flow_style()  # noqa: B009 - the library has no types


def _cut_below(node: Any, key: Any) -> str:
    """Remove and return the comment lines below an entry, which the library attaches to the last value in it."""
    value = node[key]
    while is_block(value):
        node, key = value, (next(reversed(value)) if isinstance(value, MutableMapping) else len(value) - 1)
        value = node[key]
    entry = node.ca.items.get(key)
    place = 2 if isinstance(node, MutableMapping) else 0
    token = entry[place] if entry else None
    if token is None:
        return ""
    behind, _, below = token.value.partition("\n")
    if behind:
        token.value = f"{behind}\n"
    else:
        entry[place] = None
    return below


def _cut_first(node: Any, key: Any) -> str:
    """Remove and return the lines between a key and the first key in its value."""
    entry, comment = node.ca.items.get(key), node[key].ca.comment
    if not entry or not entry[3]:
        return ""
    lines = "".join(" " * token.start_mark.column + token.value for token in entry[3])
    entry[3] = None
    if comment:
        comment[1] = None
    return lines


def _put_below(node: Any, key: Any, lines: str) -> None:
    from ruamel.yaml.error import CommentMark
    from ruamel.yaml.tokens import CommentToken

    if lines:
        entry = node.ca.items.setdefault(key, [None, None, None, None])
        place = 2 if isinstance(node, MutableMapping) else 0
        if entry[place] is None:
            entry[place] = CommentToken("\n", CommentMark(0), None)
        entry[place].value += lines


def _put_above(node: Any, key: Any, lines: str) -> None:
    from ruamel.yaml.error import CommentMark
    from ruamel.yaml.tokens import CommentToken

    if lines:
        tokens = [
            CommentToken(f"{line.strip()}\n", CommentMark(len(line) - len(line.lstrip())), None)
            for line in lines.removesuffix("\n").split("\n")
        ]
        entry = node.ca.items.setdefault(key, [None, None, None, None])
        entry[1] = (entry[1] or []) + tokens


@cache
def _classes() -> tuple[type, type]:
    from ruamel.yaml.constructor import RoundTripConstructor
    from ruamel.yaml.nodes import ScalarNode
    from ruamel.yaml.representer import RoundTripRepresenter

    class Constructor(RoundTripConstructor):
        """Reads scalars without quotes as text."""

    class Representer(RoundTripRepresenter):
        """Writes scalars without quotes unchanged."""

    def construct(constructor: Any, node: Any) -> Any:
        return Plain(node.value) if not node.style else constructor.construct_scalar(node)

    def represent(representer: Any, data: Plain) -> Any:
        resolver = representer.dumper.resolver
        return ScalarNode(resolver.resolve(ScalarNode, str(data), (True, False)), str(data), style=None)

    for kind in ("int", "float", "bool", "null", "timestamp", "str"):
        Constructor.add_constructor(f"tag:yaml.org,2002:{kind}", construct)
    Representer.add_representer(Plain, represent)
    return Constructor, Representer
