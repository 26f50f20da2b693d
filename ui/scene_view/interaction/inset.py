"""Inset: a further picture of the scene on top of the scene view, in a rectangle of it."""

from __future__ import annotations

from typing import Protocol

from framescope.ui.scene_view.scene_renderer import SceneRenderer


class Inset(Protocol):
    """What a scene view asks of an inset; see `SceneView.add_inset`."""

    @property
    def renderer(self) -> SceneRenderer:
        """The renderer of the inset, attached to no window before the view adds it."""
        ...

    def prepare(self) -> None:
        """Update the picture before each render."""
        ...

    def escape(self) -> None:
        """Close: the user has pressed Escape in the scene, and no other mode was on."""
        ...
