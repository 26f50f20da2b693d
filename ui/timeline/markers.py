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
_KIND_COLORS = {"keyframe": "quiet", "camera key": "quiet", "warning": "amber", "problem": "red"}


@dataclass(frozen=True)
class Marker:
    """A keyframe, key of a camera, warning or problem at a time, with its text.

    Attributes
    ----------
    i_key
        Index among the keys of its group; the user can drag such a key. None: it stays.
    group
        Keys that keep their order: those of the selected frame, or of one path of the camera.
    span
        Times between which the key can be dragged, s; None for the whole range.
    """

    t: float
    kind: Literal["keyframe", "camera key", "warning", "problem"]
    text: str = ""
    i_key: int | None = None
    group: str = "frame"
    span: tuple[float, float] | None = None


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
    keys = [key for key in _keys_of(marker.group, markers) if key.i_key is not None and key.i_key <= marker.i_key]
    return max(keys, key=lambda key: key.i_key or 0, default=None)


def between_neighbours(markers: Sequence[Marker], key: Marker, t: float, start: float, end: float) -> float:
    """Clamp the time of a key between its neighbours, or to its span or the range at their ends, s.

    >>> keys = [Marker(0.0, "keyframe", "", 0), Marker(2.0, "keyframe", "", 1)]
    >>> between_neighbours(keys, keys[0], 5.0, 0.0, 10.0), between_neighbours(keys, keys[1], 50.0, 0.0, 10.0)
    (1.999, 10.0)
    """
    times = {other.i_key: other.t for other in _keys_of(key.group, markers)}
    i, (first, last) = key.i_key or 0, key.span or (start, end)
    first = times[i - 1] + APART if i - 1 in times else first
    last = times[i + 1] - APART if i + 1 in times else last
    return round(max(min(t, last), first), DIGITS)


def _keys_of(group: str, markers: Sequence[Marker]) -> list[Marker]:
    return [marker for marker in markers if marker.i_key is not None and marker.group == group]


def keys_text(marker: Marker) -> str:
    """Return the text of a marker, and the keys that apply to it."""
    if marker.i_key is None:
        return f"{marker.text}\nReturn goes there"
    return f"{marker.text}\nReturn goes there, Left and Right move it, Delete removes it"


def paint_marker(painter: QPainter, kind: str, centre: QPointF, *, is_chosen: bool) -> None:
    """Paint a diamond, a square, a triangle or an octagon: shapes that are distinguishable without colour."""
    if is_chosen:
        painter.setPen(QPen(current_theme.qcolor("accent"), METRICS.focus))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, _RING, _RING)
    color = current_theme.qcolor(_KIND_COLORS[kind])
    shapes = {
        "keyframe": ((0, -4), (4, 0), (0, 4), (-4, 0)),
        "camera key": ((-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)),
        "warning": ((0, -4.5), (5, 4), (-5, 4)),
        "problem": ((-2, -4.8), (2, -4.8), (4.8, -2), (4.8, 2), (2, 4.8), (-2, 4.8), (-4.8, 2), (-4.8, -2)),
    }
    polygon = QPolygonF([centre + QPointF(x, y) for x, y in shapes[kind]])
    is_outline = kind in ("keyframe", "camera key")
    painter.setPen(QPen(color, 1.5) if is_outline else Qt.PenStyle.NoPen)
    painter.setBrush(current_theme.qcolor("panel") if is_outline else color)
    painter.drawPolygon(polygon)
