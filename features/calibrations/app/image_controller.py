"""Controller of the panel of what a camera sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framescope.app.controllers.instruments.relation_controller import FrameController
from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import evaluate
from framescope.core.scene.schema.view import PlottedSignal
from framescope.features.calibrations.ui.image_panel import ImagePanel

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class ImageController(FrameController):
    """Passes plan, selected frame and time to an `ImagePanel`, and selects the frames that the user picks in it."""

    def __init__(self, session: Session, panel: ImagePanel) -> None:
        super().__init__(session, panel, panel)
        self._panel = panel
        panel.picked.connect(self._select)
        panel.seen.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the present moment, after the panel was hidden."""
        session = self._session
        if self._plan is not session.plan:
            self.on_plan(session.plan, False)
        self._panel.show_snapshot(evaluate(session.plan, session.playback.t))

    def _select(self, name: str) -> None:
        self._session.select(("frames", name))


def fill_image(wiring: Wiring) -> None:
    """Fill the dock of what a camera sees."""
    panel = ImagePanel(wiring.window.ground("image"))
    wiring.window.fill_dock("image", panel, panel.header_widgets())
    ImageController(wiring.session, panel)

    def plot(frame: str, camera: str) -> None:
        question = PlottedSignal(signal="pixel", of=frame, relative_to=camera, unit="px")
        wiring.questions.toggle(question, "curve", is_wanted=True)

    panel.plot_wanted.connect(plot)
