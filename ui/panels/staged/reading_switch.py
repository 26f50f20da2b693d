"""The switch between the two readings of a rotation."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from framescope.ui.scene_view.interaction.active_passive_view import Reading
from framescope.ui.widgets.segmented_control import Segmented

READINGS: dict[str, Reading] = {"Active": "active", "Passive": "passive", "Both": "both"}


class ReadingSwitch(Segmented):
    """Active, Passive or Both."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__([*READINGS], "reading of the rotation", parent)
        self.setToolTip(
            "Active: the frame turns in its parent. Passive: the frame stands still and its parent turns back.\n"
            "The numbers are the same"
        )

    @property
    def reading(self) -> Reading:
        """The one that is chosen."""
        return READINGS[self.choice]
