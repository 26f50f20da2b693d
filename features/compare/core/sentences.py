"""Sentences of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from framescope.core.errors import counted
from framescope.features.compare.core.relations import Relation
from framescope.features.detective.core.axis_changes import AxisChange

INVERSE_TEXT = "one is the inverse of the other: the frame in its parent, against the parent in the frame"

KEPT_TEXT = (
    "one rotation is the inverse of the other: frame into parent, against parent into frame; the positions are both in"
    " the parent"
)

_SCALES = {1e3: "a thousand times", 1e-3: "a thousandth of", 1e2: "a hundred times", 1e-2: "a hundredth of"}
_UNITS = {1e3: " (millimetres against metres)", 1e-3: " (metres against millimetres)"}

Names = tuple[str, str]
"""Names of both sides, as within a sentence."""


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def degrees_text(angle: float) -> str:
    """Return an angle, degrees, with the digits that matter.

    >>> degrees_text(12.43), degrees_text(0.0123), degrees_text(1e-9)
    ('12.4°', '0.012°', 'less than 0.001°')
    """
    return f"{angle:.1f}°" if angle >= 0.1 else f"{angle:.2g}°" if angle >= 1e-3 else "less than 0.001°"


def metres_text(distance: float) -> str:
    """Return a distance, m, with the digits that matter.

    >>> metres_text(1.234), metres_text(0.0021), metres_text(0.0)
    ('1.23 m', '2.1 mm', 'less than 0.01 mm')
    """
    if distance >= 0.1:
        return f"{distance:.3g} m"
    return f"{1e3 * distance:.2g} mm" if distance > 1e-5 else "less than 0.01 mm"


def distance_text(angle: float | None, distance: float | None) -> str:
    """Return an angle, degrees, and a distance, m, such as ``"0.2° and 3 mm"``; each may be None."""
    parts = [degrees_text(angle)] if angle is not None else []
    return " and ".join([*parts, metres_text(distance)] if distance is not None else parts)


def differences(relation: Relation, names: Names) -> tuple[str, ...]:
    """Return the differences that a relation states, as phrases."""
    texts = [KEPT_TEXT if relation.keeps_position else INVERSE_TEXT] if relation.is_inverse else []
    parent, frame = relation.parent_axes, relation.frame_axes
    if parent == frame:
        texts += axes_texts(parent, "both frames", names)
    else:
        texts += [*axes_texts(parent, "the parent", names), *axes_texts(frame, "the frame", names)]
    if relation.first.p is not None and relation.second.p is not None:
        texts += ["the positions differ by an offset"] if relation.scale is None else scale_texts(relation.scale, names)
    return tuple(texts)


def axes_texts(axes: AxisChange, place: str, names: Names) -> list[str]:
    """Return the phrase on changed axes of a place; none without a change."""
    return [] if axes.is_identity else [f"other axes of {place}: {names[0]}'s {axes.text}"]


def scale_texts(scale: float, names: Names) -> list[str]:
    """Return the phrase on another unit of positions; none for the same."""
    if scale == 1.0:
        return []
    return [f"{names[1]}'s positions are {_SCALES[scale]} {names[0]}'s{_UNITS.get(scale, '')}"]


def apart_text(angle: float, distance: float | None, *, has_offset: bool) -> str:
    """Return the sentence on two sides that no relation brings together."""
    known = " after the known offset" if has_offset else ""
    return (
        f"They are {distance_text(angle, distance)} apart in the simplest reading{known}, and no reading, sense or"
        " change of axes that was tried brings them together. That may be a real offset."
    )


def far_fetched_text(angle: float, distance: float | None, n_rows: int) -> str:
    """Return the sentence on two sides that chance alone brings together."""
    n = counted(n_rows, "far-fetched relation")
    return (
        f"They are {distance_text(angle, distance)} apart in the simplest reading. {capital(n)} would fit, as chance"
        " gives: that may be a real offset."
    )


def agreement_text(readings: Names, texts: Sequence[str], left: str, n_others: int, names: Names, sure: str) -> str:
    """Return the sentence on two sides that agree.

    Parameters
    ----------
    readings
        Readings of both sides.
    texts
        Differences.
    left
        Misfit in words.
    n_others
        Number of other relations that fit.
    names
        Names of the sides.
    sure
        Words before the sentence; empty if it is settled.
    """
    read = f"read {names[0]} as {readings[0]}, and {names[1]} as {readings[1]}"
    if texts:
        body = f"{sure} they agree ({left}) when you {read}; {'; '.join(texts)}."
    else:
        body = f"{sure} they are the same: {read} ({left})."
    others = f" {capital(counted(n_others, 'other relation'))} {'fits' if n_others == 1 else 'fit'}, too."
    return capital(body.strip()) + (others if n_others else "")


def open_text(n: int, advice: str, *, is_plain: bool) -> str:
    """Return the sentence on n relations that fit, the first of which may be plain."""
    start = "They agree as they stand, but " if is_plain else ""
    doubt = "" if n > 1 else " It may be chance."
    text = f"{start}{counted(n, 'relation')} {'fits' if n == 1 else 'fit'}, and this pair alone cannot tell.{doubt}"
    return f"{capital(text)} {advice}".strip()
