"""Drag of a note to another place in the picture."""

from __future__ import annotations

from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.schema.model import ItemKey
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.notes import Notes

DECIMALS = 3
"""Decimals of a position as a fraction of the picture: one pixel of a large picture."""


class NoteDrag:
    """Drag of a note, from press to release of the button; all in device pixels from the lower left.

    Its `edits` are separate from the edits of handles, because they turn no frame.
    """

    def __init__(self, renderer: SceneRenderer, edits: EditSink) -> None:
        self._renderer, self.edits = renderer, edits
        self._name = ""
        self._grip = (0.0, 0.0)
        self._edit: Edit | None = None

    @property
    def is_held(self) -> bool:
        """Whether a note is being dragged."""
        return bool(self._name)

    def press(self, key: ItemKey, x: float, y: float) -> bool:
        """Grab the note under the pointer; return whether there is one."""
        notes = self._renderer.visual(Notes)
        box = None if notes is None or key[0] != "notes" else notes.box_of(key[1])
        if box is None:
            return False
        left, bottom, right, top = box
        self._name, self._grip, self._edit = key[1], ((left + right) / 2 - x, (bottom + top) / 2 - y), None
        return True

    def move(self, x: float, y: float) -> None:
        """Move the note with the pointer, within the picture."""
        if not self._name:
            return
        projection, (grip_x, grip_y) = self._renderer.projection(), self._grip
        across, up = (x + grip_x) / projection.width, (y + grip_y) / projection.height
        across, up = min(max(across, 0.0), 1.0), min(max(up, 0.0), 1.0)
        place = round(across, DECIMALS), round(1.0 - up, DECIMALS)
        self._edit = set_values({("notes", self._name, "at"): place}, f"Moved the note {self._name}")
        self.edits.preview(self._edit, pauses=False)

    def finish(self) -> None:
        """Commit the note's new position."""
        if self._edit is not None:
            self.edits.commit(self._edit)
        self._name, self._edit = "", None

    def cancel(self) -> None:
        """Restore the note's position."""
        if self._edit is not None:
            self.edits.cancel()
        self._name, self._edit = "", None
