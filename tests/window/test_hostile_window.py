"""Hostile texts in the window: no label and no tip takes one for markup, which could read files and shares."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as RichText
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDockWidget, QLabel, QWidget

from framescope.app.cli.main import app
from tests.support.bags import Sent, drive, write_ros2
from tests.support.command_line import CliRunner
from tests.support.hostile_texts import hostile_scene
from tests.support.whole import write_whole
from tests.support.whole_window import windows

pytestmark = pytest.mark.window


RAW = "<img src=", "<b>hostile", "<iframe src="


def is_markup(text: str) -> bool:
    return any(tag in text for tag in RAW) and RichText.mightBeRichText(text)


def cells(model: QAbstractItemModel, parent: QModelIndex | None = None):
    parent = parent or QModelIndex()
    for row in range(model.rowCount(parent)):
        columns = (model.index(row, column, parent) for column in range(10))  # models of lists do not say how many
        yield from (index for index in columns if index.isValid())
        yield from cells(model, model.index(row, 0, parent))


def place_of(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()[:30]}"


def taken_for_markup(top: QWidget):
    """Yield where a hostile text would be shown as rich text."""
    for widget in [top, *top.findChildren(QWidget)]:
        if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText and is_markup(widget.text()):
            yield f"label: {place_of(widget)} in {type(widget.parentWidget()).__name__}: {widget.text()[:40]}"
        for kind in ("toolTip", "whatsThis", "statusTip"):
            if is_markup(getattr(widget, kind)()):
                yield f"{kind}: {place_of(widget)}"
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            for index in cells(widget.model()):
                tip = index.data(Qt.ItemDataRole.ToolTipRole)
                if isinstance(tip, str) and is_markup(tip):
                    yield f"tip of a cell: {place_of(widget)}"
    for action in top.findChildren(QAction):
        if is_markup(action.toolTip()):
            yield f"tip of an action: {action.objectName()}"


def test_that_the_window_shows_hostile_texts_as_texts(qtbot, tmp_path) -> None:
    data = hostile_scene()
    data["time"]["end"] = "200 ms"
    data["simulation"]["tolerance"] = 1e-3
    data["frames"][next(iter(data["frames"]))]["parent"] = "<b>hostile parent"
    path = write_whole(tmp_path, yaml.safe_dump(data, allow_unicode=True, sort_keys=False))
    found: set[str] = set()
    with windows(qtbot) as open_it:
        wiring = open_it(path)
        for dock in wiring.window.findChildren(QDockWidget):
            dock.show()
            dock.raise_()
            QApplication.processEvents()
        scene = wiring.session.document.scene
        for kind in ("frames", "bodies", "points", "elements", "sensors", "measured", "notes"):
            for name in getattr(scene, kind):
                wiring.session.select((kind, name))
                QApplication.processEvents()
                found |= set(taken_for_markup(wiring.window))
        for widget in QApplication.topLevelWidgets():
            found |= set(taken_for_markup(widget))
    assert found == set()


@pytest.mark.parametrize("name", ["/<img src=x onerror=alert(1)></script>", "/a\n\x1b[31m\u202e<b>hostile"])
def test_that_the_window_shows_names_in_a_bag_as_texts(qtbot, tmp_path, name) -> None:
    def hostile(sent: Sent) -> Sent:
        names = {"parent": f"{sent.parent}{name}", "child": f"{sent.child}{name}", "publisher": name}
        return replace(sent, **names, topic=f"{name}/tf_static" if sent.is_static else f"{name}/tf")

    path = write_ros2(tmp_path / "drive", [hostile(sent) for sent in drive(seconds=3.0, hz=10.0)], storage="MCAP")
    scene = tmp_path / "drive.yaml"
    assert CliRunner().invoke(app, ["import", str(path), "--out", str(scene)]).exit_code == 0
    found: set[str] = set()
    with windows(qtbot) as open_it:
        wiring = open_it(scene)
        for dock in wiring.window.findChildren(QDockWidget):
            dock.show()
            dock.raise_()
            QApplication.processEvents()
        assert len(wiring.session.document.scene.frames) == 8
        for frame in wiring.session.document.scene.frames:
            wiring.session.select(("frames", frame))
            QApplication.processEvents()
            found |= set(taken_for_markup(wiring.window))
    assert found == set()
