"""Place of the picture of a camera in the scene view: a lower corner, up to the full view."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from framescope.ui.theme.tokens import METRICS

TITLE = 28
"""Usual height of the title above the picture, logical pixels."""

MARGIN = METRICS.gap + METRICS.inner
"""Distance from the edges of the view, logical pixels."""

USUAL_SHARE, SMALLEST = 0.3, 176
"""Initial width of the picture, in widths of the view, and least width, logical pixels."""

Corner = Literal["left", "right"]


@dataclass(frozen=True)
class PicturePlace:
    """Where the user wants the picture.

    Attributes
    ----------
    corner
        Lower corner of the view.
    share
        Width in widths of the view.
    is_full
        Whether the picture fills the view as far as its aspect allows; corner and share are then for later.
    """

    corner: Corner = "right"
    share: float = USUAL_SHARE
    is_full: bool = False


@dataclass(frozen=True)
class Box:
    """Picture with its title: sides in logical pixels, from the upper left corner of the view."""

    x: int
    y: int
    width: int
    height: int


def box_of(place: PicturePlace, aspect: float, view: tuple[int, int], below: float = 0.0, title: int = TITLE) -> Box:
    """Return the box of a picture.

    Parameters
    ----------
    place
        Where the user wants the picture.
    aspect
        Width of the picture without its title, in heights.
    view
        Width and height of the view, logical pixels.
    below
        Height of the texts in the corner, logical pixels. The picture is above them while there is room.
    title
        Height of the title, logical pixels.

    Examples
    --------
    >>> box_of(PicturePlace(), 1.5, (1000, 600)), box_of(PicturePlace("left"), 1.5, (1000, 600), below=100.0)
    (Box(x=688, y=360, width=300, height=228), Box(x=12, y=272, width=300, height=228))
    >>> box_of(PicturePlace(is_full=True), 1.5, (1000, 600))
    Box(x=71, y=0, width=858, height=600)
    """
    view_width, view_height = view
    margin = 0 if place.is_full else MARGIN
    widest = min(view_width - 2 * margin, math.floor(aspect * (view_height - 2 * margin - title)))
    wanted = widest if place.is_full else max(SMALLEST, round(place.share * view_width))
    width = max(1, min(wanted, widest))
    height = round(width / aspect) + title
    if place.is_full:
        return Box((view_width - width) // 2, (view_height - height) // 2, width, height)
    x = margin if place.corner == "left" else view_width - margin - width
    y = max(margin, view_height - round(max(below, margin)) - height)
    return Box(x, y, width, height)


def resized(
    place: PicturePlace, width: float, aspect: float, view: tuple[int, int], title: int = TITLE
) -> PicturePlace:
    """Return the place with another width, logical pixels; full where the view has no room for more.

    >>> resized(PicturePlace(), 400.0, 1.5, (1000, 600)), resized(PicturePlace(), 990.0, 1.5, (1000, 600)).is_full
    (PicturePlace(corner='right', share=0.4, is_full=False), True)
    """
    full = box_of(replace(place, is_full=True), aspect, view, title=title)
    if width >= full.width - MARGIN:
        return replace(place, is_full=True)
    return replace(place, share=max(SMALLEST, width) / max(view[0], 1), is_full=False)
