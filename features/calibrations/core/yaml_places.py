"""Places of the values of a YAML text, to replace some and keep all else."""

# The events of PyYAML have no types; they are checked at run time.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from framescope.core.errors import KeyPath, key_path_text
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.numbers_in_text import new_number

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Span = tuple[int, int]
"""First and last offset of a value in a text."""


def scalar_spans(text: str) -> Mapping[KeyPath, Span]:
    """Return the spans of all scalar values of a document by their key paths; quotes are part of a span.

    The text has been read before (`yaml_texts.read_yaml`), which checks it.

    >>> spans = scalar_spans("a: {x: 0.5, y: [1, '2']}")
    >>> spans[("a", "x")], spans[("a", "y", 1)]
    ((7, 10), (19, 22))
    """
    spans: dict[KeyPath, Span] = {}
    events = iter(yaml.parse(text, Loader=_Loader))
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            _walk(next(events), events, (), spans)
            break
    return spans


def _walk(event: Any, events: Iterator[Any], path: KeyPath, spans: dict[KeyPath, Span]) -> None:
    if isinstance(event, yaml.ScalarEvent):
        spans.setdefault(path, (event.start_mark.index, event.end_mark.index))
    elif isinstance(event, yaml.MappingStartEvent):
        for key in events:
            if isinstance(key, yaml.MappingEndEvent):
                return
            _walk(next(events), events, (*path, key.value), spans)
    elif isinstance(event, yaml.SequenceStartEvent):
        for i, item in enumerate(events):
            if isinstance(item, yaml.SequenceEndEvent):
                return
            _walk(item, events, (*path, i), spans)


def replace_scalars(text: str, changes: Sequence[tuple[KeyPath, float]], what: str) -> str:
    """Return a text whose numbers at some key paths have other values; equal numbers stay as they are written.

    Raises
    ------
    CalibrationError
        When the text has no number at a path.

    Examples
    --------
    >>> replace_scalars("p: {x: 0.50, y: 1}  # m", [(("p", "x"), 0.5), (("p", "y"), 1.25)], "p")
    'p: {x: 0.50, y: 1.25}  # m'
    """
    spans = scalar_spans(text)
    edits: list[tuple[Span, str]] = []
    for path, value in changes:
        if path not in spans:
            raise CalibrationError(f"{what}: the file has no {key_path_text(path)}.")
        start, end = spans[path]
        edits.append(((start, end), new_number(text[start:end], value, what)))
    return replace_spans(text, edits)


def replace_spans(text: str, edits: Sequence[tuple[Span, str]]) -> str:
    """Return a text with other texts at some spans, which do not overlap."""
    for (start, end), new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
