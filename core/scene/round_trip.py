"""The YAML library that keeps comments, set up so that scalars stay as they are written.

It would read ``0x10`` as a number and write some numbers with another last digit. Here scalars without quotes are kept
as their text, and what they mean is told by `framescope.core.scene.scalars` alone.
"""

# The library has no types.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportMissingTypeArgument=false

from __future__ import annotations

from functools import cache
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
