"""Markers above the track of the timeline: keyframes, warnings and problems at their times."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from framescope.core.scene.edits.keyframes import APART
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS

DIGITS = 9
"""Decimals of the time of a key that the user drags, s."""

_RING = 7.5
_KIND_COLORS = {"keyframe": "quiet", "warning": "amber", "problem": "red"}


@dataclass(frozen=True)
class Marker:
    """A keyframe, warning or problem at a time, with its text.

    A keyframe with its index among the keys can be dragged.
    """

    t: float
    kind: Literal["keyframe", "warning", "problem"]
    text: str = ""
    i_key: int | None = None


def next_marker(markers: Sequence[Marker], chosen: Marker | None, t: float, way: int) -> Marker | None:
    """Return the marker after (1) or before (-1) the chosen one, or a time if none is chosen; None at the end."""
    ordered = sorted(markers, key=lambda marker: marker.t)
    if chosen is not None:
        i = ordered.index(chosen) + way
    elif way > 0:
        i = sum(marker.t < t for marker in ordered)
    else:
        i = sum(marker.t <= t for marker in ordered) - 1
    return ordered[i] if 0 <= i < len(ordered) else None


def same_marker(marker: Marker, markers: Sequence[Marker]) -> Marker | None:
    """Return the marker's successor in new markers: the key of the same number, or else the last key before it."""
    if marker.i_key is None:
        return marker if marker in markers else None
    keys = [key for key in markers if key.i_key is not None and key.i_key <= marker.i_key]
    return max(keys, key=lambda key: key.i_key or 0, default=None)


def between_neighbours(markers: Sequence[Marker], i_key: int, t: float, start: float, end: float) -> float:
    """Clamp a time between the neighbouring keys, or to the range at its ends, s.

    >>> keys = [Marker(0.0, "keyframe", "", 0), Marker(2.0, "keyframe", "", 1)]
    >>> between_neighbours(keys, 0, 5.0, 0.0, 10.0), between_neighbours(keys, 1, 50.0, 0.0, 10.0)
    (1.999, 10.0)
    """
    times = {marker.i_key: marker.t for marker in markers if marker.i_key is not None}
    first = times[i_key - 1] + APART if i_key - 1 in times else start
    last = times[i_key + 1] - APART if i_key + 1 in times else end
    return round(max(min(t, last), first), DIGITS)


def keys_text(marker: Marker) -> str:
    """Return the text of a marker, and the keys that apply to it."""
    if marker.i_key is None:
        return f"{marker.text}\nReturn goes there"
    return f"{marker.text}\nReturn goes there, Left and Right move it, Delete removes it"


def paint_marker(painter: QPainter, kind: str, centre: QPointF, *, is_chosen: bool) -> None:
    """Paint a diamond, a triangle or an octagon: shapes that are distinguishable without colour."""
    if is_chosen:
        painter.setPen(QPen(current_theme.qcolor("accent"), METRICS.focus))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, _RING, _RING)
    color = current_theme.qcolor(_KIND_COLORS[kind])
    shapes = {
        "keyframe": ((0, -4), (4, 0), (0, 4), (-4, 0)),
        "warning": ((0, -4.5), (5, 4), (-5, 4)),
        "problem": ((-2, -4.8), (2, -4.8), (4.8, -2), (4.8, 2), (2, 4.8), (-2, 4.8), (-4.8, 2), (-4.8, -2)),
    }
    polygon = QPolygonF([centre + QPointF(x, y) for x, y in shapes[kind]])
    is_outline = kind == "keyframe"
    painter.setPen(QPen(color, 1.5) if is_outline else Qt.PenStyle.NoPen)
    painter.setBrush(current_theme.qcolor("panel") if is_outline else color)
    painter.drawPolygon(polygon)
