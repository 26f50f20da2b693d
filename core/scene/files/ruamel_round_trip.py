"""Round trip of YAML with comments by ruamel.yaml, set up so that scalars stay as they are written.

It would read ``0x10`` as a number and write some numbers with another last digit. Here scalars without quotes are kept
as their text, and what they mean is told by `framescope.core.scene.schema.plain_scalars` alone.
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
    """A scalar that stands, or is to stand, in a file without quotes."""

    __slots__ = ()


def yaml() -> Any:
    """Return a reader and writer of YAML with its comments; it is slow to import and only needed for saving."""
    from ruamel.yaml import YAML

    made = YAML()
    made.Constructor, made.Representer = _classes()
    made.preserve_quotes = True
    made.width = 1_000_000  # what a person wrote on one line stays there
    made.allow_unicode = True
    made.indent(mapping=2, sequence=4, offset=2)
    return made


def quoted(text: str) -> Any:
    """Return a text that is written in double quotes."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    return DoubleQuotedScalarString(text)


def sequence(items: list[Any], *, is_flow: bool) -> Any:
    """Return a list that is written on one line, or with an item on each."""
    from ruamel.yaml.comments import CommentedSeq

    made = CommentedSeq(items)
    if is_flow:
        made.fa.set_flow_style()
    return made


def put(node: Any, key: Any, value: Any) -> None:
    """Set a part of a mapping or a list that is there already; its comments stay.

    One between a key and its value, which may stand on the same line from now on, stands above the key then.
    """
    if isinstance(node, MutableMapping) and is_block(node[key]) and not is_block(value):
        _put_above(node, key, _cut_first(node, key))
    node[key] = None  # in place of a text in quotes, the library would put any other into quotes, also a number
    node[key] = value


def rename(mapping: Any, i: int, old: str, new: Any) -> None:
    """Give the key at a place of a mapping another name; its comments stay."""
    comments = mapping.ca.items.pop(old, None)
    mapping.insert(i, new, mapping.pop(old))
    if comments is not None:
        mapping.ca.items[new] = comments


def settle_comments(mapping: Any) -> None:
    """Give each comment of a document to the key that it stands above, so that it goes where that goes.

    The library hangs it on whatever ends before it, be that deep in another item.
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
    """Give a list, which is a part of a node, its entries in another order, without some, or with None between them.

    A comment goes where the entry below it goes, and one below the last entry stays at the end.
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
    """Return whether a node has an entry on each line, and not all in brackets."""
    is_nested = isinstance(value, MutableMapping | MutableSequence) and len(value) > 0
    return is_nested and not getattr(value, "fa").flow_style()  # noqa: B009 - the library has no types


def _cut_below(node: Any, key: Any) -> str:
    """Take the lines below an entry, up to the next one, off where they hang: behind the last thing in it."""
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
    """Take the lines between a key and the first one in its value."""
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
        """Keeps scalars without quotes as their text."""

    class Representer(RoundTripRepresenter):
        """Writes them as they are."""

    def construct(constructor: Any, node: Any) -> Any:
        return Plain(node.value) if not node.style else constructor.construct_scalar(node)

    def represent(representer: Any, data: Plain) -> Any:
        resolver = representer.dumper.resolver
        return ScalarNode(resolver.resolve(ScalarNode, str(data), (True, False)), str(data), style=None)

    for kind in ("int", "float", "bool", "null", "timestamp", "str"):
        Constructor.add_constructor(f"tag:yaml.org,2002:{kind}", construct)
    Representer.add_representer(Plain, represent)
    return Constructor, Representer
