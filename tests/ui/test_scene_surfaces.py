"""Where the scene is drawn: within a window that OpenGL composes, or off screen for a window that is painted."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from framescope.ui.scene_view.raster_surface import RasterSurface, has_graphics_card

SCRIPT = """
import sys
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from framescope.ui.scene_view import raster_surface
raster_surface.has_graphics_card = lambda: sys.argv[2] == "card"
from framescope.app import startup
startup.make_application()
from framescope.app.session.document import Document
from framescope.app.session.scene_lookup import example_path
wiring = startup.window_on(Document.open(example_path("gimbal-lock")))
wiring.session.document.is_handed_back = True
wiring.session.pause()
window, view = wiring.window, wiring.window.scene_view
assert isinstance(view, raster_surface.RasterSurface) == (sys.argv[2] != "card")
window.resize(1280, 800)
window.show()
QTest.qWaitForWindowExposed(window)
window.resize(1100, 760)
middle = view.rect().center()
left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
pictures = []
view.frameSwapped.connect(lambda: pictures.append(1))
QTest.mousePress(view, left, plain, middle)
for i in range(1, 8):
    QTest.mouseMove(view, middle + QPoint(9 * i, 4 * i))
    QTest.qWait(1)
QTest.mouseRelease(view, left, plain, middle + QPoint(63, 28))
while not view.renderer.layers.has_smooth_edges:
    QTest.qWait(20)
view.grabFramebuffer().save(sys.argv[1] + "-scene.png")
view.grab().save(sys.argv[1] + "-view.png")
assert pictures
window.close()
"""


@pytest.mark.process
def test_that_both_surfaces_give_the_same_picture(tmp_path) -> None:
    for road in ("card", "none"):
        words = [sys.executable, "-c", SCRIPT, str(tmp_path / road), road]
        result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        assert (result.returncode, result.stderr) == (0, "")
    for part in ("scene", "view"):
        card, none = (pixels(tmp_path / f"{road}-{part}.png") for road in ("card", "none"))
        assert card.shape == none.shape
        assert (np.abs(card - none).max(axis=-1) > 8).mean() < 0.002
        assert len(np.unique(none.reshape(-1, 3), axis=0)) > 100


def pixels(path) -> np.ndarray:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].astype(int)


def test_that_a_card_is_known_by_its_device(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("LIBGL_ALWAYS_SOFTWARE", raising=False)
    assert not has_graphics_card(tmp_path)
    (tmp_path / "dri").mkdir()
    assert not has_graphics_card(tmp_path)
    (tmp_path / "dri" / "renderD128").touch()
    assert has_graphics_card(tmp_path)
    monkeypatch.setenv("LIBGL_ALWAYS_SOFTWARE", "1")
    assert not has_graphics_card(tmp_path)
    monkeypatch.setattr(sys, "platform", "win32")
    assert has_graphics_card(tmp_path)


class Counted(RasterSurface):
    """A surface that counts its pictures."""

    n = 0

    def paintGL(self) -> None:
        self.n += 1
        image = QImage(self.size(), QImage.Format.Format_RGBX8888)
        image.fill(Qt.GlobalColor.red)
        self.set_image(image)


def test_that_what_changes_above_the_picture_draws_no_new_one(qtbot) -> None:
    surface = Counted()
    qtbot.addWidget(surface)
    surface.resize(200, 100)
    card = QWidget(surface)
    card.setGeometry(20, 20, 50, 30)
    with qtbot.waitSignal(surface.frameSwapped):
        surface.show()
    QTest.qWait(10)
    n = surface.n
    card.update()
    QTest.qWait(10)
    assert surface.n == n
    with qtbot.waitSignal(surface.frameSwapped):
        surface.update()
    assert surface.n == n + 1
    with qtbot.waitSignal(surface.frameSwapped):
        surface.resize(220, 100)
    assert surface.grabFramebuffer().size() == surface.size()
    assert surface.grab().toImage().pixelColor(QPoint(5, 5)) == Qt.GlobalColor.red
    assert surface.isValid()
