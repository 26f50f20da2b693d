"""Dashes of curves: the marks by which curves differ without their colours."""

from __future__ import annotations

from collections.abc import Mapping

Dash = tuple[float, ...]
"""Lengths of dashes and gaps in turn, widths of a line of one logical pixel; empty for a solid line."""

SOLID: Dash = ()
DASHED: Dash = (8.0, 3.0)
DOTTED: Dash = (2.5, 2.5)
DASH_DOT: Dash = (9.0, 2.5, 2.5, 2.5)
DASH_DOT_DOT: Dash = (9.0, 2.5, 2.5, 2.5, 2.5, 2.5)
LONG_DASHED: Dash = (14.0, 6.0)
SPARSE_DOTS: Dash = (2.5, 6.0)
DASH_DASH_DOT: Dash = (6.0, 2.5, 6.0, 2.5, 2.5, 2.5)

DASHES: tuple[Dash, ...] = (
    SOLID,
    DASHED,
    DOTTED,
    DASH_DOT,
    LONG_DASHED,
    DASH_DOT_DOT,
    SPARSE_DOTS,
    DASH_DASH_DOT,
)
"""Dashes in the order in which curves of a plot get them."""

AXIS_DASHES: Mapping[str, Dash] = {"x": SOLID, "y": DASHED, "z": DOTTED}
"""Dash of the curve of each axis."""
