"""Edits of the axes of all frames: full, thin or off."""

from __future__ import annotations

from typing import Literal

from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import with_value, without_value
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.view import View

AxesLook = Literal["automatic", "full", "thin", "off"]
"""Look of the axes of all frames. Automatic axes are thin among many frames."""

AXES_LOOKS: tuple[AxesLook, ...] = ("automatic", "full", "thin", "off")

_IS_THIN: dict[AxesLook, bool | None] = {"automatic": None, "full": False, "thin": True}


def axes_look(view: View) -> AxesLook:
    """Return the look of the axes of frames without their own setting.

    Examples
    --------
    >>> axes_look(View()), axes_look(View(thin_triads=True)), axes_look(View(triads=False, thin_triads=True))
    ('automatic', 'thin', 'off')
    """
    if not view.triads:
        return "off"
    return next(look for look, is_thin in _IS_THIN.items() if is_thin is view.thin_triads)


def next_axes_look(view: View, *, are_thin: bool) -> AxesLook:
    """Return the look after the present one, of full, thin and off; `are_thin` tells whether axes are drawn thin.

    Examples
    --------
    >>> next_axes_look(View(), are_thin=False), next_axes_look(View(), are_thin=True)
    ('thin', 'off')
    """
    if not view.triads:
        return "full"
    return "off" if are_thin else "thin"


def set_axes_look(look: AxesLook) -> Edit:
    """Return the edit that draws the axes of all frames without their own setting in a look.

    Examples
    --------
    >>> axes_look(set_axes_look("thin").apply(Scene()).view)
    'thin'
    """

    def apply(scene: Scene) -> Scene:
        has_axes = look != "off"
        if scene.view.triads is not has_axes:
            scene = with_value(scene, ("view", "triads"), has_axes)
        if not has_axes or scene.view.thin_triads is _IS_THIN[look]:
            return scene
        path = "view", "thin_triads"
        return without_value(scene, path) if _IS_THIN[look] is None else with_value(scene, path, _IS_THIN[look])

    return Edit(f"Set the axes of all frames to {look}", apply)
