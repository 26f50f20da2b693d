"""Controller of the picture that the selected frame sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan
from framescope.features.cameras.core.looking_through import Eye, description, eye_of, view_of, views_on
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring
    from framescope.features.cameras.ui.picture_place import PicturePlace
    from framescope.features.cameras.ui.seen_picture import SeenPicture


class LookThrough(QObject):
    """Opens, follows and closes the picture. Its state belongs to the window: the document does not change.

    While a rotation is shown turn by turn, which needs the corners of the scene, the picture is closed for a while.
    """

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._action = window.commands.of_features["look_through"]
        self._eye: Eye | None = None
        self.picture: SeenPicture | None = None
        """The picture; None while none is shown."""
        self._place: PicturePlace | None = None
        self._is_staged = False
        self._note = ""
        """Message on the picture in the status line."""
        self._action.triggered.connect(self._on_triggered)
        session.document_opened.connect(self.close)
        session.plan_changed.connect(self._on_plan)
        session.selection_changed.connect(self._show_mark)

    @property
    def frame(self) -> str:
        """Frame that the user looks through; empty without one."""
        return "" if self._eye is None else self._eye.frame

    def look(self, name: str, view: str = "") -> None:
        """Show the picture that a frame sees, or of several fields of view on it the one that `view` names."""
        self.close()
        self._eye = eye_of(self._session.plan, name, view)
        self._open()
        self._show_mark()

    def close(self) -> None:
        """Close the picture."""
        self._close_picture()
        self._eye = None
        self._window.status.show_message("", self._note)
        self._show_mark()

    def set_staged(self, step: object) -> None:
        """Close the picture while a rotation is shown turn by turn, and open it again afterwards."""
        is_staged = step is not None
        if is_staged == self._is_staged:
            return
        self._is_staged = is_staged
        if is_staged:
            self._close_picture()
        elif self._eye is not None:
            self._open()

    def _open(self) -> None:
        from framescope.features.cameras.ui.picture_place import PicturePlace
        from framescope.features.cameras.ui.seen_picture import SeenPicture

        if self._eye is not None and not self._is_staged:
            self.picture = SeenPicture(self._window.scene_view, self._eye, self._place or PicturePlace(), self.close)

    def _close_picture(self) -> None:
        if self.picture is not None:
            self._place = self.picture.frame.place
            self.picture.close()
            self.picture = None

    def _on_triggered(self) -> None:
        name, view = self._chosen()
        if self._eye is not None and (name, view) in (("", ""), (self._eye.frame, self._eye.view)):
            self.close()
        elif name or (name := self._first_camera()):
            view = view or view_of(self._session.plan, name)
            self.look(name, view)
            when = " once the rotation is no longer shown turn by turn" if self._is_staged else ""
            self._note = f"{description(eye_of(self._session.plan, name, view))}{when}. Escape closes"
            self._window.status.show_message("note", self._note)
        else:
            self._window.status.show_message("note", "Select a frame first, to look through it")
        self._show_mark()

    def _chosen(self) -> tuple[str, str]:
        """Return the selected frame, and the selected field of view of several on it; empty texts without them."""
        name, (kind, item) = self._session.selected_frame(), self._session.selection
        return name, view_of(self._session.plan, name, item if kind == "bodies" else "") if name else ""

    def _first_camera(self) -> str:
        """Return the first frame with a field of view; empty without one."""
        bodies, index = self._session.plan.scene.bodies, self._session.plan.index
        frames = (bodies[view].frame for view in views_on(self._session.plan))
        return next((frame for frame in frames if frame in index), "")

    def _on_plan(self, plan: Plan, is_preview: bool) -> None:
        if self._eye is None:
            return
        name = self._eye.frame
        if name not in plan.index:
            self.close()
            return
        # Without a field of view, axes depend on names and on all times: a gesture keeps them.
        if not is_preview or views_on(plan, name):
            self._eye = eye_of(plan, name, self._eye.view)
            if self.picture is not None:
                self.picture.set_eye(self._eye)
        if self.picture is not None and not is_preview:
            self.picture.fit()  # the legend in the corner may have changed

    def _show_mark(self, *_: object) -> None:
        self._action.setChecked(self._eye is not None and self._chosen() == (self._eye.frame, self._eye.view))


def connect_look_through(wiring: Wiring) -> None:
    """Connect the action with the window."""
    controller = LookThrough(wiring.session, wiring.window)
    wiring.staged.changed.connect(controller.set_staged)
    wiring.instruments.close_with_window(controller)
