"""Make the pictures of the real window that the README shows: ``python -m tests.tools.make_pictures [NAME …]``.

Each picture is of an example scene in one of the layouts, after something a person does. The window is as at a first
start, whatever is remembered on this computer.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from framescope import assets

SIZE = (1280, 800)
SETTLING_MS = 900


@dataclass(frozen=True)
class Picture:
    """A picture: its name, the scene below ``assets/scenes``, the theme, and what is done before it is taken."""

    name: str
    scene: str
    theme: str
    preset: str
    t: float
    act: Callable[[Any], object] = lambda _wiring: None


def _stage(wiring: Any) -> None:
    wiring.window.commands.staged.trigger()
    wiring.staged.go_to(1.61)


def _search(wiring: Any) -> None:
    wiring.window.commands.search.trigger()
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    QTest.qWait(200)
    QTest.keyClicks(QApplication.focusWidget(), "look al")


def _detect(wiring: Any) -> None:
    """Ask the detective about two angles of a flight against its quaternions: the third is always zero."""
    import numpy as np
    from PySide6.QtTest import QTest

    from framescope.core import frames
    from framescope.features.detective.core.inputs import Side
    from framescope.features.detective.ui.detective_panel import DetectivePanel

    noise = np.random.default_rng(3)
    angles = np.column_stack([*noise.uniform(-60, 60, (2, 20)), np.zeros(20)])
    Q = frames.to_Q(frames.axes_rotations("ZYX", np.radians(angles), [0.0, 0.0, 0.0]))
    Q += noise.normal(0.0, 5e-4, Q.shape)
    wiring.window.show_dock("detective")
    while not wiring.window.findChildren(DetectivePanel):  # it is made a moment after its dock is seen
        QTest.qWait(SETTLING_MS)
    (panel,) = wiring.window.findChildren(DetectivePanel)
    texts = ("\n".join(" ".join(f"{x:.4f}" for x in row) for row in rows) for rows in (angles, Q))
    forms = ("angles", "quaternion")
    for side, text, form in zip((panel.a, panel.b), texts, forms, strict=True):
        side.set_side(Side(text=text, read_as=form))
    while panel.comparison is None or panel.is_busy:
        QTest.qWait(100)


def _compare_sensors(wiring: Any) -> None:
    """Open the drive with a turned IMU, wait for the comparison of its sensors, and show what it proves."""
    from PySide6.QtTest import QTest

    from framescope.features.evidence.app.evidence_controller import EvidenceController
    from framescope.features.evidence.ui.evidence_panel import EvidencePanel

    wiring.session.document.is_handed_back = True
    wiring.files.open_example("bags/turned-imu.bag")
    (controller,) = wiring.window.findChildren(EvidenceController)
    while not controller.accounts or not wiring.window.findChildren(EvidencePanel):
        QTest.qWait(SETTLING_MS)
    wiring.window.set_place("Check")
    wiring.window.hide_dock("image")
    wiring.window.show_dock("evidence")
    (panel,) = wiring.window.findChildren(EvidencePanel)
    panel.cards[0].show_button.click()


def _show(name: str, frame: str = "") -> Callable[[Any], object]:
    def show(wiring: Any) -> None:
        wiring.window.show_dock(name)
        if frame:
            wiring.session.select(("frames", frame))

    return show


PICTURES = (
    Picture("explore-dark", "demo", "dark", "Build", 2.0),
    Picture("teach-light", "aircraft", "light", "Learn", 9.5, _stage),
    Picture("debug-dark", "faulty/gyro-frame", "dark", "Check", 2.0, _detect),
    Picture("shift-light", "spatial-velocity", "light", "Build", 1.0, _show("shift", "hub")),
    Picture("gimbal-dark", "gimbal-lock", "dark", "Build", 4.2, _show("gimbal")),
    Picture("drift-light", "drift", "light", "Build", 6.0, _show("drift")),
    Picture("springs-light", "three-springs", "light", "Build", 1.3),
    Picture("evidence-dark", "demo", "dark", "Check", 2.0, _compare_sensors),
    Picture("search-dark", "robot-arm", "dark", "Build", 3.0, _search),
)


def main() -> int:
    """Take all pictures, or those that are named."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = home
        from framescope.app import startup

        startup.make_application()
        for picture in [each for each in PICTURES if each.name in sys.argv[1:] or not sys.argv[1:]]:
            print(_take(picture), file=sys.stderr)
    return 0


def _take(picture: Picture) -> str:
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from framescope.app import startup
    from framescope.ui.theme import current_theme
    from framescope.ui.theme.tokens import THEMES

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    current_theme.apply_theme(app, THEMES[picture.theme])
    wiring = startup.make_window(assets.path(f"scenes/{picture.scene}.yaml"))
    window = wiring.window
    window.resize(*SIZE)
    window.show()
    window.activateWindow()
    QTest.qWait(SETTLING_MS)
    while wiring.session.simulator.activity.state == "running":
        QTest.qWait(SETTLING_MS)
    window.set_place(picture.preset)
    window.reset_layout()
    wiring.session.scrub(picture.t)
    picture.act(wiring)
    QTest.qWait(SETTLING_MS)
    path = assets.path("pictures") / f"{picture.name}.png"
    window.grab().save(str(path))
    wiring.session.document.is_handed_back = True
    window.close()
    window.deleteLater()
    QTest.qWait(50)
    return path.name


if __name__ == "__main__":
    sys.exit(main())
